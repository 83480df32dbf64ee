import math
import torch


def masked_attention(Q, K, V):
    n, m = Q.shape[0], K.shape[0]
    scaled = Q @ K.T / math.sqrt(Q.shape[1])  # [n, m] scaled
    future = torch.ones(n, m).triu(1 + m - n).bool()  # [n, m] future
    masked = scaled.masked_fill(future, -math.inf)  # [n, m] masked
    weights = torch.softmax(masked, dim=-1)  # [n, m] weights
    output = weights @ V  # [n, d_v] output
    return output


def why_minus_infinity(m):
    """A row in which every key is hidden, and float16."""
    large = torch.softmax(torch.full([m], -1e9), dim=0)  # [m] large
    infinite = torch.softmax(torch.full([m], -math.inf), dim=0)  # [m] infinite
    half = torch.tensor(-1e9, dtype=torch.float16)  # [] half
    return large, infinite, half
