import math
import torch
import torch.nn.functional as F


def attention(Q, K, V, causal=False):
    scores = Q @ K.T  # [n, m] scores
    scaled = scores / math.sqrt(Q.shape[1])  # [n, m] scaled
    if causal:
        future = torch.ones_like(scaled).triu(1).bool()
        scaled = scaled.masked_fill(future, -math.inf)
    weights = torch.softmax(scaled, dim=-1)  # [n, m] weights
    output = weights @ V  # [n, d_v] output
    return output


def decoder_layer(x, memory, w):
    """x: [n, d], the output so far; memory: [m, d], from the encoder."""

    def norm(stream):
        return F.layer_norm(stream, stream.shape[-1:])

    own = attention(x @ w.q, x @ w.k, x @ w.v, causal=True)  # [n, d_v] own
    x = norm(x + own @ w.o)  # [n, d] stream
    across = attention(x @ w.cross_q, memory @ w.cross_k, memory @ w.cross_v)  # [n, d_v] across
    x = norm(x + across @ w.cross_o)  # [n, d] stream
    hidden = torch.relu(x @ w.w1 + w.b1)  # [n, d_ff] hidden
    x = norm(x + hidden @ w.w2 + w.b2)  # [n, d] stream
    return x
