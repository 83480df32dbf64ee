import torch


def adamw(weights, gradient, first, second, rate, beta1, beta2, epsilon, decay, step):
    new_first = beta1 * first + (1 - beta1) * gradient  # [1, d] new_first
    new_second = beta2 * second + (1 - beta2) * gradient**2  # [1, d] new_second
    corrected_first = new_first / (1 - beta1**step)  # [1, d] corrected_first
    corrected_second = new_second / (1 - beta2**step)  # [1, d] corrected_second
    roots = corrected_second.sqrt()  # [1, d] roots
    decayed = weights * (1 - rate * decay)  # [1, d] decayed
    new_weights = decayed - rate * corrected_first / (roots + epsilon)  # [1, d] new_weights
    return new_weights
