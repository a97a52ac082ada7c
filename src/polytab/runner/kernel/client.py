"""A notebook client that cuts the text of a cell's outputs: a page cannot show more.

What a cell prints and displays as text has one limit together. Of an error, the message and the
traceback have that limit each. Images, and data that is not text, are kept
whole; `recordings/files.py` saves no recording that they make too large.
"""

from __future__ import annotations

from typing import Any

from nbclient import NotebookClient

from polytab.recordings.limits import OUTPUT_LIMIT, first_lines, is_text


class Client(NotebookClient):  # type: ignore[misc]  # nbclient has no types
    """A notebook client that cuts text at OUTPUT_LIMIT; `printed` is set to 0 before each cell."""

    printed = 0

    def process_message(self, msg: dict[str, Any], cell: Any, cell_index: int) -> Any:  # noqa: ANN401
        """Take in what the kernel says, and cut what the cell prints."""
        content = msg["content"]
        if msg["msg_type"] == "error":
            content["evalue"] = content["evalue"][:OUTPUT_LIMIT]
            content["traceback"] = first_lines(content["traceback"])
        if msg["msg_type"] == "stream":
            content["text"] = self._cut(content["text"])
            if not content["text"]:
                return None
        elif msg["msg_type"] in {"display_data", "execute_result"}:
            for kind, value in content["data"].items():
                if is_text(kind, value):
                    content["data"][kind] = self._cut(value)
            if not any(content["data"].values()):
                return None
        return super().process_message(msg, cell, cell_index)

    def _cut(self, text: str) -> str:
        before = self.printed
        self.printed += len(text)
        if self.printed <= OUTPUT_LIMIT:
            return text
        if before > OUTPUT_LIMIT:
            return ""
        kept = text[: OUTPUT_LIMIT - before]
        return f"{kept}\n[cut here: more than {OUTPUT_LIMIT:,} characters]\n"
