"""The pages that no document is behind, from the templates of this package.

Each brings its style and its script along, because one of them is served at any depth, and a policy
that allows these and no others.
"""

from __future__ import annotations

from pathlib import Path

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup

from polytab.site.policy import digest_source

_TEMPLATES = Path(__file__).parent / "templates"
_STYLE = "bare.css"


def render(name: str, **values: object) -> bytes:
    """Fill the template of this name; text is escaped, and a value that lacks is an error.

    A script that lies beside it, under the same name with `.js`, is put into the page.
    """
    style = (_TEMPLATES / _STYLE).read_text(encoding="utf-8")
    beside = (_TEMPLATES / name).with_suffix(".js")
    script = beside.read_text(encoding="utf-8") if beside.is_file() else ""
    environment = Environment(
        loader=FileSystemLoader(_TEMPLATES),
        autoescape=True,
        undefined=StrictUndefined,
        keep_trailing_newline=True,
        trim_blocks=True,
    )
    text = environment.get_template(name).render(
        policy=Markup(_policy(style, script)),  # noqa: S704  # made of digests alone
        style=Markup(style),  # noqa: S704  # ours, from this folder
        script=Markup(script),  # noqa: S704  # the same
        **values,
    )
    return text.encode()


def _policy(style: str, script: str) -> str:
    """Write the policy of a page that loads nothing but its icon."""
    programs = digest_source(script) if script else "'none'"
    return "; ".join(
        (
            "default-src 'none'",
            f"script-src {programs}",
            f"style-src {digest_source(style)}",
            "img-src 'self'",
            "base-uri 'none'",
            "form-action 'none'",
        )
    )
