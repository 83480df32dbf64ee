import torch
import torch.nn.functional as F


def loss_and_gradient(logits, targets):
    logits = logits.requires_grad_()
    targets = targets.long().flatten()  # [n] targets
    probabilities = torch.softmax(logits, dim=-1)  # [n, V] probabilities
    loss = F.cross_entropy(logits, targets, ignore_index=-100)  # [] loss
    perplexity = loss.exp()  # [] perplexity
    loss.backward()
    gradient = logits.grad  # [n, V] gradient
    return gradient
