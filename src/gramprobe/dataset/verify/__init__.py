"""A dataset re-checked by whoever has it: `verify.verify` runs the checks, `problems` says what each found."""
