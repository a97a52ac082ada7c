"""All edits that the tests of builds after edits choose from."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.site import book_edits, page_edits, result_edits

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path
    from random import Random

    Edit = Callable[[Path, Random], None]

EDITS: tuple[Edit, ...] = (
    *(page_edits.change_paragraph, page_edits.change_title, page_edits.change_heading),
    *(page_edits.add_section, page_edits.add_page, page_edits.remove_page),
    *(page_edits.rename_page, page_edits.remove_redirects, page_edits.reorder_pages),
    *(page_edits.nest_page, page_edits.add_figure, page_edits.remove_figure),
    *(page_edits.change_figure, page_edits.change_picture, page_edits.add_picture),
    *(page_edits.remove_picture, page_edits.add_link, page_edits.change_term),
    *(page_edits.break_page, page_edits.mend_pages),
    *(result_edits.change_translation, result_edits.translate_title, result_edits.make_outdated),
    *(result_edits.remove_catalog, result_edits.add_catalog, result_edits.change_glossary),
    *(result_edits.remove_glossary, result_edits.change_comment, result_edits.change_code),
    *(result_edits.record_again, result_edits.remove_recording, result_edits.add_script),
    *(result_edits.remove_script, result_edits.change_helper, result_edits.change_pins),
    *(result_edits.record_on_cuda, result_edits.remove_cuda),
    *(
        book_edits.change_book_title,
        book_edits.change_language_title,
        book_edits.change_language_name,
    ),
    *(book_edits.change_framework_title, book_edits.change_address, book_edits.change_repository),
    book_edits.make_ebook,
    *(book_edits.toggle_language, book_edits.change_conf, book_edits.change_imported),
    *(book_edits.change_style, book_edits.remove_style, book_edits.change_template),
    *(book_edits.remove_template, book_edits.commit_all, book_edits.change_date),
    *(book_edits.other_branch, book_edits.forget_history),
)
