// Attention for CPU devices: one work-item a work-group, float16 everywhere, no barriers.
//
//                 panel 0      panel 1      panel 2           one panel = PANEL keys, transposed:
//               +----------- +------------+-----------+         panel[d][key], so that a row of
//               PANEL
//   block 0     | ROWS rows  |            |           |         keys is contiguous for every d
//   block 1     |            |  scores    |           |
//   ...         |            | in registers: ROWS x CHUNK float16 at a time
//
// An item keeps ROWS query rows and walks along the panels with an online softmax (Milakov and
// Gimelshein 2018; Dao et al. 2022, algorithm 1). Backward keeps BACK_BLOCK rows and recomputes the
// pattern from the log-sum-exp (Dao et al. 2022, algorithm 4).

#ifndef ROWS
#define ROWS 8 // query rows of one register tile: 4 to 14, ROWS * CHUNK accumulators
#endif
#ifndef PANEL_VECTORS
#define PANEL_VECTORS 4 // float16 in a panel row: 1 to 8, a multiple of CHUNK
#endif
#ifndef CHUNK
#define CHUNK 2 // float16 columns of one register tile: 1 to 3
#endif
#ifndef BACK_BLOCK
#define BACK_BLOCK 48 // query rows between two walks over the keys in backward, a multiple of ROWS
#endif

#define PANEL (16 * PANEL_VECTORS)
#define ROW_SPACE 16 // at least ROWS
#define HEAD_VECTORS (HEAD_SPACE / 16)
#define VALUE_VECTORS (VALUE_SPACE / 16)
#define ALIGNED __attribute__((aligned(64)))
#define ONE_ITEM kernel __attribute__((reqd_work_group_size(1, 1, 1)))
#define UNROLL _Pragma("unroll")

constant int kLaneValues[16] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15};

int16 lanes(void)
{
    return vload16(0, kLaneValues);
}

float sumOf(float16 v)
{
    float8 a = v.lo + v.hi;
    float4 b = a.lo + a.hi;
    return (b.x + b.z) + (b.y + b.w);
}

// b where a is not a number. Cheaper than fmax.
float16 larger(float16 a, float16 b)
{
    return a > b ? a : b;
}

float maxOf(float16 v)
{
    float8 a = v.lo > v.hi ? v.lo : v.hi;
    float4 b = a.lo > a.hi ? a.lo : a.hi;
    float2 c = b.lo > b.hi ? b.lo : b.hi;
    return c.x > c.y ? c.x : c.y;
}

// exp(x) for x <= 0 within 2e-7 relative: x = n ln2 + f, a degree-6 polynomial in f (Cephes expf).
// Below -87 the result is exactly 0; NaN stays NaN.
float16 expNegative(float16 x)
{
    int16 vanishes = isless(x, (float16)(-87.0f));
    float16 y = select(x, (float16)(-87.0f), vanishes);
    float16 n = y * 1.44269504f + 12582912.0f; // adding 1.5 * 2^23 rounds to an integer
    float16 power = as_float16((as_int16(n) << 23) + 0x3f800000);
    n -= 12582912.0f;
    float16 f = fma(n, (float16)(-0.693359375f), y);
    f = fma(n, (float16)(2.12194440e-4f), f);
    float16 p = (float16)(1.9875691500e-4f);
    p = fma(p, f, (float16)(1.3981999507e-3f));
    p = fma(p, f, (float16)(8.3334519073e-3f));
    p = fma(p, f, (float16)(4.1665795894e-2f));
    p = fma(p, f, (float16)(1.6666665459e-1f));
    p = fma(p, f, (float16)(5.0000001201e-1f));
    p = fma(p * f, f, f) + 1.0f;
    return select(p * power, (float16)(0.0f), vanishes);
}

// The first `count` of 16 floats (or bytes) at x, zero beyond.
float16 loadSome(global const float* x, int count)
{
    if (count >= 16)
        return vload16(0, x);
    float some[16] ALIGNED;
    for (int lane = 0; lane < 16; ++lane)
        some[lane] = lane < count ? x[lane] : 0.0f;
    return vload16(0, some);
}

int16 loadSomeBytes(global const uchar* x, int count)
{
    if (count >= 16)
        return convert_int16(vload16(0, x));
    int some[16] ALIGNED;
    for (int lane = 0; lane < 16; ++lane)
        some[lane] = lane < count ? x[lane] : 0;
    return vload16(0, some);
}

void storeSome(float16 v, int count, global float* x)
{
    if (count >= 16) {
        vstore16(v, 0, x);
        return;
    }
    float some[16] ALIGNED;
    vstore16(v, 0, some);
    for (int lane = 0; lane < count; ++lane)
        x[lane] = some[lane];
}

// ---- register tiles -----------------------------------------------------------------------------

// scores[ROWS][PANEL] = rows[ROWS][stride] . panel, for the first `vectors` float16 of the panel.
void tileProduct(const float* rows, int stride, int dim, global const float* panel, int vectors,
                 float* scores)
{
    for (int c = 0; c < vectors; c += CHUNK) {
        float16 sum[ROWS][CHUNK];
        UNROLL for (int r = 0; r < ROWS; ++r)
        {
            UNROLL for (int x = 0; x < CHUNK; ++x) sum[r][x] = (float16)(0.0f);
        }
        for (int d = 0; d < dim; ++d) {
            float16 k[CHUNK];
            UNROLL for (int x = 0; x < CHUNK; ++x) k[x] = vload16(c + x, panel + d * PANEL);
            UNROLL for (int r = 0; r < ROWS; ++r)
            {
                float16 q = (float16)(rows[r * stride + d]);
                UNROLL for (int x = 0; x < CHUNK; ++x) sum[r][x] = fma(q, k[x], sum[r][x]);
            }
        }
        UNROLL for (int r = 0; r < ROWS; ++r)
        {
            UNROLL for (int x = 0; x < CHUNK; ++x) vstore16(sum[r][x], c + x, scores + r * PANEL);
        }
    }
}

// target[ROWS][targetStride] += sum over n of weight(r, n) * rows[n][rowStride], where weight(r, n)
// is weights[r * across + n * along]. COLUMNS float16 columns starting at c.
#define DEFINE_UPDATE_COLUMNS(NAME, TARGET, SOURCE, HEIGHT, COLUMNS)                               \
    void NAME(TARGET float* target, long targetStride, const float* weights, int across,           \
              int along, int count, SOURCE const float* rows, long rowStride, int c)               \
    {                                                                                              \
        float16 sum[HEIGHT][COLUMNS];                                                              \
        UNROLL for (int r = 0; r < HEIGHT; ++r)                                                    \
        {                                                                                          \
            UNROLL for (int x = 0; x < COLUMNS; ++x) sum[r][x] =                                   \
                vload16(c + x, target + r * targetStride);                                         \
        }                                                                                          \
        for (int n = 0; n < count; ++n) {                                                          \
            float16 v[COLUMNS];                                                                    \
            UNROLL for (int x = 0; x < COLUMNS; ++x) v[x] = vload16(c + x, rows + n * rowStride);  \
            UNROLL for (int r = 0; r < HEIGHT; ++r)                                                \
            {                                                                                      \
                float16 w = (float16)(weights[r * across + n * along]);                            \
                UNROLL for (int x = 0; x < COLUMNS; ++x) sum[r][x] = fma(w, v[x], sum[r][x]);      \
            }                                                                                      \
        }                                                                                          \
        UNROLL for (int r = 0; r < HEIGHT; ++r)                                                    \
        {                                                                                          \
            UNROLL for (int x = 0; x < COLUMNS; ++x)                                               \
                vstore16(sum[r][x], c + x, target + r * targetStride);                             \
        }                                                                                          \
    }

#define DEFINE_UPDATE(NAME, TARGET, SOURCE, HEIGHT)                                                \
    DEFINE_UPDATE_COLUMNS(NAME##Wide, TARGET, SOURCE, HEIGHT, CHUNK)                               \
    DEFINE_UPDATE_COLUMNS(NAME##Narrow, TARGET, SOURCE, HEIGHT, 1)                                 \
    void NAME(TARGET float* target, long targetStride, const float* weights, int across,           \
              int along, int count, SOURCE const float* rows, long rowStride, int vectors)         \
    {                                                                                              \
        int c = 0;                                                                                 \
        for (; c + CHUNK <= vectors; c += CHUNK)                                                   \
            NAME##Wide(target, targetStride, weights, across, along, count, rows, rowStride, c);   \
        for (; c < vectors; ++c)                                                                   \
            NAME##Narrow(target, targetStride, weights, across, along, count, rows, rowStride, c); \
    }

DEFINE_UPDATE(updateKept, private, global, ROWS)
DEFINE_UPDATE(updateStored, global, private, ROWS)
DEFINE_UPDATE(updateStoredRow, global, private, 1)

// ---- scores and masks ---------------------------------------------------------------------------

// Soft cap, bias and ALiBi for 16 keys from `key` on; `count` of them exist.
float16 finishScores(const Parameters* p, OPTIONAL_OPERANDS, int head, int query, int key,
                     float16 scaled)
{
    float16 s = scaled;
    if (p->features & SOFT_CAP)
        s = p->softCap * tanh(s / p->softCap);
    if (p->features & BIAS)
        s += loadSome(bias + at(p->bias, 0, head, query) + key, p->keyTokens - key);
    if (p->features & ALIBI)
        s += slopes[p->slopesOffset + head] *
             convert_float16(lanes() + (key - positionOf(p, query)));
    return s;
}

// All bits set where the query may see the key.
int16 visibleKeys(const Parameters* p, OPTIONAL_OPERANDS, int batch, int query, int key)
{
    int16 keys = lanes() + key;
    int16 visible = (keys >= firstKey(p, query)) & (keys < endKey(p, query));
    if (p->features & ALLOWED) {
        global const uchar* row = allowed + at(p->allowed, batch, 0, query) + key;
        visible &= loadSomeBytes(row, p->keyTokens - key) != 0;
    }
    return visible;
}

// What dropout leaves of 16 weights: 0 or 1 / (1 - p).
float16 keptShare(const Parameters* p, OPTIONAL_OPERANDS, int batch, int head, int query, int key)
{
    global const uchar* row = keepRow(p, keep, batch, head, query) + key;
    int16 kept = loadSomeBytes(row, p->keyTokens - key) != 0;
    return select((float16)(0.0f), (float16)(p->keepScale), kept);
}

// True when neither masks nor additions touch a tile of rows [query, query + rows).
int isPlainTile(const Parameters* p, int query, int rows, int key, int vectors)
{
    return (p->features & (SOFT_CAP | BIAS | ALIBI | ALLOWED)) == 0 &&
           key >= firstKey(p, query + rows - 1) && key + 16 * vectors <= endKey(p, query);
}

// Turns the scaled products of one row into masked scores.
void maskRow(const Parameters* p, OPTIONAL_OPERANDS, int batch, int head, int query, int key,
             int vectors, float* scores)
{
    int additions = p->features & (SOFT_CAP | BIAS | ALIBI | ALLOWED);
    for (int x = 0; x < vectors; ++x) {
        int first = key + 16 * x;
        if (!additions && first >= firstKey(p, query) && first + 16 <= endKey(p, query))
            continue;
        float16 s = finishScores(p, OPTIONAL_ARGUMENTS, head, query, first, vload16(x, scores));
        int16 visible = visibleKeys(p, OPTIONAL_ARGUMENTS, batch, query, first);
        vstore16(select((float16)(-INFINITY), s, visible), x, scores);
    }
}

// ---- forward ------------------------------------------------------------------------------------

// Rows [query, query + rows) of an operand into kept[height][padded], times `factor`; zeros
// elsewhere.
void keepRows(global const float* source, View view, int batch, int head, int query, int rows,
              int height, int dim, int padded, float factor, float* kept)
{
    for (int r = 0; r < height; ++r) {
        global const float* x = source + at(view, batch, head, query + min(r, rows - 1));
        for (int d = 0; d < padded; d += 16) {
            float16 v = loadSome(x + d, dim - d) * (r < rows ? factor : 0.0f);
            vstore16(v, 0, kept + r * padded + d);
        }
    }
}

// A step of the online softmax for ROWS rows: scores become weights, sums and context are rescaled.
// Row by row each stage would wait for the one before.
void softmaxStep(float* scores, int vectors, float* rowMax, float* rowSum, float* context)
{
    float16 sums[ROWS];
    float highest[ROWS];
    for (int r = 0; r < ROWS; ++r) {
        float16 most = vload16(0, scores + r * PANEL);
        for (int x = 1; x < vectors; ++x)
            most = larger(most, vload16(x, scores + r * PANEL));
        highest[r] = maxOf(most);
    }
    for (int r = 0; r < ROWS; ++r) {
        if (!(highest[r] > rowMax[r]))
            continue;
        if (rowMax[r] > -INFINITY) {
            float shrink = exp(rowMax[r] - highest[r]);
            float* row = context + r * VALUE_SPACE;
            rowSum[r] *= shrink;
            UNROLL for (int x = 0; x < VALUE_VECTORS; ++x)
                vstore16(vload16(x, row) * shrink, x, row);
        }
        rowMax[r] = highest[r];
    }
    for (int r = 0; r < ROWS; ++r) {
        float base = rowMax[r] == -INFINITY ? 0.0f : rowMax[r]; // nothing seen yet: weights are 0
        sums[r] = (float16)(0.0f);
        for (int x = 0; x < vectors; ++x) {
            float16 weight = expNegative(vload16(x, scores + r * PANEL) - base);
            sums[r] += weight;
            vstore16(weight, x, scores + r * PANEL);
        }
    }
    for (int r = 0; r < ROWS; ++r)
        rowSum[r] += sumOf(sums[r]);
}

void dropWeights(const Parameters* p, OPTIONAL_OPERANDS, int batch, int head, int query, int key,
                 int vectors, float* weights)
{
    for (int x = 0; x < vectors; ++x) {
        float16 share = keptShare(p, OPTIONAL_ARGUMENTS, batch, head, query, key + 16 * x);
        vstore16(vload16(x, weights) * share, x, weights);
    }
}

int hasNan(const float* kept)
{
    int16 found = (int16)(0);
    for (int r = 0; r < ROWS; ++r) {
        float16 sum = (float16)(0.0f);
        UNROLL for (int x = 0; x < VALUE_VECTORS; ++x) sum =
            fma(vload16(x, kept + r * VALUE_SPACE), (float16)(0.0f), sum);
        found |= isnan(sum); // infinity counts as well, which does no harm
    }
    return any(found);
}

// As updateKept, but a key of weight 0 adds nothing even where its value is NaN or infinite.
void updateSeen(float* kept, const float* weights, int count, global const float* rows, long stride)
{
    for (int r = 0; r < ROWS; ++r) {
        for (int n = 0; n < count; ++n) {
            float w = weights[r * PANEL + n];
            for (int x = 0; w != 0.0f && x < VALUE_VECTORS; ++x)
                vstore16(vload16(x, kept + r * VALUE_SPACE) + w * vload16(x, rows + n * stride), x,
                         kept + r * VALUE_SPACE);
        }
    }
}

// Empties what a block carries from panel to panel; returns its first panel.
int startRows(const Parameters* p, int query, float* rowMax, float* rowSum, float* kept)
{
    for (int r = 0; r < ROW_SPACE; ++r) {
        rowMax[r] = r < ROWS ? -INFINITY : 1.0f;
        rowSum[r] = r < ROWS ? 0.0f : 1.0f;
    }
    for (int x = 0; x < ROWS * VALUE_VECTORS; ++x)
        vstore16((float16)(0.0f), x, kept);
    return firstKey(p, query) / PANEL;
}

// Rows [query, query + rows): context and log-sum-exp. The arrays have ROW_SPACE floats.
void storeRows(const Parameters* p, int batch, int head, int query, int rows, const float* rowMax,
               const float* rowSum, const float* kept, global float* context,
               global float* rowStatistic)
{
    float logs[ROW_SPACE] ALIGNED;
    vstore16(vload16(0, rowMax) + log(vload16(0, rowSum)), 0, logs);
    for (int r = 0; r < rows; ++r) {
        float share = rowSum[r] == 0.0f ? 0.0f : 1.0f / rowSum[r];
        global float* row = context + at(p->context, batch, head, query + r);
        for (int d = 0; d < p->valueDim; d += 16)
            storeSome(vload16(0, kept + r * VALUE_SPACE + d) * share, p->valueDim - d, row + d);
        rowStatistic[at(p->rowStatistic, batch, head, query + r)] =
            rowSum[r] == 0.0f ? -INFINITY : logs[r];
    }
}

// Global size: [blocks of ROWS queries, batch * queryHeads]. `values` has rows of VALUE_SPACE
// floats.
ONE_ITEM void block_forward(Parameters p, global const float* queries, global const float* panels,
                            global const float* values, global float* context,
                            global float* rowStatistic, OPTIONAL_OPERANDS)
{
    int batch = get_global_id(1) / max(p.queryHeads, 1);
    int head = get_global_id(1) % max(p.queryHeads, 1);
    int query = (get_global_size(0) - 1 - get_global_id(0)) * ROWS; // the long rows first
    int rows = min(ROWS, p.queryTokens - query);
    if (rows <= 0)
        return;
    float q[ROWS * HEAD_SPACE] ALIGNED;
    float weights[ROWS * PANEL] ALIGNED;
    float kept[ROWS * VALUE_SPACE] ALIGNED;
    float rowMax[ROW_SPACE] ALIGNED, rowSum[ROW_SPACE] ALIGNED;
    keepRows(queries, p.query, batch, head, query, rows, ROWS, p.headDim, HEAD_SPACE, p.scale, q);
    int keyHead = keyHeadOf(&p, head);
    int panelCount = (p.keyTokens + PANEL - 1) / PANEL;
    global const float* headPanels =
        panels + ((long)batch * p.keyHeads + keyHead) * panelCount * (p.headDim * PANEL);
    int end = endKey(&p, query + rows - 1);
    int isCareful = 0;
    int panel = startRows(&p, query, rowMax, rowSum, kept);
    while (panel * PANEL < end) {
        int key = panel * PANEL;
        int count = min(PANEL, end - key);
        int vectors = (count + 15) / 16;
        tileProduct(q, HEAD_SPACE, p.headDim, headPanels + (long)panel * (p.headDim * PANEL),
                    vectors, weights);
        if (!isPlainTile(&p, query, rows, key, vectors)) {
            for (int r = 0; r < ROWS; ++r)
                maskRow(&p, OPTIONAL_ARGUMENTS, batch, head, query + min(r, rows - 1), key, vectors,
                        weights + r * PANEL);
        }
        softmaxStep(weights, vectors, rowMax, rowSum, kept);
        if (p.features & KEEP) {
            for (int r = 0; r < ROWS; ++r)
                dropWeights(&p, OPTIONAL_ARGUMENTS, batch, head, query + min(r, rows - 1), key,
                            vectors, weights + r * PANEL);
        }
        global const float* tileValues = values + at(p.value, batch, keyHead, key);
        if (isCareful)
            updateSeen(kept, weights, count, tileValues, p.value.token);
        else
            updateKept(kept, VALUE_SPACE, weights, PANEL, 1, count, tileValues, p.value.token,
                       VALUE_VECTORS);
        ++panel;
        if (panel * PANEL >= end && !isCareful && hasNan(kept)) {
            isCareful = 1;
            panel = startRows(&p, query, rowMax, rowSum, kept);
        }
    }
    storeRows(&p, batch, head, query, rows, rowMax, rowSum, kept, context, rowStatistic);
}

// Pattern and scores, from the log-sum-exp. Global size as block_forward.
ONE_ITEM void block_maps(Parameters p, global const float* queries, global const float* panels,
                         global const float* rowStatistic, global float* pattern,
                         global float* scores, OPTIONAL_OPERANDS)
{
    int batch = get_global_id(1) / max(p.queryHeads, 1);
    int head = get_global_id(1) % max(p.queryHeads, 1);
    int query = get_global_id(0) * ROWS;
    int rows = min(ROWS, p.queryTokens - query);
    if (rows <= 0)
        return;
    float q[ROWS * HEAD_SPACE] ALIGNED;
    float tile[ROWS * PANEL] ALIGNED;
    keepRows(queries, p.query, batch, head, query, rows, ROWS, p.headDim, HEAD_SPACE, p.scale, q);
    int panelCount = (p.keyTokens + PANEL - 1) / PANEL;
    long firstPanel = ((long)batch * p.keyHeads + keyHeadOf(&p, head)) * panelCount;
    for (int panel = 0; panel < panelCount; ++panel) {
        int vectors = (min(PANEL, p.keyTokens - panel * PANEL) + 15) / 16;
        tileProduct(q, HEAD_SPACE, p.headDim, panels + (firstPanel + panel) * (p.headDim * PANEL),
                    vectors, tile);
        for (int r = 0; r < rows; ++r) {
            int i = query + r;
            float lse = rowStatistic[at(p.rowStatistic, batch, head, i)];
            for (int x = 0; x < vectors; ++x) {
                int j = panel * PANEL + 16 * x;
                float16 s =
                    finishScores(&p, OPTIONAL_ARGUMENTS, head, i, j, vload16(x, tile + r * PANEL));
                int16 visible = visibleKeys(&p, OPTIONAL_ARGUMENTS, batch, i, j);
                if (p.features & WANT_SCORES)
                    storeSome(s, p.keyTokens - j, scores + at(p.scores, batch, head, i) + j);
                float16 weight = select((float16)(0.0f), expNegative(s - lse), visible);
                if (p.features & WANT_PATTERN)
                    storeSome(weight, p.keyTokens - j, pattern + at(p.pattern, batch, head, i) + j);
            }
        }
    }
}
