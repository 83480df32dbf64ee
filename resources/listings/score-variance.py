import torch


def score_variance(d_k, variance, pairs, seed):
    torch.manual_seed(int(seed))
    q = torch.randn(int(pairs), int(d_k)) * variance**0.5  # [pairs, d_k] q
    k = torch.randn(int(pairs), int(d_k)) * variance**0.5  # [pairs, d_k] k
    variance_q = q.var()  # [] variance_q
    variance_product = (q * k).var()  # [] variance_product
    variance_score = (q * k).sum(dim=1).var()  # [] variance_score
    scaled_variance = variance_score / d_k  # [] scaled_variance
    return scaled_variance
