"""Whatever workers come, go and fail, every job ends once, and none disturbs another."""

from __future__ import annotations

from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from polytab.errors import InstallError, PolytabError, WorkerError
from polytab.model import Environment, Job, Key, Needs, Script
from polytab.runner.cluster.dispatch import MAX_LOST_WORKERS, Dispatcher, Task, Worker

ONE = Worker("tcp://one", "one", slots=2)


def _job(
    name: str,
    seconds: float | None = None,
    *,
    measures: bool = False,
    gpus: int = 0,
    framework: str = "torch",
) -> Job:
    device = "cuda" if gpus else "cpu"
    environment = Environment(framework, device, Path(f"{framework}.txt"), "3.11", (framework,))
    needs = Needs(gpus=gpus, measures=measures)
    script = Script(name, framework, Path("torch.py"), (), needs)
    return Job(script, environment, Key((("script", name),)), seconds=seconds)


def _made(dispatcher: Dispatcher) -> Task:
    """Have the next environment made, and return the task that follows."""
    task = dispatcher.next_task()
    assert task is not None
    assert task.makes
    dispatcher.environment_done(task, None)
    following = dispatcher.next_task()
    assert following is not None
    return following


def test_an_environment_is_made_once_on_each_machine_and_then_used() -> None:
    dispatcher = Dispatcher([_job("a"), _job("b")])
    dispatcher.update_workers([ONE])
    first = _made(dispatcher)
    second = dispatcher.next_task()
    assert second is not None
    assert (first.makes, second.makes) == (False, False)


def test_measurements_go_first_and_then_the_longest() -> None:
    jobs = [_job("short", 1), _job("long", 9), _job("new"), _job("exact", 2, measures=True)]
    assert [job.script.page for job in Dispatcher(jobs).waiting] == [
        "exact",
        "new",
        "long",
        "short",
    ]


def test_gpus_are_never_promised_twice() -> None:
    two = Worker("tcp://two", "two", slots=8, gpus=2)
    dispatcher = Dispatcher([_job(name, gpus=1) for name in "abc"])
    dispatcher.update_workers([two])
    first = _made(dispatcher)
    assert dispatcher.next_task() is not None
    assert dispatcher.next_task() is None
    dispatcher.job_done(first)
    assert dispatcher.next_task() is not None


def test_what_no_machine_has_is_told_with_what_there_is() -> None:
    dispatcher = Dispatcher([_job("greedy", gpus=3)])
    assert list(dispatcher.hopeless()) == []  # nobody is there yet
    dispatcher.update_workers([ONE, Worker("tcp://two", "two", 2, gpus=2)])
    [(_, error)] = dispatcher.hopeless()
    assert "asks for 3 GPU of one machine" in error.message
    assert error.hint == "the workers there are: one has 0, two has 2"
    assert not dispatcher.waiting


def test_an_environment_that_one_machine_cannot_have_is_tried_on_another() -> None:
    two = Worker("tcp://two", "two", slots=2)
    dispatcher = Dispatcher([_job("a"), _job("b")])
    dispatcher.update_workers([ONE, two])
    first, second = dispatcher.next_task(), dispatcher.next_task()
    assert first is not None
    assert second is not None
    assert {first.worker, second.worker} == {ONE, two}
    dispatcher.environment_done(first, InstallError("no such Python"))
    assert list(dispatcher.hopeless()) == []
    dispatcher.environment_done(second, InstallError("no room"))
    assert [job.script.page for job, _ in dispatcher.hopeless()] == ["b", "a"]


def test_a_job_whose_worker_was_lost_goes_on_alone_and_is_given_up_in_the_end() -> None:
    dispatcher = Dispatcher([_job("bad"), _job("good")])
    dispatcher.update_workers([ONE])
    task = _made(dispatcher)
    for attempt in range(1, MAX_LOST_WORKERS + 1):
        assert task.attempt == attempt
        assert task.alone == (attempt > 1)
        again = Worker(f"tcp://one-{attempt}", "one", slots=2)
        assert dispatcher.update_workers([again]) == [task]
        if attempt < MAX_LOST_WORKERS:
            task = _made(dispatcher)
    [(job, error)] = dispatcher.hopeless()
    assert job.script.page == "bad"
    assert isinstance(error, WorkerError)
    assert "each worker it was on was lost (one, one, one)" in error.message
    assert [job.script.page for job in dispatcher.waiting] == ["good"]


def test_a_first_run_has_the_key_of_its_recording_and_a_second_another() -> None:
    job = _job("a")
    dispatcher = Dispatcher([job])
    dispatcher.update_workers([ONE])
    environment = dispatcher.next_task()
    assert environment is not None
    assert environment.key == f"{job.environment.digest}-on-{ONE.address}"
    dispatcher.environment_done(environment, None)
    first = dispatcher.next_task()
    assert first is not None
    assert first.key == job.key.digest  # so that Dask, too, knows it as the same work
    dispatcher.requeue_after_loss(first)
    second = dispatcher.next_task()
    assert second is not None
    assert second.key == f"{job.key.digest}-2"


def test_nobody_knows_what_is_left_before_a_worker_is_there_or_any_job_has_ever_run() -> None:
    nobody = Dispatcher([_job("a", 9)])
    assert nobody.estimate_seconds_left({}) is None
    new = Dispatcher([_job("a")])
    new.update_workers([ONE])
    assert new.estimate_seconds_left({}) is None


def test_what_is_left_is_the_work_shared_out_among_all_slots() -> None:
    dispatcher = Dispatcher([_job("a", 9), _job("b", 6), _job("new")])  # as long as others are
    dispatcher.update_workers([ONE])
    assert dispatcher.estimate_seconds_left({}) == (9 + 6 + 7.5) / 2
    dispatcher.update_workers([ONE, Worker("tcp://two", "two", slots=4)])
    assert dispatcher.estimate_seconds_left({}) == 9  # no job is shared


def test_what_measures_takes_all_slots_of_its_machine() -> None:
    dispatcher = Dispatcher([_job("exact", 6, measures=True), _job("b", 4)])
    dispatcher.update_workers([ONE])
    assert dispatcher.estimate_seconds_left({}) == (6 * 2 + 4) / 2


def test_what_has_run_is_no_longer_left_and_is_never_less_than_nothing() -> None:
    dispatcher = Dispatcher([_job("a", 9), _job("b", 6)])
    dispatcher.update_workers([ONE])
    first = _made(dispatcher)
    assert dispatcher.estimate_seconds_left({first.key: 5.0}) == 6
    assert dispatcher.estimate_seconds_left({first.key: 8.0}) == 6
    assert dispatcher.estimate_seconds_left({first.key: 99.0}) == 6
    dispatcher.job_done(first)
    last = dispatcher.next_task()
    assert last is not None
    assert dispatcher.estimate_seconds_left({}) == 6
    assert dispatcher.estimate_seconds_left({last.key: 2.0}) == 4
    assert dispatcher.estimate_seconds_left({last.key: 99.0}) == 0


JOBS = st.lists(
    st.builds(
        _job,
        st.uuids().map(str),
        st.none() | st.floats(0, 100),
        measures=st.booleans(),
        gpus=st.integers(0, 3),
        framework=st.sampled_from(["torch", "jax"]),
    ),
    max_size=12,
)
WORKERS = st.lists(st.tuples(st.integers(1, 4), st.integers(0, 3)), min_size=1, max_size=4)


def _undisturbed(dispatcher: Dispatcher) -> None:
    for worker in dispatcher.workers.values():
        there = [task for task in dispatcher.running.values() if task.worker == worker]
        assert len(there) <= worker.slots
        assert sum(task.gpus for task in there) <= worker.gpus
        assert len(there) == 1 or not any(task.alone for task in there)
        assert all(
            task.alone for task in there if task.job.script.needs.measures and not task.makes
        )


@given(JOBS, WORKERS, st.data())
def test_every_job_ends_once_and_is_not_disturbed(
    jobs: list[Job], have: list[tuple[int, int]], data: st.DataObject
) -> None:
    dispatcher = Dispatcher(list(jobs))
    names = iter(range(1000))

    def come(slots: int, gpus: int) -> Worker:
        number = next(names)
        return Worker(f"tcp://{number}", f"w{number}", slots, gpus)

    workers = [come(*each) for each in have]
    ended: list[str] = []
    while dispatcher.waiting or dispatcher.running:
        dispatcher.update_workers(workers)
        ended += [job.name for job, _ in dispatcher.hopeless()]
        while dispatcher.next_task():
            _undisturbed(dispatcher)
        if not dispatcher.running:
            assert not dispatcher.waiting
            break
        task = data.draw(st.sampled_from(sorted(dispatcher.running.values(), key=lambda t: t.key)))
        happens = data.draw(st.sampled_from(["ends", "ends", "ends", "is lost"]))
        if happens == "is lost":  # and the machine comes back
            workers.remove(task.worker)
            workers.append(come(task.worker.slots, task.worker.gpus))
        elif task.makes:
            error: PolytabError | None = data.draw(
                st.sampled_from([None, None, InstallError("no")])
            )
            dispatcher.environment_done(task, error)
        else:
            dispatcher.job_done(task)
            ended.append(task.job.name)
    assert sorted(ended) == sorted(job.name for job in jobs)
