import torch


def rotary(q, k, positions, shift, base):
    d = q.shape[-1]
    frequencies = base ** (-torch.arange(0, d, 2) / d)  # [d/2] frequencies
    places = positions + shift  # [2, 1] places
    angles = frequencies[:, None] * places.T  # [d/2, 2] angles

    def turned(x, angle):  # (a, b) -> (a cos - b sin, a sin + b cos)
        a, b = x[..., 0::2], x[..., 1::2]
        rotated = (a * angle.cos() - b * angle.sin(), a * angle.sin() + b * angle.cos())
        return torch.stack(rotated, dim=-1).flatten(-2)

    turned_q = turned(q, angles[:, 0])  # [1, d] turned_q
    turned_k = turned(k, angles[:, 1])  # [1, d] turned_k
    score = turned_q @ turned_k.T  # [1, 1] score
    return score
