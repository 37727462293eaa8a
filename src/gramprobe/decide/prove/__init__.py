"""Engines that prove that a problem has no model: each searches for proofs that one module of `certify` can check."""
