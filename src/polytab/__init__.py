"""polytab: snippets in several frameworks, really executed, recorded and rendered as tabs.

The stages, in the order in which data passes through them:

1. `settings`      `[tool.polytab]` -> Settings
2. `percent`       a script file -> its cells; `snippets` collects them, and the key of a recording
3. `pins`          environments/<framework>.txt -> Environment
4. `plan`          scripts, environments and recordings -> Job, each with the reason it must run;
                   `shards` takes one machine's part of them
5. `runner`        Job -> Recording, by a real kernel in a real environment, on one machine or many,
                   or from the shared store
6. `normalise`     what cannot repeat is taken out of the outputs; `pooling` joins several runs
7. `recordings`    Recording <-> recordings/<page>/<framework>.<device>.ipynb
8. `compare`       two recordings -> what did not repeat
9. `measurements`  the numbers in a recording; `ratios` says what they mean
10. `translations` catalogs -> what passed the lint
11. `pages`        docs/*.md, recordings and translations -> documents (a Sphinx extension)
12. `export`       documents -> notebooks and scripts beside the pages; books
13. `bundle`       written pages -> published ones; `indexing` makes what searches them
14. `policy`       a page -> what it may run; `site` does all of this for every language
15. `links`        _build/site/ -> links that lead nowhere; `published` adds redirects, a manifest,
                   `feed` what is new

`cli` wires them; nothing else does.
"""

__version__ = "0.1.0"
