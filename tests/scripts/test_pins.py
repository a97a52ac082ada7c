"""An environment is pinned to the last package, and names its Python."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import pytest

from polytab.errors import PinsError
from polytab.model import Environment
from polytab.scripts.pins import check_pins, read_environment
from tests.support.handbook import with_cuda, write

if TYPE_CHECKING:
    from polytab.settings import Settings


def _read(handbook: Settings, text: str, device: str = "cpu") -> Environment:
    name = "torch.txt" if device == "cpu" else f"torch.{device}.txt"
    write(handbook.environments, {name: text})
    return read_environment(handbook, "torch", device)


def test_an_environment_is_its_python_and_its_packages_by_name(handbook: Settings) -> None:
    environment = _read(
        handbook,
        "# A remark.\n# python: 3.11\n\ntorch==2.13.0+cpu  # another\n  Typing_Extensions==4.16.0\n"
        "jupyter.core==1!5.9.1.post1\n",
    )
    assert environment == Environment(
        "torch",
        "cpu",
        handbook.environments / "torch.txt",
        "3.11",
        ("jupyter-core==1!5.9.1.post1", "torch==2.13.0+cpu", "typing-extensions==4.16.0"),
    )


@pytest.mark.parametrize("endless", ["/dev/zero", None])
def test_a_pipe_in_its_place_holds_nobody_up(endless: str | None, handbook: Settings) -> None:
    path = handbook.environments / "torch.txt"
    path.unlink()
    if endless:
        path.symlink_to(endless)
    else:
        os.mkfifo(path)
    with pytest.raises(PinsError, match="cannot be read: it is no file"):
        read_environment(handbook, "torch")


def test_an_environment_may_have_no_packages(handbook: Settings) -> None:
    assert _read(handbook, "# python: 3.13").pins == ()


def test_another_device_has_a_file_of_its_own(handbook: Settings) -> None:
    environment = _read(handbook, "# python: 3.12\ntorch==2.13.0\n", "cuda")
    assert environment.path == handbook.environments / "torch.cuda.txt"
    assert environment.device == "cuda"
    assert environment.python == "3.12"


@pytest.mark.parametrize(
    "text",
    [
        "# python: 3.11\nb==2\na==1\n",
        "a==1\nb==2\n# python: 3.11",
        "# python: 3.11\n# A remark.\n\na==1  # so\nb==2\n",
        "# python: 3.11\nA==1\nb==2\n",
        "\ufeff# python: 3.11\r\na==1\r\nb==2\r\n",
    ],
)
def test_comments_order_and_spelling_are_not_part_of_its_identity(
    handbook: Settings, text: str
) -> None:
    assert _read(handbook, text).digest == _read(handbook, "# python: 3.11\na==1\nb==2\n").digest


@pytest.mark.parametrize("text", ["# python: 3.12\na==1\n", "# python: 3.11\na==2\n"])
def test_its_python_and_its_versions_are(handbook: Settings, text: str) -> None:
    assert _read(handbook, text).digest != _read(handbook, "# python: 3.11\na==1\n").digest


@pytest.mark.parametrize(
    ("text", "line", "message"),
    [
        ("# python: 3.11\ntorch\n", 2, "`torch` is not pinned"),
        ("# python: 3.11\ntorch>=2\n", 2, "`torch>=2` is not pinned"),
        ("# python: 3.11\ntorch==2.*\n", 2, "`torch==2.*` is not pinned"),
        ("# python: 3.11\ntorch == 2\n", 2, "`torch == 2` is not pinned"),
        ("# python: 3.11\ntorch==2,<3\n", 2, "`torch==2,<3` is not pinned"),
        ("# python: 3.11\n-r other.txt\n", 2, "`-r other.txt` is not pinned"),
        ("# python: 3.11\n--index-url x\n", 2, "`--index-url x` is not pinned"),
        ("# python: 3.11\ngit+https://x\n", 2, "`git+https://x` is not pinned"),
        ("# python: 3.11\na.b==1\nA-B==2\n", 3, "`a-b` is pinned twice"),
        ("torch==2\n", 1, "the file does not name its Python"),
        ("", 1, "the file does not name its Python"),
        ("# python: 3.11.7\n", 1, "the file does not name its Python"),
        ("# python: 3.11\n# python: 3.12\n", 2, "the file names its Python twice"),
    ],
)
def test_an_environment_that_is_not_pinned_down(
    handbook: Settings, text: str, line: int, message: str
) -> None:
    with pytest.raises(PinsError) as caught:
        _read(handbook, text)
    assert caught.value.message == message
    assert caught.value.line == line
    assert caught.value.file == handbook.environments / "torch.txt"
    assert caught.value.hint


def test_an_environment_without_a_file(handbook: Settings) -> None:
    (handbook.environments / "torch.txt").unlink()
    with pytest.raises(PinsError) as caught:
        read_environment(handbook, "torch")
    assert caught.value.message == (
        "the pinned file of `torch` cannot be read: No such file or directory"
    )
    assert caught.value.file == handbook.environments / "torch.txt"


def test_a_file_that_is_not_utf_8(handbook: Settings) -> None:
    (handbook.environments / "torch.txt").write_bytes(b"# python: 3.11\n# \xff\n")
    with pytest.raises(PinsError, match="cannot be read: it is not UTF-8"):
        read_environment(handbook, "torch")


def test_without_cuda_no_framework_needs_pins_or_a_reason(handbook: Settings) -> None:
    assert list(check_pins(handbook)) == []


def test_where_one_framework_has_cuda_each_has_pins_or_a_reason(handbook: Settings) -> None:
    settings = with_cuda(handbook)
    assert list(check_pins(settings)) == []
    (settings.environments / "torch.cuda.txt").unlink()
    write(settings.environments, {"mxnet.cuda.txt": "# python: 3.11\n"})
    assert [each.message for each in check_pins(settings)] == [
        "`torch` has neither environments/torch.cuda.txt nor `no_cuda`",
        "`mxnet` has both environments/mxnet.cuda.txt and `no_cuda`",
    ]
