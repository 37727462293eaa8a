"""Engines that prove that there is no model: each looks for what one module of `certify` can check."""
