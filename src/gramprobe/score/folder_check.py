"""Hold a folder of scores against itself: nothing in it may contradict the rest of it.

Scores cannot be certified: whether a model gives these numbers shows only by scoring again. But a record that counts
otherwise than its files, a probability above 1 or a run that is recorded as complete and is not would go into tables
without a word.
"""

from __future__ import annotations

import math
import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from msgspec import UNSET

from gramprobe.score.record import FLAGS, FLAGS_WITH_VALUES, OTHERS, TIES, VALUES, Run

if TYPE_CHECKING:
    import numpy as np
    import pyarrow as pa
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]

READ = ("causal", "masked", "classifier", "encoder")
"""The kinds of models that are read from files, whose hashes stand in the record; engines of packages read what they
like."""
FLAGS_OF = {
    **dict.fromkeys(("join", "long", "vocabulary", "nan"), READ),
    **dict.fromkeys(("unlisted", "parsed", "abstained"), ("endpoint",)),
    "unscored_first": ("causal",), "unknown_word": ("ngram",), "trees": ("rule",),
}  # fmt: skip
"""Flag -> the kinds of models that give it; others are any model's."""
WITHOUT_TOKENS = ("rule", "reader")
"""The kinds of models that see no tokens, and give all probability to what they are asked for."""
QUESTIONS = ("choice", "prompted", "true_false")
"""The modes whose parts are answers: those to one question have names that are equal up to their last slash."""
FILELESS = {"rule": ("rule:",), "reader": ("reader:", "vectors:"), "ngram": ("ngram:",)}
"""The kinds of models that have no weights -> how their names begin."""
KINDS = (*READ, "endpoint", *FILELESS)
"""All kinds that no package adds."""
CLOSE = 1e-3
"""How far a sum of probabilities may be from 1, or a logarithm above 0; of models in half precision, as far as ties."""


def contradictions(run: Run) -> Iterator[str]:
    """What in the record of a run contradicts the rest of it, as clauses."""
    settings = run.settings
    names = list(run.shards)
    numbered: dict[str, int] = {}
    for name in names:
        table, _, number = name.rpartition("-")
        if table not in settings.tables or not re.fullmatch(r"\d{5,}", number) or int(number) != numbered.get(table, 0):
            yield f"`{name}` is not the name of its next shard"
        numbered[table] = numbered.get(table, 0) + 1
    if sum(run.shards.values()) != run.items or not all(run.shards.values()):
        yield f"its shards have not {run.items:,} items together, or one has none"
    if run.refused > run.items:
        yield "more items are refused than there are"
    if run.refused and run.complete and not any(each.skip_refused for each in run.sessions):
        yield "items are refused, and no session was to go on without them"
    if any(not 0 <= each.seconds < math.inf or each.shards > len(names) or not each.workers for each in run.sessions):
        yield "a session took less than no time, made more shards than there are, or had nobody to work"
    if not settings.shard or not settings.batch_tokens:
        yield "`shard` or `batch_tokens` is 0"
    if (
        settings.seed
        and settings.total is None
        and settings.shuffle_words is UNSET
        and not settings.prompt.get("examples")
    ):
        yield "it has a seed, and nothing is drawn by it"
    if not all((run.model.name, run.source.name, *(each.gramprobe for each in run.sessions))):
        yield "a name or a version is empty"
    if run.model.kind not in KINDS and settings.packages is UNSET:
        yield f"there is no kind of model named `{run.model.kind}`"
    named = FILELESS.get(run.model.kind)
    if named and settings.packages is UNSET and not run.model.name.startswith(named):
        yield f"`{run.model.name}` is no name of a model of the kind `{run.model.kind}`"
    if named and run.model.parameters is not UNSET:
        yield f"a model of the kind `{run.model.kind}` has no parameters"
    if run.model.parameters == 0:
        yield "a model of 0 parameters"
    of_package = settings.packages is not UNSET and "engine" in settings.packages
    commit = run.model.kind in READ and re.fullmatch(r"[0-9a-f]{40}", run.model.revision)
    if run.model.revision and not (commit or of_package):
        yield "`revision` is no commit of a model on the hub"
    if settings.source != run.source.sha256:
        yield "`source` has two hashes"
    if not settings.tables or len(set(settings.tables)) < len(settings.tables):
        yield "`tables` names none, or one twice"
    if not run.values or len({*run.values}) < len(run.values) or not all(run.values):
        yield "`values` names no column, or one twice"
    if settings.dtype not in TIES or not math.isclose(run.tie, TIES[settings.dtype]):
        yield f"`tie` is {run.tie}, which is not that of the precision `{settings.dtype}`"
    hashes = settings.weights and settings.tokenizer and settings.config
    if run.model.kind in READ and not of_package and not hashes:
        yield "a hash of the weights, the tokenizer or the configuration is missing"
    if run.model.kind == "rule" and (settings.weights or settings.tokenizer or settings.config):
        yield "a rule has no weights, tokenizer or configuration"
    if settings.packages is UNSET and {*run.values} not in map(set, VALUES):
        yield "`values` are neither one value nor labels"
    labels = run.values if of_package else settings.engine.get("labels", run.values)
    if not isinstance(labels, list) or len(labels) != len(run.values) or any(each not in run.values for each in labels):
        yield "`values` are not the labels of its `engine`"
    files = {} if run.files is UNSET else run.files
    if run.complete and (list(files) != names or not run.sessions):
        yield "it is recorded as complete, and has not the hash of each of its shards, or no session"
    if not run.complete and files:
        yield "it has hashes of files and is not complete"


def wrong_rows(table: pa.Table, run: Run, shard: str) -> str:
    """What in the rows of a shard contradicts itself or the record; empty where nothing does."""
    import numpy as np
    import pyarrow as pa
    import pyarrow.compute as pc

    files = {} if run.files is UNSET else run.files
    if shard in files and len(table) != files[shard].rows:
        return f"it has {len(table):,} rows, and the record says {files[shard].rows:,}"
    if any(table.column(name).null_count for name in ("item", "part", "tokens", "words", "characters", "flags")):
        return "a cell that every row has is empty"
    items = pc.count_distinct(table.column("item")).as_py()
    if items != run.shards[shard]:
        return f"it has {items:,} items, and the record says {run.shards[shard]:,}"
    if len(table) != len(table.group_by(["item", "part"]).aggregate([])):
        return "a part of an item stands twice"
    if any((pc.min(table.column(name)).as_py() or 0) < 0 for name in ("tokens", "words", "characters")):
        return "a number is below 0"
    flags = {text: set(text.split(",")) if text else set() for text in pc.unique(table.column("flags")).to_pylist()}
    strange = next((each for flag in flags.values() for each in sorted(flag) if each not in FLAGS), None)
    if strange is not None:
        return f"there is no flag `{strange}`"
    refusing = pa.array([text for text, flag in flags.items() if flag - {*FLAGS_WITH_VALUES}], pa.string())
    excusing = pa.array([text for text in flags if text], pa.string())
    refused, excused = (
        pc.is_in(table.column("flags"), value_set=known).to_numpy(zero_copy_only=False)
        for known in (refusing, excusing)
    )
    close = max(CLOSE, min(run.tie, 0.5))
    values = np.stack([table.column(name).to_numpy() for name in run.values])  # (values, rows), null as NaN
    missing = np.isnan(values)
    if sum(table.column(name).null_count for name in run.values) != missing.sum():
        return "a value is no number"
    if (missing.any(axis=0) & ~excused).any() or (~missing & refused).any():
        return "a value is missing without a flag, or there beside one that says why it is missing"
    upper = -values if run.settings.mode == "surprisal" else values
    if not np.isfinite(values[~missing]).all() or (upper[~missing] > close).any():
        return "a value is no logarithm of a probability"
    if len(run.values) > 1:
        with np.errstate(under="ignore"):
            sums = np.exp(values[:, ~missing.any(axis=0)]).sum(axis=0)
        if (abs(sums - 1) > close).any():
            return "the probabilities of the labels of an item do not sum to 1"
    return _wrong_for_kind(table, run, flags, values) if run.settings.packages is UNSET else ""


def _wrong_for_kind(table: pa.Table, run: Run, flags: Mapping[str, Collection[str]], values: Floats) -> str:
    """What of a shard is not so by the kind of its model; empty where all is. ``flags``: those that each text of the
    column says; ``values``: (values, rows), NaN where there is none."""
    import numpy as np

    kind = run.model.kind
    for flag in sorted({each for every in flags.values() for each in every}):
        if kind not in FLAGS_OF.get(flag, KINDS):
            return f"a model of the kind `{kind}` gives no flag `{flag}`"
    there, tokens = ~np.isnan(values).any(axis=0), table.column("tokens").to_numpy()
    if (tokens[there] > 0).any() if kind in WITHOUT_TOKENS else (tokens[there] == 0).any():
        return "a value is of no token" if kind not in WITHOUT_TOKENS else f"a {kind} reads no tokens"
    alike = -math.log(max(len(values), 2))  # of the labels, or of two options
    if kind == "rule" and not np.isclose(values[:, there, None], (0, OTHERS, alike), rtol=0, atol=CLOSE).any(-1).all():
        return f"a rule gives the values 0, {OTHERS:.0f} and {alike:.3f}, and no others"
    if run.settings.mode == "minimal_pair":
        return _wrong_regions(table, run, values[0])
    if run.settings.mode in QUESTIONS and kind != "ngram":
        return _wrong_answers(table, run, np.where(_having(table, flags, "unlisted"), np.nan, values[0]))
    return ""


def _wrong_regions(table: pa.Table, run: Run, values: Floats) -> str:
    """Says so where the regions of a sentence do not make it up: their values and tokens are its value and tokens.
    Sentences are left out of which a value is missing."""
    import numpy as np

    names, parts = _coded(table, "part")
    sentence = [name.partition("/")[0] for name in names]
    side = np.where([name in sentence for name in names], -1, 1)[parts]
    of = _groups(table, sentence)
    cut = (np.bincount(of, np.isnan(values)) == 0) & (np.bincount(of, side > 0) > 0)
    sums, tokens = (np.bincount(of, side * each)[cut] for each in (values, table.column("tokens").to_numpy()))
    if (abs(sums) > CLOSE + 10 * run.tie).any() or tokens.any():
        return "the values, or the tokens, of the regions of a sentence are not together those of the sentence"
    return ""


def _wrong_answers(table: pa.Table, run: Run, values: Floats) -> str:
    """Says so where the probabilities of the answers to a question sum to more than 1, or for a rule or reader to less.
    Left out are questions of which a value is missing, and prompts of which an answer begins as another does."""
    import numpy as np

    names, parts = _coded(table, "part")
    question = [name.rpartition("/")[0] for name in names]
    nested = np.array([each in _nested(run.settings.prompt) for each in question])[parts]
    of = _groups(table, question)
    known = np.bincount(of, np.isnan(values) | nested) == 0
    with np.errstate(under="ignore"):
        sums = np.bincount(of, np.exp(values))[known]
    close = max(CLOSE, min(run.tie, 0.5))
    if (sums > 1 + close).any() or (run.model.kind in WITHOUT_TOKENS and (sums < 1 - close).any()):
        return "the probabilities of the answers to a question sum to more than 1, or to less where there are no others"
    return ""


def _nested(prompt: Mapping[str, Any]) -> set[str]:
    """The prompts of which an answer to a label begins as one to another does, so that both may be given."""
    prompts = prompt.get("prompts")
    found = set()
    for name, each in prompts.items() if isinstance(prompts, dict) else ():
        answers = each.get("answers") if isinstance(each, dict) else None
        spelled = [str(form) for forms in answers.values() for form in forms] if isinstance(answers, dict) else []
        if any(a != b and a.startswith(b) for a in spelled for b in spelled):
            found.add(name)
    return found


def _coded(table: pa.Table, column: str) -> tuple[list[str], NDArray[np.int64]]:
    """The texts of a column, and (rows,) the places of its cells among them."""
    coded = table.column(column).combine_chunks().dictionary_encode()
    return coded.dictionary.to_pylist(), coded.indices.to_numpy().astype("int64")


def _groups(table: pa.Table, of: Sequence[str]) -> NDArray[np.int64]:
    """(rows,) numbers that are equal for parts of one item that belong together. ``of``: what each part belongs to, in
    the order of their names."""
    import numpy as np

    known = list(dict.fromkeys(of))
    place = np.array([known.index(each) for each in of], np.int64)[_coded(table, "part")[1]]
    numbers: NDArray[np.int64] = np.unique(_coded(table, "item")[1] * len(known) + place, return_inverse=True)[1]
    return numbers.reshape(-1)


def _having(table: pa.Table, flags: Mapping[str, Collection[str]], flag: str) -> NDArray[np.bool_]:
    """(rows,) whether a row has a flag. ``flags``: those that each text of the column says."""
    import pyarrow as pa
    import pyarrow.compute as pc

    having = pa.array([text for text, own in flags.items() if flag in own], pa.string())
    found: NDArray[np.bool_] = pc.is_in(table.column("flags"), value_set=having).to_numpy(zero_copy_only=False)
    return found
