from collections import Counter


def merged(word, pair, new):
    result = []
    for token in word:
        if result and (result[-1], token) == pair:
            result[-1] = new
        else:
            result.append(token)
    return result


def train(words, merges):
    """Words as lists of byte ids after the merges; each new pair gets the next id."""
    words = [list(word.encode()) for word in words]  # [w] words
    for merge in range(merges):
        pairs = Counter(pair for word in words for pair in zip(word, word[1:]))  # [P] pairs
        best = min(pairs, key=lambda pair: (-pairs[pair], pair))  # [2] best
        count = pairs[best]  # [] count
        words = [merged(word, best, 256 + merge) for word in words]  # [w] words
    tokens = sum(len(word) for word in words)  # [] tokens
    return tokens, count
