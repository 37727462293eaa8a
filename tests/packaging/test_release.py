"""What a release is made of: the Pythons that are tried, the citation, the workflow's commands, and the site."""

from __future__ import annotations

import re
import sys
import tomllib
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

from gramprobe import __version__

ROOT = Path(__file__).resolve().parents[2]
SCRIPTS = ROOT / "scripts"
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]


@pytest.fixture
def scripts(monkeypatch: pytest.MonkeyPatch) -> None:
    """The programs of scripts/ can be imported."""
    monkeypatch.syspath_prepend(str(SCRIPTS))


@pytest.fixture
def checking(scripts: None) -> Any:
    """`scripts/release_check.py` as a module."""
    return import_module("release_check")


def test_every_supported_python_is_tried(checking: Any) -> None:
    named = [c.rpartition(" ")[2] for c in PROJECT["classifiers"] if re.search(r":: 3\.\d+$", c)]
    assert list(checking.VERSIONS) == named


@pytest.mark.process
def test_a_python_is_found_by_what_it_says_it_is(checking: Any, tmp_path: Path) -> None:
    other = tmp_path / "python3.98"  # a stand-in, as pyenv puts one in the path for each version that it could have
    other.write_text("#!/bin/sh\necho 'command not found' >&2; exit 127\n", "utf-8")
    other.chmod(0o755)
    own = f"{sys.version_info[0]}.{sys.version_info[1]}"
    found = checking.found((own, "3.98", "3.99"), [str(other), str(tmp_path / "gone"), sys.executable])
    assert found == {own: sys.executable, "3.98": None, "3.99": None}


@pytest.mark.process
def test_a_missing_python_is_named_and_one_that_fails_is_a_failure(
    checking: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    wheel = tmp_path / "gramprobe.whl"
    wheel.write_bytes(b"")
    monkeypatch.setattr(checking, "built", lambda folder: {"wheel": wheel})
    monkeypatch.setattr(checking, "found", lambda versions, given: {"3.11": sys.executable, "3.12": None})

    def exit_code(*arguments: str) -> int:
        monkeypatch.setattr(sys, "argv", ["release_check.py", "--out", str(tmp_path / "dist"), *arguments])
        return int(checking.main())

    monkeypatch.setattr(checking, "tried", lambda python, archive, folder: None)
    assert exit_code() == 0
    printed = capsys.readouterr().out
    assert "Python 3.11, wheel: installed bare" in printed
    assert "Python 3.12: missing here" in printed
    assert exit_code("--all") == 1

    def fails(python: str, archive: Path, folder: Path) -> None:
        checking.run(python, "-c", "raise SystemExit('no such module')")

    monkeypatch.setattr(checking, "tried", fails)
    capsys.readouterr()
    assert exit_code() == 1
    assert "no such module" in capsys.readouterr().out


def test_the_citation_is_of_this_version_and_licence() -> None:
    text = (ROOT / "CITATION.cff").read_text("utf-8")
    fields = dict(re.findall(r"^([a-z-]+): (.+)$", text, re.MULTILINE))
    assert fields["version"] == __version__
    assert fields["license"] == PROJECT["license"]
    assert fields["repository-code"].strip('"') == PROJECT["urls"]["Homepage"]
    assert {"cff-version", "message", "type", "title"} <= fields.keys()
    assert re.search(r"^authors:\n  - name: ", text, re.MULTILINE)


def test_the_workflow_runs_targets_of_the_makefile_and_all_that_a_change_must_pass() -> None:
    workflow = (ROOT / ".github" / "workflows" / "ci.yml").read_text("utf-8")
    run = set(re.findall(r"run: make ([\w-]+)", workflow))
    targets = set(re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text("utf-8"), re.MULTILINE))
    must = set(re.findall(r"^make ([\w-]+)", (ROOT / ".ci" / "run").read_text("utf-8"), re.MULTILINE))
    assert run <= targets
    assert must | {"release-check", "site"} <= run


# ---- the site


@pytest.fixture
def site(scripts: None) -> Any:
    """`scripts/site.py`, by another name: `site` is a module of Python."""
    spec = import_module("importlib.util").spec_from_file_location("site_of_docs", SCRIPTS / "site.py")
    module = import_module("importlib.util").module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_the_menu_has_every_page_once(site: Any) -> None:
    def within(entries: list[dict[str, Any]]) -> list[str]:
        pages = [page for entry in entries for page in entry.values()]
        return [p for page in pages for p in (within(page) if isinstance(page, list) else [page])]

    listed = within(site.menu((ROOT / "docs" / "index.md").read_text("utf-8")))
    assert len(listed) == len(set(listed))
    assert {page.relative_to(ROOT).as_posix() for page in site.pages()} <= set(listed)


def test_files_have_their_name_above_them_and_bars_in_tables_are_bars(site: Any) -> None:
    page = "```gram grammars/a.gram\nfun F : S\n```\n| `a \\| b` | c \\| d |\n```\n`x \\| y`\n```\n"
    assert site.said_otherwise(page) == (
        "`grammars/a.gram`:\n\n```gram\nfun F : S\n```\n| `a | b` | c \\| d |\n```\n`x \\| y`\n```\n"
    )


@pytest.mark.outside("mkdocs")
def test_the_site_is_built_with_every_link_and_without_the_network(
    site: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "argv", ["site.py", "--out", str(tmp_path / "site")])
    assert site.main() == 0, capsys.readouterr().err
    html = [(page, page.read_text("utf-8")) for page in (tmp_path / "site").rglob("*.html")]
    loaded = re.compile(r"""<(?:script|link|img)\b[^>]*(?:src|href)=["']https?:[^"']*\.(?:js|css|woff2?|svg|png)""")
    assert [page.name for page, text in html if loaded.search(text)] == []
    assert 'id="gramprobedataset"' in (tmp_path / "site" / "docs" / "api.html").read_text("utf-8")


@pytest.mark.outside("mkdocs")
def test_a_link_that_leads_nowhere_is_no_site(
    site: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    copied = site.copied

    def with_a_broken_link(folder: Path) -> None:
        copied(folder)
        page = folder / "docs" / "json.md"
        page.write_text(f"{page.read_text('utf-8')}\n[lost](index.md#no-such-heading)\n", "utf-8")

    monkeypatch.setattr(site, "copied", with_a_broken_link)
    monkeypatch.setattr(sys, "argv", ["site.py", "--out", str(tmp_path / "site")])
    assert site.main() == 1
    assert "strict mode" in capsys.readouterr().err
