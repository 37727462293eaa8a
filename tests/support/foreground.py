"""Commands that a signal reaches."""

from __future__ import annotations

FOREGROUND = (
    "import signal, sys; signal.signal(signal.SIGINT, signal.default_int_handler); "
    "from gramprobe.cli.main import main; sys.exit(main(sys.argv[1:]))"
)
"""The code of gramprobe as a foreground job: a shell starts background jobs with SIGINT ignored, and a child inherits
that."""
