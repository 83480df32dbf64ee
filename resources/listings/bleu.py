import math
from collections import Counter


def ngrams(tokens, n):
    return Counter(tuple(tokens[i : i + n]) for i in range(len(tokens) - n + 1))


def bleu(candidate, reference):
    logarithms = 0.0
    for n in range(1, 5):
        found = ngrams(candidate, n)  # [N] found
        clipped = found & ngrams(reference, n)  # [N] clipped
        matches = sum(clipped.values())  # [] matches
        if matches == 0:
            return 0.0
        precision = matches / sum(found.values())  # [] precision
        logarithms += math.log(precision) / 4
    penalty = min(1.0, math.exp(1 - len(reference) / len(candidate)))  # [] penalty
    score = penalty * math.exp(logarithms)  # [] score
    return score
