"""The command line: one module for each command, imported when the command is used.

Exit codes: 0 fine, 1 findings, 2 wrong usage, 3 a fault of our own, 130 Ctrl-C, 143 SIGTERM.
"""

from gramprobe.cli.main import main

__all__ = ["main"]
