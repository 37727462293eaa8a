"""What decisions ask for is kept between runs, and so is what gates find: a build that was made before composes no
reading, writes no canonical text and measures no reader again, and gives the same bytes."""

from __future__ import annotations

import hashlib
import os
import subprocess
import sys
from collections import Counter, OrderedDict
from pathlib import Path

import pytest
from projects import ANIMALS, PLAIN, RELATED, TOY_GRAMMAR, toy
from support.datasets import FEW
from support.kept import own_cache

import gramprobe
from gramprobe import cache
from gramprobe.cache import Folder
from gramprobe.check.check import check
from gramprobe.dataset import gates
from gramprobe.dataset.gates import leak
from gramprobe.dataset.gates.sentences import Sentences
from gramprobe.dataset.verify.verify import verify
from gramprobe.decide import cache as verdicts
from gramprobe.decide import label
from gramprobe.items import content, shapes
from gramprobe.items.tasks.nli import Nli
from gramprobe.meaning import compose, variants
from gramprobe.project import Project, load
from gramprobe.space import drawable

ALLOWED = "".join(f'allow {gate} because "nobody reads it"\n' for gate in ("duplicates", "leak"))
SET = "size 6\n" + RELATED.replace("w, other : Who", "w, other : Who where w != other") + ALLOWED
TWICE = """
fun HasToo (w: Who, k: Kind) : S
  lin w "has no" k[num=sg]
  sem exists x. (k(x), has(w, x))
"""


def counting(monkeypatch: pytest.MonkeyPatch) -> Counter[str]:
    """How often something was made from now on."""
    calls: Counter[str] = Counter()

    def counted(owner: object, name: str) -> None:
        before = getattr(owner, name)

        def call(*given: object, **named: object) -> object:
            calls[name] += 1
            return before(*given, **named)

        monkeypatch.setattr(owner, name, call)

    counted(label, "shape_text")
    counted(compose, "readings")
    counted(variants, "readings")
    counted(Nli, "agrees")
    counted(gates, "measure")
    counted(leak, "measure")
    counted(Sentences, "__init__")
    counted(verdicts, "check_entry")
    return calls


@pytest.fixture
def made(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Counter[str]:
    """How often something was made from now on, with nothing kept but parsers and syntax trees."""
    own_cache(tmp_path, monkeypatch, "parsers", "syntax")
    monkeypatch.setattr(variants, "_known", {})
    return counting(monkeypatch)


def built(project: Project, out: Path, n: int = 6, name: str = "toy/one", **options: object) -> str:
    """The hash of all files of a build."""
    (found,) = project.build(name, out, n, **options)  # type: ignore[arg-type]
    digest = hashlib.sha256()
    for file in sorted(each for each in found.folder.rglob("*") if each.is_file()):
        digest.update(f"{file.relative_to(found.folder)}\n".encode() + file.read_bytes())
    return digest.hexdigest()


def asks(
    made: Counter[str], project: Project, out: Path, n: int = 6, name: str = "toy/one", **options: object
) -> tuple[str, int]:
    """The hash of a build, and how many canonical texts were written for it."""
    before = made["shape_text"]
    return built(project, out, n, name, **options), made["shape_text"] - before


def test_a_build_that_was_made_asks_for_nothing(
    tmp_path: Path, made: Counter[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    first = built(toy(tmp_path, SET), tmp_path / "out")
    assert {"shape_text", "readings", "agrees", "measure", "__init__"} <= made.keys()
    made.clear()
    monkeypatch.setattr(verdicts, "_KNOWN", OrderedDict())  # as in another process
    assert built(toy(tmp_path, SET), tmp_path / "out") == first
    assert made.keys() == {"check_entry"}  # the kernel checks each line


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("size 6", 'size 6\nsource "nobody"'),
        ("=> same, lacks", "=> same, lacks   expect neutral"),
        ("=> same, lacks", "=> same, lacks   expect contradiction"),
        ('allow leak because "nobody reads it"', ""),
    ],
)
def test_a_check_after_such_an_edit_asks_for_nothing(
    old: str, new: str, tmp_path: Path, made: Counter[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """It changes what is said of the labels and the card, and nothing on which a label hangs."""
    names = ["toy/one"]
    dict(check(toy(tmp_path, SET), names, allow_bounded=False))
    assert {"shape_text", "measure", "__init__"} <= made.keys()
    made.clear()
    assert old in SET
    edited = toy(tmp_path, SET.replace(old, new))
    counted = drawable._in_some_solution
    monkeypatch.setattr(drawable, "_in_some_solution", lambda *_: pytest.fail("counted again"))
    outcome = dict(check(edited, names, allow_bounded=False))
    assert made.keys() <= ({"shape_text"} if "expect" in new else set())  # the message about an unmet claim does
    monkeypatch.setattr(drawable, "_in_some_solution", counted)
    monkeypatch.setenv("GRAMPROBE_CACHE", "off")
    assert dict(check(edited, names, allow_bounded=False)) == outcome
    assert {"measure", "__init__"} <= made.keys()


def test_it_asks_where_a_verdict_is_lacking(tmp_path: Path, made: Counter[str]) -> None:
    first = built(toy(tmp_path, SET), tmp_path / "out")
    (database,) = verdicts.verdict_folder().iterdir()
    database.unlink()
    again, asked = asks(made, toy(tmp_path, SET), tmp_path / "out")
    assert again == first
    assert asked


def test_another_seed_adds_to_what_is_kept(tmp_path: Path, made: Counter[str]) -> None:
    project = toy(tmp_path, SET)
    first, larger, other = (
        asks(made, project, tmp_path / "out"),
        asks(made, project, tmp_path / "out", 12),
        asks(made, project, tmp_path / "out", seed=1),
    )
    assert first[1]
    assert other[1]
    assert len(list((cache.cache_folder() / "shapes").iterdir())) == 1
    assert asks(made, project, tmp_path / "out") == (first[0], 0)
    assert asks(made, project, tmp_path / "out", 12) == (larger[0], 0)
    assert asks(made, project, tmp_path / "out", seed=1) == (other[0], 0)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("file", "old", "new"),
    [
        ("grammars/toy.gram", "sem ~exists", "sem exists"),
        ("grammars/toy.gram", 'lin w "has no"', 'lin w "never has"'),
        ("lexicon/kinds.tsv", "newt\tnewt\tnewts\tc\t-", "newt\tnewt\tnewts\tc\tbirdie"),
        ("logic/toy.logic", "k(x) ->", "~k(x) ->"),
        ("grammars/toy/one.paradigm", "pair trigger, has", "pair has, trigger"),
    ],
)
def test_a_change_of_any_file_has_all_derived_anew(
    file: str, old: str, new: str, tmp_path: Path, made: Counter[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    project = toy(tmp_path, SET)
    first = built(project, tmp_path / "out")
    text = project.library.sources[file.removeprefix("./")].text
    assert old in text
    (tmp_path / file).write_text(text.replace(old, new), "utf-8")
    changed, asked = asks(made, load(tmp_path, names=["toy/one"]), tmp_path / "out")
    assert changed != first
    assert asked
    monkeypatch.setenv("GRAMPROBE_CACHE", "off")
    assert built(load(tmp_path, names=["toy/one"]), tmp_path / "out") == changed


def test_so_have_a_theory_and_other_code(tmp_path: Path, made: Counter[str], monkeypatch: pytest.MonkeyPatch) -> None:
    project = toy(tmp_path, SET)
    first = asks(made, project, tmp_path / "out")
    classical = asks(made, project, tmp_path / "out", theory="classical")
    assert classical[1]
    assert asks(made, project, tmp_path / "out") == (first[0], 0)
    monkeypatch.setattr(content, "program_version", lambda: "of another release")
    assert asks(made, project, tmp_path / "out") == first
    monkeypatch.setenv("GRAMPROBE_CACHE", "off")
    off, asked = asks(made, project, tmp_path / "out")
    assert off == first[0]
    assert asked


def test_projects_of_one_name_are_kept_apart(tmp_path: Path, made: Counter[str]) -> None:
    """The same paradigm and grammar, of other words."""
    birdies = ANIMALS.replace("newts\tc\t-", "newts\tc\tbirdie")
    one, other = toy(tmp_path / "one", SET), toy(tmp_path / "other", SET, kinds=birdies)
    found = [built(each, tmp_path / "out") for each in (one, other)]
    assert found[0] != found[1]
    for each, before in zip((one, other), found, strict=True):
        assert asks(made, each, tmp_path / "out") == (before, 0)


@pytest.mark.parametrize("folder", ["shapes", "readers", "sentences"])
def test_a_damaged_file_is_passed_over(folder: str, tmp_path: Path, made: Counter[str]) -> None:
    project = toy(tmp_path, SET)
    first = built(project, tmp_path / "out")
    (file,) = (cache.cache_folder() / folder).iterdir()
    whole = file.read_bytes()
    text = whole.partition(b"\n")[2]
    sealed_for_another_folder = cache.sealed("readings", file.stem, text).encode() + b"\n" + text
    for damaged in (b"", b"[]", b"0123\n[]", b"\xff", sealed_for_another_folder):
        file.write_bytes(damaged)
        assert built(project, tmp_path / "out") == first, damaged
        assert file.read_bytes() == whole, damaged


def test_what_is_too_long_is_not_kept(tmp_path: Path, made: Counter[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shapes, "MOST", 100)
    first = asks(made, toy(tmp_path, SET), tmp_path / "out")
    assert not (cache.cache_folder() / "shapes").exists()
    assert asks(made, toy(tmp_path, SET), tmp_path / "out") == first


def test_verify_asks_for_nothing_that_was_kept(
    tmp_path: Path, made: Counter[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    project = toy(tmp_path, SET)
    (found,) = project.build("toy/one", tmp_path / "out", 6)
    made.clear()
    names, before = set[str](), Folder.get

    def get(self: Folder, key: str) -> bytes | None:
        names.add(self._name)
        return before(self, key)

    monkeypatch.setattr(Folder, "get", get)
    assert not verify(found.folder, project.declarations, parses=True).problems.kept
    assert names.isdisjoint({"shapes", "readings", "readers", "sentences"})
    assert {"shape_text", "agrees", "measure", "__init__"} <= made.keys()


def test_a_reading_that_is_put_in_the_place_of_another_asks_for_its_own_shape(
    tmp_path: Path, made: Counter[str]
) -> None:
    """`HasToo` says what `Lacks` says, and means what `Has` means: what is kept of the row is that of `Lacks`."""
    text = "size 3\n" + PLAIN.replace("draw w", "draw w, o").replace("\nhypo", "\n q = HasToo(o, k)\nhypo")
    text = text.replace("w, o : Who", "w, o : Who where w != o").replace("p => h", "p, q => h")
    project = toy(tmp_path, text + 'allow reading because "nobody says it so"\n', grammar=TOY_GRAMMAR + TWICE)
    (found,) = project.build("toy/one", tmp_path / "out", 3)
    for file in (cache.cache_folder() / "readings").iterdir():
        file.unlink()
    (again,) = project.build("toy/one", tmp_path / "other", 3)
    assert again.manifest == found.manifest
    assert found.manifest["paradigms"]["one"]["allowed"]["reading"][1:]


@pytest.mark.slow
@pytest.mark.parametrize(
    "name",
    [
        "theory_of_mind/story_second_order",
        pytest.param("theory_of_mind/neg_raising", marks=pytest.mark.deep),
        "presupposition/both",
        "implicature/quantifiers_bare",
        "scope/choice_most_indefinite",
    ],
)
def test_shipped_sets_are_the_same(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    own_cache(tmp_path, monkeypatch, "parsers", "syntax", "verdicts")
    made, project = counting(monkeypatch), load(tmp_path, names=[name])
    first = built(project, tmp_path / "out", FEW, name)
    before = made["readings"]
    again, asked = asks(made, load(tmp_path, names=[name]), tmp_path / "out", FEW, name=name)
    assert again == first
    assert asked == 0
    assert made["readings"] == before


@pytest.mark.slow
def test_two_processes_at_once(tmp_path: Path, made: Counter[str]) -> None:
    project = toy(tmp_path, SET)
    out = tmp_path / "out"
    code = f"from gramprobe.project import load; load({str(tmp_path)!r}, names=['toy/one']).build('toy/one', "
    environment = {**os.environ, "PYTHONPATH": str(Path(gramprobe.__file__).parents[1])}
    runs = [
        subprocess.Popen([sys.executable, "-c", f"{code}{f'{out}{seed}'!r}, 6, seed={seed})"], env=environment)
        for seed in (0, 1)
    ]
    assert [each.wait() for each in runs] == [0, 0]
    found = [asks(made, project, out, seed=seed) for seed in (0, 1)]
    assert 0 in {asked for _, asked in found}  # who ended last has written
    assert [asks(made, project, out, seed=seed) for seed in (0, 1)] == [(each, 0) for each, _ in found]
