import math
import torch
import torch.nn.functional as F


def gpt(ids, w, layers, heads, positions, scale):
    """Logits of a GPT; w: the tensors of its model.safetensors, by name."""

    def norm(x, name):
        return F.layer_norm(x, x.shape[-1:], w[name + ".weight"], w[name + ".bias"])

    def linear(x, name):
        return F.linear(x, w[name + ".weight"], w[name + ".bias"])

    def split(x):  # from [n, h d_k] to [h, n, d_k]
        return x.view(x.shape[0], heads, -1).transpose(0, 1)

    x = scale * w["tok_emb.weight"][ids]  # [n, d] embeddings
    x = x + positions[: len(ids)]  # [n, d] stream
    future = torch.full((len(ids), len(ids)), -math.inf).triu(1)  # [n, n] future
    for layer in range(layers):
        h = f"h.{layer}."
        y = norm(x, h + "ln1")  # [n, d] normalised
        q, k, v = (split(linear(y, h + "attn." + name)) for name in "qkv")  # [h, n, d_k] q
        scores = q @ k.transpose(1, 2) / math.sqrt(k.shape[2])  # [h, n, n] scores
        weights = torch.softmax(scores + future, dim=-1)  # [h, n, n] weights
        context = (weights @ v).transpose(0, 1).flatten(1)  # [n, d] context
        x = x + linear(context, h + "attn.o")  # [n, d] stream
        hidden = F.gelu(linear(norm(x, h + "ln2"), h + "fc1"))  # [n, d_ff] hidden
        x = x + linear(hidden, h + "fc2")  # [n, d] stream
    logits = norm(x, "ln_f") @ w["tok_emb.weight"].T  # [n, V] logits
    return logits
