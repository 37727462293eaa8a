"""jsPsych 8: a folder that is to be served, or with `--bundle` one HTML file that works from the disk, offline.

The page may load nothing from elsewhere and send nothing anywhere (its Content-Security-Policy), but to the one origin
of `--save-url`. In the bundle only the scripts whose hashes the policy names are run. Texts of items are put into the
page as JSON, and shown as text.
"""

from __future__ import annotations

import base64
import hashlib
import html
import json
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from gramprobe.experiment.platforms import Given
from gramprobe.experiment.trials import Experiment, Plan, Trial
from gramprobe.source import messages

HERE = Path(__file__).parent
PACKAGES = {"jspsych": "8.3.0", "@jspsych/plugin-html-button-response": "2.1.0"}
"""npm package -> the version that the page is written for."""
SELF_PACED = {"@jspsych-contrib/plugin-self-paced-reading": "2.0.0"}
SCRIPT, STYLE = "dist/index.browser.min.js", "css/jspsych.css"
_MAP = re.compile(r"^//# sourceMappingURL=.*$", re.MULTILINE)


def packages(plan: Plan) -> dict[str, str]:
    """The npm packages of the page of an experiment, with their versions."""
    return PACKAGES | (SELF_PACED if plan.kind == "self_paced" else {})


def shown(trial: Trial) -> dict[str, Any]:
    """What the page gets of a trial: nothing of its condition, and no right answer."""
    regions = [region.name for region in trial.regions for _ in region.text.split()]
    words = trial.texts.get("sentence", "").split()
    return {
        "position": trial.position,
        "role": trial.role,
        "id": trial.id,
        "part": trial.part,
        "texts": trial.texts,
        "options": trial.options,
        "keys": trial.keys,
        "regions": regions if len(regions) == len(words) else [],
    }


class JsPsych:
    """jsPsych."""

    name = "jspsych"
    about = "a page for the browser: a folder to serve, or with --bundle one file that works offline"
    takes = ("bundle", "save_url")

    def write(self, experiment: Experiment, folder: Path, given: Given) -> str:
        lists = [
            [shown(trial) for trial in experiment.of_list(number)] for number in range(1, experiment.plan.lists + 1)
        ]
        about = _about(experiment.plan, given)
        if given.bundle is not None:
            (folder / "experiment.html").write_text(
                _bundle(experiment.plan, {**about, "trials": lists}, given, given.bundle), "utf-8"
            )
            return "open experiment.html, from the disk or a server; ?list=3 shows list 3, else one is drawn"
        page = folder / "page"  # what is served: no design, and no right answers
        (page / "lists").mkdir(parents=True)
        for number, trials in enumerate(lists, 1):
            (page / "lists" / f"{number}.json").write_text(json.dumps(trials, ensure_ascii=False), "utf-8")
        for name in ("page.js", "page.css"):
            (page / name).write_bytes((HERE / name).read_bytes())
        wanted = {"private": True, "dependencies": packages(experiment.plan)}
        (page / "package.json").write_text(json.dumps(wanted, indent=1) + "\n", "utf-8")
        scripts = [f"node_modules/{name}/{SCRIPT}" for name in packages(experiment.plan)]
        (page / "index.html").write_text(_served(about, given, scripts), "utf-8")
        return (
            "the folder page/ is to be served: `npm install` in it brings jsPsych, and `python3 -m http.server` shows "
            "it at http://localhost:8000; ?list=3 shows list 3, else one is drawn"
        )


def _about(plan: Plan, given: Given) -> dict[str, Any]:
    """What the page gets of the experiment."""
    return {
        "experiment": plan.trials[:16],
        "kind": plan.kind,
        "lists": plan.lists,
        "question": plan.question,
        "scale": {option.name: option.text for option in plan.scale},
        "words": plan.words,
        "consent": given.paragraphs(given.consent),
        "instructions": given.paragraphs(given.instructions),
        "save_url": given.save_url,
    }


def _policy(scripts: str, styles: str, given: Given, connects: str) -> str:
    """The Content-Security-Policy. jsPsych and its plugins write style attributes, which no hash can allow."""
    origins = " ".join(filter(None, (connects, origin(given.save_url) if given.save_url else ""))) or "'none'"
    return (
        f"default-src 'none'; script-src {scripts}; style-src {styles}'unsafe-inline'; font-src data:; img-src data:; "
        f"connect-src {origins}; form-action 'none'; base-uri 'none'"
    )


def origin(url: str) -> str:
    """The origin of an address: scheme, host and port. Raises UsageError for anything but http and https."""
    try:
        parts = urlsplit(url)
        port = f":{parts.port}" if parts.port else ""
    except ValueError:
        raise messages.experiment.no_address(url) from None
    if parts.scheme not in ("http", "https") or not parts.hostname or not re.fullmatch(r"[\w.:-]+", parts.hostname):
        raise messages.experiment.no_address(url)
    host = f"[{parts.hostname}]" if ":" in parts.hostname else parts.hostname
    return f"{parts.scheme}://{host}{port}"


def _document(about: dict[str, Any], given: Given, policy: str, styles: str, scripts: str) -> str:
    data = json.dumps(about, ensure_ascii=False).replace("<", "\\u003c")
    return (
        f'<!doctype html>\n<html lang="{html.escape(given.language)}">\n<head>\n<meta charset="utf-8">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{policy}">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f'<meta name="referrer" content="no-referrer">\n<title>{html.escape(about["words"]["title"])}</title>\n'
        f'{styles}\n</head>\n<body>\n<script id="experiment" type="application/json">{data}</script>\n'
        f"{scripts}\n</body>\n</html>\n"
    )


def _served(about: dict[str, Any], given: Given, scripts: Sequence[str]) -> str:
    styles = "\n".join(f'<link rel="stylesheet" href="{n}">' for n in (f"node_modules/jspsych/{STYLE}", "page.css"))
    run = "\n".join(f'<script src="{name}"></script>' for name in (*scripts, "page.js"))
    unread = f'<p id="unserved">{html.escape(about["words"]["not_served"])}</p>\n'  # the script takes it away
    return _document(about, given, _policy("'self'", "'self' ", given, "'self'"), styles, unread + run)


def _bundle(plan: Plan, about: dict[str, Any], given: Given, modules: Path) -> str:
    """The one file, of the packages in a folder `node_modules`. Raises UsageError (E44, E46)."""
    scripts = [_MAP.sub("", _of_package(modules, name, version)) for name, version in packages(plan).items()]
    scripts.append((HERE / "page.js").read_text("utf-8"))
    style = (modules / "jspsych" / STYLE).read_text("utf-8") + (HERE / "page.css").read_text("utf-8")
    hashes = " ".join(f"'sha256-{_hash(script)}'" for script in scripts)
    run = "\n".join(f"<script>{script}</script>" for script in scripts)
    credits_ = "; ".join(_credit(modules, name) for name in packages(plan))
    styles = f"<!-- This file has in it: {credits_} -->\n<style>{style}</style>"
    return _document(about, given, _policy(hashes, "", given, ""), styles, run)


def _credit(modules: Path, name: str) -> str:
    """Whose work a package is, and its licence, as a comment may hold it."""
    about = json.loads((modules / name / "package.json").read_text("utf-8"))
    author = about.get("author") or ""
    whose = author.get("name", "") if isinstance(author, dict) else author
    text = f"{name} {about['version']}, {whose or 'its authors'}, licence {about.get('license') or 'not named'}"
    return re.sub(r"[-<>]{2,}|[<>]", "", text)


def _hash(script: str) -> str:
    return base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()


def _of_package(modules: Path, name: str, version: str) -> str:
    """The script of a package; its version may be a later one of the same major number."""
    place = modules / name
    needed = [place / "package.json", place / SCRIPT, *([place / STYLE] if name == "jspsych" else [])]
    for file in needed:
        if not file.is_file():
            wanted = " ".join(f"{each}@{its}" for each, its in (PACKAGES | SELF_PACED).items())
            raise messages.experiment.no_package(str(file), wanted)
    try:
        found = str(json.loads((place / "package.json").read_text("utf-8"))["version"])
    except (ValueError, LookupError, TypeError):
        found = "unknown"
    if found.partition(".")[0] != version.partition(".")[0]:
        raise messages.experiment.other_version(name, found, version)
    script = (place / SCRIPT).read_text("utf-8")
    if "</script" in script.lower() or "<!--" in script:
        raise messages.experiment.other_version(name, f"{found}, which cannot stand in a page", version)
    return script


PLATFORM = JsPsych()
