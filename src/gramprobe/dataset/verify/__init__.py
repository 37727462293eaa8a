"""Check a dataset folder again, without trusting whoever built it: `verify.verify` runs the checks.

Each module is one check; all add to the same `problems.Problems`, with a code, a file, a line and a reason.
"""
