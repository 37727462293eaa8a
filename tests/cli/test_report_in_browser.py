"""The report in a real browser: at the widths of a phone, a tablet and a desk, light, dark and printed."""

from __future__ import annotations

import csv
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from support.browser import chromium
from support.datasets import FEW, SOME_TRIGGERS, SharedDatasets

import gramprobe
from gramprobe.cli.main import main

pytestmark = [pytest.mark.slow, pytest.mark.outside("selenium", "chromium", "chromedriver")]

WIDTHS = (360, 768, 1280)
CONTRAST = 4.5
"""Of text to its background, for text of any size (WCAG 2.2, 1.4.3, level AA)."""

# All elements with text of their own: the ratio of contrast, computed as WCAG defines it. A background that is
# transparent is that of the element below; no element here has a transparent colour of text.
CONTRASTS = """
function channel(c) { c /= 255; return c <= 0.04045 ? c / 12.92 : Math.pow((c + 0.055) / 1.055, 2.4); }
function luminance(c) { return 0.2126 * channel(c[0]) + 0.7152 * channel(c[1]) + 0.0722 * channel(c[2]); }
function parts(text) { return text.match(/[\\d.]+/g).map(Number); }
function behind(e) {
  for (; e; e = e.parentElement) {
    const c = parts(getComputedStyle(e).backgroundColor);
    if (c.length < 4 || c[3] > 0) return c;
  }
  return matchMedia('(prefers-color-scheme: dark)').matches ? [0, 0, 0] : [255, 255, 255];
}
const found = [];
for (const e of document.body.querySelectorAll('*')) {
  const own = [...e.childNodes].some(n => n.nodeType === 3 && n.textContent.trim());
  if (!own) continue;
  const a = luminance(parts(getComputedStyle(e).color)), b = luminance(behind(e));
  found.push([(Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05), e.tagName + ': ' + e.textContent.slice(0, 40)]);
}
return found;
"""
# Characters that no font here has are drawn as the same box as one that is in no font.
MISSING = """
const canvas = document.createElement('canvas'); canvas.width = canvas.height = 40;
const pen = canvas.getContext('2d', {willReadFrequently: true});
const font = getComputedStyle(document.querySelector('pre')).fontFamily;
function drawn(c) {
  pen.clearRect(0, 0, 40, 40); pen.font = '24px ' + font; pen.fillText(c, 4, 30);
  return pen.getImageData(0, 0, 40, 40).data.join();
}
const box = drawn('\\u{10FFFD}');
return [...new Set(document.body.textContent)].filter(c => c.codePointAt(0) > 127 && drawn(c) === box);
"""


@pytest.fixture(scope="module")
def report(datasets: SharedDatasets, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A report with every part opened: tables, figures, items with trees and models."""
    dataset = datasets("presupposition", among=SOME_TRIGGERS, n=FEW)
    place = tmp_path_factory.mktemp("report")
    for name, label in (("a rather long name of a model with its size 135M", "entailment"), ("other", "neutral")):
        with (place / f"{name}.csv").open("w", newline="") as stream:
            rows = csv.writer(stream)
            rows.writerow(["item", "label"])
            for paradigm in gramprobe.read(dataset).paradigms:
                for batch in gramprobe.read(dataset).rows(paradigm, ["id"]):
                    rows.writerows((id_, label) for id_ in batch.column("id").to_pylist())
    files = [str(file) for file in sorted(place.glob("*.csv"))]
    out = place / "report.html"
    assert main(["report", *files, "--dataset", str(dataset), "--items", "3", "--out", str(out)]) == 0
    out.write_text(out.read_text("utf-8").replace("<details>", "<details open>"), "utf-8")
    return out


@pytest.fixture(scope="module")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    with chromium(tmp_path_factory.mktemp("chromium")) as driver:
        yield driver


def shown(browser: Any, report: Path, width: int, scheme: str = "light", media: str = "screen") -> None:
    browser.execute_cdp_cmd(
        "Emulation.setDeviceMetricsOverride", {"width": width, "height": 900, "deviceScaleFactor": 1, "mobile": False}
    )
    features = [{"name": "prefers-color-scheme", "value": scheme}]
    browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": media, "features": features})
    browser.get(report.as_uri())


@pytest.mark.parametrize("width", WIDTHS)
def test_the_page_does_not_scroll_sideways(browser: Any, report: Path, width: int) -> None:
    shown(browser, report, width)
    page = "document.documentElement"
    inner, seen, whole = browser.execute_script(f"return [innerWidth, {page}.clientWidth, {page}.scrollWidth]")
    assert inner == width and whole <= seen


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("media", ["screen", "print"])
def test_text_stands_out_from_its_background(browser: Any, report: Path, scheme: str, media: str) -> None:
    shown(browser, report, 1280, scheme, media)
    found = browser.execute_script(CONTRASTS)
    assert len(found) > 100
    assert [each for each in found if each[0] < CONTRAST] == []


def test_dark_is_dark(browser: Any, report: Path) -> None:
    colours = []
    for scheme in ("light", "dark"):
        shown(browser, report, 1280, scheme)
        colours.append(browser.execute_script("return getComputedStyle(document.body).backgroundColor"))
    assert colours == ["rgb(255, 255, 255)", "rgb(23, 24, 26)"]


def test_every_character_has_a_glyph(browser: Any, report: Path) -> None:
    shown(browser, report, 1280)
    assert browser.execute_script(MISSING) == []
    browser.execute_script("document.querySelector('h1').textContent += '\\u{10FFFC}'")
    assert len(browser.execute_script(MISSING)) == 1, "the test would not see a missing glyph"


def test_a_table_is_sorted_and_filtered(browser: Any, report: Path) -> None:
    shown(browser, report, 1280)
    cells = """
    return [...table.tBodies[0].rows].filter(r => !r.hidden && !r.matches('.section')).map(r => r.cells[0].textContent);
    """
    table = "const table = document.querySelector('#accuracy').closest('table');"
    before = browser.execute_script(table + cells)
    sort = table + "table.tHead.querySelector('button').click();"
    assert browser.execute_script(sort + cells) == sorted(before)
    assert browser.execute_script(sort + cells) == sorted(before, reverse=True)


def test_every_link_leads_somewhere_and_every_picture_is_drawn(browser: Any, report: Path) -> None:
    shown(browser, report, 1280)
    script = "return [...document.links].filter(a => !a.download && !document.getElementById(a.hash.slice(1)))"
    assert browser.execute_script(f"{script}.map(a => a.href)") == []
    files = browser.execute_script("return [...document.links].filter(a => a.download).map(a => a.download)")
    assert {name[-4:] for name in files} == {".csv", ".svg"}
    pictures = browser.execute_script("return [...document.images].map(i => [i.complete, i.naturalWidth])")
    assert pictures and all(complete and width for complete, width in pictures)


def test_wide_tables_can_be_reached_by_keyboard(browser: Any, report: Path) -> None:
    shown(browser, report, 360)
    script = "return [...document.querySelectorAll('.table')].map(t => [t.scrollWidth > t.clientWidth, t.tabIndex])"
    found = browser.execute_script(script)
    assert any(wide for wide, _ in found) and all(index == 0 for _, index in found)
