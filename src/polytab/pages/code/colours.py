"""The colours of code in both colour schemes, as one stylesheet.

Sphinx writes one stylesheet for each scheme and lets the system choose; a reader chooses here.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pygments.token import STANDARD_TYPES, Text
from sphinx.highlighting import PygmentsBridge

from polytab.theme import has_theme

if TYPE_CHECKING:
    from sphinx.application import Sphinx

_SHEET = "code-colours.css"
_BEFORE_THE_THEME = 150


def stylesheet(light: Any, dark: Any) -> str:  # noqa: ANN401  # Pygments has no types
    """Return the rules for each kind of word that one of two Pygments styles tells apart."""
    rules = [_rule(".highlight", light.style_for_token(Text), dark.style_for_token(Text))]
    for kind, short in sorted(STANDARD_TYPES.items(), key=lambda each: each[0]):
        looks = light.style_for_token(kind), dark.style_for_token(kind)
        if short and looks != (light.style_for_token(Text), dark.style_for_token(Text)):
            rules.append(_rule(f".highlight .{short}", *looks))
    return "\n".join(rules) + "\n"


def _rule(selector: str, light: dict[str, Any], dark: dict[str, Any]) -> str:
    """Write one rule; what is not a colour is as the light style has it."""
    said = {"color": _both(light["color"], dark["color"])}
    if light["bgcolor"] or dark["bgcolor"]:
        said["background"] = _both(light["bgcolor"], dark["bgcolor"], "transparent")
    if light["bold"]:
        said["font-weight"] = "600"
    if light["italic"]:
        said["font-style"] = "italic"
    if light["underline"]:
        said["text-decoration"] = "underline"
    return f"{selector} {{ {'; '.join(f'{key}: {value}' for key, value in said.items())} }}"


def _both(light: str | None, dark: str | None, none: str = "currentcolor") -> str:
    first, second = (f"#{each}" if each else none for each in (light, dark))
    return f"light-dark({first}, {second})"


def _write(app: Sphinx, builder: Any) -> None:  # noqa: ANN401  # of any kind
    """Write the stylesheet before the pages that load it."""
    if not has_theme(app):
        return
    light = builder.highlighter.formatter_args["style"]
    bridge = builder.dark_highlighter or builder.highlighter
    if app.config.pygments_dark_style is not None:
        bridge = PygmentsBridge("html", app.config.pygments_dark_style)
    folder = app.outdir / "_static"
    folder.mkdir(parents=True, exist_ok=True)
    text = stylesheet(light, bridge.formatter_args["style"])
    (folder / _SHEET).write_text(text, encoding="utf-8")


def _add_sheet(app: Sphinx) -> None:
    if has_theme(app):
        app.add_css_file(_SHEET, priority=_BEFORE_THE_THEME)


def setup_colours(app: Sphinx) -> None:
    """Colour code in both schemes."""
    app.add_config_value("pygments_dark_style", default=None, rebuild="html", types=str)
    app.connect("builder-inited", _add_sheet)
    app.connect("write-started", _write)
