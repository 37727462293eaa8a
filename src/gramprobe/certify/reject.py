"""Rejecting certificates: with a reason, and before checking them costs more than it may."""

from __future__ import annotations


class CertificateError(ValueError):
    """A certificate that does not show what it claims, or that cannot be checked."""


class Unfollowed(CertificateError):
    """A proof that may be right, but takes too long to check, or has a step beyond unit propagation."""


TOO_LONG = "checking it would take too long"
LINE = 4_000_000
"""Steps for one certificate: at most a few seconds and some 400 MB. The hardest shipped certificate takes 72,000."""


class Budget:
    """Steps that checking may take, so that a hostile certificate costs bounded time and memory."""

    def __init__(self, steps: int = LINE) -> None:
        self.steps = self.left = steps

    @property
    def spent(self) -> int:
        """The steps taken so far, no more than there were."""
        return self.steps - max(self.left, 0)

    def spend(self, steps: int = 1) -> None:
        """Raises Unfollowed when nothing is left."""
        self.left -= steps
        if self.left < 0:
            raise Unfollowed(TOO_LONG)
