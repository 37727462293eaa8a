"""A decision in words and pictures: models, proofs, stories, tables of readings."""
