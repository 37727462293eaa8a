"""How a certificate is turned down: with a reason, and before it costs more than it may."""

from __future__ import annotations


class CertificateError(ValueError):
    """A certificate that does not show what it says, or that cannot be checked."""


class Budget:
    """Steps that checking one certificate may take, so that a hostile one costs bounded time and memory."""

    def __init__(self, steps: int = 10_000_000) -> None:
        self.left = steps

    def spend(self, steps: int = 1) -> None:
        """Raises CertificateError when nothing is left."""
        self.left -= steps
        if self.left < 0:
            raise CertificateError("checking it would take too long")
