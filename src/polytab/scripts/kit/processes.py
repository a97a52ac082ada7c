"""Compare works that need processes of their own, such as thread counts."""

import inspect
import json
import os
import signal
import subprocess
import sys
import tempfile
import textwrap
from pathlib import Path

from measure import compare

# The last lines of a worker: it works once for each line that it is sent.
SERVE = """
import json
import sys
from thread_counts import thread_counts
answer, sys.stdout = sys.stdout, sys.stderr
run = {call}
print("ready", json.dumps(thread_counts()), file=answer, flush=True)
for _ in sys.stdin:
    run()
    print("done", file=answer, flush=True)
"""


class Worker:
    """A fresh process that calls, as often as asked, what `prepare` returns.

    The source of `prepare` is sent to the process, so it imports what it
    uses. The function it returns must end when its work has ended. Threads
    that wait for work may spin, so all workers but one are stopped.
    `threads` is how many each of its libraries may use.
    """

    working = None  # the one that is not stopped

    def __init__(self, prepare, variables, *arguments):
        source = textwrap.dedent(inspect.getsource(prepare))
        call = f"{prepare.__name__}({', '.join(map(repr, arguments))})"
        self.folder = tempfile.TemporaryDirectory()
        script = Path(self.folder.name, "worker.py")
        script.write_text(source + SERVE.format(call=call))
        path = os.pathsep.join(each for each in sys.path if each)
        self.process = subprocess.Popen(
            [sys.executable, script],
            env={**os.environ, "PYTHONPATH": path, **variables},
            text=True, bufsize=1,
            stdin=subprocess.PIPE, stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL)

    def ready(self):
        """Wait until the process has prepared what it needs, and stop it."""
        self.threads = json.loads(self._expect("ready"))
        self.process.send_signal(signal.SIGSTOP)

    def __call__(self):
        """Have the work done once, and wait until it is."""
        if Worker.working is not self:
            if Worker.working is not None:
                Worker.working.process.send_signal(signal.SIGSTOP)
            self.process.send_signal(signal.SIGCONT)
            Worker.working = self
        self.process.stdin.write("\n")
        self._expect("done")

    def close(self):
        """End the process."""
        if Worker.working is self:
            Worker.working = None
        self.process.send_signal(signal.SIGCONT)
        self.process.stdin.close()
        self.process.wait()
        self.process.stdout.close()
        self.folder.cleanup()

    def _expect(self, word):
        said, _, rest = self.process.stdout.readline().strip().partition(" ")
        if said != word:
            raise RuntimeError("the process of a worker has ended early")
        return rest


def compare_processes(name, cases, *, threads=None):
    """Compare works, each in a fresh process with environment variables.

    compare_processes("product", {
        "one thread": (product, {"OMP_NUM_THREADS": "1"}),
        "two threads": (product, {"OMP_NUM_THREADS": "2"})},
        threads="how many there are is what is compared")

    The processes take their samples in turn, and all but one are stopped
    meanwhile. A call passes through a pipe, so the work should take much
    longer. `threads` says why some cases may use more threads than others.
    """
    workers = {}
    try:
        for key, (prepare, variables, *arguments) in cases.items():
            workers[key] = Worker(prepare, variables, *arguments)
        for worker in workers.values():
            worker.ready()
        return compare(name, workers, threads=threads)
    finally:
        for worker in workers.values():
            worker.close()
