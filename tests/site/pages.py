"""A written page with one of everything."""

from __future__ import annotations

PAGE = """\
<!doctype html>
<html lang="en"><head>
<meta property="og:title" content="Tour &amp; <b>"><meta name="description" content="All.">
<link rel="stylesheet" href="_static/a.css?v=1"></head>
<body><article id="top"><p>one<br>two
<a name="named" href=" other.html#x ">three</a> four
<img src="dot.png"/><svg><use xlink:href="#dot"/><path id="dot"/></svg></p>
<dialog data-runtime="_static/hits.js"></dialog><a href="">nowhere</a>
</article></body></html>
"""
