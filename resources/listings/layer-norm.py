import torch


def layer_norm(x, gamma, beta, epsilon):
    mean = x.mean(dim=-1, keepdim=True)  # [n, 1] mean
    centred = x - mean  # [n, d] centred
    squares = centred**2  # [n, d] squares
    variance = squares.mean(dim=-1, keepdim=True)  # [n, 1] variance
    deviation = torch.sqrt(variance + epsilon)  # [n, 1] deviation
    normalised = centred / deviation  # [n, d] normalised
    output = gamma * normalised + beta  # [n, d] output
    return output
