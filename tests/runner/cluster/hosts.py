"""Several hosts on one machine: network namespaces on one switch, whose links can be cut."""

from __future__ import annotations

import os
import shutil
import subprocess
import uuid
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

_SWITCH = "switch"


def _ip(*words: str) -> None:
    subprocess.run(["ip", *words], check=True, capture_output=True)


@dataclass(frozen=True)
class Host:
    """A network of its own, with one address."""

    space: str
    address: str
    hub: str

    def command(self, words: Sequence[str]) -> list[str]:
        """Spell a command so that it runs on this host."""
        return ["ip", "netns", "exec", self.space, *words]

    def cut(self) -> None:
        """Take its cable out of the switch: what is sent from now on is lost."""
        _ip("-n", self.hub, "link", "set", self.space, "nomaster")

    def mend(self) -> None:
        """Put its cable back."""
        _ip("-n", self.hub, "link", "set", self.space, "master", _SWITCH)


@contextmanager
def hosts(count: int) -> Iterator[list[Host]]:
    """Give so many hosts; the first is the one whose link nobody cuts."""
    _may_make_them()
    name = f"pt{uuid.uuid4().hex[:6]}"
    with ExitStack() as stack:
        hub = _space(stack, f"{name}-0")
        _ip("-n", hub, "link", "add", _SWITCH, "type", "bridge")
        _ip("-n", hub, "addr", "add", "10.77.0.1/24", "dev", _SWITCH)
        _ip("-n", hub, "link", "set", _SWITCH, "up")
        made = [Host(hub, "10.77.0.1", hub)]
        for number in range(1, count):
            host = Host(_space(stack, f"{name}-{number}"), f"10.77.0.{number + 1}", hub)
            peer = ["peer", "name", "eth0", "netns", host.space]
            _ip("-n", hub, "link", "add", host.space, "type", "veth", *peer)
            host.mend()
            _ip("-n", hub, "link", "set", host.space, "up")
            _ip("-n", host.space, "addr", "add", f"{host.address}/24", "dev", "eth0")
            _ip("-n", host.space, "link", "set", "eth0", "up")
            made.append(host)
        yield made


def _space(stack: ExitStack, name: str) -> str:
    _ip("netns", "add", name)
    stack.callback(_ip, "netns", "del", name)
    _ip("-n", name, "link", "set", "lo", "up")
    return name


@cache
def _why_not() -> str | None:
    if shutil.which("ip") is None or not hasattr(os, "geteuid"):
        return "there is no `ip` to make network namespaces with"
    name = f"pt{uuid.uuid4().hex[:6]}"
    made = subprocess.run(["ip", "netns", "add", name], check=False, capture_output=True, text=True)
    if made.returncode:
        return f"network namespaces may not be made here: {made.stderr.strip()}"
    _ip("netns", "del", name)
    return None


def _may_make_them() -> None:
    reason = _why_not()
    if reason is not None:
        pytest.skip(reason)
