"""polytab: snippets in several frameworks, really executed, recorded and rendered as tabs.

The stages, in the order in which data passes through them:

1. `settings`    `[tool.polytab]` -> Settings
2. `percent`, `snippets`  snippets/<page>/<framework>.py -> Script, and the key of its recording
3. `pins`        environments/<framework>.txt -> Environment
4. `plan`        scripts, environments and recordings -> Job, each with the reason it must run
5. `runner`      Job -> Recording, by a real kernel in a real environment
6. `normalise`   what cannot repeat is taken out of the outputs
7. `recordings`  Recording <-> recordings/<page>/<framework>.<device>.ipynb
8. `compare`     two recordings -> what did not repeat
9. `pages`       docs/*.md and recordings -> documents (a Sphinx extension)
10. `site`       documents -> _build/site/

`cli` wires them; nothing else does.
"""

__version__ = "0.1.0"
