"""`gramprobe power`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from gramprobe.cli.main import json_option
from gramprobe.cli.model import model_of, model_options, pairs
from gramprobe.source.diagnostic import UsageError

if TYPE_CHECKING:
    from gramprobe.analysis.inference import Power
    from gramprobe.analysis.mixed.simulate import SimulatedPower


@click.command()
@model_options
@click.option("--plan", multiple=True, metavar="FACTOR=N", help="N levels of a grouping factor; repeatable.")
@click.option(
    "--suppose", multiple=True, metavar="EFFECT=SIZE",
    help="The size of an effect, in the place of its estimate: the smallest that matters; repeatable.",
)  # fmt: skip
@click.option("--studies", default=500, show_default=True, type=click.IntRange(min=20), help="Of answers: to simulate.")
@click.option("--seed", default=0, show_default=True, type=click.IntRange(min=0), help="Of the simulated studies.")
@json_option
def command(
    frame: Path | None,
    formula: str | None,
    plan: tuple[str, ...],
    suppose: tuple[str, ...],
    studies: int,
    seed: int,
    as_json: bool,
    **of_model: Any,  # the options of a model
) -> int:
    """What a planned study could show: the power to find each fixed effect of a model of a pilot, 5 %, two-sided.

    Of scores it follows from the fitted variances. Of answers (--family) studies are drawn from the fitted model and
    fitted, as many as --studies says; the power has the interval that their number leaves.
    """
    from gramprobe.analysis.analyze import needed_packages

    needed_packages("power")
    if frame is None or formula is None:
        raise UsageError("a model needs both --frame and --formula", "see `gramprobe power --help`")
    from gramprobe.analysis.mixed.model import Model
    from gramprobe.analysis.mixed.plan import planned
    from gramprobe.analysis.mixed.report import plan_table, simulated_table

    counts = {name: int(_number("--plan", name, value, whole=True)) for name, value in pairs("--plan", plan)}
    sizes = {name: _number("--suppose", name, value) for name, value in pairs("--suppose", suppose)}
    model = model_of(frame, formula, **of_model)
    found: Sequence[tuple[str, Power | SimulatedPower]]
    if isinstance(model, Model):
        computed = found = planned(model.fit, counts, supposed=sizes)
        text = plan_table(computed)
    else:
        from gramprobe.analysis.mixed.simulate import simulated_power

        simulated = found = simulated_power(model, counts, supposed=sizes, studies=studies, seed=seed)
        text = simulated_table(simulated)
    if as_json:
        from gramprobe.cli.answers.analyses import Planned
        from gramprobe.cli.answers.answer import answer

        now = {grouping.factor: len(grouping.levels) for grouping in model.design.layout.groupings}
        entries = [{"name": name, **asdict(each)} for name, each in found]
        text = answer(
            Planned,
            {
                "formula": model.design.formula.text,
                "levels": now | counts,
                "effects": entries,
                "warnings": model.warnings,
            },
            ascii_only=False,
        )
        click.echo(text)
    else:
        click.echo("\n\n".join([text, *(f"warning: of the pilot: {warning}" for warning in model.warnings)]))
    return 0


def _number(option: str, name: str, value: str, *, whole: bool = False) -> float:
    """The number behind `NAME=`. Raises UsageError for anything else."""
    try:
        return int(value) if whole else float(value)
    except ValueError:
        what = "a planned number of levels is a whole number" if whole else "the size of an effect is a number"
        raise UsageError(f"`{option} {name}={value}`: {what}", f"as in `{option} {name}=24`") from None
