"""`gramprobe lists`."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from gramprobe.cli.main import json_option, path_option, project_of
from gramprobe.source import messages
from gramprobe.source.diagnostic import UsageError

if TYPE_CHECKING:
    from gramprobe.experiment.extras import Extra
    from gramprobe.experiment.make import Maker
    from gramprobe.experiment.platforms import Given
    from gramprobe.experiment.trials import Exclusions

KINDS = ("choice", "rating", "nli", "acceptability", "self_paced")
Command = TypeVar("Command", bound=Callable[..., Any])


_file = click.Path(path_type=Path)
_some = click.IntRange(min=1)
ITEMS = (
    click.option("--paradigm", "paradigms", multiple=True, metavar="NAME", help="Of these paradigms; repeatable."),
    click.option("--condition", "conditions", multiple=True, metavar="NAME", help="Of these conditions; repeatable."),
    click.option("--instances", type=_some, metavar="N", help="Of so many instances, drawn by --seed."),
    click.option(
        "--fillers", metavar="FILE.csv|DIR|NAME",
        help="Fillers: a file, a dataset, or a phenomenon or paradigm of which some are built.",
    ),
    click.option(
        "--filler-count", type=_some, metavar="N",
        help="How many fillers. Default: all of a file, else as many as --per-person.",
    ),
    click.option("--catch", type=_file, metavar="FILE.csv", help="Catch trials, with a column `expected`."),
)  # fmt: skip
"""Which items are shown, and beside what."""
LISTS = (
    click.option(
        "--per-person", type=_some, metavar="P",
        help="Experimental trials of a person. Default: one of each instance.",
    ),
    click.option("--lists", type=_some, metavar="K", help="How many lists. Default: the fewest that balance."),
    click.option(
        "--orders", default=1, show_default=True, type=click.IntRange(1, 1000), help="Orders of a selection of items."
    ),
    click.option("--one-side", is_flag=True, help="The keys of answers stay on their sides: they are no factor."),
    click.option("--near-shares", is_flag=True, help="Take lists in which words are not all at their shares."),
    click.option(
        "--exclude", multiple=True, metavar="RULE",
        help="A rule fixed beforehand: catch=N right, seconds=A..B of a trial, same=N answers in a row; repeatable.",
    ),
)  # fmt: skip
"""How items are divided into lists, and what is left out."""
PAGE = (
    click.option(
        "--platform", metavar="NAME", default="csv", show_default=True, help="csv, jspsych, pcibex, or of a package."
    ),
    click.option("--points", default=7, show_default=True, type=click.IntRange(2, 101), help="Points of a rating."),
    click.option("--consent", type=_file, metavar="FILE.txt", help="The text that people agree to."),
    click.option("--instructions", type=_file, metavar="FILE.txt", help="The text before the first trial."),
    click.option("--wording", type=_file, metavar="FILE.toml", help="The question, the answers, words of the page."),
    click.option(
        "--bundle", type=_file, metavar="NODE_MODULES",
        help="jspsych: one HTML file that works offline, of the programs in this folder.",
    ),
    click.option("--save-url", default="", metavar="URL", help="jspsych: send the answers there, not as a download."),
)  # fmt: skip
"""How they are presented."""


def _options(options: Sequence[Callable[[Command], Command]]) -> Callable[[Command], Command]:
    def add(function: Command) -> Command:
        for option in reversed(options):
            function = option(function)
        return function

    return add


@click.command()
@click.argument("dataset", type=click.Path(path_type=Path))
@click.option("--kind", required=True, type=click.Choice(KINDS), help="What people are asked.")
@_options((*LISTS, *ITEMS, *PAGE))
@click.option("--seed", default=0, show_default=True, type=click.IntRange(min=0), help="Of lists, orders and draws.")
@click.option("--out", required=True, type=_file, metavar="DIR", help="A new folder.")
@path_option
@json_option
def command(dataset: Path, out: Path, as_json: bool, path: tuple[Path, ...], **given: Any) -> int:
    """Write the lists of an experiment with people: who reads which items of DATASET, in which order.

    Each list has an instance at most once, and over all lists each instance stands in each of its cells (a condition,
    and of a choice the order of its options) equally often. --platform writes a page that presents them
    (docs/experiments.md).
    """
    from gramprobe.experiment.items import Wanted
    from gramprobe.experiment.make import Maker, Request
    from gramprobe.experiment.wording import Wording, read_wording
    from gramprobe.open import read

    if out.exists():
        raise messages.experiment.in_the_way(str(out))
    opened = read(dataset)
    shown = _given(given, opened.language(opened.paradigms[0]).code)
    request = Request(
        Wanted(given["kind"], given["paradigms"], given["conditions"], given["instances"], given["seed"]),
        given["per_person"], given["lists"], given["orders"], not given["one_side"], given["near_shares"],
        given["seed"], given["points"], exclusions(given["exclude"]),
        Wording() if given["wording"] is None else read_wording(given["wording"]), given["platform"],
    )  # fmt: skip
    maker = Maker(opened, request)
    fillers = _fillers(maker, given["fillers"], given["filler_count"], path)
    catch = _catch(maker, given["catch"])
    plan, does = _written(maker, fillers, catch, out, shown)
    each = plan.per_person + plan.fillers + plan.catch
    if as_json:
        from gramprobe.cli.answers.answer import answer
        from gramprobe.cli.answers.experiments import DrawnUp

        data = {
            "folder": str(out), "lists": plan.lists, "trials": each, "per_person": plan.per_person,
            "fillers": plan.fillers, "catch": plan.catch, "instances": plan.instances, "cells": plan.cells,
            "repeats": plan.repeats, "factors": {factor.name: list(factor.levels) for factor in plan.factors},
            "next": does,
        }  # fmt: skip
        click.echo(answer(DrawnUp, data, ascii_only=False))
        return 0
    click.echo(
        f"{out}: {plan.lists:,} lists of {each:,} trials, {plan.per_person:,} of them experimental; each of "
        f"{plan.instances:,} instances stands in each of its {plan.cells:,} cells in {plan.repeats:,} of them"
    )
    click.echo(f"{request.platform}: {does}")
    click.echo(f"read {out}/design.md, and preregister it")
    return 0


def exclusions(rules: tuple[str, ...]) -> Exclusions:
    """The rules of `--exclude`. Raises UsageError."""
    from gramprobe.experiment.trials import Exclusions

    found: dict[str, Any] = {}
    for rule in rules:
        name, _, value = rule.partition("=")
        try:
            if name == "seconds":
                low, _, high = value.partition("..")
                found["seconds"] = float(low or 0), float(high)
                if not 0 <= found["seconds"][0] < found["seconds"][1] < float("inf"):
                    raise ValueError
            elif name in ("catch", "same"):
                number = int(value)
                if number < (1 if name == "catch" else 2):
                    raise ValueError
                found["catch" if name == "catch" else "straight_lining"] = number
            else:
                raise ValueError
        except ValueError:
            raise UsageError(
                f"`--exclude {rule}` is no rule", "there are catch=N, seconds=A..B and same=N, as in seconds=0.3..30"
            ) from None
    return Exclusions(**found)


def _given(given: dict[str, Any], language: str) -> Given:
    """What a platform is given beside the items. Raises UsageError."""
    from gramprobe.experiment.platforms import PLATFORMS, Given
    from gramprobe.experiment.platforms.jspsych import origin
    from gramprobe.experiment.wording import read_text
    from gramprobe.source.nearest import did_you_mean

    name = given["platform"]
    platform = PLATFORMS.get(name)
    if platform is None:
        raise UsageError(
            f"no platform named `{name}`{did_you_mean(name, PLATFORMS)}", f"there are {', '.join(PLATFORMS)}"
        )
    for option in ("bundle", "save_url"):
        if given[option] and option not in platform.takes:
            others = [each.name for each in PLATFORMS.values() if option in each.takes]
            raise messages.experiment.not_taken("--" + option.replace("_", "-"), name, others)
    if given["save_url"]:
        origin(given["save_url"])
    texts = {each: read_text(given[each]) if given[each] else "" for each in ("consent", "instructions")}
    return Given(**texts, language=language, bundle=given["bundle"], save_url=given["save_url"])


def _fillers(maker: Maker, given: str | None, count: int | None, path: tuple[Path, ...]) -> list[Extra]:
    """The fillers of a file, of a dataset, or of a phenomenon that is built for it."""
    from gramprobe.experiment.extras import of_dataset, of_file
    from gramprobe.open import read

    if given is None:
        if count is not None:
            raise UsageError("--filler-count says how many, and nothing says of what", "give --fillers FILE.csv too")
        return []
    if Path(given).is_file() or given.endswith(".csv"):
        found = of_file(Path(given), maker.kind, maker.options, maker.answers)
        if count is not None and count > len(found):
            raise messages.experiment.too_few("fillers", count, len(found))
        return found[:count]
    wanted, seed = count or maker.sizes.per_person, maker.request.seed
    if Path(given).is_dir():
        return of_dataset(read(Path(given)), maker.kind, wanted, seed)
    project = project_of(path, None, (given,))
    paradigms = len(project.named(given))
    with tempfile.TemporaryDirectory() as place:
        (built,) = project.build(given, place, n=-(-wanted // paradigms), seed=seed + 1)
        return of_dataset(read(built.folder), maker.kind, wanted, seed)


def _catch(maker: Maker, path: Path | None) -> list[Extra]:
    from gramprobe.experiment.extras import of_file

    return [] if path is None else of_file(path, maker.kind, maker.options, maker.answers, catch=True)


def _written(maker: Maker, fillers: list[Extra], catch: list[Extra], out: Path, given: Given) -> tuple[Any, str]:
    """Write the folder, in one step: the plan, and what to do with it."""
    from msgspec.structs import replace

    from gramprobe.experiment.page import design_page
    from gramprobe.experiment.platforms import PLATFORMS
    from gramprobe.experiment.trials import DESIGN, Experiment, write_plan, write_trials

    made, above = maker.experiment(fillers, catch)
    out.parent.mkdir(parents=True, exist_ok=True)
    place = Path(tempfile.mkdtemp(prefix=f".{out.name}-", dir=out.parent))
    try:
        plan = replace(made.plan, trials=write_trials(place, made.trials))
        write_plan(place, plan)
        experiment = Experiment(plan, made.trials)
        page = design_page(experiment, above, given.consent, given.instructions)
        (place / DESIGN).write_text(page, "utf-8")
        does = PLATFORMS[plan.platform].write(experiment, place, given)
        place.chmod(0o755)
        place.rename(out)
    finally:
        shutil.rmtree(place, ignore_errors=True)
    return plan, does
