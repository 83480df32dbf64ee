import math
import torch
import torch.nn.functional as F


def rate_at(step, steps, peak, warm_up):
    if step <= warm_up:
        return peak * step / warm_up
    return peak * 0.5 * (1 + math.cos(math.pi * (step - warm_up) / (steps - warm_up)))


def train(model, batches, steps, peak, warm_up):
    optimizer = torch.optim.AdamW(
        model.parameters(), lr=peak, betas=(0.9, 0.95), weight_decay=0.1
    )
    for step in range(1, steps + 1):
        ids = next(batches)  # [B, n + 1] ids
        logits = model(ids[:, :-1])  # [B, n, V] logits
        targets = ids[:, 1:]  # [B, n] targets
        loss = F.cross_entropy(logits.flatten(0, 1), targets.flatten())  # [] loss
        optimizer.zero_grad()
        loss.backward()  # [P] gradient
        norm = torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)  # [] norm
        for group in optimizer.param_groups:
            group["lr"] = rate_at(step, steps, peak, warm_up)  # [] rate
        optimizer.step()  # [P] new_weights
    return loss
