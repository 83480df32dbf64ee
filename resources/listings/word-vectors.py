import torch


def cosine(a, b):
    product = a @ b  # [] product
    result = product / (a.norm() * b.norm())  # [] cosine
    return result


def skip_gram(word, contexts, rate):
    """One step; the first context is a neighbour, the others are noise words."""
    scores = contexts @ word  # [1 + k] scores
    is_neighbour = torch.zeros_like(scores)
    is_neighbour[0] = 1.0
    error = torch.sigmoid(scores) - is_neighbour  # [1 + k] error
    new_word = word - rate * error @ contexts  # [d] new_word
    new_contexts = contexts - rate * torch.outer(error, word)  # [1 + k, d] new_contexts
    return new_word, new_contexts
