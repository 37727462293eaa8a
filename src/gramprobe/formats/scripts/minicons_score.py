"""Score this folder: `python score.py MODEL [DEVICE]` writes scores.csv, which `gramprobe analyze` reads."""

from __future__ import annotations

import csv
import sys
from pathlib import Path

import numpy as np
from minicons.scorer import IncrementalLMScorer

HERE = Path(__file__).parent
scorer = IncrementalLMScorer(sys.argv[1], (sys.argv[2:] or ["cpu"])[0])
scorer.tokenizer.bos_token = scorer.tokenizer.bos_token or scorer.tokenizer.eos_token
begins_itself = scorer.tokenizer("a")["input_ids"][0] == scorer.tokenizer.bos_token_id
values: dict[tuple[str, str], float] = {}
for file in sorted(HERE.glob("*.parts.csv")):
    for row in csv.DictReader(file.open(encoding="utf-8", newline="")):
        how = {"reduction": lambda x: x.sum(0).item(), "bos_token": row["start"] == "yes" and not begins_itself}
        if row["context"]:
            (value,) = scorer.conditional_score([row["context"]], [row["text"]], separator="", **how)
        else:
            (value,) = scorer.sequence_score([row["text"]], **how)
        key = row["item"], row["part"]  # the spellings of an answer are summed
        values[key] = float(np.logaddexp(values.get(key, -np.inf), value))
with (HERE / "scores.csv").open("w", encoding="utf-8", newline="") as out:
    lines = csv.writer(out)
    lines.writerow(["item", "part", "value"])
    lines.writerows([*key, value] for key, value in values.items())
