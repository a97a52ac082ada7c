# %% engine
import queue
import threading


class Pending:
    """A value that may not be there yet."""

    def __init__(self):
        self.finished = threading.Event()
        self.value = self.error = None

    def wait(self):
        self.finished.wait()
        if self.error:
            raise self.error
        return self.value


class Engine:
    """The back end: a queue, and a thread that works through it."""

    def __init__(self, limit=0):
        self.queue = queue.Queue(limit)  # 0 means no limit
        threading.Thread(target=self.work, daemon=True).start()

    def issue(self, operation, *inputs):
        result = Pending()
        self.queue.put((operation, inputs, result))
        return result

    def work(self):
        while True:
            operation, inputs, result = self.queue.get()
            try:
                values = [value_of(each) for each in inputs]
                result.value = operation(*values)
            except Exception as error:
                result.error = error
            result.finished.set()
            self.queue.task_done()
            # Until the next task comes, hold on to nothing of this one.
            operation = inputs = values = result = None

    def wait_all(self):
        self.queue.join()


def value_of(each):
    return each.wait() if isinstance(each, Pending) else each


# %% issue
gate = threading.Event()


def square(number):
    gate.wait()
    print("back end: square of", number)
    return number * number


def add(one, other):
    gate.wait()
    print("back end: sum of", one, "and", other)
    return one + other


engine = Engine()
a = engine.issue(square, 3)
b = engine.issue(square, 4)
c = engine.issue(add, a, b)
print("front end: issued, finished:",
      [each.finished.is_set() for each in (a, b, c)])
gate.set()
print("front end: the sum is", c.wait())

# %% barriers
gate.clear()


def hold():
    gate.wait()


first = engine.issue(max, 2, 3)
second = engine.issue(hold)
third = engine.issue(max, 4, 5)
print("the first is", first.wait())
print("second and third finished:",
      second.finished.is_set(), third.finished.is_set())
gate.set()
engine.wait_all()
print("second and third finished:",
      second.finished.is_set(), third.finished.is_set())

# %% error raises="ZeroDivisionError"
def divide(one, other):
    return one / other


ratio = engine.issue(divide, 1, 0)
print("issued the division")
larger = engine.issue(max, ratio, 2)
print("issued what depends on it")
larger.wait()

# %% unbounded
import time
import weakref


class Batch:
    """Stands for something large."""


def read(batch):
    gate.wait()
    time.sleep(0.001)


def count_batches(engine, steps=100):
    """Return how many batches were alive at once, at the most."""
    alive, most, pending = weakref.WeakSet(), 0, []
    for _ in range(steps):
        batch = Batch()
        alive.add(batch)
        most = max(most, len(alive))
        pending.append(engine.issue(read, batch))
        del batch
    gate.set()
    engine.wait_all()
    return most


gate.clear()
print("alive at once:", count_batches(engine), "of 100")

# %% bounded
most = count_batches(Engine(limit=2))  # The gate is open by now.
print("at most four alive at once:", most <= 4)

# %% ahead
from collections import deque
from concurrent.futures import ThreadPoolExecutor


def prefetch(batches, ahead=2):
    """Yield the batches; a thread prepares the next ones meanwhile."""
    batches = iter(batches)
    with ThreadPoolExecutor(max_workers=1) as thread:
        pending = deque(
            thread.submit(next, batches, None) for _ in range(ahead))
        while (batch := pending.popleft().result()) is not None:
            pending.append(thread.submit(next, batches, None))
            yield batch


print(list(prefetch(range(5))))

# %% two-threads
class TwoThreads(Engine):
    def __init__(self):
        super().__init__()
        threading.Thread(target=self.work, daemon=True).start()


two = TwoThreads()
a = two.issue(divmod, 17, 5)
b = two.issue(max, a, (0, 0))
print("in the order of issue:", two.issue(max, b, a).wait())

# %% stuck
gate.clear()


def ask_for_more():
    gate.wait()  # until both threads are here
    return two.issue(max, 1, 2).wait()


asked = [two.issue(ask_for_more) for _ in range(2)]
gate.set()
print("done:", [each.finished.wait(0.1) for each in asked])
