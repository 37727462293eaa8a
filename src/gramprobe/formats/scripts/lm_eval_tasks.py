"""What the tasks of this folder call: their rows, and their metrics.

A tie counts as the share of the tied choices that are right, so that a model that always says the same is at chance.
lm-eval's own metric gives a tie to the first choice.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

Results = list[tuple[float, bool]]


def load(file: str, **_: Any) -> dict[str, Any]:
    """The rows of a file of this folder, wherever lm-eval is started."""
    import datasets

    rows = datasets.load_dataset("json", data_files=str(Path(__file__).parent / file), split="train")
    return {"test": rows}


def _share(results: Results, right: int) -> float:
    values = [value for value, _ in results]
    best = [place for place, value in enumerate(values) if value == max(values)]
    return 1 / len(best) if right in best else 0.0


def right(doc: dict[str, Any], results: Results) -> dict[str, float]:
    """Whether the right choice is the likeliest."""
    return {"acc": _share(results, doc["target"])}


def option(doc: dict[str, Any], results: Results) -> dict[str, float]:
    """Whether the likelier option picks the surface reading, and the one that most people prefer."""
    places = {"surface": doc["surface_at"], "preferred": doc["preferred_at"]}
    return {name: _share(results, place) for name, place in places.items() if place >= 0}


def candidate(doc: dict[str, Any], results: Results) -> dict[str, float]:
    """How much likelier the text is with the first candidate (the subject), in nats, and whether it is."""
    first, second = (value for value, _ in results)
    return {"subject_bias": first - second, "subject_preferred": _share(results, 0)}


def alpha(doc: dict[str, Any], results: Results) -> dict[str, float]:
    """Kamath et al. (2024, 11): -[(log P(F1|S) - log P(F2|S)) - (log P(F1|C) - log P(F2|C))], in nats, and whether it
    is positive. The choices are S F1, S F2, C F1 and C F2 as whole texts; what S and C have by themselves cancels."""
    one, two, three, four = (value for value, _ in results)
    found = -((one - two) - (three - four))
    return {"alpha": found, "alpha_positive": 1.0 if found > 0 else 0.5 if found == 0 else 0.0}
