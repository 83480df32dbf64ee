import torch


def rnn(x, W, U, b):
    h = torch.zeros(1, U.shape[0])
    states = []
    for t in range(x.shape[0]):
        h = torch.tanh(x[t : t + 1] @ W + h @ U + b)  # [1, h] h
        states.append(h)
    hidden = torch.cat(states)  # [n, h] hidden
    return hidden


def lstm(x, W, U, b):
    h = c = torch.zeros(1, U.shape[0])
    states = []
    for t in range(x.shape[0]):
        gates = x[t : t + 1] @ W + h @ U + b  # [1, 4 h] gates
        write, forget, candidate, read = gates.chunk(4, dim=1)
        kept = torch.sigmoid(forget) * c  # [1, h] kept
        c = kept + torch.sigmoid(write) * torch.tanh(candidate)  # [1, h] cell
        h = torch.sigmoid(read) * torch.tanh(c)  # [1, h] h
        states.append(h)
    hidden = torch.cat(states)  # [n, h] hidden
    return hidden
