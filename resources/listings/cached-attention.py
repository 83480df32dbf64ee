import math
import torch


def decode(x, W_Q, W_K, W_V):
    K = torch.empty(0, W_K.shape[1])  # the cache
    V = torch.empty(0, W_V.shape[1])
    outputs = []
    for t in range(x.shape[0]):
        token = x[t : t + 1]  # [1, d] x
        query = token @ W_Q  # [1, d_k] Q
        K = torch.cat((K, token @ W_K))  # [t + 1, d_k] K
        V = torch.cat((V, token @ W_V))  # [t + 1, d_v] V
        scores = query @ K.T / math.sqrt(K.shape[1])  # [1, t + 1] scores
        weights = torch.softmax(scores, dim=-1)  # [1, t + 1] weights
        outputs.append(weights @ V)
    output = torch.cat(outputs)  # [n, d_v] output
    return output
