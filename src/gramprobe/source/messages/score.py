"""Messages about scoring: models, items, folders of scores, plain files."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from gramprobe.source.diagnostic import Diagnostic, Span, UsageError
from gramprobe.source.nearest import did_you_mean, listed, nearest


def of_other_items(kind: str, name: str, pairs: bool, known: Iterable[str]) -> UsageError:
    """A baseline for options that is to answer ``pairs``, or the other way round; ``known``: those that could."""
    does = "chooses between options, and these are pairs" if pairs else "gives labels to pairs, and these are options"
    return UsageError(
        f"the {kind} `{name}` {does}", f"for {'pairs' if pairs else 'options'} there are: {', '.join(known)}"
    )


def unusable_model(model: str, what: str, help: str) -> UsageError:
    return UsageError(f"the model `{model}` cannot be used: {what}", help, "E91")


def no_spaces(model: str, paradigm: str, language: str) -> UsageError:
    return unusable_model(
        model,
        f"it finds words by the spaces between them, and `{paradigm}` is in a language without (`{language}`)",
        "score it with a model that has tokens of its own",
    )


def other_language(model: str, paradigm: str, language: str, known: Sequence[str]) -> UsageError:
    return unusable_model(
        model,
        f"it knows the words of `{', '.join(known)}` alone, and `{paradigm}` is in `{language}`",
        "take another baseline, or build a dataset without this paradigm",
    )


def two_languages(model: str, languages: Sequence[str]) -> UsageError:
    return unusable_model(
        model,
        f"a corpus is in one language, and the paradigms are in {listed(languages)}",
        "build a dataset of each language, and give each a corpus of its own",
    )


BASELINES = ("rule", "reader", "vectors", "ngram")
"""What stands before the colon in the name of a baseline."""


def no_model(model: str) -> UsageError:
    help = "give a folder with a model, an id of the Hugging Face hub (OWNER/NAME), or a baseline (rule:NAME, ngram:FILE.txt)"
    prefix, colon, behind = model.partition(":")
    meant = nearest(prefix, BASELINES) if colon else None
    near = f"; did you mean `{meant}:{behind}`?" if meant else ""
    return unusable_model(model, f"there is no such folder{near}", help)


def wrong_kind(model: str, kind: str, mode: str, kinds: Sequence[str], others: Sequence[str]) -> UsageError:
    """``kinds``: of the models that answer the mode; ``others``: modes that fit the items and a model of this kind."""
    if others:
        help = f"this model scores these items with --mode {' or --mode '.join(others)}"
    else:
        help = (
            f"no mode scores these items with such a model: give {' or '.join(_GIVEN.get(k, called(k)) for k in kinds)}"
        )
        if kind in ("rule", "reader"):
            help += "; rules and readers label pairs of a premise and a hypothesis, or choose between two options"
    return UsageError(
        f"the model `{model}` is {called(kind)}, and the mode `{mode}` needs {listed_kinds(kinds)}", help, "E91"
    )


KINDS = {
    "causal": "a causal language model",
    "masked": "a masked language model",
    "classifier": "a classifier of sequences",
    "endpoint": "a model behind an endpoint",
    "rule": "a rule that does not reason",
    "reader": "a reader that does not reason",
    "ngram": "an n-gram model",
    "vectors": "a reader of word vectors, which sees pairs",
}
_GIVEN = {
    "causal": "--model DIR of a causal language model",
    "masked": "--model DIR of a masked language model",
    "classifier": "--model DIR of a classifier",
    "endpoint": "--endpoint URL --model NAME",
    "rule": "--model rule:NAME",
    "reader": "--model reader:NAME",
    "ngram": "--model ngram:FILE.txt",
}


def called(kind: str) -> str:
    """What a model of a kind is called."""
    return KINDS.get(kind, f"a model of the kind `{kind}`")


def listed_kinds(kinds: Sequence[str]) -> str:
    """Kinds of models with `or` before the last one."""
    *first, last = map(called, kinds)
    return f"{', '.join(first)} or {last}" if first else last


def unfit_mode(mode: str, tasks: Sequence[str], others: Mapping[str, Sequence[str]]) -> UsageError:
    """``others``: the modes that fit, each with the kinds of models that it needs."""
    modes = [f"--mode {name} (for {listed_kinds(kinds)})" for name, kinds in others.items()]
    return UsageError(
        f"the mode `{mode}` does not fit items of the task {', '.join(tasks)}",
        f"take {'; or '.join(modes)}" if modes else "none does: a package may add one (`gramprobe where` lists these)",
    )


def unnamed_model(prefix: str, help: str) -> UsageError:
    """``prefix``: what stands before the colon; ``help``: what to give behind it. Both are empty without a colon."""
    return UsageError(
        f"nothing is named behind `{prefix}:`" if prefix else "--model names nothing",
        help or "give a folder with a model, an id of the Hugging Face hub, or a baseline (docs/baselines.md)",
        "E91",
    )


def bad_endpoint(host: str) -> UsageError:
    return UsageError(
        f"the endpoint{f' at `{host}`' if host else ''} is no URL of the form https://HOST/v1",
        "leave user, password and what follows a question mark out; the key is read from GRAMPROBE_API_KEY",
        "E49",
    )


def bad_key(variable: str) -> UsageError:
    return UsageError(
        f"the key in ${variable} has characters that no key has",
        "a key is one line of ASCII characters without spaces at its ends: set it again",
        "E49",
    )


def no_connection(host: str, why: str) -> UsageError:
    return UsageError(
        f"no connection to the endpoint at `{host}` can be set up: {why}",
        "see $SSL_CERT_FILE, $HTTP_PROXY, $HTTPS_PROXY, $ALL_PROXY and $NO_PROXY",
        "E49",
    )


def endpoint_failed(host: str, what: str, tries: int) -> UsageError:
    times = "" if tries == 1 else f" ({tries} tries)"
    return UsageError(
        f"the endpoint at `{host}` did not answer{times}: {what}",
        "what was finished is kept: go on with --resume",
        "E49",
    )


def bad_prompts(file: str, what: str) -> UsageError:
    return UsageError(f"the prompts of `{file}`: {what}", "docs/scoring.md has an example", "E48")


def no_examples(table: str, shots: int, instances: int) -> UsageError:
    return UsageError(
        f"`{table}` has {instances:,} instances: {shots:,} examples before each question leave nothing to score",
        "take fewer examples: --shots N",
        "E48",
    )


def unknown_label_map(model: str, names: Sequence[str], count: int) -> UsageError:
    wanted = "entailment,neutral,contradiction" if count != 2 else "entailment,not_entailment"
    return UsageError(
        f"the labels of the model `{model}` are {listed(names)}: they do not say which of them is entailment",
        f"say their names in the model's order, as its card gives them: --labels {wanted}",
        "E93",
    )


def bad_labels_option(given: Sequence[str], count: int) -> UsageError:
    return UsageError(
        f"--labels gives {listed(given)} for a model with {count} labels",
        "give `entailment`, `neutral` and `contradiction`, or `entailment` and `not_entailment`, in the model's order",
        "E93",
    )


def cannot_score(span: Span, count: int, of: int, notes: Sequence[str]) -> Diagnostic:
    return Diagnostic(
        code="E92",
        span=span,
        message=f"{count:,} of {of:,} items cannot be scored by this model"
        if of != 1
        else "the item cannot be scored by this model",
        notes=tuple(notes),
        help="change the items, or leave their scores out, marked in `flags`: --skip-refused",
    )


def not_a_number(span: Span, item: str, part: str) -> Diagnostic:
    return Diagnostic(
        code="E92",
        span=span,
        message=f"the model's probability is no number for `{part}` of `{item}`",
        help="what is scored so far stays: try --dtype float32, or --resume --skip-refused, which marks such scores in `flags`",
    )


def other_model(folder: str, before: str, model: str) -> UsageError:
    return UsageError(
        f"`{folder}` has the scores of the model `{before}`, not of `{model}`",
        f"go on with --model {before}, or give another --out",
        "E94",
    )


def no_columns(span: Span, missing: Sequence[str], columns: Sequence[str], task: str) -> Diagnostic:
    near = did_you_mean(missing[0], columns)
    return Diagnostic(
        code="E95", span=span, message=f"the task `{task}` needs {_columns(missing)}{near}",
        notes=(f"columns     {', '.join(columns)}",), help="give the columns the names of the task (docs/scoring.md)",
    )  # fmt: skip


def _columns(names: Sequence[str]) -> str:
    return f"the column{'s' if len(names) > 1 else ''} {' and '.join(f'`{name}`' for name in names)}"


def unreadable(span: Span, what: str) -> Diagnostic:
    return Diagnostic(
        code="E95", span=span, message=f"this file cannot be read: {what}",
        help="a plain file is CSV or TSV with a heading, or JSON lines, in UTF-8",
    )  # fmt: skip


def repeated_id(span: Span, id_: str, line: int) -> Diagnostic:
    return Diagnostic(
        code="E95", span=span, message=f"the id `{id_}` stands in line {line} already",
        help="scores are found by their item's id: give each row its own, or leave the column out",
    )  # fmt: skip


def split_instance(span: Span, instance: str) -> Diagnostic:
    return Diagnostic(
        code="E95", span=span, message=f"rows of the instance `{instance}` stand apart",
        help="put the rows of an instance together: they are scored together",
    )  # fmt: skip


def unknown_label(span: Span, label: str, labels: Sequence[str]) -> Diagnostic:
    return Diagnostic(
        code="E95", span=span, message=f"`{label}` is not a label{did_you_mean(label, labels)}",
        help=f"write one of: {', '.join(labels)}, or their numbers from 0 on",
    )  # fmt: skip
