import torch


def sinusoidal(positions, d, base):
    exponents = torch.arange(0, d, 2) / d  # [d/2] exponents
    denominators = base**exponents  # [d/2] denominators
    angles = positions / denominators  # [n, d/2] angles
    PE = torch.stack((angles.sin(), angles.cos()), dim=-1).flatten(1)  # [n, d] PE
    return PE
