"""Tiny models with random weights and tokenizers of their own, made on the spot: no test needs a hub.

The tokenizers learn their tokens from the shipped kind of sentences, so that words are cut into several tokens.
"""

from __future__ import annotations

import gc
from collections import Counter
from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any

TEXT = (
    "All of the guards opened a suitcase after work, although it was very heavy. "
    "All of the guards opened this suitcase, but it was a different suitcase for each guard. "
    "John surmises that that spy is walking. Mary believes a dentist is singing. I met him. I liked the dentist. "
    "Emma's cat might have yawned. Emma has a cat. Noah doesn't have a cat. Every singer recorded one album. "
    "On the basis of this phrase/statement alone, and with no further context, there are only two options: "
    "Option A: Each of the singers recorded a different album. Option B: All of the singers recorded the same album. "
    "The most likely option is option A. The most likely option is option B. Some skateboards tipped over. "
    "The keys to the cabinet are here. The key to the cabinets is here. A dog is sleeping. Nobody is in the room."
)
SIZES: dict[str, Any] = {"hidden_size": 32, "intermediate_size": 48, "num_hidden_layers": 2, "num_attention_heads": 4}


def bpe(folder: Path, *, bos: bool = False, chat: bool = False, size: int = 420) -> Any:
    """A byte-level BPE tokenizer like GPT-2's. ``bos``: it puts `<s>` before each text, as Llama's do."""
    from tokenizers import Tokenizer, decoders, models, pre_tokenizers, processors, trainers
    from transformers import PreTrainedTokenizerFast

    tokenizer = Tokenizer(models.BPE())
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    tokenizer.decoder = decoders.ByteLevel()
    special = ["<s>", "<|endoftext|>"]
    trainer = trainers.BpeTrainer(
        vocab_size=size,
        special_tokens=special,
        initial_alphabet=pre_tokenizers.ByteLevel.alphabet(),
        show_progress=False,
    )
    tokenizer.train_from_iterator([TEXT], trainer)
    if bos:
        tokenizer.post_processor = processors.TemplateProcessing(
            single="<s> $A", pair="<s> $A <s> $B", special_tokens=[("<s>", 0)]
        )
    fast = PreTrainedTokenizerFast(tokenizer_object=tokenizer, bos_token="<s>" if bos else None, eos_token=special[1])
    if chat:
        fast.chat_template = (
            "{% for m in messages %}<{{ m.role }}>{{ m.content }}\n{% endfor %}"
            "{% if add_generation_prompt %}<assistant>{% endif %}"
        )
    fast.save_pretrained(folder)
    return fast


def pieces_of(words: Sequence[str], count: int) -> list[str]:
    """Pieces of words for a WordPiece tokenizer: the characters, then what the commonest neighbours make together.

    The trainers of the library find pieces of this kind in an order of their own in every run (of pairs that are
    equally common, one that depends on the seed of a hash map), so that words would have two tokens in one run and
    three in another. Here the alphabet decides between such pairs.
    """
    cut = [[word[0], *(f"##{letter}" for letter in word[1:])] for word in words]
    pieces = sorted({piece for word in cut for piece in word})
    while len(pieces) < count:
        pairs = Counter(pair for word in cut for pair in pairwise(word))
        one, other = min(pairs, key=lambda pair: (-pairs[pair], pair))
        joined = one + other.removeprefix("##")
        for word in cut:
            for place in reversed(range(len(word) - 1)):
                if word[place : place + 2] == [one, other]:
                    word[place : place + 2] = [joined]
        if joined not in pieces:
            pieces.append(joined)
    return pieces


def wordpiece(folder: Path, size: int = 200) -> Any:
    """A lower-casing WordPiece tokenizer like BERT's, whose file says that texts are cut and padded."""
    from tokenizers import Tokenizer, models, normalizers, pre_tokenizers, processors
    from transformers import PreTrainedTokenizerFast

    normalizer, cut = normalizers.BertNormalizer(lowercase=True), pre_tokenizers.BertPreTokenizer()
    words = [word for word, _ in cut.pre_tokenize_str(normalizer.normalize_str(TEXT))]
    pieces = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"]
    pieces += pieces_of(words, size - len(pieces))
    vocabulary = {piece: number for number, piece in enumerate(pieces)}
    tokenizer = Tokenizer(models.WordPiece(vocabulary, unk_token="[UNK]"))
    tokenizer.normalizer, tokenizer.pre_tokenizer = normalizer, cut
    tokenizer.post_processor = processors.TemplateProcessing(
        single="[CLS] $A [SEP]",
        pair="[CLS] $A [SEP] $B:1 [SEP]:1",
        special_tokens=[("[CLS]", 2), ("[SEP]", 3)],
    )
    tokenizer.enable_truncation(8)
    tokenizer.enable_padding(length=8)
    fast = PreTrainedTokenizerFast(
        tokenizer_object=tokenizer, pad_token="[PAD]", unk_token="[UNK]", cls_token="[CLS]", sep_token="[SEP]",
        mask_token="[MASK]", model_input_names=["input_ids", "token_type_ids", "attention_mask"],
    )  # fmt: skip
    fast.save_pretrained(folder)
    return fast


def saved(folder: Path, model: Any, scale: float = 8.0) -> Path:
    """A model's folder. Weights are scaled up, so that attention is far from even and mistakes of masks show.

    What is loaded by now, with all of transformers, is taken out of the sight of the collector of circles, which a
    training of accelerate starts several times."""
    import torch
    from transformers.utils import logging

    logging.disable_progress_bar()
    with torch.no_grad():
        for name, weights in model.named_parameters():
            if weights.dim() > 1 and "layer_norm" not in name.lower():
                weights.mul_(scale)
    model.save_pretrained(folder)
    gc.freeze()
    return folder


def gpt2(folder: Path, *, positions: int = 256, seed: int = 0, **options: Any) -> Path:
    """A causal model with absolute positions; its tokenizer has no token for padding."""
    import torch
    from transformers import GPT2LMHeadModel

    config = _gpt2_config(folder, positions, **options)
    torch.manual_seed(seed)
    return saved(folder, GPT2LMHeadModel(config))


def gpt_neo(folder: Path, *, window: int = 48, positions: int = 256) -> Path:
    """A causal model whose second layer attends to the places of a window alone, by a mask of its own."""
    import torch
    from transformers import GPTNeoConfig, GPTNeoForCausalLM

    tokenizer = bpe(folder)
    torch.manual_seed(0)
    kinds = [[["global", "local"], 1]]
    config = GPTNeoConfig(
        vocab_size=len(tokenizer), hidden_size=32, num_layers=2, num_heads=4, attention_types=kinds,
        window_size=window, max_position_embeddings=positions, bos_token_id=1, eos_token_id=1,
    )  # fmt: skip
    return saved(folder, GPTNeoForCausalLM(config))


def gpt2_classifier(folder: Path, labels: tuple[str, ...]) -> Path:
    """A classifier on a causal model, which reads the last token of a pair; nothing says what fills rows up."""
    import torch
    from transformers import GPT2ForSequenceClassification

    config = _gpt2_config(folder, 256)
    names = dict(enumerate(labels))
    config.id2label, config.label2id = names, {name: number for number, name in names.items()}
    torch.manual_seed(0)
    return saved(folder, GPT2ForSequenceClassification(config))


def _gpt2_config(folder: Path, positions: int, **options: Any) -> Any:
    from transformers import GPT2Config

    tokenizer = bpe(folder, **options)
    end = tokenizer.eos_token_id
    size = {"n_embd": 32, "n_layer": 2, "n_head": 4, "n_positions": positions}
    return GPT2Config(vocab_size=len(tokenizer), bos_token_id=end, eos_token_id=end, **size)


def llama(folder: Path, *, seed: int = 0, **options: Any) -> Path:
    """A causal model with rotary positions, whose tokenizer puts `<s>` first."""
    import torch
    from transformers import LlamaConfig, LlamaForCausalLM

    tokenizer = bpe(folder, bos=True, **options)
    torch.manual_seed(seed)
    config = LlamaConfig(
        vocab_size=len(tokenizer),
        num_key_value_heads=2,
        max_position_embeddings=512,
        bos_token_id=0,
        eos_token_id=1,
        **SIZES,
    )
    return saved(folder, LlamaForCausalLM(config))


def mistral(folder: Path, window: int = 8) -> Path:
    """A causal model whose attention reaches back a few tokens only."""
    import torch
    from transformers import MistralConfig, MistralForCausalLM

    tokenizer = bpe(folder)
    torch.manual_seed(0)
    config = MistralConfig(
        vocab_size=len(tokenizer),
        num_key_value_heads=2,
        sliding_window=window,
        max_position_embeddings=512,
        bos_token_id=1,
        eos_token_id=1,
        **SIZES,
    )
    return saved(folder, MistralForCausalLM(config))


def mamba(folder: Path) -> Path:
    """A causal model without attention."""
    import torch
    from transformers import MambaConfig, MambaForCausalLM

    tokenizer = bpe(folder)
    torch.manual_seed(0)
    config = MambaConfig(
        vocab_size=len(tokenizer),
        hidden_size=32,
        state_size=4,
        num_hidden_layers=2,
        bos_token_id=1,
        eos_token_id=1,
        pad_token_id=1,
    )
    return saved(folder, MambaForCausalLM(config), 2.0)


def gemma2(folder: Path) -> Path:
    """A causal model that caps its logits after the head."""
    import torch
    from transformers import Gemma2Config, Gemma2ForCausalLM

    tokenizer = bpe(folder)
    torch.manual_seed(0)
    config = Gemma2Config(
        vocab_size=len(tokenizer),
        num_key_value_heads=2,
        head_dim=8,
        final_logit_softcapping=2.0,
        sliding_window=64,
        max_position_embeddings=512,
        bos_token_id=1,
        eos_token_id=1,
        pad_token_id=1,
        **SIZES,
    )
    return saved(folder, Gemma2ForCausalLM(config))


def bert(folder: Path, labels: tuple[str, ...] = (), positions: int = 128, seed: int = 0) -> Path:
    """A masked model; with labels a classifier with these names of outputs."""
    import torch
    from transformers import BertConfig, BertForMaskedLM, BertForSequenceClassification

    tokenizer = wordpiece(folder)
    torch.manual_seed(seed)
    names = dict(enumerate(labels))
    config = BertConfig(vocab_size=len(tokenizer), max_position_embeddings=positions, **SIZES)
    if labels:
        config.id2label, config.label2id = names, {name: number for number, name in names.items()}
    model = BertForSequenceClassification(config) if labels else BertForMaskedLM(config)
    return saved(folder, model, 6.0)


def encoder(folder: Path) -> Path:
    """An encoder without a head, as sentence encoders are published."""
    import torch
    from transformers import BertConfig, BertModel

    tokenizer = wordpiece(folder)
    torch.manual_seed(0)
    return saved(folder, BertModel(BertConfig(vocab_size=len(tokenizer), max_position_embeddings=512, **SIZES)), 6.0)


def roberta(folder: Path) -> Path:
    """A masked model with a byte-level BPE tokenizer, whose positions begin behind the number of the padding token."""
    import torch
    from tokenizers import processors
    from transformers import PreTrainedTokenizerFast, RobertaConfig, RobertaForMaskedLM

    backend = bpe(folder).backend_tokenizer
    backend.add_special_tokens(["<pad>", "</s>", "<mask>"])
    number = backend.token_to_id
    backend.post_processor = processors.RobertaProcessing(("</s>", number("</s>")), ("<s>", number("<s>")))
    tokenizer: Any = PreTrainedTokenizerFast(
        tokenizer_object=backend, bos_token="<s>", eos_token="</s>", pad_token="<pad>", mask_token="<mask>",
        model_input_names=["input_ids", "attention_mask"],
    )  # fmt: skip
    tokenizer.save_pretrained(folder)
    torch.manual_seed(0)
    pad = tokenizer.pad_token_id
    size = {"vocab_size": len(tokenizer), "max_position_embeddings": pad + 65, "type_vocab_size": 1}
    return saved(folder, RobertaForMaskedLM(RobertaConfig(pad_token_id=pad, **size, **SIZES)), 6.0)


def stand_ins(folder: Path) -> None:
    """Tiny models under the names of those that `make models` brings."""
    made: dict[str, Any] = {
        "smollm2-135m": lambda place: gpt2(place, positions=1024, chat=True),
        "minilm-l6": encoder,
        "minilm-l6-nli": lambda place: bert(place, ("entailment", "neutral", "contradiction"), 512),
        "minilm-l6-masked": bert,
    }
    for name, make in made.items():
        if not (folder / name).is_dir():
            (folder / name).mkdir(parents=True)
            make(folder / name)
