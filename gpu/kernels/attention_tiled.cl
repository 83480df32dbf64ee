// Attention for GPUs: a work-group of GROUP x GROUP items owns a tile of rows and iterates along
// the other axis; operands pass through local memory DEPTH floats at a time, so any head size fits.
//
//                      TILE keys
//                 +-----------------+      item (x, y) holds rows y, y + GROUP, ... and columns
//                 | . x . . x . . x |      x, x + GROUP, ... of a tile: neighbours in x read
//       TILE rows | . . . . . . . . |      neighbouring words of local memory
//                 | . x . . x . . x |
//                 +-----------------+      left[TILE][DEPTH], right[TILE][DEPTH]: operands
//                                          tile[TILE][TILE]: weights, for the second product
//
// Forward is the online softmax of attention_block.cl; every item of a row keeps its own copy of
// the row's maximum and sum. Backward recomputes the pattern from the log-sum-exp, once for dK and
// dV (a work-group per tile of keys) and once for dQ (per tile of queries): no atomics.

#ifndef GROUP
#define GROUP 16 // side of a work-group: 8 or 16
#endif
#ifndef TILE
#define TILE                                                                                       \
    32 // side of a tile, a multiple of GROUP: 16, 32 or 64; local memory grows with its square
#endif
#ifndef UNROLLED
#define UNROLLED                                                                                   \
    1 // 0: keep the loops, for a device with a slow compiler and memory to spare
#endif
#ifndef DEPTH
#define DEPTH 32 // floats of a row in local memory at a time, a multiple of GROUP
#endif

#define SPAN (TILE / GROUP)    // rows, and columns, of a tile that one item holds
#define SLICES (DEPTH / GROUP) // columns of a DEPTH wide slice that one item holds
#define HEAD_STEPS ((HEAD_SPACE + DEPTH - 1) / DEPTH)
#define VALUE_STEPS ((VALUE_SPACE + DEPTH - 1) / DEPTH)
#define OPERAND_STRIDE (DEPTH + 1) // one extra, so that columns are in different banks
#define TILE_STRIDE (TILE + 1)
#define OPERAND_FLOATS (TILE * OPERAND_STRIDE)
#define TILED kernel __attribute__((reqd_work_group_size(GROUP, GROUP, 1)))
#if UNROLLED
#define UNROLL _Pragma("unroll")
#else
#define UNROLL _Pragma("nounroll")
#endif
#define EACH(i, count) UNROLL for (int i = 0; i < (count); ++i)

int rowOf(int m)
{
    return get_local_id(1) + GROUP * m;
}

int columnOf(int n)
{
    return get_local_id(0) + GROUP * n;
}

// Loads rows [first, first + TILE) and floats [depth, depth + DEPTH) of an operand; zeros beyond
// its end.
void loadOperand(local float* kept, global const float* source, View view, int batch, int head,
                 int first, int tokens, int depth, int dim, float factor)
{
    int item = get_local_id(1) * GROUP + get_local_id(0);
    for (int e = item; e < TILE * DEPTH; e += GROUP * GROUP) {
        int token = first + e / DEPTH;
        int d = depth + e % DEPTH;
        int exists = token < tokens && d < dim;
        kept[e / DEPTH * OPERAND_STRIDE + e % DEPTH] =
            exists ? source[at(view, batch, head, token) + d] * factor : 0.0f;
    }
}

// Adds left row rowOf(m) . right row columnOf(n) to products[m][n], over one slice in local memory.
void addProducts(local const float* left, local const float* right, float products[SPAN][SPAN])
{
    for (int d = 0; d < DEPTH; ++d) {
        float a[SPAN], b[SPAN];
        EACH(m, SPAN) a[m] = left[rowOf(m) * OPERAND_STRIDE + d];
        EACH(n, SPAN) b[n] = right[columnOf(n) * OPERAND_STRIDE + d];
        EACH(m, SPAN)
        {
            EACH(n, SPAN) products[m][n] = fma(a[m], b[n], products[m][n]);
        }
    }
}

void clearProducts(float products[SPAN][SPAN])
{
    EACH(m, SPAN)
    {
        EACH(n, SPAN) products[m][n] = 0.0f;
    }
}

// Computes scale * queries . keys of a tile.
void scaledProducts(const Parameters* p, global const float* queries, global const float* keys,
                    int batch, int head, int query, int key, local float* left, local float* right,
                    float products[SPAN][SPAN])
{
    clearProducts(products);
    for (int step = 0; step < HEAD_STEPS; ++step) {
        barrier(CLK_LOCAL_MEM_FENCE);
        loadOperand(left, queries, p->query, batch, head, query, p->queryTokens, step * DEPTH,
                    p->headDim, p->scale);
        loadOperand(right, keys, p->key, batch, keyHeadOf(p, head), key, p->keyTokens, step * DEPTH,
                    p->headDim, 1.0f);
        barrier(CLK_LOCAL_MEM_FENCE);
        addProducts(left, right, products);
    }
}

// Computes contextGradient . values of a tile.
void gradientProducts(const Parameters* p, global const float* contextGradient,
                      global const float* values, int batch, int head, int query, int key,
                      local float* left, local float* right, float products[SPAN][SPAN])
{
    clearProducts(products);
    for (int step = 0; step < VALUE_STEPS; ++step) {
        barrier(CLK_LOCAL_MEM_FENCE);
        loadOperand(left, contextGradient, p->contextGradient, batch, head, query, p->queryTokens,
                    step * DEPTH, p->valueDim, 1.0f);
        loadOperand(right, values, p->value, batch, keyHeadOf(p, head), key, p->keyTokens,
                    step * DEPTH, p->valueDim, 1.0f);
        barrier(CLK_LOCAL_MEM_FENCE);
        addProducts(left, right, products);
    }
}

// Adds tile(row, n) * right[n][column c] to sums[m][c] over one slice; `across` and `along` are the
// tile's steps from row to row and from n to n, so the same code multiplies with its transpose.
void addWeighted(local const float* tile, int across, int along, local const float* right,
                 float sums[SPAN][SLICES])
{
    for (int n = 0; n < TILE; ++n) {
        float w[SPAN], v[SLICES];
        EACH(m, SPAN) w[m] = tile[rowOf(m) * across + n * along];
        EACH(c, SLICES) v[c] = right[n * OPERAND_STRIDE + columnOf(c)];
        EACH(m, SPAN)
        {
            EACH(c, SLICES) sums[m][c] = fma(w[m], v[c], sums[m][c]);
        }
    }
}

void keepTile(local float* tile, float values[SPAN][SPAN])
{
    barrier(CLK_LOCAL_MEM_FENCE);
    EACH(m, SPAN)
    {
        EACH(n, SPAN) tile[rowOf(m) * TILE_STRIDE + columnOf(n)] = values[m][n];
    }
    barrier(CLK_LOCAL_MEM_FENCE);
}

// Turns scaled products into scores, -inf where the query may not see the key.
void maskTile(const Parameters* p, OPTIONAL_OPERANDS, int batch, int head, int query, int key,
              float products[SPAN][SPAN])
{
    EACH(m, SPAN)
    {
        EACH(n, SPAN)
        {
            int i = query + rowOf(m), j = key + columnOf(n);
            int seen = i < p->queryTokens && j < p->keyTokens &&
                       isVisible(p, OPTIONAL_ARGUMENTS, batch, i, j);
            products[m][n] =
                seen ? scoreOf(p, OPTIONAL_ARGUMENTS, head, i, j, products[m][n]) : -INFINITY;
        }
    }
}

// Combines one value of every item of a row: the maximum or the sum.
void combineRows(local float* scratch, float values[SPAN], int wantMax)
{
    barrier(CLK_LOCAL_MEM_FENCE);
    EACH(m, SPAN) scratch[rowOf(m) * GROUP + get_local_id(0)] = values[m];
    barrier(CLK_LOCAL_MEM_FENCE);
    EACH(m, SPAN)
    {
        float all = scratch[rowOf(m) * GROUP];
        for (int x = 1; x < GROUP; ++x) {
            float other = scratch[rowOf(m) * GROUP + x];
            all = wantMax ? fmax(all, other) : all + other;
        }
        values[m] = all;
    }
}

// Weight exp(score - base) that stays 0 for -inf even where the base is -inf: a row that has seen
// nothing.
float weightOf(float score, float base)
{
    return score == -INFINITY ? 0.0f : exp(score - base);
}

// ---- forward ------------------------------------------------------------------------------------

// Turns scores into weights; sums and `shrink` (for the context so far) follow the new maximum.
void softmaxTile(local float* scratch, float scores[SPAN][SPAN], float rowMax[SPAN],
                 float rowSum[SPAN], float shrink[SPAN])
{
    float highest[SPAN], sums[SPAN];
    EACH(m, SPAN)
    {
        highest[m] = scores[m][0];
        EACH(n, SPAN) highest[m] = fmax(highest[m], scores[m][n]);
    }
    combineRows(scratch, highest, 1);
    EACH(m, SPAN)
    {
        float newMax = fmax(rowMax[m], highest[m]);
        shrink[m] = weightOf(rowMax[m], newMax);
        rowMax[m] = newMax;
        sums[m] = 0.0f;
        EACH(n, SPAN)
        {
            scores[m][n] = weightOf(scores[m][n], newMax);
            sums[m] += scores[m][n];
        }
    }
    combineRows(scratch, sums, 0);
    EACH(m, SPAN) rowSum[m] = rowSum[m] * shrink[m] + sums[m];
}

void dropTile(const Parameters* p, OPTIONAL_OPERANDS, int batch, int head, int query, int key,
              float weights[SPAN][SPAN])
{
    EACH(m, SPAN)
    {
        EACH(n, SPAN)
        {
            int i = query + rowOf(m), j = key + columnOf(n);
            if (i < p->queryTokens && j < p->keyTokens)
                weights[m][n] *= keepRow(p, keep, batch, head, i)[j] ? p->keepScale : 0.0f;
        }
    }
}

// One element of a row's weighted sum over visible values alone: a hidden one, whose weight is 0,
// may have made the fast sum NaN.
float seenSum(const Parameters* p, OPTIONAL_OPERANDS, global const float* queries,
              global const float* keys, global const float* values, int batch, int head, int query,
              int d, float rowMax)
{
    float sum = 0.0f;
    global const float* q = queries + at(p->query, batch, head, query);
    for (int key = firstKey(p, query); key < endKey(p, query); ++key) {
        if (!isVisible(p, OPTIONAL_ARGUMENTS, batch, query, key))
            continue;
        global const float* k = keys + at(p->key, batch, keyHeadOf(p, head), key);
        float product = 0.0f;
        for (int x = 0; x < p->headDim; ++x)
            product = fma(q[x] * p->scale, k[x], product);
        float w = weightOf(scoreOf(p, OPTIONAL_ARGUMENTS, head, query, key, product), rowMax);
        if (p->features & KEEP)
            w *= keepRow(p, keep, batch, head, query)[key] ? p->keepScale : 0.0f;
        if (w != 0.0f)
            sum = fma(w, values[at(p->value, batch, keyHeadOf(p, head), key) + d], sum);
    }
    return sum;
}

// Global size: [GROUP, GROUP * tiles of queries, batch * queryHeads].
TILED void tiled_forward(Parameters p, global const float* queries, global const float* keys,
                         global const float* values, global float* context,
                         global float* rowStatistic, OPTIONAL_OPERANDS)
{
    local float left[OPERAND_FLOATS], right[OPERAND_FLOATS], tile[TILE * TILE_STRIDE];
    local float scratch[TILE * GROUP];
    int batch = get_global_id(2) / max(p.queryHeads, 1);
    int head = get_global_id(2) % max(p.queryHeads, 1);
    int query = (get_num_groups(1) - 1 - get_group_id(1)) * TILE; // long rows first
    if (query >= p.queryTokens)
        return;
    float kept[VALUE_STEPS][SPAN][SLICES];
    float rowMax[SPAN], rowSum[SPAN], shrink[SPAN];
    EACH(m, SPAN)
    {
        rowMax[m] = -INFINITY;
        rowSum[m] = 0.0f;
        EACH(s, VALUE_STEPS)
        {
            EACH(c, SLICES) kept[s][m][c] = 0.0f;
        }
    }
    int end = endKey(&p, min(query + TILE, p.queryTokens) - 1);
    for (int key = firstKey(&p, query) / TILE * TILE; key < end; key += TILE) {
        float scores[SPAN][SPAN];
        scaledProducts(&p, queries, keys, batch, head, query, key, left, right, scores);
        maskTile(&p, OPTIONAL_ARGUMENTS, batch, head, query, key, scores);
        softmaxTile(scratch, scores, rowMax, rowSum, shrink);
        if (p.features & KEEP)
            dropTile(&p, OPTIONAL_ARGUMENTS, batch, head, query, key, scores);
        keepTile(tile, scores);
        EACH(s, VALUE_STEPS)
        {
            barrier(CLK_LOCAL_MEM_FENCE);
            loadOperand(right, values, p.value, batch, keyHeadOf(&p, head), key, p.keyTokens,
                        s * DEPTH, p.valueDim, 1.0f);
            barrier(CLK_LOCAL_MEM_FENCE);
            EACH(m, SPAN)
            {
                EACH(c, SLICES) kept[s][m][c] *= shrink[m];
            }
            addWeighted(tile, TILE_STRIDE, 1, right, kept[s]);
        }
    }
    EACH(m, SPAN)
    {
        int i = query + rowOf(m);
        float fraction = rowSum[m] == 0.0f ? 0.0f : 1.0f / rowSum[m];
        EACH(s, VALUE_STEPS)
        {
            EACH(c, SLICES)
            {
                int d = s * DEPTH + columnOf(c);
                if (i < p.queryTokens && d < p.valueDim) {
                    float sum = kept[s][m][c];
                    if (isnan(sum))
                        sum = seenSum(&p, OPTIONAL_ARGUMENTS, queries, keys, values, batch, head, i,
                                      d, rowMax[m]);
                    context[at(p.context, batch, head, i) + d] = sum * fraction;
                }
            }
        }
        if (i < p.queryTokens && get_local_id(0) == 0)
            rowStatistic[at(p.rowStatistic, batch, head, i)] =
                rowSum[m] == 0.0f ? -INFINITY : rowMax[m] + log(rowSum[m]);
    }
}

// Global size: [GROUP * tiles of keys, GROUP * tiles of queries, batch * queryHeads].
TILED void tiled_maps(Parameters p, global const float* queries, global const float* keys,
                      global const float* rowStatistic, global float* pattern, global float* scores,
                      OPTIONAL_OPERANDS)
{
    local float left[OPERAND_FLOATS], right[OPERAND_FLOATS];
    int batch = get_global_id(2) / max(p.queryHeads, 1);
    int head = get_global_id(2) % max(p.queryHeads, 1);
    int key = get_group_id(0) * TILE, query = get_group_id(1) * TILE;
    if (query >= p.queryTokens || key >= p.keyTokens)
        return;
    float products[SPAN][SPAN];
    scaledProducts(&p, queries, keys, batch, head, query, key, left, right, products);
    EACH(m, SPAN)
    {
        EACH(n, SPAN)
        {
            int i = query + rowOf(m), j = key + columnOf(n);
            if (i < p.queryTokens && j < p.keyTokens) {
                float s = scoreOf(&p, OPTIONAL_ARGUMENTS, head, i, j, products[m][n]);
                if (p.features & WANT_SCORES)
                    scores[at(p.scores, batch, head, i) + j] = s;
                if (p.features & WANT_PATTERN)
                    pattern[at(p.pattern, batch, head, i) + j] =
                        isVisible(&p, OPTIONAL_ARGUMENTS, batch, i, j)
                            ? exp(s - rowStatistic[at(p.rowStatistic, batch, head, i)])
                            : 0.0f;
            }
        }
    }
}
