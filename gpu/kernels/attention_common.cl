// Shared by both kernel families: the operands of one call, which keys a query may see, and how a
// raw score becomes a masked one. The host prepends this file to those of a family.
//
//   score(i, j) = cap * tanh(scale * q_i . k_j / cap) + bias(i, j) +
//                 slope * (position j - position i)
//
// Query i has position i + keyTokens - queryTokens, so a cached decoding step is a short query
// block.

#ifndef HEAD_SPACE
#define HEAD_SPACE                                                                                 \
    64 // space for a query or key row in floats, a multiple of 16; the first headDim are used
#endif
#ifndef VALUE_SPACE
#define VALUE_SPACE HEAD_SPACE // the same for a value or context row
#endif
#ifndef PARAMETER_BYTES
#define PARAMETER_BYTES                                                                            \
    sizeof(Parameters) // size according to the host; a different layout must not compile
#endif

// Bits of Parameters.features.
#define SOFT_CAP 1
#define BIAS 2
#define ALIBI 4
#define ALLOWED 8
#define KEEP 16
#define WANT_PATTERN 32
#define WANT_SCORES 64

// Offset of entry (batch, head, token, 0) of an operand; all in elements, rows are contiguous.
typedef struct
{
    long offset;
    long batch;
    long head;
    long token;
} View;

// Mirrors KernelParameters of gpu/attention/kernel_parameters.h.
typedef struct
{
    View query, key, value, context, contextGradient;
    View queryGradient, keyGradient, valueGradient;
    View bias, biasGradient, pattern, scores, rowStatistic, allowed;
    long slopesOffset, keepOffset;
    int batch, queryHeads, keyHeads, queryTokens, keyTokens, headDim, valueDim;
    int causal, window; // window 0 = none
    int features;
    int splits; // block backward: number of items that share the keys of one head
    float scale, softCap;
    float keepScale; // 1 / (1 - dropout)
} Parameters;

typedef char ParametersMatchTheHost[sizeof(Parameters) == PARAMETER_BYTES ? 1 : -1];

// Operands that only some calls have; the host passes any valid buffer for an absent one.
#define OPTIONAL_OPERANDS                                                                          \
    global const float *bias, global const float *slopes, global const uchar *allowed,             \
        global const uchar *keep
#define OPTIONAL_ARGUMENTS bias, slopes, allowed, keep

long at(View view, int batch, int head, int token)
{
    return view.offset + batch * view.batch + head * view.head + token * view.token;
}

int keyHeadOf(const Parameters* p, int queryHead)
{
    return queryHead * p->keyHeads / p->queryHeads;
}

int positionOf(const Parameters* p, int query)
{
    return query + p->keyTokens - p->queryTokens;
}

// First key that query i may see, and one past its last, by position alone. Both grow with i.
int firstKey(const Parameters* p, int query)
{
    return p->window > 0 ? clamp(positionOf(p, query) - p->window + 1, 0, p->keyTokens) : 0;
}

int endKey(const Parameters* p, int query)
{
    int end = p->keyTokens;
    if (p->causal)
        end = min(end, positionOf(p, query) + 1);
    if (p->window > 0)
        end = min(end, positionOf(p, query) + p->window);
    return max(end, 0);
}

// First query that may see a key, and one past the last. Both grow with the key.
int firstQuery(const Parameters* p, int key)
{
    int offset = p->queryTokens - p->keyTokens;
    int query = 0;
    if (p->causal)
        query = max(query, key + offset);
    if (p->window > 0)
        query = max(query, key - p->window + 1 + offset);
    return min(query, p->queryTokens);
}

int endQuery(const Parameters* p, int key)
{
    if (p->window <= 0)
        return p->queryTokens;
    return clamp(key + p->window - p->keyTokens + p->queryTokens, 0, p->queryTokens);
}

global const uchar* keepRow(const Parameters* p, global const uchar* keep, int batch, int head,
                            int query)
{
    return keep + p->keepOffset +
           (((long)batch * p->queryHeads + head) * p->queryTokens + query) * p->keyTokens;
}

// Score of a single cell; `scaled` is scale * q_i . k_j.
float scoreOf(const Parameters* p, OPTIONAL_OPERANDS, int head, int query, int key, float scaled)
{
    float score = scaled;
    if (p->features & SOFT_CAP)
        score = p->softCap * tanh(score / p->softCap);
    if (p->features & BIAS)
        score += bias[at(p->bias, 0, head, query) + key];
    if (p->features & ALIBI)
        score += slopes[p->slopesOffset + head] * (float)(key - positionOf(p, query));
    return score;
}

int isVisible(const Parameters* p, OPTIONAL_OPERANDS, int batch, int query, int key)
{
    if (key < firstKey(p, query) || key >= endKey(p, query))
        return 0;
    return !(p->features & ALLOWED) || allowed[at(p->allowed, batch, 0, query) + key] != 0;
}

// Derivative d capped / d scaled at one cell, from the scaled score.
float capSlope(const Parameters* p, float scaled)
{
    if (!(p->features & SOFT_CAP))
        return 1.0f;
    float t = tanh(scaled / p->softCap);
    return 1.0f - t * t;
}
