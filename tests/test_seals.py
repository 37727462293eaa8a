"""Who can write into the cache, and does not know the user's secret, can put no lie there that is taken."""

from __future__ import annotations

import hashlib
import hmac
import os
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import msgspec
import pytest

from gramprobe.cache import Folder, _secret, sealed, switched_off, write
from gramprobe.cli.main import main
from gramprobe.project import load
from gramprobe.syntax import cache as syntax_cache
from gramprobe.syntax.files import read_grammar

BASE = Path(__file__).parent / "errors" / "base"
Seal = Callable[[str, str, bytes], str]


def hashed(name: str, key: str, data: bytes) -> str:
    """A hash, which anybody can make."""
    return hashlib.sha256(key.encode() + data).hexdigest()


def guessed(name: str, key: str, data: bytes) -> str:
    """The seal by another secret."""
    message = b"".join(len(part).to_bytes(8, "big") + part for part in (name.encode(), key.encode(), data))
    return hmac.digest(bytes(32), message, "sha256").hex()


@pytest.fixture
def places(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A cache and a secret of this test's own; nothing is remembered in this process."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    monkeypatch.setattr(syntax_cache, "_memory", {})
    monkeypatch.chdir(tmp_path)
    return tmp_path


def put(name: str, key: str, data: bytes, seal: Seal) -> None:
    file = Path(os.environ["XDG_CACHE_HOME"]) / "gramprobe" / name / f"{key}.json"
    file.write_bytes(seal(name, key, data).encode() + b"\n" + data)


def test_an_entry_is_read_where_it_was_put_and_nowhere_else(places: Path) -> None:
    Folder("one").put("key", b"data")
    assert Folder("one").get("key") == b"data"
    secret = places / "state" / "gramprobe" / "cache.key"
    assert secret.stat().st_mode & 0o77 == 0 and len(secret.read_bytes()) == 32
    for seal in (hashed, guessed):
        put("one", "key", b"other", seal)
        assert Folder("one").get("key") is None
    put("one", "key", b"other", sealed)
    assert Folder("one").get("key") == b"other"
    place = places / "cache" / "gramprobe"
    (place / "two").mkdir()
    for moved in ("one/other.json", "two/key.json"):
        (place / moved).write_bytes((place / "one" / "key.json").read_bytes())
    assert Folder("one").get("other") is Folder("two").get("key") is None


@pytest.mark.parametrize("content", [b"", b"cut off"])
def test_a_damaged_secret_is_made_anew(places: Path, content: bytes) -> None:
    secret = places / "state" / "gramprobe" / "cache.key"
    secret.parent.mkdir(parents=True)
    secret.write_bytes(content)
    Folder("one").put("key", b"data")
    assert len(secret.read_bytes()) == 32
    assert Folder("one").get("key") == b"data"


def test_what_was_sealed_with_another_secret_is_read_as_nothing(places: Path) -> None:
    Folder("one").put("key", b"data")
    (places / "state" / "gramprobe" / "cache.key").write_bytes(bytes(32))
    _secret.cache_clear()
    assert Folder("one").get("key") is None
    Folder("one").put("key", b"data")
    assert Folder("one").get("key") == b"data"


@pytest.mark.parametrize("has_links", [True, False])
def test_programs_that_begin_at_once_have_one_secret(
    places: Path, monkeypatch: pytest.MonkeyPatch, has_links: bool
) -> None:
    """The secret of the program that was first stays, so that what it has kept is read. On a file system without hard
    links it is that of the last one, and so is all that is kept from then on."""
    file = places / "state" / "gramprobe" / "cache.key"

    def random(size: int) -> bytes:
        """Between this program's looking for the secret and its writing one, another writes its own."""
        write(file, bytes(size))
        return b"1" * size

    def link(*_: object) -> None:
        raise PermissionError

    monkeypatch.setattr(os, "urandom", random)
    if not has_links:
        monkeypatch.setattr(os, "link", link)
    secret = _secret(file.parent)
    assert secret == file.read_bytes() == (bytes(32) if has_links else b"1" * 32)
    assert [each.name for each in file.parent.iterdir()] == [file.name]


def test_without_a_place_for_the_secret_nothing_is_kept(places: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (places / "file").write_text("a file", "utf-8")
    monkeypatch.setenv("XDG_STATE_HOME", str(places / "file"))
    assert switched_off()
    Folder("one").put("key", b"data")
    assert Folder("one").get("key") is None and not (places / "cache").exists()


def test_it_is_said_once_that_there_is_no_place_for_the_secret(
    places: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    command = ["sample", "small/good", "--path", str(BASE)]
    assert main(command) == 0 and "nothing is kept" not in capsys.readouterr().err
    (places / "file").write_text("a file", "utf-8")
    monkeypatch.setenv("XDG_STATE_HOME", str(places / "file"))
    assert main(command) == 0
    said = capsys.readouterr().err
    assert said.count("nothing is kept for the next run") == 1 and str(places / "file" / "gramprobe") in said
    monkeypatch.setenv("GRAMPROBE_CACHE", "off")
    _secret.cache_clear()
    monkeypatch.setenv("XDG_STATE_HOME", str(places / "file" / "other"))
    assert main(command) == 0 and "nothing is kept" not in capsys.readouterr().err


def rows(out: str) -> str:
    main(["build", "small/good", "--path", str(BASE), "--out", out])
    file = Path(out) / "small--good" / "items" / "good.jsonl"
    return file.read_text("utf-8") if file.is_file() else ""


def forgotten() -> None:
    syntax_cache._memory.clear()


def test_a_tree_that_somebody_else_wrote_reaches_no_label(places: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A denial that denies nothing, for the tree of the grammar."""
    honest = rows("honest")
    source = load(BASE, names=["small"]).library.sources["grammars/tiny.gram"]
    true, lie = (
        msgspec.json.encode(read_grammar(replace(source, text=source.text.replace("sem ~f", denied))))
        for denied in ("sem ~f", "sem f")
    )
    found = [f.stem for f in (places / "cache/gramprobe/syntax").iterdir() if f.read_bytes().endswith(b"\n" + true)]
    assert len(found) == 1 and lie != true

    def planted(seal: Seal, out: str) -> str:
        put("syntax", found[0], lie, seal)
        forgotten()
        return rows(out)

    for seal in (hashed, guessed):
        assert planted(seal, seal.__name__) == honest
        put("syntax", found[0], lie, seal)
        forgotten()
        assert main(["verify", "honest/small--good", "--path", str(BASE)]) == 0
    capsys.readouterr()
    assert planted(sealed, "owned") == ""  # who knows the secret is the user
    assert "expected contradiction, derived entailment" in capsys.readouterr().err
    forgotten()


def test_an_outcome_that_somebody_else_wrote_is_not_shown(places: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """`check` shows what it found before of the same files."""

    def answer() -> str:
        capsys.readouterr()
        assert main(["check", "small/good", "--path", str(BASE)]) == 0
        return capsys.readouterr().out

    honest = answer()
    assert "1 contradiction" in honest

    def planted(seal: Seal) -> str:
        for file in [*places.glob("cache/gramprobe/checks/*.json"), *places.glob("cache/gramprobe/said/*.json")]:
            data = file.read_bytes().partition(b"\n")[2]
            put(file.parent.name, file.stem, data.replace(b'"contradiction"', b'"entailment"'), seal)
        return answer()

    assert planted(hashed) == planted(guessed) == honest
    assert "1 entailment" in planted(sealed)
