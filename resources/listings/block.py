import math
import torch
import torch.nn.functional as F


def encoder_block(x, W_Q, W_K, W_V, W_O, W_1, b_1, W_2, b_2, epsilon):
    def norm(stream):
        return F.layer_norm(stream, stream.shape[-1:], eps=epsilon)

    Q = x @ W_Q  # [n, d_k] Q
    K = x @ W_K  # [n, d_k] K
    V = x @ W_V  # [n, d_v] V
    scores = Q @ K.T  # [n, n] scores
    weights = torch.softmax(scores / math.sqrt(Q.shape[1]), dim=-1)  # [n, n] weights
    context = weights @ V  # [n, d_v] context
    attended = context @ W_O  # [n, d] attended
    sum_1 = x + attended  # [n, d] sum_1
    norm_1 = norm(sum_1)  # [n, d] norm_1
    hidden = norm_1 @ W_1 + b_1  # [n, d_ff] hidden
    active = torch.relu(hidden)  # [n, d_ff] active
    ffn = active @ W_2 + b_2  # [n, d] ffn
    sum_2 = norm_1 + ffn  # [n, d] sum_2
    output = norm(sum_2)  # [n, d] output
    return output
