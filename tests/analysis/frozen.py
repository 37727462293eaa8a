"""What R gave, read for the tests."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from gramprobe.analysis.mixed.design import Design
from gramprobe.analysis.mixed.formula import parse
from gramprobe.analysis.mixed.frame import frame_of
from gramprobe.analysis.mixed.layout import Floats
from gramprobe.analysis.mixed.products import CrossProducts

HERE = Path(__file__).parent
MODELS = ("intercepts", "slopes", "ml", "nested", "double_bar", "fitted", "printed")
HELMERT = {"greeted": (-1.0, -1.0), "liked": (1.0, -1.0), "met": (0.0, 2.0)}


@cache
def frozen(model: str) -> dict[str, Any]:
    found: dict[str, Any] = json.loads((HERE / "lme4" / f"{model}.json").read_text("utf-8"))
    return found


@cache
def scores() -> pa.Table:
    """The 10,000 rows, with the Helmert contrasts of the follow-up as columns of their own."""
    table = pq.read_table(HERE / "scores_10000.parquet")
    for i in (0, 1):
        table = table.append_column(f"f{i + 1}", pa.array([HELMERT[v][i] for v in table["followup"].to_pylist()]))
    return table


@cache
def designed(model: str) -> tuple[Design, CrossProducts]:
    formula = parse(frozen(model)["formula"])
    codings = {"followup": "helmert"} if any(t.text == "followup" for t in formula.predictors) else {}
    design = Design(formula, frame_of(scores()), codings=codings)
    return design, design.products()


def theta_of(design: Design, model: str, theta: list[float]) -> Floats:
    """Parameters in lme4's order, in ours: lme4 sorts terms by the number of levels, and calls a within b `a:b`."""
    spans = {(tuple(sorted(t.factor.split(":"))), t.columns): span for t, span in design.layout.spans()}
    found = np.full(len(theta), np.nan)
    start = 0
    for term in frozen(model)["terms"]:
        span = spans[tuple(sorted(term["factor"].split(":"))), tuple(term["columns"])]
        found[span] = theta[start : start + span.stop - span.start]
        start += span.stop - span.start
    assert start == len(theta) and not np.isnan(found).any()
    return found
