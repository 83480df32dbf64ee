import torch


def alibi(heads, n):
    slopes = 2.0 ** (-8.0 * torch.arange(1, heads + 1) / heads)  # [h] slopes
    distances = torch.arange(n)[:, None] - torch.arange(n)  # [n, n] distances
    bias = -slopes[:, None, None] * distances.clamp(min=0)  # [h, n, n] bias
    return bias  # added to the scaled scores, before mask and softmax
