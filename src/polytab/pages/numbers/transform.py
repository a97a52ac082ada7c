"""The base of the transforms that put measurements into pages."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar

from docutils import nodes
from sphinx.builders.gettext import MessageCatalogBuilder
from sphinx.transforms.post_transforms import SphinxPostTransform
from sphinx.util import logging

if TYPE_CHECKING:
    from polytab.errors import PolytabError

_log = logging.getLogger(__name__)


class MeasurementTransform(SphinxPostTransform):
    """A post-transform that gettext does not run: translators see roles and all branches."""

    subtype: ClassVar[str]
    """The subtype of its warnings, as in `polytab.number`."""

    def is_supported(self) -> bool:
        """Tell whether the builder writes pages."""
        return not issubclass(self.env._builder_cls, MessageCatalogBuilder)  # noqa: SLF001  # as Sphinx

    def run(self, **kwargs: Any) -> None:  # noqa: ANN401  # the signature is Sphinx's
        """Change the document."""
        raise NotImplementedError

    def warn(self, node: nodes.Element, error: PolytabError) -> None:
        """Warn of an error at the block around a node: translated text has no lines of its own."""
        block = node
        while isinstance(block, nodes.Inline) and block.parent is not None:
            block = block.parent
        _log.warning(str(error), location=block, type="polytab", subtype=self.subtype)
