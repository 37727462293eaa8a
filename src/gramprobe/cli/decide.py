"""`gramprobe decide`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from gramprobe.cli.main import json_option, modules_of, oracle_option, path_option, project_of

if TYPE_CHECKING:
    from gramprobe.judge.typed import Decided, Objection
    from gramprobe.resolve.grammar.data import Grammar


TRUST = {
    "bounded": "no counter-model up to that size, and larger models were not searched; a build refuses it (E45)",
    "prover": "the label is an outside prover's, and the kernel cannot check it; a build refuses it (E45)",
}


@click.command()
@click.argument("premise")
@click.argument("hypothesis")
@click.option("--theory", default="classical", show_default=True, metavar="NAME", help="The logic file to reason in.")
@click.option(
    "--uses",
    metavar="NAME[,NAME]",
    help="A grammar: its words by their ids, and what the theory says of them.",
)
@oracle_option
@path_option
@json_option
def command(
    premise: str,
    hypothesis: str,
    theory: str,
    uses: str | None,
    oracle: str | None,
    path: tuple[Path, ...],
    as_json: bool,
) -> int:
    """Label a pair of formulas: `gramprobe decide --theory presupposition "poss (p / q)" "p"`.

    The notation is that of docs/formulas.md. An unknown theory is reported with the list of all theories. Without
    --uses, names are plain symbols, and nothing is known of words.
    """
    from gramprobe.catalog.pages import checked
    from gramprobe.decide.cache import kept_verdicts
    from gramprobe.decide.label import Decider
    from gramprobe.judge import typed
    from gramprobe.project import NO_PARADIGM

    project = project_of(path, names=NO_PARADIGM)
    project.declarations.known_theory(theory)
    decided: Decided | None = None
    grammar: Grammar | None = None
    try:
        with kept_verdicts() as kept:
            decider = Decider(kept=kept, oracle=oracle, dependence=True)
            grammar = checked(project.declarations, *modules_of(uses)) if uses is not None else None
            decided = typed.decided(premise, hypothesis, theory, project.declarations, decider, grammar)
        objections = typed.objections(decided)
    except typed.UndecidableFormulas as error:
        objections = [typed.Objection(error.code, error.message, error.help)]
    if as_json:
        from gramprobe.cli.answers.answer import answer
        from gramprobe.cli.answers.decisions import Decided

        click.echo(answer(Decided, _json(decided, objections)))
    elif decided is not None:
        _print(decided)
        if grammar is not None:
            _print_strange(decided, grammar)
    for objection in objections:
        click.echo(f"error[{objection.code}]: {objection.message}\n  help: {objection.help}", err=True)
    return 1 if objections else 0


def _json(decided: Decided | None, objections: list[Objection]) -> dict[str, Any]:
    if decided is None:
        undecided = dict.fromkeys(("label", "certificate", "on_trust", "h_values", "rests_on", "shape"))
        return {**undecided, "findings": objections}
    from gramprobe.decide.verdict import rests_on_trust

    decision, verdict = decided.decision, decided.decision.verdict
    models = {value: decision.model(value).to_json() for value in verdict.models}
    return {
        "label": verdict.label,
        "certificate": {"kind": verdict.kind, "models": models},
        "on_trust": rests_on_trust(verdict.kind),
        "h_values": verdict.h_values,
        "rests_on": decided.rests_on,
        "findings": objections,
        "shape": decision.shape.id,
    }


def _print(decided: Decided) -> None:
    from gramprobe.decide.verdict import rests_on_trust
    from gramprobe.explain.words import described

    decision, verdict = decided.decision, decided.decision.verdict
    click.echo(f"{verdict.label or 'no label'}   (certificate {verdict.kind}, h_values {verdict.h_values or '-'})")
    if rests_on_trust(verdict.kind):
        click.echo("not proved: " + TRUST[verdict.kind.partition("(")[0]])
    if decided.rests_on:
        click.echo(f"rests on {decided.rests_on}")
    words = {"T": "true", "F": "false", "U": "undefined"}
    for value in verdict.models:
        click.echo(f"the premise committed to, the hypothesis {words[value]}:")
        for line in described(decision.model(value)):
            click.echo(f"  {line}")


def _print_strange(decided: Decided, grammar: Grammar) -> None:
    """What is said of individuals with names that the grammar does not have: misspelt words, perhaps."""
    from gramprobe.formula.ast import Atom, walk
    from gramprobe.source.nearest import did_you_mean

    atoms = [each for side in (decided.premise, decided.hypothesis) for each in walk(side) if isinstance(each, Atom)]
    known = [*grammar.symbols(), *grammar.constants]
    for name in sorted({each.predicate for each in atoms if each.args}.difference(known)):
        click.echo(
            f"`{name}` is no word of the grammar, and nothing is known of it{did_you_mean(name, known)}", err=True
        )
