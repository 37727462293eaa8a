"""Messages about an analysis: its formula, its frame of data, and designs that cannot be estimated.

A place in a formula is a column of its text; a place in a frame is a line of a text, or the number of a row.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from gramprobe.source.diagnostic import Diagnostic, Span, UsageError
from gramprobe.source.nearest import did_you_mean, listed

#: what stands for the path in the place of a mistake in a formula
FORMULA = "formula"


def no_response(span: Span) -> Diagnostic:
    return Diagnostic(
        code="E96", span=span, message="a formula has one column before one `~`: the scores that it explains",
        help="write `score ~ condition + (1 | word)`",
    )  # fmt: skip


def unreadable(span: Span, what: str) -> Diagnostic:
    return Diagnostic(
        code="E96", span=span, message=f"the formula cannot be read: {what}",
        help="write it as in lme4: `score ~ a * b + (1 + a | word) + (1 | instance)`",
    )  # fmt: skip


def unknown_function(span: Span, name: str, known: Sequence[str]) -> Diagnostic:
    return Diagnostic(
        code="E96", span=span, message=f"a formula cannot call `{name}`",
        help=f"it knows {listed(known)}; let anything else be a column of the frame",
    )  # fmt: skip


def bad_factor(span: Span) -> Diagnostic:
    return Diagnostic(
        code="E96", span=span, message="what follows the bar of a random term is a grouping factor",
        help="name a column, or several with `:` (every pair of values is a level) or `/` (each within the one before)",
    )  # fmt: skip


def unknown_column(span: Span, name: str, known: Sequence[str], frame: str) -> Diagnostic:
    return Diagnostic(
        code="E96", span=span, message=f"{frame} has no column `{name}`{did_you_mean(name, known)}",
        help=f"its columns: {listed(known, 80)}",
    )  # fmt: skip


def not_a_number(span: Span, name: str, found: str) -> Diagnostic:
    return Diagnostic(
        code="E97", span=span, message=f"the scores `{name}` are no numbers but {found}",
        help="name a column of numbers before `~`, or mend the cells that are not numbers",
    )  # fmt: skip


def no_number(span: Span, name: str, cell: str, count: int, factor: bool = False) -> Diagnostic:
    """``factor``: the column might be meant as one."""
    others = f", and in {count - 1:,} other row{'s' if count > 2 else ''} no number either" if count > 1 else ""
    help = "write a number there, with a point in a decimal"
    if factor:
        help += f"; if its values are the levels of a factor, say how they are coded: --coding {name}=sum"
    return Diagnostic(
        code="E97", span=span, message=f"`{name}` is a column of numbers, but here it has `{cell}`{others}", help=help
    )


def ragged_row(span: Span, cells: int, columns: int) -> Diagnostic:
    what = f"{cells} cell{'' if cells == 1 else 's'} below a heading of {columns}"
    return Diagnostic(
        code="E97", span=span, message=f"the row has {what}",
        help="give each row a cell for every column, and quote the texts and the decimals that hold a comma",
    )  # fmt: skip


SEPARATORS = {",": "commas", ";": "semicolons", "\t": "tabs", "|": "bars", "  ": "spaces"}
"""What may stand between the cells of a line, and how a message calls it."""


def other_separator(span: Span, found: str, wanted: str) -> Diagnostic:
    what = f"there are {SEPARATORS[found]} between the names of the columns, and no {SEPARATORS[wanted]}"
    return Diagnostic(
        code="E97", span=span, message=what,
        help="a csv file has commas between its cells and points in its decimals, a tsv file tabs",
    )  # fmt: skip


def two_columns(span: Span, name: str) -> Diagnostic:
    return Diagnostic(
        code="E97", span=span, message=f"two columns are called `{name}`", help="keep one of them, or rename one"
    )


def nested(span: Span, name: str) -> Diagnostic:
    return Diagnostic(
        code="E97", span=span, message=f"`{name}` holds lists or records, and no numbers or texts",
        help="write what is needed of them to a column of its own",
    )  # fmt: skip


def bad_value(span: Span, name: str, what: str, count: int) -> Diagnostic:
    rows = "one row" if count == 1 else f"{count:,} rows"
    return Diagnostic(
        code="E97", span=span, message=f"`{name}` has {what} in {rows}; this is the first",
        help="no row is left out in silence: mend these rows, or take them out of the frame and say so in the paper",
    )  # fmt: skip


def not_finite(span: Span, column: str) -> Diagnostic:
    return Diagnostic(
        code="E97", span=span, message=f"`{column}` is infinite or no number in some rows",
        help="a logarithm needs numbers above zero: compute the column in the frame, with a rule for those",
    )  # fmt: skip


def constant(span: Span, name: str, value: str, rows: int) -> Diagnostic:
    return Diagnostic(
        code="E97", span=span, message=f"`{name}` is {value} in all {rows:,} rows",
        help="what does not vary has no effect that could be estimated: take it out of the formula, or add rows",
    )  # fmt: skip


def no_rows(span: Span) -> Diagnostic:
    return Diagnostic(code="E97", span=span, message="the frame has no rows", help="give a file with one row a score")


def bad_coding(span: Span, name: str, what: str, help: str) -> Diagnostic:
    return Diagnostic(code="E96", span=span, message=f"the coding of `{name}`: {what}", help=help)


def dependent(span: Span, name: str, others: Sequence[str]) -> Diagnostic:
    of = f" of {listed(others)}" if others else ""
    return Diagnostic(
        code="E98", span=span, message=f"the fixed effect `{name}` cannot be estimated: its column is a sum{of}",
        notes=("any effect of it could as well be an effect of the others",),
        help="take one of them out of the formula, or add rows in which they differ",
    )  # fmt: skip


def dependent_slope(span: Span, term: str, name: str) -> Diagnostic:
    return Diagnostic(
        code="E98", span=span, message=f"the random term `{term}` cannot be estimated: its column `{name}` is a sum of the others",
        help="take the column out of the term; a factor under `||` or `0 +` has a column for each level",
    )  # fmt: skip


def twice(span: Span, factor: str, name: str) -> Diagnostic:
    return Diagnostic(
        code="E98", span=span, message=f"two random terms of `{factor}` have the column `{name}`",
        notes=("no rows distinguish their variances",),
        help="begin one of them with `0 +`, or join the two terms",
    )  # fmt: skip


def too_few_levels(span: Span, factor: str, levels: int, rows: int) -> Diagnostic:
    if levels < 2:
        what = "it has one level, and a variance needs several"
    else:
        what = f"it has {levels:,} levels in {rows:,} rows: its effects cannot be distinguished from the residual"
    return Diagnostic(
        code="E98", span=span, message=f"the grouping factor `{factor}` cannot be estimated: {what}",
        help="take its terms out of the formula",
    )  # fmt: skip


def too_many_effects(span: Span, term: str, effects: int, rows: int) -> Diagnostic:
    return Diagnostic(
        code="E98", span=span, message=f"the random term `{term}` cannot be estimated: {effects:,} effects from {rows:,} rows",
        help="take slopes out of the term, or add rows",
    )  # fmt: skip


def too_few_rows(span: Span, effects: int, rows: int) -> Diagnostic:
    return Diagnostic(
        code="E98", span=span, message=f"{effects:,} fixed effects cannot be estimated from {rows:,} rows",
        help="take terms out of the formula, or add rows",
    )  # fmt: skip


def no_residual(span: Span) -> Diagnostic:
    return Diagnostic(
        code="E98", span=span, message="nothing is left of the scores for a residual: the terms give every one of them exactly",
        notes=("without a residual there are no standard errors",),
        help="take out the term that repeats the scores: a column computed from them, or a level for every row",
    )  # fmt: skip


def too_large(span: Span, effects: int, limit: int) -> Diagnostic:
    return Diagnostic(
        code="E98", span=span, message=f"the model has {effects:,} effects of levels, and {limit:,} are the most that are fitted",
        notes=("memory grows with the square of their number, time with the third power",),
        help="take slopes out of the largest term, or a factor that numbers the rows",
    )  # fmt: skip


def not_answers(span: Span, name: str, family: str, values: Sequence[float]) -> Diagnostic:
    few = f"the {len(values)} values {listed([f'{v:g}' for v in values[:6]])}" if values else "more than 64 values"
    shares = family == "binomial" and {0, 1} <= {*values} and all(0 <= value <= 1 for value in values)
    wanted = "0 for wrong and 1 for right" if family == "binomial" else "numbers in order, 3 to 20 of them"
    return Diagnostic(
        code="E97", span=span, message=f"`{name}` has {few}: the answers of `--family {family}` are {wanted}",
        help="a share between 0 and 1 stands where the answers of a model tie: leave these rows out of the frame, and say so in the paper"
        if shares else "write them so, or take another family: binomial for right and wrong, ordinal for ratings, none for scores",
    )  # fmt: skip


def no_intercept(span: Span) -> Diagnostic:
    return Diagnostic(
        code="E98", span=span, message="an ordinal model has thresholds where others have an intercept, and this one has none",
        help="leave out `0 +` and `- 1` in the fixed effects",
    )  # fmt: skip


def separated(span: Span, what: str) -> Diagnostic:
    return Diagnostic(
        code="E98", span=span, message=what,
        notes=("the likelihood rises without end as the effect grows; a standard error would say nothing",),
        help="suppose that effects are moderate (--prior 2.5: the standard deviation of a normal prior, in log odds), or "
        "take out the effect or the cell",
    )  # fmt: skip


# -- scores and the items that they are of


def no_dataset(scores: str, name: str, seen: str | Sequence[str]) -> UsageError:
    if isinstance(seen, str):
        what = f"`{seen}` has that name, but it is another build: its manifest has another hash"
    elif seen:
        what = f"{listed(seen)} {'has' if len(seen) == 1 else 'have'} another hash"
    else:
        what = "it is neither beside the scores nor in `data/`"
    return UsageError(
        f"the scores in `{scores}` are of the dataset `{name}`, which is not found: {what}",
        "name the folder that was scored: --dataset DIR",
        "E47",
    )


def unused_dataset(folder: str, runs: Mapping[str, str]) -> UsageError:
    own = "; ".join(f"`{scores}` is of `{dataset}`" for scores, dataset in runs.items())
    return UsageError(
        f"the dataset `{folder}` fits none of the scores: {own}",
        "a build has its own hash, so another build of the same name does not fit either: leave out this --dataset, or "
        "name the folder that was scored",
        "E47",
    )


def dataset_of_no_training(folder: str) -> UsageError:
    return UsageError(
        f"no training is of the dataset `{folder}`",
        "it is known by its folder's name and its hash, and another build has another hash: leave out this --dataset, "
        "or name the folder that was trained or tested on",
        "E47",
    )


def not_scores(folder: str, what: str, help: str) -> UsageError:
    return UsageError(f"`{folder}` is {what}, and no folder of scores", help, "E44")


def plain_source(scores: str, name: str) -> UsageError:
    return UsageError(
        f"the scores in `{scores}` are of the plain file `{name}`, which does not say what it compares",
        "put the columns that you compare beside the scores, and fit them: gramprobe analyze --frame FILE --formula ...",
        "E47",
    )


def unknown_items(scores: str, dataset: str, first: str, count: int) -> UsageError:
    """``scores``: their folder, or a file with the line of the first unknown item."""
    others = f", and of {count - 1:,} other unknown items" if count > 1 else ""
    return UsageError(
        f"{scores}: scores of `{first}`{others}: `{dataset}` has no such item",
        "name the dataset that was scored: --dataset DIR; the ids are those of its column `id`",
        "E47",
    )


def bad_size(given: str) -> UsageError:
    return UsageError(f"--size {given} names no model with its number of parameters", "write --size MODEL=7e9")


def no_size_of(models: Sequence[str]) -> UsageError:
    what = f"--order size: how many parameters {listed(models)} {'has' if len(models) == 1 else 'have'} is not known"
    return UsageError(what, f"say it: --size '{models[0]}=7e9'")


def size_of_unknown_model(model: str, known: Sequence[str]) -> UsageError:
    return UsageError(
        f"--size: no model is called `{model}`{did_you_mean(model, known)}", f"there are: {listed(known)}"
    )


def unknown_part(place: str, part: str, paradigm: str, known: Mapping[str, Sequence[str]]) -> UsageError:
    """``known``: mode -> the parts that it scores."""
    if not known:
        return UsageError(
            f"{place}: items of `{paradigm}` have labels, and no parts with a value",
            "give the label of each item: a CSV file with the columns item,label",
            "E47",
        )
    near = did_you_mean(part, [each for parts in known.values() for each in parts])
    by_mode = [f"{mode}: {listed(parts, 6)}" for mode, parts in known.items()]
    return UsageError(
        f"{place}: items of `{paradigm}` have no part `{part}`{near}",
        f"the parts of each mode of scoring: {'; '.join(by_mode)}",
        "E47",
    )


def choices_without_labels(place: str, paradigm: str) -> UsageError:
    return UsageError(
        f"{place}: the choices of lm-eval are read as labels, and items of `{paradigm}` have none",
        "give the values as a CSV file with the columns item,part,value (docs/analysis.md names the parts)",
        "E47",
    )


def number_of_choices(place: str, item: str, count: int, known: Sequence[int]) -> UsageError:
    return UsageError(
        f"{place}: `{item}` has {count} choice{'' if count == 1 else 's'}; all items of a file have "
        f"{' or '.join(map(str, known))}",
        "three choices are entailment, neutral and contradiction, in this order; two are entailment and not_entailment",
        "E47",
    )


def other_target(place: str, item: str, target: str, label: str) -> UsageError:
    return UsageError(
        f"{place}: `target` says {target} of `{item}`, whose label is {label}",
        "let the choices stand in the order entailment, neutral, contradiction (two: entailment, not_entailment), and "
        "name the dataset that was scored",
        "E47",
    )


def other_text(place: str, field: str, item: str, said: str, own: object) -> UsageError:
    return UsageError(
        f"{place}: `{field}` of `{item}` is `{said}`, and `{own}` in the dataset",
        "name the dataset that was scored: --dataset DIR; if it is this one, the file was changed",
        "E47",
    )


def repeated_score(scores: str) -> UsageError:
    return UsageError(f"`{scores}` has two scores of one part of an item", "keep one of them", "E47")


def infinite_score(scores: str, item: str, count: int) -> UsageError:
    others = f", and {count - 1:,} more," if count > 1 else ""
    return UsageError(
        f"`{scores}` has an infinite score of `{item}`{others} which no mean can hold",
        "score the item anew in a higher precision, or leave its rows out and say so",
        "E47",
    )


LABELS_ARE = "labels are entailment, neutral and contradiction, or entailment and not_entailment"


def unknown_label(place: str, label: str, known: Sequence[str]) -> UsageError:
    near = did_you_mean(label, known)
    what = f"the label `{label}`{near}" if label else "an item without a label"
    return UsageError(f"{place}: {what}", LABELS_ARE, "E47")


def mixed_labels(place: str, label: str, known: Sequence[str]) -> UsageError:
    return UsageError(f"{place}: the file has labels of two kinds: {known[-1]} beside `{label}`", LABELS_ARE, "E47")


def scores_are(suffixes: Sequence[str]) -> str:
    """The help about a file that has no scores. ``suffixes``: of all formats, those of packages among them."""
    return f"give folders of `gramprobe score`, or files of scores: {', '.join(suffixes)}"


def given_twice(folder: str) -> UsageError:
    return UsageError(f"the folder `{folder}` is given twice", "name each run and each training once", "E47")


def no_labels_of(folder: str, model: str) -> UsageError:
    return UsageError(
        f"`{folder}` has no label of any item of `{model}`",
        "build the same paradigms with the same seed and number, under another theory",
        "E47",
    )


def no_study(runs: Mapping[str, str], added: Mapping[str, str]) -> UsageError:
    """``runs``: model -> the mode of its scores; ``added``: study of a package -> what to give it."""
    own = listed([f"{model} (mode {mode})" for model, mode in runs.items()])
    return UsageError(
        f"no analysis applies to the scores of {own}",
        "the analyses read labels of pairs (--mode nli or prompted, or a file item,label), --mode continuation, choice "
        "and true_false of scope, and --mode coref of de_re_de_dicto; fit other values, as columns of a table of your "
        "own, with gramprobe analyze --frame FILE --formula TEXT"
        + "".join(f"; for the analysis `{name}`, {needs}" for name, needs in added.items()),
        "E47",
    )


def no_answers(runs: Mapping[str, int]) -> UsageError:
    """``runs``: model -> how many items were refused."""
    own = listed([f"{model} ({count:,} refused)" for model, count in runs.items()])
    return UsageError(
        f"there is no answer to analyse: no item could be scored by {own}",
        "the column `flags` in the folder of scores says why; `gramprobe explain E92` has what can be done",
        "E47",
    )


def other_study(name: str, runs: Sequence[str], needed: str) -> UsageError:
    return UsageError(f"the analysis `{name}` does not apply to the scores of {listed(runs)}", needed, "E47")
