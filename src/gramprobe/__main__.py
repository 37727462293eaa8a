"""`python -m gramprobe`."""

import sys

from gramprobe.cli import main

sys.exit(main())
