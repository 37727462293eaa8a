"""Score this folder: `python score.py MODEL [DEVICE]` writes scores.csv, which `gramprobe analyze` reads."""

import sys
from pathlib import Path

import numpy as np
import pandas as pd
from minicons.scorer import IncrementalLMScorer

here, scorer = Path(__file__).parent, IncrementalLMScorer(*sys.argv[1:3])
scorer.tokenizer.bos_token = scorer.tokenizer.bos_token or scorer.tokenizer.eos_token
begins_itself = scorer.tokenizer("a").input_ids[0] == scorer.tokenizer.bos_token_id
files = [pd.read_csv(file, dtype=str, keep_default_na=False) for file in sorted(here.glob("*.parts.csv"))]
rows = pd.concat(files, ignore_index=True)
for (start, _), batch in rows.groupby(["start", rows.groupby("start").cumcount() // 32]):
    how = {"separator": "", "bos_token": start == "yes" and not begins_itself, "reduction": lambda x: x.sum().item()}
    rows.loc[batch.index, "value"] = scorer.conditional_score([*batch.context], [*batch.text], **how)
rows.groupby(["item", "part"], sort=False)["value"].agg(lambda x: np.logaddexp.reduce([*x])).to_csv(here / "scores.csv")
