"""`python -m polytab` is `polytab`."""

import sys

from polytab.cli import main

sys.exit(main())
