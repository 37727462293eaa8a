"""The chart of all parts of a sentence, which the charts of what can stand in a tree are compared with."""

from __future__ import annotations

from gramprobe.chart.cuts import lattice
from gramprobe.chart.judge import Lift, _lifted
from gramprobe.chart.parse import Chart
from gramprobe.chart.rules import Rules


def lifts_of_all_parts(text: str, rules: Rules) -> tuple[Lift, ...] | None:
    """What `gramprobe.chart.judge.lifts` says, of the chart of all parts."""
    chart = Chart(lattice(text, rules.grammar.language, rules.known), rules)
    chart.fill()
    return None if chart.roots() else _lifted(chart)
