"""What the four papers compute, from our scores or from their released files: one module for each paper."""
