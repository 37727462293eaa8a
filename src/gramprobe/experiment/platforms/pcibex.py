"""PCIbex (PennController 2): the files of a project of the PCIbex Farm, or of one's own server.

Its column `group` tells the server which rows are of a list; each person gets the next one, by the server's counter.
"""

from __future__ import annotations

import csv
import json
from pathlib import Path

from gramprobe.experiment.make import scale_of
from gramprobe.experiment.platforms import Given
from gramprobe.experiment.platforms.csv import columns
from gramprobe.experiment.trials import Experiment

HERE = Path(__file__).parent


class PcIbex:
    """PCIbex."""

    name = "pcibex"
    about = "a project of PCIbex (PennController): a table with groups, and a script"
    takes: tuple[str, ...] = ()

    def write(self, experiment: Experiment, folder: Path, given: Given) -> str:
        plan = experiment.plan
        _, texts = columns(experiment)
        most = max(len(trial.options) for trial in experiment.trials)
        answers = [f"{what}_{n}" for n in range(1, most + 1) for what in ("name", "text", "key")]
        shown = [name for name in ("context", "premise", "hypothesis", "sentence", "question") if name in texts]
        folder = folder / "pcibex"
        folder.mkdir()
        (folder / "chunk_includes").mkdir()
        (folder / "data_includes").mkdir()
        with (folder / "chunk_includes" / "trials.csv").open("w", encoding="utf-8", newline="") as stream:
            table = csv.DictWriter(stream, ["group", "position", "role", "id", "part", *shown, *answers], restval="")
            table.writeheader()
            for trial in experiment.trials:
                row: dict[str, object] = {"group": trial.list, "position": trial.position, "role": trial.role}
                row |= {"id": trial.id, "part": trial.part}
                row |= {name: trial.texts.get(name, "") for name in shown}
                for n, option in enumerate(scale_of(plan, trial), 1):
                    key = trial.keys[n - 1].upper() if trial.keys else ""
                    row |= {f"name_{n}": option.name, f"text_{n}": option.text, f"key_{n}": key}
                table.writerow(row)
        about = {
            "experiment": plan.trials[:16],
            "selfPaced": plan.kind == "self_paced",
            "question": plan.question,
            "shown": [name for name in shown if name != "question"],
            "most": most,
            "words": plan.words,
            "consent": given.paragraphs(given.consent),
            "instructions": given.paragraphs(given.instructions),
        }
        data = json.dumps(about, ensure_ascii=False, indent=1)
        script = (HERE / "pcibex.js").read_text("utf-8").replace("{{about}}", data)
        (folder / "data_includes" / "main.js").write_text(script, "utf-8")
        return (
            "put both folders of pcibex/ into a project of the PCIbex Farm, and try it there: this script was not run "
            "here; the server's counter gives each person the next list"
        )


PLATFORM = PcIbex()
