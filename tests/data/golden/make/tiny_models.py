"""Weights, inputs and results of tiny random models, for make_families.py and make_gguf_families.py."""
import os
import torch
from common import args_, gen

a = args_()
os.environ["HF_HUB_OFFLINE"] = "1"
T, V = (9, 64) if a.variant == "a" else (12, 80)
EAGER = dict(attn_implementation="eager", bos_token_id=1, eos_token_id=2, pad_token_id=0)
HS = "out.attn [layer,batch,head,query,key]; out.hidden [layer+1,batch,T,d], the last entry after the final norm; the second row is padded at its end"


def randomise(m, name):
    """No weight is left at 0 or 1: norms, biases, sinks and position tables too. Scores must vary between keys."""
    g = gen(a.seed, "families/" + name)
    seen = set()
    with torch.no_grad():
        for n, p in m.named_parameters():
            if p.data_ptr() in seen:
                continue
            seen.add(p.data_ptr())
            vector = p.dim() == 1 or n.endswith("_bias")
            centre = 1.0 if vector and n.endswith("weight") and "offset" not in n else 0.0
            std = 0.25 if vector else 0.5 if any(k in n for k in ("embed", "wte", "lm_head", "shared")) else 1.5 / p.shape[-1] ** 0.5
            if n.endswith("sinks"):
                std = 1.0
            if n.endswith("Attention.q.weight"):  # T5 does not scale scores: rounding would show in patterns
                std *= 0.3
            p.copy_(centre + std * torch.randn(p.shape, generator=g))
        for n, b in m.named_buffers():
            if n == "final_logits_bias":
                b.copy_(0.5 * torch.randn(b.shape, generator=g))
    return m.eval()


def inputs(name, length, low=5):
    ids = torch.randint(low, V, (2, length), generator=gen(a.seed, "families-in/" + name))
    mask = torch.ones(2, length, dtype=torch.long)
    mask[1, length - 3:] = 0
    ids[1, length - 3:] = 0
    return ids, mask


def compute(m, c, ids, mask, decoder=None):
    """The last hidden state of a model that projects it to another width is the last layer's output."""
    outputs = []
    last = m.model.decoder.layers[-1] if getattr(m.config, "word_embed_proj_dim", None) not in (None, m.config.hidden_size) else None
    if last is not None:
        last.register_forward_hook(lambda _, __, out: outputs.append(out[0] if isinstance(out, tuple) else out))
    kw = dict(input_ids=ids, attention_mask=mask, output_attentions=True, output_hidden_states=True)
    if decoder is not None:
        kw["decoder_input_ids"] = decoder
    with torch.no_grad():
        o = m(**kw)
    logits = o.logits if hasattr(o, "logits") else None
    if logits is not None:
        c.add("out.logits", logits)
    if decoder is None:
        c.add("out.attn", torch.stack(o.attentions)); c.add("out.hidden", torch.stack((*o.hidden_states[:-1], *outputs) if outputs else o.hidden_states))
        return
    for key, values in (("enc_attn", o.encoder_attentions), ("dec_attn", o.decoder_attentions), ("cross_attn", o.cross_attentions),
                        ("enc_hidden", o.encoder_hidden_states), ("dec_hidden", o.decoder_hidden_states)):
        c.add("out." + key, torch.stack(values))


def base(**changed):
    return {**dict(vocab_size=V, hidden_size=32, intermediate_size=40, num_hidden_layers=2, num_attention_heads=4, max_position_embeddings=64, **EAGER), **changed}


def rope(theta, **more):
    return {"rope_type": "default", "rope_theta": theta, **more}


G = dict(num_key_value_heads=2)
