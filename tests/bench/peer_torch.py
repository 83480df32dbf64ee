#!/usr/bin/env python3
"""The same work in PyTorch and transformers, one round at a time: the peer of `headscope bench`.

Reads one request a line on standard input, "attention", "train", "decode" or "keystroke", runs every case of that
name once (enough repetitions to fill 60 ms) and answers with one line of JSON: {case: microseconds}. Random weights,
nothing is downloaded; the same work as ours (GELU by its tanh form on both sides). HEADSCOPE_PEER_DEVICE=cuda runs it
on a graphics card, in float32 throughout. Needs torch, and transformers for "decode" and "keystroke". Case names are those of
`headscope bench`.
"""
import json
import os
import sys
import time

import torch
import torch.nn.functional as F
from torch import nn

torch.set_num_threads(int(os.environ.get("HEADSCOPE_THREADS", os.cpu_count() or 1)))
torch.manual_seed(0)
DEVICE = torch.device(os.environ.get("HEADSCOPE_PEER_DEVICE", "cpu"))
torch.set_default_device(DEVICE)

SHAPES = [(1, 8, 16, 32), (1, 12, 64, 64), (8, 8, 128, 32), (4, 8, 512, 64), (1, 8, 2048, 64)]
MODELS = {  # name: vocabulary, d_model, heads, layers, tokens, batch
    "toy": (512, 64, 4, 2, 32, 16),
    "small": (1024, 128, 4, 4, 64, 16),
    "mini": (2048, 256, 8, 6, 128, 8),
}

GPT2_SMALL = ("gpt2-small", (50257, 768, 12, 12, 1024, 1))  # random weights of that size; inference only
PROMPT, NEW_TOKENS = 12, 128


def attention_cases():
    cases = {}
    for batch, heads, tokens, width in SHAPES:
        for mask in ("full", "causal"):
            q, k, v = (torch.randn(batch, heads, tokens, width, requires_grad=True) for _ in range(3))
            gradient = torch.randn(batch, heads, tokens, width)
            name = f"{batch}x{heads}x{tokens}x{width} {mask}"

            def forward(q=q.detach(), k=k.detach(), v=v.detach(), causal=mask == "causal"):
                with torch.inference_mode():
                    F.scaled_dot_product_attention(q, k, v, is_causal=causal)

            def both(q=q, k=k, v=v, gradient=gradient, causal=mask == "causal"):
                q.grad = k.grad = v.grad = None
                F.scaled_dot_product_attention(q, k, v, is_causal=causal).backward(gradient)

            cases[name + " forward"] = forward
            cases[name + " forward+backward"] = both
    return cases


class Block(nn.Module):
    def __init__(self, width, heads):
        super().__init__()
        self.heads = heads
        self.norm1, self.norm2 = nn.LayerNorm(width), nn.LayerNorm(width)
        self.qkv, self.project = nn.Linear(width, 3 * width), nn.Linear(width, width)
        self.widen, self.narrow = nn.Linear(width, 4 * width), nn.Linear(4 * width, width)

    def forward(self, x):
        batch, tokens, width = x.shape
        q, k, v = (t.view(batch, tokens, self.heads, -1).transpose(1, 2)
                   for t in self.qkv(self.norm1(x)).chunk(3, dim=-1))
        context = F.scaled_dot_product_attention(q, k, v, is_causal=True)
        x = x + self.project(context.transpose(1, 2).reshape(batch, tokens, width))
        return x + self.narrow(F.gelu(self.widen(self.norm2(x)), approximate="tanh"))


class Gpt(nn.Module):
    def __init__(self, vocabulary, width, heads, layers, tokens):
        super().__init__()
        self.token, self.position = nn.Embedding(vocabulary, width), nn.Embedding(tokens, width)
        self.blocks = nn.Sequential(*(Block(width, heads) for _ in range(layers)))
        self.norm = nn.LayerNorm(width)

    def forward(self, ids):
        x = self.token(ids) + self.position(torch.arange(ids.shape[1]))
        return self.norm(self.blocks(x)) @ self.token.weight.T


def train_cases():
    cases = {}
    for name, (vocabulary, width, heads, layers, tokens, batch) in MODELS.items():
        model = Gpt(vocabulary, width, heads, layers, tokens)
        optimizer = torch.optim.AdamW(model.parameters(), lr=1e-3, fused=True)
        ids, targets = (torch.randint(vocabulary, (batch, tokens)) for _ in range(2))

        def step(model=model, optimizer=optimizer, ids=ids, targets=targets):
            optimizer.zero_grad(set_to_none=True)
            logits = model(ids)
            F.cross_entropy(logits.view(-1, logits.shape[-1]), targets.view(-1)).backward()
            torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
            optimizer.step()

        cases[name] = step
    return cases


def keystroke_cases():
    """A 12-token sentence with all maps, as notebook visualizers get them (output_attentions=True).

    "NAME last token" keeps the keys and values of the other 11 tokens (past_key_values) and computes one row of
    every map, as a program would that knows what was typed before.
    """
    from transformers import GPT2Config, GPT2Model

    cases = {}
    for name, (vocabulary, width, heads, layers, _, _) in [*MODELS.items(), GPT2_SMALL]:
        config = GPT2Config(vocab_size=vocabulary, n_embd=width, n_layer=layers, n_head=heads,
                            activation_function="gelu_pytorch_tanh", attn_implementation="eager")
        model = GPT2Model(config).eval()
        ids = torch.randint(vocabulary, (1, 12))
        with torch.no_grad():
            prefix = model(ids[:, :-1], use_cache=True).past_key_values

        def maps(model=model, ids=ids):
            with torch.no_grad():
                return torch.stack([a.squeeze(0) for a in model(ids, output_attentions=True).attentions])

        def last_row(model=model, ids=ids, prefix=prefix):
            with torch.no_grad():
                out = model(ids[:, -1:], past_key_values=prefix, output_attentions=True)
                prefix.crop(-1)
                return torch.stack([a.squeeze(0) for a in out.attentions])

        assert last_row().shape[-2:] == (1, ids.shape[1])
        cases[name] = maps
        cases[name + " last token"] = last_row
    return cases


def decode_cases():
    """Greedy text with a key-value cache: 12 tokens, then 128 new ones or as many as there are positions for."""
    from transformers import GPT2Config, GPT2LMHeadModel

    cases = {}
    for name, (vocabulary, width, heads, layers, positions, _) in [*MODELS.items(), GPT2_SMALL]:
        config = GPT2Config(vocab_size=vocabulary, n_positions=positions, n_embd=width, n_layer=layers, n_head=heads,
                            activation_function="gelu_pytorch_tanh", bos_token_id=None, eos_token_id=None, attn_implementation="sdpa")
        model = GPT2LMHeadModel(config).eval()
        ids = torch.randint(vocabulary, (1, PROMPT))
        new = min(NEW_TOKENS, positions - PROMPT)

        def text(model=model, ids=ids, new=new):
            with torch.inference_mode():
                out = model.generate(ids, attention_mask=torch.ones_like(ids), max_new_tokens=new, min_new_tokens=new,
                                     do_sample=False, use_cache=True, pad_token_id=0)
            assert out.shape[1] == PROMPT + new

        cases[name] = text
    return cases


def finish():
    if DEVICE.type == "cuda":
        torch.cuda.synchronize()


def microseconds(call):
    call()
    finish()
    start = time.perf_counter()
    call()
    finish()
    once = time.perf_counter() - start
    if once >= 0.06:
        return once * 1e6
    repeats = max(1, min(2000, int(0.06 / max(once, 1e-7))))
    start = time.perf_counter()
    for _ in range(repeats):
        call()
    finish()
    return (time.perf_counter() - start) / repeats * 1e6


def main():
    makers = {"attention": attention_cases, "train": train_cases, "decode": decode_cases,
              "keystroke": keystroke_cases}
    made = {}
    for line in sys.stdin:
        what = line.strip()
        if what not in made:
            made[what] = makers[what]()
        print(json.dumps({case: microseconds(call) for case, call in made[what].items()}), flush=True)


if __name__ == "__main__":
    main()
