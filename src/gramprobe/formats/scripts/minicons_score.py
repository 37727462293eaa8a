"""Score this folder: `python score.py MODEL [DEVICE]` writes scores.csv, which `gramprobe analyze` reads."""

from __future__ import annotations

import csv
import sys
from itertools import groupby, islice
from pathlib import Path

import numpy as np
from minicons.scorer import IncrementalLMScorer

HERE, BATCH = Path(__file__).parent, 32
scorer = IncrementalLMScorer(sys.argv[1], (sys.argv[2:] or ["cpu"])[0])
scorer.tokenizer.bos_token = scorer.tokenizer.bos_token or scorer.tokenizer.eos_token
begins_itself = scorer.tokenizer("a")["input_ids"][0] == scorer.tokenizer.bos_token_id
values: dict[tuple[str, str], float] = {}
for file in sorted(HERE.glob("*.parts.csv")):
    rows = csv.DictReader(file.open(encoding="utf-8", newline=""))
    for (context, start), alike in groupby(rows, key=lambda row: (bool(row["context"]), row["start"])):
        how = {"reduction": lambda x: x.sum(0).item(), "bos_token": start == "yes" and not begins_itself}
        while batch := list(islice(alike, BATCH)):
            texts = [row["text"] for row in batch]
            if context:
                found = scorer.conditional_score([row["context"] for row in batch], texts, separator="", **how)
            else:
                found = scorer.sequence_score(texts, **how)
            for row, value in zip(batch, found, strict=True):
                key = row["item"], row["part"]  # the spellings of an answer are summed
                values[key] = float(np.logaddexp(values.get(key, -np.inf), value))
with (HERE / "scores.csv").open("w", encoding="utf-8", newline="") as out:
    lines = csv.writer(out)
    lines.writerow(["item", "part", "value"])
    lines.writerows([*key, value] for key, value in values.items())
