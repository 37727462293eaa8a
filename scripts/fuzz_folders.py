"""Kinds of `fuzz.py` that spoil folders: datasets, scores, models, judgments, experiments, the cache."""

from __future__ import annotations

import contextlib
import json
import os
import shutil
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from fuzz_run import Fuzz
from fuzz_spoil import digest, rehash, resealed
from fuzz_texts import SMALL, answered

DATASETS = {
    "presupposition--only": "presupposition/only",
    "scope--continuation_universal_indefinite": "scope/continuation_universal_indefinite",
    "scope--choice_universal_indefinite": "scope/choice_universal_indefinite",
    "de_re_de_dicto--belief": "de_re_de_dicto/belief",
    "acceptability--agreement_subject_verb": "acceptability/agreement_subject_verb",
}
EXPORTS = ("csv", "lm-eval", "inspect", "minicons", "syntaxgym", "blimp", "imppres", "scope", "de_re", "croissant")
ASKED = ("choice", "rating", "nli", "acceptability", "self_paced")


def dataset(fuzz: Fuzz) -> None:
    """Folders of datasets of the shipped grammars."""
    _dataset(fuzz, "dataset", fuzz.honest / fuzz.any(sorted(DATASETS)))


def sets(fuzz: Fuzz) -> None:
    """Folders of datasets of small grammars."""
    name = fuzz.any(sorted(SMALL))
    with fuzz.project(name):
        _dataset(fuzz, "sets", fuzz.honest / "sets" / name / SMALL[name].replace("/", "--"))


def _dataset(fuzz: Fuzz, kind: str, honest: Path) -> None:
    """In five of six the hashes of the manifest are made anew, in half of these those of certificates, too."""
    with fuzz.copies.spoilt(honest, fuzz.spoil) as (copy, file):
        if fuzz.often(0.4):
            resealed(copy)
        if fuzz.often(0.84):
            rehash(copy, "manifest.json", ("files", "parquet"), lambda place, entry: digest(place))
        arguments: list[tuple[object, ...]] = [("verify", copy, "--path", fuzz.empty)] * 8
        arguments += [("diff", honest, copy), ("score", copy, "--model", "rule:overlap", "--out", fuzz.out)]
        arguments += [("export", fuzz.any(EXPORTS), copy, "--out", fuzz.out)]
        arguments += [("lists", copy, "--kind", fuzz.any(ASKED), "--out", fuzz.out)]
        asked = fuzz.any(arguments)
        code = fuzz.run(kind, *asked)
        lie = _lie(file, honest / file.relative_to(copy)) if asked[0] == "verify" and code == 0 else ""
        if lie:
            kept = fuzz.work.parent / f"accepted-{fuzz.work.name}-{len(fuzz.found.faults)}"
            shutil.copytree(copy, kept, dirs_exist_ok=True)
            fuzz.found.add(f"accepted: {honest.name} {file.relative_to(copy)}: {lie}", (*asked, "kept as", kept))


def _lie(file: Path, other: Path) -> str:
    """What an accepted file says that the honest one does not; empty where it says the same otherwise."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    if not file.is_file():
        return "it is gone"
    if file.read_bytes() == other.read_bytes():
        return ""
    if file.suffix == ".parquet":  # it may name another writer, or so
        with contextlib.suppress(pa.ArrowException, OSError, ValueError):
            if pq.read_table(file, partitioning=None).equals(pq.read_table(other, partitioning=None)):
                return ""
        return "other rows"
    if file.name == "certificates.jsonl":  # another model or proof that shows the same
        ours, theirs = ([json.loads(line) for line in each.read_text("utf-8").splitlines()] for each in (file, other))
        return "" if list(map(_said, ours)) == list(map(_said, theirs)) else "a line says something else"
    return "another text"


def _said(line: Mapping[str, Any]) -> Any:
    rests_on = line["rests_on"] and [[entry["principle"], entry["model"] is None] for entry in line["rests_on"]]
    return [line[key] for key in ("shape", "label", "h_values", "kind", "findings")] + [rests_on]


def scores(fuzz: Fuzz) -> None:
    """Folders of scores."""
    honest = fuzz.any(sorted((fuzz.honest / "scores").iterdir()))
    of = fuzz.honest / honest.name
    with fuzz.copies.spoilt(honest, fuzz.spoil) as (copy, _):
        if fuzz.often(0.75):
            rehash(copy, "run.json", ("files",), lambda place, entry: {**entry, "sha256": digest(place)})
        commands: list[tuple[object, ...]] = [
            ("analyze", copy, "--dataset", of, *more) for more in ((), (), ("--json",), ("--details",))
        ]
        commands += [("frame", copy, "--dataset", of, "--out", fuzz.work / "f.csv")] * 3
        commands.append(("report", copy, "--dataset", of, "--out", fuzz.work / "r.html", "--items", 1))
        commands.append(("score", of, "--model", "rule:overlap", "--out", copy, "--resume"))
        fuzz.run("scores", *fuzz.any(commands))


def people(fuzz: Fuzz) -> None:
    """Folders of judgments and of experiments."""
    only = fuzz.honest / "presupposition--only"
    if fuzz.often(0.5):
        with fuzz.copies.spoilt(fuzz.honest / "judgments", fuzz.spoil) as (copy, _):
            if fuzz.often(0.75):
                rehash(copy, "judgments.json", ("files",), lambda place, entry: digest(place))
            fuzz.run("people", *fuzz.any((
                ("analyze", copy, "--dataset", only), ("frame", copy, "--dataset", only, "--out", fuzz.work / "f.csv"),
                ("frame", fuzz.honest / "judgments", "--dataset", only, "--norms", copy, "--out", fuzz.work / "f.csv"),
            )))  # fmt: skip
        return
    with fuzz.copies.spoilt(fuzz.honest / "experiment", fuzz.spoil) as (copy, _):
        given = fuzz.write("given.csv", answered(only)["answers.csv"])
        fuzz.run("people", "judgments", given, "--dataset", only, "--experiment", copy, "--out", fuzz.out)


def models(fuzz: Fuzz) -> None:
    """Folders of models; without torch there are none."""
    honest = sorted((fuzz.honest / "models").iterdir())
    if not honest:
        return
    chosen = fuzz.any(honest)
    of = "presupposition--only" if chosen.name == "nli" else "scope--continuation_universal_indefinite"
    with fuzz.copies.spoilt(chosen, fuzz.spoil) as (copy, _):
        if fuzz.often(0.3) and (copy / "config.json").is_file():
            data = json.loads((chosen / "config.json").read_bytes())
            data[fuzz.any(sorted(data))] = fuzz.any((None, 0, -1, 10**9, "x", [], {}, True, 1.5))
            (copy / "config.json").write_text(json.dumps(data), "utf-8")
        fuzz.run("models", "score", fuzz.honest / of, "--model", copy, "--out", fuzz.out, "--total", 1)


def cache(fuzz: Fuzz) -> None:
    """Folders of the cache: the answers with a spoilt file in it are those without a cache. A few in a row, since what
    this process remembers is forgotten before each."""
    name = fuzz.any(sorted(SMALL))
    honest = fuzz.work / "cache" / name
    with fuzz.project(name):
        for _ in range(12):
            asked = fuzz.any(_answers(name))
            with fuzz.copies.spoilt(honest, fuzz.spoil) as (copy, file), _cached(copy):
                fuzz.forget()
                fuzz.run("cache", *asked, *(("--out", fuzz.out) if asked[0] == "build" else ()))
                if _answer(fuzz) != fuzz.answers[name, asked]:
                    fuzz.found.add(f"another answer of {asked[0]} by a cached {file.parent.name}", (*asked, file))
    fuzz.forget()


def _answers(name: str) -> list[tuple[str, ...]]:
    of = SMALL[name]
    every = [("build", of, "--n", "2"), ("check", of), ("list",), ("sample", of, "--n", "1"), ("explain", of)]
    return [*every, ("parse", "--uses", "toy", "--theory", "toy", "Uma has a newt.")] if name == "toy" else every


def _answer(fuzz: Fuzz) -> tuple[str, dict[str, str]]:
    """What a command printed and wrote."""
    printed = "\n".join(line for line in fuzz.printed.splitlines() if "/" not in line)
    return printed, {f.relative_to(fuzz.out).as_posix(): digest(f) for f in fuzz.out.rglob("*.json*") if f.is_file()}


@contextlib.contextmanager
def _cached(place: Path) -> Any:
    before = os.environ["XDG_CACHE_HOME"]
    os.environ["XDG_CACHE_HOME"] = str(place)
    try:
        yield
    finally:
        os.environ["XDG_CACHE_HOME"] = before


def prepare_cache(fuzz: Fuzz) -> None:
    """The honest caches of the small projects, and the honest answers."""
    for name in SMALL:
        with fuzz.project(name), _cached(fuzz.work / "cache" / name):
            for asked in _answers(name):
                fuzz.forget()
                fuzz.run("prepare", *asked, *(("--out", fuzz.out) if asked[0] == "build" else ()))
                fuzz.answers[name, asked] = _answer(fuzz)
