"""The workflows: what zizmor does not ask of them, and this repository does."""

from __future__ import annotations

import os
import re
import subprocess
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from polytab.export.books.made import EBOOKS
from polytab.export.books.offered import OFFERED
from polytab.export.links import _BRANCH, DOWNLOADS
from polytab.model import PLAIN
from polytab.settings import load_settings

if TYPE_CHECKING:
    from collections.abc import Iterator

ROOT = Path(__file__).parent.parent
FILES = sorted(ROOT.glob(".github/workflows/*"))  # a forge runs `.yml` and `.yaml`


def _load(path: Path) -> dict[str, Any]:
    yaml: Any = import_module("yaml")
    read: dict[str, Any] = yaml.load(path.read_text(encoding="utf-8"), yaml.BaseLoader)
    return read


def _steps(path: Path) -> Iterator[dict[str, Any]]:
    for job in _load(path)["jobs"].values():
        yield from job["steps"]


def test_there_are_the_three_that_the_trust_page_names() -> None:
    assert [path.name for path in FILES] == ["publish.yml", "pull-request.yml", "record.yml"]


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_no_workflow_runs_with_the_rights_of_the_base_for_a_change_of_anybody(path: Path) -> None:
    triggers = set(_load(path)["on"])
    assert triggers <= {"pull_request", "push", "schedule", "workflow_dispatch"}


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_every_job_names_its_rights_and_none_has_all(path: Path) -> None:
    workflow = _load(path)
    assert workflow["permissions"] == {}
    for name, job in workflow["jobs"].items():
        assert isinstance(job["permissions"], dict), name
        assert int(job["timeout-minutes"]) <= 90, name


BASE_NOX = "pip install -c base/environments/engine.txt nox"


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_what_can_write_runs_nothing_of_the_change(path: Path) -> None:
    """A job with more than the right to read runs no session in a checkout of the change."""
    for name, job in _load(path)["jobs"].items():
        if set(job["permissions"].values()) <= {"read"}:
            continue
        for step in job["steps"]:
            run = step.get("run", "")
            assert not step.get("uses", "").startswith("."), name
            assert "pip install" not in run or run == BASE_NOX, name
            if "nox -s" in run:
                assert step["working-directory"] == "base", name


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_no_secret_is_named_and_no_credential_is_kept(path: Path) -> None:
    assert not re.search(r"\bsecrets\b", path.read_text(encoding="utf-8"))
    for step in _steps(path):
        if step.get("uses", "").startswith("actions/checkout@"):
            assert step["with"]["persist-credentials"] == "false"


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_every_action_is_pinned_by_its_digest_and_says_its_version(path: Path) -> None:
    lines = [line for line in path.read_text(encoding="utf-8").splitlines() if "uses:" in line]
    assert lines
    for line in lines:
        assert re.search(r"uses: [\w-]+/[\w-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$", line), line


def test_one_action_has_one_digest() -> None:
    text = "".join(path.read_text(encoding="utf-8") for path in FILES)
    pinned = dict.fromkeys(re.findall(r"uses: (\S+)@(\S+)", text))
    assert len({action for action, _ in pinned}) == len(pinned)


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_no_expression_is_pasted_into_a_shell(path: Path) -> None:
    for step in _steps(path):
        assert "${{" not in step.get("run", ""), step


def test_no_workflow_and_no_setting_names_a_store() -> None:
    assert load_settings(ROOT).store is None
    for path in FILES:
        text = path.read_text(encoding="utf-8")
        assert not re.search("POLYTAB_STORE|AWS_|aws-actions", text), path


def test_every_session_a_workflow_runs_is_there() -> None:
    noxfile = (ROOT / "noxfile.py").read_text(encoding="utf-8")
    sessions = set(re.findall(r"^def (\w+)\(session", noxfile, re.MULTILINE))
    for path in FILES:
        named = re.findall(r"nox -s ([a-z]+)", path.read_text(encoding="utf-8"))
        assert set(named) <= sessions, path
        assert named, path


def test_the_words_are_judged_by_the_base() -> None:
    [classify] = [job for name, job in _load(FILES[1])["jobs"].items() if name == "classify"]
    sessions = [step for step in classify["steps"] if "nox -s" in step.get("run", "")]
    assert [step["working-directory"] for step in sessions] == ["base", "base"]
    assert "nox -s lint -- ../change" in sessions[1]["run"]


HOSTED = re.compile(r"(?:ubuntu|windows|macos)-[\w.]+")


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_no_runner_of_our_own_serves_what_pull_requests_trigger(path: Path) -> None:
    workflow = _load(path)
    if "pull_request" not in workflow["on"]:
        return
    for name, job in workflow["jobs"].items():
        assert HOSTED.fullmatch(job["runs-on"]), (name, job["runs-on"])


def test_what_is_recorded_is_one_commit_that_no_push_can_move() -> None:
    record = _load(FILES[2])
    assert list(record["on"]) == ["workflow_dispatch"]
    assert record["env"]["COMMIT"] == "${{ inputs.commit }}"
    jobs = record["jobs"]
    first = jobs["plan"]["steps"][0]["run"]
    full = "0123456789abcdef" * 2 + "01234567"
    tried = {full: True, full[1:]: False, "main": False, f"{full}\n": False, full.upper(): False}
    for commit, fine in tried.items():
        ran = subprocess.run(["bash", "-ec", first], env={"COMMIT": commit}, check=False)
        assert (ran.returncode == 0) is fine, commit
    assert jobs["run"]["needs"] == "plan"
    assert jobs["commit"]["needs"] == "run"
    checkouts = [step for step in _steps(FILES[2]) if "checkout@" in step.get("uses", "")]
    refs = [step["with"].get("ref") for step in checkouts]
    base = "${{ github.event.repository.default_branch }}"
    assert refs == ["${{ env.COMMIT }}", "${{ env.COMMIT }}", base, "${{ env.COMMIT }}"]


def test_what_runs_scripts_confines_them() -> None:
    """Untested here: whether a forge's runner then lets bubblewrap do it."""
    jobs = [job for path in FILES for job in _load(path)["jobs"].values()]
    runs = re.compile(r"nox -s (?:record|verify)\b")
    confined = [(j, s) for j in jobs for s in j["steps"] if runs.search(s.get("run", ""))]
    assert len(confined) >= 3
    for job, step in confined:
        assert step["env"]["POLYTAB_CONFINE"] == "required"
        before = " ".join(each.get("run", "") for each in job["steps"][: job["steps"].index(step)])
        assert "install -y -q bubblewrap" in before
        assert "apparmor_restrict_unprivileged_userns=0" in before


def test_code_waits_for_a_maintainer() -> None:
    jobs = _load(FILES[1])["jobs"]
    waits = "${{ needs.classify.outputs.kind == 'code' && 'code' || 'words' }}"
    others = {name: job.get("environment") for name, job in jobs.items() if name != "classify"}
    assert others == {"site": waits, "tests": waits}


def test_the_frameworks_that_are_watched_have_new_releases() -> None:
    watched = _load(FILES[0])["jobs"]["newest"]["strategy"]["matrix"]["framework"]
    packaged = {each.name for each in load_settings(ROOT).frameworks if each.package}
    assert set(watched) == packaged - {"mxnet"}


GH = '#!/bin/sh\n[ "$2" = list ] && echo 0\n[ "$2" = create ] && echo "$6" >> titles\ntrue\n'


def test_an_issue_quotes_an_output_and_is_of_a_framework_that_is_watched(tmp_path: Path) -> None:
    """In Markdown a return ends a line too, and what begins a line unindented is no quotation."""
    jobs = _load(FILES[0])["jobs"]
    [*_, opens] = jobs["tell"]["steps"]
    watched = jobs["newest"]["strategy"]["matrix"]["framework"]
    assert f"for framework in {' '.join(watched)}; do" in opens["run"]
    (tmp_path / "gh").write_text(GH, encoding="utf-8")
    (tmp_path / "gh").chmod(0o755)
    (tmp_path / "news").mkdir()
    (tmp_path / "news" / "torch.txt").write_bytes(b"was\r@everyone\n\r\n@somebody\r")
    (tmp_path / "news" / "of a package's own.txt").write_text("x", encoding="utf-8")
    environment = {"PATH": f"{tmp_path}:{os.environ['PATH']}", "GITHUB_REPOSITORY": "a/b"}
    subprocess.run(["bash", "-ec", opens["run"]], cwd=tmp_path, env=environment, check=True)
    lines = re.split(b"\r\n|\r|\n", (tmp_path / "body.md").read_bytes())
    assert b"    @everyone" in lines
    assert all(line.startswith(b"    ") for line in lines if line.strip())
    assert (tmp_path / "titles").read_text().splitlines() == [
        "A new release of torch changes outputs"
    ]


def test_what_is_published_knows_where_it_is() -> None:
    """Both come from the forge, so a fork that publishes says where the fork is."""
    steps = _load(ROOT / ".github/workflows/publish.yml")["jobs"]["site"]["steps"]
    [asked] = [each for each in steps if "configure-pages" in each.get("uses", "")]
    [built] = [each for each in steps if "nox -s build" in each.get("run", "")]
    assert steps.index(asked) < steps.index(built)
    assert built["env"] == {
        "POLYTAB_ADDRESS": f"${{{{ steps.{asked['id']}.outputs.base_url }}}}",
        "POLYTAB_REPOSITORY": "${{ github.server_url }}/${{ github.repository }}",
    }


def test_notebooks_are_where_the_links_to_colab_lead() -> None:
    jobs = _load(ROOT / ".github/workflows/publish.yml")["jobs"]
    [kept] = [each for each in jobs["site"]["steps"] if each.get("name") == "Keep the notebooks"]
    assert kept["with"]["path"] == f"_build/site/*/{DOWNLOADS}/*.ipynb"
    [*_, pushed] = jobs["notebooks"]["steps"]
    assert f"git init -q -b {_BRANCH}\n" in pushed["run"]
    assert pushed["run"].rstrip().endswith(f" {_BRANCH}")


def test_every_framework_has_a_book_in_every_language_before_the_site_is_built() -> None:
    """Only e-books of the same addresses are of the same pages."""
    jobs = _load(ROOT / ".github/workflows/publish.yml")["jobs"]
    named = jobs["books"]["strategy"]["matrix"]["framework"]
    assert named == [each.name for each in load_settings(ROOT).frameworks if each.name != PLAIN]
    [made] = [each for each in jobs["books"]["steps"] if "nox -s export" in each.get("run", "")]
    [built] = [each for each in jobs["site"]["steps"] if "nox -s build" in each.get("run", "")]
    assert made["run"] == 'nox -s export -- --framework "$FRAMEWORK"'
    assert made["env"] == {**built["env"], "FRAMEWORK": "${{ matrix.framework }}"}
    assert jobs["site"]["needs"] == "books"
    [*_, kept] = jobs["books"]["steps"]
    [taken] = [each for each in jobs["site"]["steps"] if "download-artifact" in str(each)]
    assert kept["with"]["path"] == taken["with"]["path"] == f"_build/{EBOOKS}"
    assert jobs["site"]["steps"].index(taken) < jobs["site"]["steps"].index(built)


def test_a_book_that_is_not_offered_ends_the_publishing(tmp_path: Path) -> None:
    steps = _load(ROOT / ".github/workflows/publish.yml")["jobs"]["site"]["steps"]
    names = [str(each.get("uses", each.get("name"))) for each in steps]
    at = names.index("See that each e-book is offered")
    assert "upload-pages-artifact" in names[at + 1]

    def sees() -> bool:
        command = ["bash", "-ec", steps[at]["run"]]
        return subprocess.run(command, cwd=tmp_path, check=False).returncode == 0

    assert not sees()
    for code in ("en", "pt"):
        for suffix in (".epub", ".pdf"):
            made = tmp_path / "_build" / EBOOKS / f"{code}-torch{suffix}"
            offered = tmp_path / "_build" / "site" / code / OFFERED / made.name
            for path in (made, offered):
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_bytes(b"")
    assert sees()
    offered.unlink()
    assert not sees()


def test_publishing_is_strict() -> None:
    assert _load(FILES[0])["on"]["push"] == {"branches": ["main"]}
    assert "nox -s build -- --no-record --strict" in FILES[0].read_text(encoding="utf-8")
