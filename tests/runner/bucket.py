"""A bucket on the loopback: a real server that speaks S3, and wires to it that can be cut."""

from __future__ import annotations

import re
import socket
import sys
import threading
import time
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import boto3

from tests.runner.cluster.machines import running
from tests.support.traces import eventually

if TYPE_CHECKING:
    import subprocess
    from collections.abc import Iterator
    from pathlib import Path

ADDRESS = "s3://shared/handbook"
_SERVER = [sys.executable, "-m", "moto.server", "-p", "0"]
_KEYS = {"AWS_ACCESS_KEY_ID": "who", "AWS_SECRET_ACCESS_KEY": "secret-of-the-test"}
_LEADING = 200
"""So many bytes of what is written pass before a wire is cut."""


def variables(port: int) -> dict[str, str]:
    """Say to a recorder which store there is, and where S3 is spoken."""
    return {"POLYTAB_STORE": ADDRESS, "AWS_ENDPOINT_URL": f"http://127.0.0.1:{port}", **_KEYS}


@dataclass(frozen=True)
class Bucket:
    """A server's one bucket, seen as its owner sees it."""

    port: int
    process: subprocess.Popen[bytes]
    client: Any

    def files(self) -> dict[str, bytes]:
        found = self.client.list_objects_v2(Bucket="shared").get("Contents", ())
        return {each["Key"]: self._read(each["Key"]) for each in found}

    def _read(self, key: str) -> bytes:
        content: bytes = self.client.get_object(Bucket="shared", Key=key)["Body"].read()
        return content

    def write(self, key: str, content: bytes) -> None:
        self.client.put_object(Bucket="shared", Key=key, Body=content)


@contextmanager
def bucket(folder: Path) -> Iterator[Bucket]:
    """Run a server with an empty bucket."""
    log = folder / "s3" / "log"
    with running(_SERVER, folder / "s3") as process:

        def ports() -> list[str]:
            said = log.read_text(encoding="utf-8") if log.is_file() else ""
            return re.findall(r"Running on http://127\.0\.0\.1:(\d+)", said)

        assert eventually(lambda: bool(ports())), log.read_text(encoding="utf-8")
        port = int(ports()[0])
        client = boto3.client(
            "s3",
            endpoint_url=f"http://127.0.0.1:{port}",
            region_name="us-east-1",
            aws_access_key_id="owner",
            aws_secret_access_key="owner",  # noqa: S106  # the server believes anybody
        )
        client.create_bucket(Bucket="shared")
        try:
            yield Bucket(port, process, client)
        finally:
            client.close()


@dataclass
class Wire:
    """A port that leads to a server, or nowhere; what is written through it may stop half-way."""

    to: int | None = None
    cut: bool = False
    delay: float = 0.0
    held: threading.Event = field(default_factory=threading.Event)
    ends: list[socket.socket] = field(default_factory=list)

    @contextmanager
    def open(self) -> Iterator[int]:
        """Listen for as long as the block lasts, and give the port."""
        with socket.create_server(("127.0.0.1", 0)) as server:
            thread = threading.Thread(target=self._accept, args=(server,))
            thread.start()
            try:
                yield server.getsockname()[1]
            finally:
                server.shutdown(socket.SHUT_RDWR)
                thread.join()
                for end in self.ends:
                    end.close()

    def _accept(self, server: socket.socket) -> None:
        threads: list[threading.Thread] = []
        while True:
            try:
                near, _ = server.accept()
            except OSError:
                break
            self.ends.append(near)
            if self.to is not None:
                far = socket.create_connection(("127.0.0.1", self.to))
                self.ends.append(far)
                pairs = ((near, far, self.cut), (far, near, False))
                threads += [threading.Thread(target=self._carry, args=pair) for pair in pairs]
                for thread in threads[-2:]:
                    thread.start()
        for end in self.ends:
            _shut(end)
        for thread in threads:
            thread.join()

    def _carry(self, source: socket.socket, target: socket.socket, cut: bool) -> None:  # noqa: FBT001
        written: bytes | None = None
        while data := _received(source):
            time.sleep(self.delay)
            if cut and (written is not None or data.startswith(b"PUT ")):
                before = len(written or b"")
                written = (written or b"") + data
                head = written.find(b"\r\n\r\n")
                end = len(written) if head < 0 else head + 4 + _LEADING
                data = written[before:end]  # the rest is held for ever
                if head >= 0 and len(written) >= end:
                    target.sendall(data)
                    self.held.set()
                    return
            target.sendall(data)
        _shut(target)


def _received(source: socket.socket) -> bytes:
    try:
        return source.recv(65536)
    except OSError:
        return b""


def _shut(end: socket.socket) -> None:
    try:
        end.shutdown(socket.SHUT_RDWR)
    except OSError:
        return  # it was shut already
