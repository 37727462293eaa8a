"""Spoiling texts, bytes and folders at random, for `fuzz.py`: what is lost, doubled or exchanged follows a seed."""

from __future__ import annotations

import contextlib
import hashlib
import json
import random
import re
import shutil
from collections.abc import Callable, Iterator, Sequence
from copy import deepcopy
from pathlib import Path
from typing import Any

ODD = (
    "\0", "\ufeff", "\u202e", "\u200b", "e\u0301", "\U0001f600", "\t", "\r\n", '"', "'", "\\", "..", "=>", "<->",
    "((((", "))))", "[", "]", "{", "}", "--", "9" * 30, "1e999", "-1", "NaN", "true", "null", "%s", "{0}", "`",
    "|", "&", "~", "@ here", "exh", "forall x.", "/", "\n\n", "İ", "\u0430", "1_0", "-0.0",
)  # fmt: skip
TOKENS = re.compile(r"\w+|\s+|[^\w\s]")


class Spoiler:
    """Draws from ``random`` how something is spoilt."""

    def __init__(self, seed: str) -> None:
        self.random = random.Random(seed)

    def often(self, share: float) -> bool:
        return self.random.random() < share

    def text(self, text: str, words: Sequence[str] = ()) -> bytes:
        """A text with some tokens, lines or characters lost, doubled, exchanged or odd."""
        draw = self.random
        for _ in range(draw.choice((1, 1, 1, 2, 3, 6))):
            text = self._once(text, words)
        raw = bytearray(text.encode("utf-8", "surrogatepass"))
        if raw and draw.random() < 0.08:
            for _ in range(draw.choice((1, 3, 20))):
                raw[draw.randrange(len(raw))] = draw.randrange(256)
        return bytes(raw)

    def typed(self, text: str, words: Sequence[str] = ()) -> str:
        """A spoilt text as somebody types it: characters only."""
        return self.text(text, words).decode("utf-8", "replace")

    def _once(self, text: str, words: Sequence[str]) -> str:
        draw = self.random
        how = draw.random()
        if how < 0.5:
            return "".join(self._pieces(TOKENS.findall(text) or [""], [*ODD, *words]))
        if how < 0.7:
            return "\n".join(self._pieces(text.split("\n"), ["", *ODD]))
        if not text:
            return draw.choice(ODD)
        place = draw.randrange(len(text))
        if how < 0.9:
            return (
                text[:place] + draw.choice(("", chr(draw.randrange(1, 0x250)), text[place] * 300)) + text[place + 1 :]
            )
        return text[:place] if draw.random() < 0.5 else text[place:]

    def _pieces(self, pieces: list[str], others: Sequence[str]) -> list[str]:
        draw = self.random
        place, other = draw.randrange(len(pieces)), draw.randrange(len(pieces))
        match draw.randrange(6):
            case 0:
                del pieces[place]
            case 1:
                pieces[place] *= draw.choice((2, 2, 50))
            case 2:
                pieces[place], pieces[other] = pieces[other], pieces[place]
            case 3:
                pieces.insert(place, pieces[other])
            case 4:
                pieces[place] = draw.choice(others)
            case _:
                pieces.insert(place, draw.choice(others))
        return pieces

    def binary(self, raw: bytes) -> bytes:
        """Bytes with some changed, lost or added; half of the time near the end, where formats keep their tables."""
        draw, found = self.random, bytearray(raw)
        for _ in range(draw.choice((1, 1, 2, 10, 100))):
            if not found:
                break
            near = max(0, len(found) - 1 - draw.randrange(min(len(found), 3000)))
            place = draw.randrange(len(found)) if draw.random() < 0.5 else near
            match draw.randrange(4):
                case 0:
                    del found[place : place + draw.choice((1, 5, 100))]
                case 1:
                    found[place:place] = draw.randbytes(draw.choice((1, 8)))
                case _:
                    found[place] = draw.randrange(256)
        return bytes(found)

    def value(self, text: str) -> str:
        """JSON in which one value, wherever it stands, is another one; the text itself where it is no JSON."""
        try:
            data = json.loads(text)
        except (ValueError, RecursionError):
            return text
        places: list[tuple[Any, Any]] = []
        todo: list[Any] = [data] if isinstance(data, dict | list) else []
        while todo:
            here = todo.pop()
            keys: Any = here.keys() if isinstance(here, dict) else range(len(here))
            places += [(here, key) for key in keys]
            todo += [here[key] for key in keys if isinstance(here[key], dict | list)]
        if not places:
            return text
        here, key = self.random.choice(places)
        other, its = self.random.choice(places)
        if isinstance(here, dict) and self.often(0.2):
            here[key + "x"] = here.pop(key)
        elif self.often(0.3):
            here[key] = deepcopy(other[its])
        elif isinstance(here[key], int | float) and self.often(0.5):
            here[key] += self.random.choice((1, -1, 0.5, 10**20))
        else:
            here[key] = self.random.choice((None, 0, -1, 10**9, "x", "", [], {}, True, 1.5))
        return compact(data)

    def file(self, file: Path, others: Sequence[Path]) -> None:
        """Spoil a file in its place: gone, empty, a folder, another's content, other bytes, lines or values."""
        how = self.random.random()
        if how < 0.05:
            file.unlink()
        elif how < 0.08:
            file.write_bytes(b"")
        elif how < 0.1:
            file.unlink()
            file.mkdir()
        elif how < 0.13:
            file.rename(file.with_name(f"{file.name}x"))
        elif how < 0.17:
            file.write_bytes(self.random.choice(others).read_bytes())
        elif how < 0.3 or file.suffix in (".parquet", ".safetensors", ".sqlite"):
            file.write_bytes(self.binary(file.read_bytes()))
        else:
            whole = file.suffix == ".json" and how < 0.65
            lines = [file.read_text("utf-8", "replace")]
            lines = lines if whole else lines[0].split("\n")
            place = self.random.randrange(len(lines))
            keeps = file.suffix in (".json", ".jsonl") and self.often(0.6)
            lines[place] = self.value(lines[place]) if keeps else self.typed(lines[place])
            text = "\n".join(lines)
            if whole and keeps:
                with contextlib.suppress(ValueError):
                    text = json.dumps(json.loads(text), indent=2, ensure_ascii=False) + "\n"
            file.write_text(text, "utf-8", "replace")


class Copies:
    """A copy of each honest folder, in which files are spoilt and then put back."""

    def __init__(self, place: Path) -> None:
        self.place = place
        self._known: dict[Path, dict[str, tuple[int, int]]] = {}

    @contextlib.contextmanager
    def spoilt(self, honest: Path, spoil: Spoiler) -> Iterator[tuple[Path, Path]]:
        """The copy in which one file is spoilt, and the file. Whatever differs afterwards is put back."""
        own = self.place / hashlib.sha256(str(honest).encode()).hexdigest()[:16] / honest.name
        if own not in self._known:
            self._anew(honest, own)
        known = self._known[own]
        files = sorted(own / name for name, (_, size) in known.items() if size)
        file = spoil.random.choice(files)
        spoil.file(file, files)
        try:
            yield own, file
        finally:
            now = _listed(own)
            for name in now.keys() | known.keys():
                if now.get(name) != known.get(name):
                    there = own / name
                    if there.is_dir() or not (honest / name).is_file() or not there.parent.is_dir():
                        self._anew(honest, own)
                        break
                    shutil.copyfile(honest / name, there)
                    about = there.stat()
                    known[name] = about.st_mtime_ns, about.st_size

    def _anew(self, honest: Path, own: Path) -> None:
        shutil.rmtree(own, ignore_errors=True)
        shutil.copytree(honest, own)
        self._known[own] = _listed(own)


def _listed(folder: Path) -> dict[str, tuple[int, int]]:
    found = {each: each.stat() for each in folder.rglob("*") if not each.is_dir() or not any(each.iterdir())}
    return {each.relative_to(folder).as_posix(): (a.st_mtime_ns, a.st_size) for each, a in found.items()}


def compact(data: Any) -> str:
    return json.dumps(data, separators=(",", ":"), ensure_ascii=False)


def digest(file: Path) -> str:
    return hashlib.sha256(file.read_bytes()).hexdigest()


def rehash(folder: Path, record: str, sections: Sequence[str], made: Callable[[Path, Any], Any]) -> None:
    """Make the hashes of a record anew, as far as it can still be read."""
    with contextlib.suppress(Exception):
        data = json.loads((folder / record).read_text("utf-8"))
        for section in sections:
            for name, entry in data[section].items():
                file = folder / "scores" / f"{name}.parquet" if record == "run.json" else folder / name
                if file.is_file():
                    data[section][name] = made(file, entry)
        indent = 2 if record == "manifest.json" else 1
        (folder / record).write_text(json.dumps(data, indent=indent, ensure_ascii=False) + "\n", "utf-8")


def resealed(folder: Path) -> None:
    """Make the hashes of the lines of certificates and accounts anew, as far as they can be read."""
    for name in ("certificates.jsonl", "accounts.jsonl"):
        with contextlib.suppress(Exception):
            lines = [json.loads(line) for line in (folder / name).read_text("utf-8").splitlines()]
            for line in lines:
                if name == "certificates.jsonl":
                    shown = {key: line[key] for key in ("theory", "premise", "hypothesis")}
                    line["shape"] = _ascii_digest(shown)[:16]
                    line["sha256"] = _ascii_digest({key: value for key, value in line.items() if key != "sha256"})
                elif "steps" in line:
                    line["shape"] = hashlib.sha256(compact(line["steps"]).encode()).hexdigest()[:16]
            text = "".join(compact(line) + "\n" for line in sorted(lines, key=lambda line: str(line["shape"])))
            (folder / name).write_text(text, "utf-8")


def _ascii_digest(data: Any) -> str:
    return hashlib.sha256(json.dumps(data, separators=(",", ":")).encode()).hexdigest()
