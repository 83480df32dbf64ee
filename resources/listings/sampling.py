import math
import torch


def next_token(logits, temperature=1.0, top_k=0, top_p=1.0):
    scaled = logits / temperature  # [n, V] scaled_logits
    if top_k > 0:
        least = scaled.topk(top_k, dim=-1).values[..., -1:]  # [n, 1] least
        scaled = scaled.masked_fill(scaled < least, -math.inf)
    probabilities = torch.softmax(scaled, dim=-1)  # [n, V] probabilities
    ordered, order = probabilities.sort(dim=-1, descending=True)  # [n, V] ordered
    before = ordered.cumsum(dim=-1) - ordered  # [n, V] before
    nucleus = ordered.masked_fill(before >= top_p, 0.0)  # [n, V] nucleus
    chosen = order.gather(-1, torch.multinomial(nucleus, 1))  # [n, 1] token
    return chosen
