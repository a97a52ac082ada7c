"""The verb that chooses the versions of what an environment installs."""

from __future__ import annotations

import re
import sys
from typing import TYPE_CHECKING

from polytab.cli.console import escape, out, say
from polytab.errors import UsageError, command
from polytab.model import Environment
from polytab.scripts.pins import pins_path, read_environment, wanted_packages, why_not

if TYPE_CHECKING:
    from argparse import Namespace
    from collections.abc import Sequence

    from polytab.model import Framework
    from polytab.settings import Settings

_KERNEL = "ipykernel"
_PYTHON = re.compile(r"3\.\d+")
_PACKAGE = re.compile(
    r"[A-Za-z0-9][A-Za-z0-9._-]*(?:\[[A-Za-z0-9._,-]+\])?(?:[<>=!~]=?[\w.,<>=!~*+-]+)?"
)


def pin(settings: Settings, options: Namespace) -> int:
    """Make or change the pinned file of a framework; say what became of each package."""
    from polytab.runner.pin import resolve, write_pins

    framework = settings.framework(options.framework)
    before = _before(settings, framework, options)
    packages = _packages(framework, before, options)
    python = options.python or before.python
    if before.pins and not options.upgrade and python == before.python and not options.packages:
        hint = "--upgrade takes the newest versions; a package that is named is added"
        say(f"{_shown(settings, before)} is there already: {hint}")
        return 0
    kept = () if options.upgrade or python != before.python else before.pins
    wanted = Environment(framework.name, options.device, before.path, python, kept)
    after = resolve(wanted, packages, lambda text: out.print(f"{framework.name}: {escape(text)}"))
    write_pins(after, packages)
    _tell(settings, before, after)
    return 0


def _before(settings: Settings, framework: Framework, options: Namespace) -> Environment:
    """Return the environment as it is pinned now; one that is not has no pins."""
    if options.python is not None and not _PYTHON.fullmatch(options.python):
        msg = f"`{options.python}` is no version of Python"
        raise UsageError(msg, hint="write its first two numbers: --python 3.12")
    reason = why_not(settings, framework.name, options.device)
    if reason is not None:
        msg = f"{framework.name} has no environment on {options.device}: {reason}"
        raise UsageError(msg, hint="mend [tool.polytab.frameworks], or leave out --device")
    path = pins_path(settings, framework.name, options.device)
    if path.is_file():
        return read_environment(settings, framework.name, options.device)
    running = f"{sys.version_info.major}.{sys.version_info.minor}"
    return Environment(framework.name, options.device, path, running, ())


def _packages(framework: Framework, before: Environment, options: Namespace) -> tuple[str, ...]:
    """Return all packages that were ever asked for; a kernel needs one of its own."""
    for each in options.packages:
        if not _PACKAGE.fullmatch(each):
            msg = f"`{each}` is no package"
            raise UsageError(msg, hint="write its name, with a version where you must: numpy<3")
    known = wanted_packages(before.path)
    own = framework.package_on(options.device)
    asked = [*(known or ([own] if own else [])), *options.packages]
    if not asked and before.pins:
        msg = f"{before.path.name} does not say which packages were asked for"
        hint = f"name them: {command('pin', framework.name, 'PACKAGE', '--upgrade')}"
        raise UsageError(msg, hint=hint)
    latest = {re.split(r"[\[<>=!~]", each)[0].lower(): each for each in [*asked, _KERNEL]}
    return tuple(latest.values())


def _tell(settings: Settings, before: Environment, after: Environment) -> None:
    old, new = _versions(before.pins), _versions(after.pins)
    for name in sorted(old | new):
        if old.get(name) != new.get(name):
            change = f"{old.get(name, 'not there')} -> {new.get(name, 'not there')}"
            say(f"{name}: {change}" if before.pins else f"{name}: {new[name]}")
    say(f"{_shown(settings, after)}: Python {after.python}, {len(after.pins)} packages")
    if (settings.snippets).is_dir():
        say(f"{command('record', after.framework)} runs its scripts with them")


def _versions(pins: Sequence[str]) -> dict[str, str]:
    return {name: version for name, _, version in (each.partition("==") for each in pins)}


def _shown(settings: Settings, environment: Environment) -> str:
    return environment.path.relative_to(settings.root).as_posix()
