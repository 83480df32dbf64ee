// Attention for CPU devices, in the register tiles of attention_block_tiles.cl. An item keeps ROWS
// query rows and iterates over the panels with an online softmax (Milakov and Gimelshein 2018; Dao
// et al. 2022, algorithm 1). Backward keeps BACK_BLOCK rows and recomputes the pattern from the
// log-sum-exp (Dao et al. 2022, algorithm 4).

// ---- scores and masks ---------------------------------------------------------------------------

// Applies soft cap, bias and ALiBi to 16 keys from `key` on; `count` of them exist.
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

// Dropout factors of 16 weights: 0 or 1 / (1 - p).
float16 keptFraction(const Parameters* p, OPTIONAL_OPERANDS, int batch, int head, int query, int key)
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

// Copies rows [query, query + rows) of an operand into kept[height][padded], times `factor`; zeros
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

// One step of the online softmax for ROWS rows: scores become weights, sums and context are
// rescaled. Row by row, each stage would wait for the previous one.
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
        float base = rowMax[r] == -INFINITY ? 0.0f : rowMax[r]; // no key seen yet: weights are 0
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
        float16 fraction = keptFraction(p, OPTIONAL_ARGUMENTS, batch, head, query, key + 16 * x);
        vstore16(vload16(x, weights) * fraction, x, weights);
    }
}

int hasNan(const float* kept)
{
    int16 found = (int16)(0);
    for (int r = 0; r < ROWS; ++r) {
        float16 sum = (float16)(0.0f);
        UNROLL for (int x = 0; x < VALUE_VECTORS; ++x) sum =
            fma(vload16(x, kept + r * VALUE_SPACE), (float16)(0.0f), sum);
        found |= isnan(sum); // infinity is skipped as well, which is harmless
    }
    return any(found);
}

// Like updateKept, but a key of weight 0 adds nothing even where its value is NaN or infinite.
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

// Clears the state that a block keeps between panels; returns its first panel.
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

// Stores rows [query, query + rows): context and log-sum-exp. The arrays have ROW_SPACE floats.
void storeRows(const Parameters* p, int batch, int head, int query, int rows, const float* rowMax,
               const float* rowSum, const float* kept, global float* context,
               global float* rowStatistic)
{
    float logs[ROW_SPACE] ALIGNED;
    vstore16(vload16(0, rowMax) + log(vload16(0, rowSum)), 0, logs);
    for (int r = 0; r < rows; ++r) {
        float fraction = rowSum[r] == 0.0f ? 0.0f : 1.0f / rowSum[r];
        global float* row = context + at(p->context, batch, head, query + r);
        for (int d = 0; d < p->valueDim; d += 16)
            storeSome(vload16(0, kept + r * VALUE_SPACE + d) * fraction, p->valueDim - d, row + d);
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
    int query = (get_global_size(0) - 1 - get_global_id(0)) * ROWS; // long rows first
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
