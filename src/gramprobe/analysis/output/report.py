"""A report: one HTML file that holds its figures and styles and loads nothing. Its one script sorts and filters tables;
the page is complete without it.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from html import escape

from gramprobe.analysis.findings import Figure, Findings, without_repeats
from gramprobe.analysis.output.document import Example, articles, document, image
from gramprobe.analysis.output.methods import paragraphs
from gramprobe.analysis.output.table import Column, Table, Value
from gramprobe.analysis.output.writers import html
from gramprobe.analysis.runs import Run, by_model


@dataclass(frozen=True)
class Report:
    """What a report shows.

    Attributes:
        title: its heading.
        runs: the runs, in the order of the tables; none in a report of trainings.
        findings: of each study.
        examples: items, with how their labels were derived.
        commands: shell commands that make it again.
        omitted: what is not shown and why, a sentence each, beside what the studies say themselves.
    """

    title: str
    runs: tuple[Run, ...]
    findings: tuple[Findings, ...]
    examples: tuple[Example, ...] = ()
    commands: tuple[str, ...] = ()
    omitted: tuple[str, ...] = ()


def page(report: Report) -> str:
    """The report as a page of HTML: the same bytes from the same runs."""
    sections = []
    if report.runs:
        sections += [("summary", "In short", _summary(report)), ("models", "The models", _models(report))]
    drawn: dict[str, str] = {}
    sections += [(f"study-{each.study}", each.title, _study(each, drawn)) for each in without_repeats(report.findings)]
    if report.examples:
        sections.append(("examples", "Some items, and why their answers are right", articles(report.examples, drawn)))
    if report.runs:
        sections.insert(1, ("items", "What was asked", _asked(report, "".join(text for _, _, text in sections))))
    said = paragraphs(report.runs, report.findings)
    sections.append(("methods", "Methods", "".join(f"<p>{_linked(escape(each))}</p>\n" for each in said)))
    sections.append(("again", "How to make it again", _again(report)))
    sections.append(("omitted", "What is not shown, and why", _omitted(report)))
    return document(report.title, _lead(report), sections)


def _linked(paragraph: str) -> str:
    """Names of tables in backquotes as links to them; other words in backquotes as code."""
    named = re.sub(r"`([a-z0-9_]+)`", r'<a href="#\1"><code>\1</code></a>', paragraph)
    return re.sub(r"`([^`]+)`", r"<code>\1</code>", named)


def _lead(report: Report) -> str:
    if not report.runs:
        return "What models reached by training on items whose answers were derived from formulas."
    datasets = {id(run.dataset): run.dataset for run in report.runs}.values()
    items = sum(dataset.count() for dataset in datasets)
    names = dict.fromkeys(run.model for run in report.runs)
    scored = max(_scored([run for run in report.runs if run.model == name]) for name in names)
    share = f"{scored:,} of {items:,}" if len(datasets) == 1 and scored < items else f"{items:,}"
    every = [part for dataset in datasets for part in dataset.manifest.paradigms.values()]
    said = [
        f"{'Answers of items with a theory were' if any(not part.theory for part in every) else 'Every answer was'} "
        "derived from formulas, and has a proof or models that can be checked again."
    ] * any(part.theory for part in every)  # fmt: skip
    if any(part.task == "minimal_pair" for part in every):
        said.append("Of minimal pairs a chart over the whole grammar shows which sentence has no tree.")
    people = {run.model for run in report.runs if run.people}
    models = f"{len(names) - len(people)} model{'s' * (len(names) - len(people) != 1)}"
    if people:
        models = f"{models} and people" if len(names) > len(people) else "People"
    return " ".join(
        [f"{models} on {share} items of {' and '.join(dataset.manifest.name for dataset in datasets)}.", *said]
    )


def _scored(runs: Sequence[Run]) -> int:
    """How many items have scores in any of the runs of a model."""
    import pyarrow as pa
    import pyarrow.compute as pc

    items = [chunk for run in runs for chunk in run.scores.drop_null().column("item").chunks]
    return int(pc.count_distinct(pa.chunked_array(items, pa.string())).as_py())


#: What the field's words mean here, and the signs of templates; those that a report uses are explained in it.
WORDS = {
    "item": "one question to a model, with one derived answer: a pair of sentences, a choice, a continuation.",
    "instance": "one draw of words, from which one item of each condition is made. Items of an instance are alike, so "
    "that intervals are taken over instances.",
    "paradigm": "a set of sentences of one design, written down once: what is varied, and which words may be drawn.",
    "condition": "one cell of that design: the form of the premise and of the hypothesis, or of the sentence.",
    "label": "what follows by logic: entailment, contradiction or neutral. It is derived, with a proof or a "
    "counter-model, never typed in.",
    "alpha": "by how much an ambiguous sentence makes the follow-up of its surface reading likelier than a control "
    "does which excludes that reading, less the same of the follow-up of its inverse reading, which goes with both; in "
    "nats. Positive: for the model the sentence has room for both readings.",
    "nats": "natural logarithms of probabilities: a difference of 1 is a probability 2.7 times as large.",
    "surprisal": "how unexpected words are after those before them: the negative logarithm of their probability, in "
    "nats, so that 1 more is a probability 2.7 times as small.",
    "region": "a part of a sentence that its design names, as the main verb.",
    "constraint": "what one of two sentences breaks, by its name in the grammar: agreement, binding, licensing. A "
    "chart over the whole grammar shows that this sentence has no tree.",
    "licensor": "a word that another one needs in the sentence, as any needs a negation or a question.",
    "principle": "what a label would not follow without: an axiom, as that what is known is true, or what a word "
    "presupposes.",
    "slot": "a place in the sentences of a paradigm which a drawn word fills.",
    "reader": "a baseline that reads a part of the items, as the hypothesis alone, and answers the commonest label of "
    "what it sees in other items. It cannot reason, so that a model should be better.",
    "rule": "a baseline that answers by a rule of thumb, as entailment where every word of the hypothesis is in the "
    "premise.",
    "B_": "B_a X: a believes that X; K_a X: a knows that X. B_a K_a X => K_a X is the template of pairs in which "
    "somebody believes that they know something, and it is asked whether they know it.",
}


def _words(shown: str) -> str:
    """The words of `WORDS` that a page uses, explained."""
    own = [(word, meaning) for word, meaning in WORDS.items() if _begins(word, shown)]
    lines = "".join(
        f"<dt>{escape(f'{word}a X' if word.endswith('_') else word)}</dt><dd>{escape(meaning)}</dd>\n"
        for word, meaning in own
    )
    return f'<dl class="words">\n{lines}</dl>\n' if own else ""


def _begins(word: str, text: str) -> bool:
    """Whether a word of a text begins so. (A pattern takes long to search megabytes of pictures.)"""
    place = text.find(word)
    while place > 0 and (text[place - 1].isalnum() or text[place - 1] == "_"):
        place = text.find(word, place + 1)
    return place >= 0


def _summary(report: Report) -> str:
    """What was run, the numbers that a reader sees first, and what limits them: a screen."""
    wanted = list(dict.fromkeys(number.column for each in report.findings for number in each.numbers))
    known = {(number.model, number.column): number.value for each in report.findings for number in each.numbers}
    rows: list[tuple[Value, ...]] = []
    for model, own in by_model(report.runs).items():
        sets = ", ".join(dict.fromkeys(run.dataset.manifest.name for run in own))
        scored = sum(run.coverage.scored for run in own)
        rows.append((model, sets, scored, *(known.get((model, column)) for column in wanted)))
    columns = (Column("model", "model"), Column("sets", "sets"), Column("items", "items scored"), *wanted)
    warned = [(each, len(each.warnings)) for each in without_repeats(report.findings) if each.warnings]
    headlines = (sentence for each in report.findings for sentence in each.headlines)
    lines = [f'<p class="warning">{escape(sentence)}</p>\n' for sentence in headlines]
    lines.append(html(Table("summary_models", "The models, and what they reach.", columns, tuple(rows)), True))
    if warned:
        links = ", ".join(f'<a href="#study-{each.study}">{escape(each.title)}</a> ({n})' for each, n in warned)
        lines.append(f"<p>What limits these results is said above them: {links}.</p>\n")
    return "".join(lines)


def _asked(report: Report, shown: str) -> str:
    """The datasets, below the words that the rest of the page uses."""
    tables = []
    datasets = {id(run.dataset): run.dataset for run in report.runs}.values()
    for number, dataset in enumerate(datasets, 1):
        manifest = dataset.manifest
        rows: list[tuple[Value, ...]] = []
        for name, part in manifest.paradigms.items():
            about = dataset.design(name).about.replace("`", "")
            rows.append((name, part.task, part.instances, part.rows, part.theory or "", about))
        tables.append(
            Table(
                f"dataset_{number}",
                f"The paradigms of the dataset {manifest.name}, built with the seed {manifest.seed}"
                f"{', of the paper’s design alone' * (manifest.design == 'paper')}.",
                (
                    Column("paradigm", "paradigm"), Column("task", "task"), Column("instances", "instances"),
                    Column("rows", "items"), Column("theory", "theory"), Column("about", "what it is about"),
                ),
                tuple(rows),
            )
        )  # fmt: skip
    return _words(shown) + "".join(html(table, True) for table in tables)


def _models(report: Report) -> str:
    rows: list[tuple[Value, ...]] = []
    for run in report.runs:
        record, found = run.record, run.coverage
        seconds = sum(session.seconds for session in record.sessions) if record else None
        rows.append(
            (
                run.model,
                run.dataset.manifest.name,
                record.model.kind if record else "–",
                run.parameters,
                run.mode,
                record.settings.dtype if record else "–",
                found.scored,
                found.refused,
                found.scored / seconds if seconds else None,
                next(iter(record.settings.weights.values()), "")[:12] if record else "–",
            )
        )
    columns = (
        Column("model", "model"), Column("set", "set"), Column("kind", "kind"),
        Column("parameters", "parameters"), Column("mode", "mode"), Column("dtype", "precision"),
        Column("scored", "items scored"), Column("refused", "refused"),
        Column("speed", "items per second", digits=1), Column("weights", "SHA-256 of the weights"),
    )  # fmt: skip
    notes = ("A file of another program says nothing of its model but the answers.",) if None in [
        run.record for run in report.runs
    ] else ()  # fmt: skip
    return html(Table("runs", "Models and settings.", columns, tuple(rows), notes), True)


def _study(found: Findings, drawn: dict[str, str]) -> str:
    lines = [f'<p class="warning">{escape(warning)}</p>\n' for warning in found.warnings]
    lines += [html(table, True) for table in found.tables]
    lines += [_figure(figure, drawn) for figure in found.figures]
    if found.details:
        inner = "".join(html(table, True) for table in found.details)
        count = len(found.details)
        lines.append(
            f"<details>\n<summary>{count} more {'table' if count == 1 else 'tables'}</summary>\n{inner}</details>\n"
        )
    return "".join(lines)


def _figure(figure: Figure, drawn: dict[str, str]) -> str:
    """As an image within the page: its own styles and ids cannot disturb those of the page."""
    from gramprobe.analysis.output.figures import svg

    return image(smaller(svg(figure.draw())), figure.text, figure.caption, drawn, figure.name)


def smaller(svg: str) -> str:
    """A picture of matplotlib without what is not drawn: its prolog and metadata, the space between its elements, names
    of groups, and digits below a hundredth of a point; with each style once. Texts stay as they are."""
    svg = re.sub(r"<metadata>.*?</metadata>|<!--.*?-->", "", svg[svg.index("<svg") :], flags=re.DOTALL)
    svg = re.sub(r">\s+<", "><", svg)
    used = set(re.findall(r"#([\w.-]+)", svg))
    svg = re.sub(r"<[^>]+>", lambda tag: _smaller_tag(tag[0], used), svg)
    styles = [style for style, count in Counter(re.findall(r' style="([^"]*)"', svg)).items() if count > 1]
    names = {style: f"s{number}" for number, style in enumerate(styles)}
    svg = re.sub(
        r' style="([^"]*)"', lambda found: f' class="{names[found[1]]}"' if found[1] in names else found[0], svg
    )
    return svg.replace("</style>", "".join(f".{name}{{{style}}}" for style, name in names.items()) + "</style>", 1)


def _smaller_tag(tag: str, used: Collection[str]) -> str:
    tag = re.sub(r"\s*\n\s*", " ", tag)
    tag = re.sub(r' id="([^"]*)"', lambda name: name[0] if name[1] in used else "", tag)
    return re.sub(r"\d+\.\d{3,}", lambda number: _hundredths(number[0]), tag)


def _hundredths(number: str) -> str:
    value = float(number)
    return f"{value:.2f}".rstrip("0").rstrip(".") if value >= 1 else f"{value:.4g}"


def _again(report: Report) -> str:
    lines = ["<p>The items, their scores and this page are made by</p>\n"]
    lines.append(f"<pre>{escape(chr(10).join(report.commands))}</pre>\n")
    versions = sorted(
        {f"{n} {v}" for run in report.runs if run.record for s in run.record.sessions for n, v in s.versions.items()}
    )
    if versions:
        lines.append(f"<p>Scored with {escape(', '.join(versions))}.</p>\n")
    return "".join(lines)


def _omitted(report: Report) -> str:
    sentences: Iterable[str] = dict.fromkeys([*report.omitted, *(s for each in report.findings for s in each.omitted)])
    lines = "".join(f"<li>{escape(sentence)}</li>\n" for sentence in sentences)
    return (
        f"<ul>\n{lines}</ul>\n" if lines else "<p>Nothing that the analyses of these scores compute is left out.</p>\n"
    )
