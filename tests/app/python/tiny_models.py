"""Tiny models with random weights and tokenizers of letters; nothing is downloaded."""

import os

os.environ["HF_HUB_OFFLINE"] = "1"

import pytest  # noqa: E402

torch = pytest.importorskip("torch", reason="PyTorch is not installed")
transformers = pytest.importorskip("transformers", reason="Transformers is not installed")
tokenizers = pytest.importorskip("tokenizers", reason="tokenizers is not installed")

TEXT = "The naïve cat"
END = "<|endoftext|>"


def byte_tokenizer(folder):
    """A byte-level BPE without merges, as GPT-2's, read again from `folder`."""
    symbols = [END, *sorted(tokenizers.pre_tokenizers.ByteLevel.alphabet())]
    plain = tokenizers.Tokenizer(tokenizers.models.BPE({symbol: i for i, symbol in enumerate(symbols)}, []))
    plain.pre_tokenizer = tokenizers.pre_tokenizers.ByteLevel(add_prefix_space=False)
    plain.decoder = tokenizers.decoders.ByteLevel()
    fast = transformers.PreTrainedTokenizerFast(
        tokenizer_object=plain, bos_token=END, eos_token=END, pad_token=END, unk_token=END
    )
    fast.save_pretrained(folder)
    return transformers.AutoTokenizer.from_pretrained(folder)


def word_tokenizer():
    """Words between [CLS] and [SEP], as BERT's."""
    words = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "the", "cat", "##s", "sat"]
    plain = tokenizers.Tokenizer(
        tokenizers.models.WordPiece({word: i for i, word in enumerate(words)}, unk_token="[UNK]")
    )
    plain.pre_tokenizer = tokenizers.pre_tokenizers.BertPreTokenizer()
    plain.post_processor = tokenizers.processors.TemplateProcessing(
        single="[CLS] $A [SEP]", special_tokens=[("[CLS]", 2), ("[SEP]", 3)]
    )
    return transformers.PreTrainedTokenizerFast(tokenizer_object=plain, pad_token="[PAD]")


def built(kind, configuration):
    torch.manual_seed(1)
    configuration._attn_implementation = "eager"
    model = kind(configuration).eval()
    with torch.no_grad():
        for parameter in model.parameters():  # larger weights: attention that is not uniform
            parameter.mul_(4 if parameter.ndim > 1 else 1)
    return model


def gpt2(vocabulary=300):
    sizes = {"n_layer": 2, "n_head": 4, "n_embd": 32, "n_positions": 64}
    return built(
        transformers.GPT2LMHeadModel,
        transformers.GPT2Config(vocab_size=vocabulary, bos_token_id=0, eos_token_id=0, pad_token_id=0, **sizes),
    )


SMALL = {"hidden_size": 32, "intermediate_size": 48, "num_hidden_layers": 2, "num_attention_heads": 4}


def llama():
    configuration = transformers.LlamaConfig(
        vocab_size=300, num_key_value_heads=2, bos_token_id=0, eos_token_id=0, pad_token_id=0, **SMALL
    )
    return built(transformers.LlamaForCausalLM, configuration)


def bert():
    return built(transformers.BertModel, transformers.BertConfig(vocab_size=8, **SMALL))


def t5():
    configuration = transformers.T5Config(
        vocab_size=300, d_model=32, d_kv=8, d_ff=48, num_layers=2, num_heads=4, decoder_start_token_id=0,
        pad_token_id=0, eos_token_id=1,
    )  # fmt: skip
    return built(transformers.T5ForConditionalGeneration, configuration)
