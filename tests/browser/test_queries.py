"""Given the handbook as it is, when its readers search, then the right section comes first."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

if TYPE_CHECKING:
    from playwright.sync_api import Page

    from tests.browser.served import Server

RIGHT = {
    "en": {
        "hybridize": "compilers.html?tab=mxnet#compile-mxnet",
        "torch.compile": "compilers.html?tab=torch#compile-torch",
        "tf.function": "compilers.html?tab=tensorflow#compile-tensorflow",
        "symbolic": "compilers.html#the-program-as-data",
        "compiler": "compilers.html",
        "dead code": "compilers.html#leave-out-and-free",
        "tracing": "compilers.html#what-tracing-leaves-out",
        "warming up": "measuring.html#warming-up",
        "TracerArrayConversionError": "compilers.html?tab=jax#numpy-jax",
    },
    "zh": {
        "编译器": "compilers.html",
        "符号式编程": "compilers.html#the-program-as-data",
        "计算图": "compilers.html?tab=torch#program-torch",
        "图": "hardware.html#the-roofline-of-this-machine",  # a drawing; a graph would be better
        "编译器 性能": "compilers.html#what-compiling-gains",
        "hybridize": "compilers.html?tab=mxnet#compile-mxnet",
        "torch.compile": "compilers.html?tab=torch#compile-torch",
        "追踪": "compilers.html#what-tracing-leaves-out",
    },
    "pt": {
        "hybridize": "compilers.html?tab=mxnet#compile-mxnet",
        "computacao": "compilers.html?tab=tensorflow#program-tensorflow",
        "simbolico": "compilers.html#the-program-as-data",
        "otimização": "compilers.html#in-place-updates",
        "otimizacao": "compilers.html#in-place-updates",
        "torch.compile": "compilers.html?tab=torch#compile-torch",
        "rastreamento": "compilers.html#what-tracing-leaves-out",
    },
}


def test_the_way_to_a_section_is_told(handbook: Server, page: Page) -> None:
    page.goto(handbook.url("measuring"))
    page.keyboard.press("Control+k")
    page.get_by_role("searchbox").fill("fold constants")
    above = page.locator(".search-hits li:first-child .search-above")
    expect(above).to_have_text("Compilers and interpreters › What a compiler may do")


@pytest.mark.parametrize("language", RIGHT)
def test_the_right_section_comes_first(handbook: Server, page: Page, language: str) -> None:
    page.goto(handbook.url("measuring", language))
    page.keyboard.press("Control+k")
    for words, section in RIGHT[language].items():
        page.get_by_role("searchbox").fill(words)
        first = page.locator(".search-hits li:first-child a")
        expect(first, words).to_have_attribute("href", handbook.url("x", language)[:-6] + section)
        expect(first.locator("mark").first).to_be_visible()
