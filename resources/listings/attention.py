import math
import torch


def attention(Q, K, V):
    scores = Q @ K.transpose(-2, -1)  # [n, m] scores
    scaled = scores / math.sqrt(Q.shape[-1])  # [n, m] scaled
    weights = torch.softmax(scaled, dim=-1)  # [n, m] weights
    output = weights @ V  # [n, d_v] output
    return output
