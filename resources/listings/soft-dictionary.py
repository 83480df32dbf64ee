import torch


def soft_dictionary(weights, values):
    products = weights * values  # [1, n] products
    result = products.sum(dim=-1)  # [1] result
    return result
