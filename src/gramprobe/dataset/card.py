"""The data card: what a dataset is, how its labels were derived, what to know before using it."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from gramprobe.baselines.readers import PAIR_READERS, READERS
from gramprobe.decide.verdict import rests_on_trust
from gramprobe.items.task import CardTable
from gramprobe.items.tasks import TASKS
from gramprobe.records import OUTSIDE

if TYPE_CHECKING:
    from gramprobe.resolve.paradigm.data import Paradigm

CANARY = "gramprobe-canary-6f1d0e5a-3b52-5c1e-9a6f-2d7c41b8e0aa"
#: names of licences on the Hugging Face hub
_LICENCES = frozenset(
    [
        "mit",
        "apache-2.0",
        "bsd-2-clause",
        "bsd-3-clause",
        "gpl-3.0",
        "lgpl-3.0",
        "agpl-3.0",
        "mpl-2.0",
        "unlicense",
        "cc0-1.0",
        "cc-by-2.0",
        "cc-by-3.0",
        "cc-by-4.0",
        "cc-by-sa-3.0",
        "cc-by-sa-4.0",
        "cc-by-nc-4.0",
        "cc-by-nc-sa-3.0",
        "cc-by-nc-sa-4.0",
        "cc-by-nd-4.0",
        "cc-by-nc-nd-4.0",
        "odbl",
        "odc-by",
        "pddl",
    ]
)
_SIZES = ((1_000, "n<1K"), (10_000, "1K<n<10K"), (100_000, "10K<n<100K"), (1_000_000, "100K<n<1M"))


_BALANCED = (
    "**Balanced.** Every pair stands here a second time, behind a premise in which two draws have changed places "
    "(`swapped` in the column `design`). So every kind of hypothesis occurs under at least two labels, and a reader "
    "of hypotheses alone who knows the design does no better than one who always says the commonest label. The rows "
    "whose `design` is `paper` are the paper's; `gramprobe build --design paper` writes these alone"
)
_GOLD = {
    "pragmatic": "`label` is what the premise conveys, implicatures included (`label_pragmatic`)",
    "imppres": "`label` is of premise and hypothesis strengthened, the convention of IMPPRES (`label_imppres`)",
    "none": "no `label`, not scored by accuracy: graded sets, whose rows have the labels of each reading",
}
_SPACE = "*space*: the exact number of instances that the paradigm's draws allow; drawn uniformly, without replacement."


def card(name: str, manifest: dict[str, Any], declared: Mapping[str, Paradigm]) -> str:
    """README.md of a dataset folder, with the header that the Hugging Face hub and `datasets` read."""
    described = manifest["paradigms"]
    rows = sum(p["rows"] for p in described.values())
    decided = {name: part for name, part in described.items() if "certificates" in part}
    size = next((label for limit, label in _SIZES if rows < limit), "1M<n<10M")
    lines = [
        "---",
        *_language(declared),
        f"pretty_name: gramprobe {name}",
        *_licence(declared, bool(_given(manifest))),
        f"size_categories: [{size}]",
    ]
    tasks = sorted({p["task"] for p in described.values()})
    tags = {TASKS[task].hub for task in tasks}
    lines += next(iter(tags)) if len(tags) == 1 else ()
    lines += ["annotations_creators: [machine-generated]"] if decided else []
    lines += ["language_creators: [machine-generated]", "configs:"]
    for paradigm in declared:
        lines.append(f"- config_name: {paradigm}")
        lines += ["  default: true"] if len(declared) == 1 else []
        files = (f"{{split: {s}, path: parquet/{paradigm}/{s}-*.parquet}}" for s in described[paradigm]["splits"])
        lines.append(f"  data_files: [{', '.join(files)}]")
    lines += ["---", "", f"# gramprobe: {name}", ""]
    charted = {name: part for name, part in described.items() if "charts" in part}
    nothing = [] if charted else ["Sentences without labels: nothing was decided about them."]
    lines += _certainty(decided) if decided else nothing
    lines += _charts(charted) if charted else []
    balanced = [name for name, paradigm in declared.items() if paradigm.balanced_at is not None]
    if balanced:
        lines += ["", _BALANCED + ("." if len(balanced) == len(declared) else f" ({', '.join(balanced)}).")]
    lines += ["", "**For evaluation, not for training.** Canary: `" + CANARY + "`", ""]
    for task in tasks:
        number = sum(p["rows"] for p in described.values() if p["task"] == task)
        lines += [f"{number:,} row{'' if number == 1 else 's'}: {TASKS[task].about}.", ""]
    made = f"Compiled by gramprobe {manifest['gramprobe']} with seed {manifest['seed']} from declared "
    lines.append(
        f"{made}grammar, lexicon, logic and paradigm files. No label was written by hand: each was derived from the "
        "sentences' formulas by decision engines."
        if decided
        else f"{made}grammar, lexicon and paradigm files."
    )
    # the task's card -> its paradigms, in the order of the tasks
    tables: dict[CardTable, dict[str, Any]] = {TASKS[name].card: {} for name in TASKS if name in tasks}
    for paradigm, entry in described.items():
        tables[TASKS[entry["task"]].card][paradigm] = entry
    for table, part in tables.items():
        lines += _table(table, part)
    lines += _scores(declared, described)
    lines += _baselines(declared, {n: p["baselines"] for n, p in described.items() if p.get("baselines")})
    lines += _read_back({name: part["read_back"] for name, part in described.items() if part.get("read_back")})
    lines += _readers(declared, {name: part["readers"] for name, part in described.items() if part.get("readers")})
    lines += _regions({name: part["regions"] for name, part in described.items() if part.get("regions")})
    lines += ["", "## The paradigms", ""]
    for paradigm, each in declared.items():
        source = f" Source: {each.citation}." if each.citation else ""
        theory = f" (theory `{described[paradigm]['theory']}`)" if "theory" in described[paradigm] else ""
        lines.append(f"- **{paradigm}**{theory}: {each.about}{source}")
    lines += _rights(declared)
    for name, about in _given(manifest):
        where = f", from: {about['source']}" if about["source"] else ""
        lines += ["", "## Sentences that were given", ""]
        lines.append(
            f"`{name}` was given to the build: sentences under the licence **{about['licence']}**{where}. That one of "
            "them entails another is what the file says; labels that rest on it name it in `rests_on`."
        )
    allowed = [(n, gate, why) for n, p in described.items() for gate, why in p["allowed"].items()]
    if allowed:
        lines += ["", "## Gates let pass", ""]
        lines += [f"- {n}, `{gate}`: {'; '.join(why)}" for n, gate, why in allowed]
    lines += ["", "## Fields", "", *(table.notes for table in tables)]
    return "\n".join(lines) + "\n"


def _language(declared: Mapping[str, Paradigm]) -> list[str]:
    """The languages that the paradigms declare."""
    languages = dict.fromkeys(code for paradigm in declared.values() for code in paradigm.languages)
    return [f"language: [{', '.join(languages)}]"] if languages else []


def _licence(declared: Mapping[str, Paradigm], given: bool) -> list[str]:
    """The hub's name of the single licence of all paradigms, `other` for several or unlisted licences; no line without
    any."""
    licences = {paradigm.licence for paradigm in declared.values()}
    if not given and licences == {""}:
        return []
    only = next(iter(licences)) if len(licences) == 1 else ""
    identifier = re.sub(r"[\s_]+", "-", only.strip().lower())
    return [f"license: {identifier if identifier in _LICENCES and not given else 'other'}"]


def _rights(declared: Mapping[str, Paradigm]) -> list[str]:
    """Licence, authors and what to cite, as declared in the paradigms' files; no section if nothing is declared."""
    kinds = (
        ("Licence", lambda paradigm: (paradigm.licence,) if paradigm.licence else ()),
        ("Authors", lambda paradigm: paradigm.authors),
        ("Please cite", lambda paradigm: paradigm.cite),
    )
    lines: list[str] = []
    for kind, values_of in kinds:
        names: dict[str, list[str]] = {}
        for name, paradigm in declared.items():
            for value in values_of(paradigm):
                names.setdefault(value, []).append(name)
        for value, having in names.items():
            which = "" if len(having) == len(declared) else f" ({', '.join(having)})"
            lines.append(f"- {kind}: {value}{which}")
    return ["", "## Licence and citation", "", *lines] if lines else []


def _table(table: CardTable, described: Mapping[str, Any]) -> list[str]:
    """The table of data cards with a line for each paradigm."""
    heads = ("paradigm", *table.headings)
    lines = ["", f"| {' | '.join(heads)} |", "|" + "---|" * len(heads)]
    for paradigm, entry in described.items():
        lines.append(f"| {' | '.join([paradigm, *(_cell(entry, field) for field in table.fields)])} |")
    return [*lines, "", _SPACE]


def _cell(entry: Mapping[str, Any], field: str) -> str:
    """A field of a paradigm's entry: `rows`, `labels.neutral`, `sum no_items`."""
    if field.startswith("sum "):
        return f"{sum(entry[field.removeprefix('sum ')].values()):,}"
    name, _, inner = field.partition(".")
    value = entry[name].get(inner, 0) if inner else entry[name]
    return value if isinstance(value, str) else f"{value:,}"


def _scores(declared: Mapping[str, Paradigm], described: Mapping[str, Any]) -> list[str]:
    """Which reading the labels are of, and which rows count in no accuracy."""
    golds = _by({name: paradigm.gold for name, paradigm in declared.items() if "labels" in described[name]})
    lines = [f"- {_GOLD[gold]}: {', '.join(names)}" for gold, names in golds.items() if gold in _GOLD]
    pairs = {
        name: ", ".join(pair.condition for pair in paradigm.pairs if pair.graded and not paradigm.graded)
        for name, paradigm in declared.items()
    }
    lines += [f"- no `label`, graded pairs ({graded}): {', '.join(names)}" for graded, names in _by(pairs).items()]
    theories = {
        name: ", ".join(" = ".join(f"`{each.name}`" for each in alike) for alike in paradigm.theories)
        for name, paradigm in declared.items()
    }
    said = "`labels_by_theory` has the label of each theory, proved; of those with `=`, which agree everywhere,"
    lines += [f"- {said} the first one: {each} ({', '.join(names)})" for each, names in _by(theories).items()]
    tags: dict[str, Counter[str]] = {}
    for name, entry in described.items():
        for tag, rows in entry.get("outside", {}).items():
            tags.setdefault(tag, Counter())[name] = rows
    for tag, counted in tags.items():
        which = ", ".join(f"{name} {rows:,}" for name, rows in counted.items())
        lines.append(f"- out of headline scores, {counted.total():,} rows tagged `{tag}` ({OUTSIDE[tag]}): {which}")
    return ["", "## What is scored", "", *lines] if lines else []


def _by(of: Mapping[str, str]) -> dict[str, list[str]]:
    """What is said of paradigms -> their names; nothing for those of which nothing is said."""
    names: dict[str, list[str]] = {}
    for name, each in of.items():
        if each:
            names.setdefault(each, []).append(name)
    return names


def _baselines(declared: Mapping[str, Paradigm], described: Mapping[str, Any]) -> list[str]:
    """What readers that do not reason reach on each paradigm with labels, and what the paradigms declare of them."""
    if not described:
        return []
    lines = ["", "## What can be guessed without reasoning", ""]
    lines.append(
        "Accuracies on the first 500 instances, cross-validated by instance, of tables from what a reader sees to "
        "labels; readers know drawn words by class (factive or not) and not by name. A number behind a stroke is what "
        "the paradigm declares; a build fails when a reader exceeds it. Where there is a dash, the instances are too "
        "few to measure: the declared number holds, or else the majority. A set that such a reader solves does not "
        "show that a model which solves it reasons. *Skeletons*: how many pairs of sentences there are with their "
        "content words left out, which is how many forms the rows have."
    )
    lines += ["", "- *majority*: always the commonest label"]
    lines += [f"- *{_spaced(name)}*: {about}" for name, about in READERS.items()]
    lines.append(
        "- *words*: naive Bayes over 1-grams and 2-grams of the hypothesis; a build fails when it exceeds readers "
        "without words"
    )
    heads = ("skeletons", "majority", *map(_spaced, (*READERS, "words")))
    lines += ["", f"| paradigm | {' | '.join(heads)} |", "|" + "---|" * (len(heads) + 1)]
    for paradigm, accuracies in described.items():
        said, reached = accuracies["declared"], accuracies["readers"]
        cells = [
            (f"{reached[name]:.3f}" if name in reached else "-") + (f" / {said[name]:.3f}" if name in said else "")
            for name in (*READERS, "words")
        ]
        cells = [f"{accuracies['skeletons']:,}", f"{accuracies['majority']:.3f}", *cells]
        lines.append(f"| {paradigm} | {' | '.join(cells)} |")
    reasons: dict[tuple[str, str], list[str]] = {}
    for name, paradigm_ in declared.items():
        for line in paradigm_.solvable if name in described else ():
            reasons.setdefault((line.reader, line.because), []).append(name)
    lines += [""] if reasons else []
    for (reader, because), names in reasons.items():
        lines.append(f"- by *{_spaced(reader)}*, {because}: {', '.join(names)}")
    return lines


def _read_back(described: Mapping[str, Any]) -> list[str]:
    """The round trip of the sentences, by paradigm."""
    if not described:
        return []
    lines = ["", "## Read back", ""]
    lines.append(
        "One sentence of each shape of the first 500 instances was parsed with the grammar of its paradigm: its trees "
        "(the median), its readings (the mean), of how many conditions it is not read as it is meant, and how many "
        "pairs have a label that hangs on a reading of another tree (`parse`: its surface reading, `scope`: in another "
        "order of scopes)."
    )
    lines += ["", "| paradigm | shapes | parsed | trees | readings | not as meant | hanging |", "|" + "---|" * 7]
    for name, part in described.items():
        hanging = ", ".join(f"{number} `{kind}`" for kind, number in part["hanging"].items()) or "none"
        numbers = (
            f"{part['shapes']} | {part['sentences']} | {part['trees']:g} | {part['readings']:.2f} | {part['unread']}"
        )
        lines.append(f"| {name} | {numbers} | {hanging} |")
    return lines


def _readers(declared: Mapping[str, Paradigm], described: Mapping[str, Any]) -> list[str]:
    """What readers without grammar reach on minimal pairs, and why the paradigms say so."""
    if not described:
        return []
    lines = ["", "## What can be found without grammar", ""]
    lines.append(
        "How often the good sentence is found on the first 500 instances, cross-validated by instance; half is chance. "
        "A build fails when a reader gets more than the paradigm declares."
    )
    lines += ["", *(f"- *{name}*: {about}" for name, about in PAIR_READERS.items()), ""]
    lines += [f"| paradigm | {' | '.join(PAIR_READERS)} |", "|" + "---|" * (len(PAIR_READERS) + 1)]
    lines += [f"| {name} | {' | '.join(f'{own[r]:.3f}' for r in PAIR_READERS)} |" for name, own in described.items()]
    reasons = [
        f"- {name}, by *{line.reader}*: {line.because}" for name in described for line in declared[name].solvable
    ]
    return [*lines, *(["", *reasons] if reasons else [])]


def _regions(described: Mapping[str, Any]) -> list[str]:
    """The sizes of the regions of sentences, by paradigm, region and condition."""
    if not described:
        return []
    columns = sorted({column for sizes in described.values() for size in sizes for column in size["columns"]})
    lines = ["", "## Regions", ""]
    said = "Of each region in the first 500 instances: how many sentences of a condition have it, and its mean length"
    means = ", ".join(f"`{column}`" for column in columns)
    lines.append(f"{said} in words and characters{f'; {means}: means over the drawn words in it' if columns else ''}.")
    heads = ("paradigm", "region", "condition", "sentences", "words", "characters", *columns)
    lines += ["", f"| {' | '.join(heads)} |", "|" + "---|" * len(heads)]
    for name, sizes in described.items():
        order = list(dict.fromkeys(size["region"] for size in sizes))
        for size in sorted(sizes, key=lambda size: order.index(size["region"])):
            numbers = [size["words"], size["characters"], *(size["columns"].get(column) for column in columns)]
            cells = ["-" if number is None else f"{number:.2f}" for number in numbers]
            place = (name, size["region"], size["condition"], f"{size['sentences']:,}")
            lines.append(f"| {' | '.join((*place, *cells))} |")
    return lines


def _spaced(name: str) -> str:
    return name.replace("_", " ")


def _given(manifest: dict[str, Any]) -> list[tuple[str, dict[str, str]]]:
    """The files of given sentences, with their entries in the manifest."""
    return [(name, source) for name, source in manifest["sources"].items() if source["from"] == "given"]


def _charts(charted: dict[str, Any]) -> list[str]:
    """What was derived of minimal pairs."""
    rows, alone = sum(part["rows"] for part in charted.values()), Counter[str]()
    for part in charted.values():
        alone.update(part["repairs"])
    unique = sum(number for repairs, number in alone.items() if repairs and "," not in repairs)
    return [
        f"Of {rows:,} minimal pairs it was derived which sentence is good and which is bad, and which constraint "
        "alone, lifted at one place, gives the bad one a tree: for "
        f"{unique:,} pairs it is one constraint. It was derived in the grammar of `grammar.json`, which is wider than "
        "the paradigms are, and leaves out what sentences of these words cannot use. The charts are in "
        "`charts.jsonl`, a line for each shape; `gramprobe verify` checks each without the parser that made it, and "
        "makes the grammar again from the source files."
    ]


def _certainty(decided: dict[str, Any]) -> list[str]:
    """The numbers of certain labels by kind of certificate, and in a paragraph of its own of labels on trust."""
    kinds: Counter[str] = Counter()
    rows = sum(part["rows"] for part in decided.values())
    for part in decided.values():
        kinds.update(part["certificates"])
    doubtful = {kind: number for kind, number in sorted(kinds.items()) if rests_on_trust(kind)}
    on_trust = sum(doubtful.values())
    certain = ", ".join(f"{number:,} on `{kind}`" for kind, number in sorted(kinds.items()) if kind not in doubtful)
    lines = [
        f"{rows - on_trust:,} of {rows:,} labels are certain, given the author's word for the postulates that "
        f"`rests_on` names: {certain or 'none'}. Every model and every proof is in `certificates.jsonl`, and "
        "`gramprobe verify` checks them again without the engines that found them."
    ]
    if doubtful:
        lines.append("")
        apart = ", ".join(f"{number:,} on `{kind}`" for kind, number in doubtful.items())
        lines.append(
            f"**{on_trust:,} labels are not certain:** {apart} (`bounded(n)`: no counter-model with up to n worlds and "
            "n individuals, and nobody has looked further; `prover(NAME)`: an outside prover's word)."
        )
    return lines
