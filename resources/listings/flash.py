import math
import torch


def flash(Q, K, V, tile=1):
    n, m = Q.shape[0], K.shape[0]
    largest = torch.full((n, 1), -math.inf)  # [n, 1] maximum
    sums = torch.zeros(n, 1)  # [n, 1] sums
    output = torch.zeros(n, V.shape[1])
    for begin in range(0, m, tile):
        keys, values = K[begin : begin + tile], V[begin : begin + tile]
        scaled = Q @ keys.T / math.sqrt(Q.shape[1])  # [n, tile] scaled
        larger = torch.maximum(largest, scaled.amax(dim=1, keepdim=True))  # [n, 1] maximum
        exponentials = torch.exp(scaled - larger)  # [n, tile] exponentials
        factor = torch.exp(largest - larger)  # [n, 1] factor
        sums = factor * sums + exponentials.sum(dim=1, keepdim=True)  # [n, 1] sums
        output = factor * output + exponentials @ values
        largest = larger
    output = output / sums  # [n, d_v] output
    return output
