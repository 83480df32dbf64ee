import math
import torch


def multi_head(Q, K, V, W_O, count=2):
    def split(x):  # from [n, h d_k] to [h, n, d_k]
        return x.view(x.shape[0], count, -1).transpose(0, 1)

    Q_heads = split(Q)  # [h, n, d_k] Q_heads
    K_heads = split(K)  # [h, n, d_k] K_heads
    V_heads = split(V)  # [h, n, d_v] V_heads
    scores = Q_heads @ K_heads.transpose(1, 2)  # [h, n, n] scores
    scaled = scores / math.sqrt(Q_heads.shape[2])  # [h, n, n] scaled
    weights = torch.softmax(scaled, dim=-1)  # [h, n, n] weights
    heads = weights @ V_heads  # [h, n, d_v] heads
    concatenated = heads.transpose(0, 1).flatten(1)  # [n, h d_v] concatenated
    output = concatenated @ W_O  # [n, d] output
    return output
