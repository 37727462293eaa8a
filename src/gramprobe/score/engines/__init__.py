"""Models by kind. `folder` finds and checks a model's files, `tokens` its tokenizer, `rows` what goes into one forward
pass; `causal`, `masked` and `classifier` answer requests."""
