"""What several tests share: the shipped files resolved once, grammars of the tests' own, independent oracles."""
