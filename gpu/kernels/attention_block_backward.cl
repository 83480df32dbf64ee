// Backward of attention_block.cl, which the host prepends. With W the pattern, G the context's
// gradient and D = rowsum(G * context):
//
//   dV = W^T G      dW = G V^T      dS = W * (dW - D)      dQ = scale dS K      dK = scale dS^T Q
//
//   keys ->   panel s     panel s + splits  ...      One item has one key head (and its split s of
//           +-----------+---------------------+      the panels). It iterates over the query heads
//   rows    | dS, W     | dS, W               |      that share the key head, so no other item
//   |       | in private memory               |      writes its dK and dV: no atomics, and sums
//   v       +-----------+---------------------+      do not depend on timing.

// Keys from `key` on that rows before `query` may see, at most `count`.
int seenKeys(const Parameters* p, int query, int key, int count)
{
    return clamp(endKey(p, query - 1) - key, 0, count);
}

// Row sums of G * context for `rows` kept rows.
void rowProducts(const Parameters* p, global const float* context, const float* gradient, int batch,
                 int head, int query, int rows, float* sums)
{
    for (int r = 0; r < rows; ++r) {
        global const float* row = context + at(p->context, batch, head, query + r);
        float16 sum = (float16)(0.0f);
        for (int d = 0; d < p->valueDim; d += 16)
            sum = fma(loadSome(row + d, p->valueDim - d),
                      vload16(0, gradient + r * VALUE_SPACE + d), sum);
        sums[r] = sumOf(sum);
    }
}

// One row: products[] = scale q . k and weightGradient[] = G . v become W (times the dropout
// factor) and dS before the soft cap. `capped` false gives dS after it, which is the gradient of
// the bias.
void gradientRow(const Parameters* p, OPTIONAL_OPERANDS, int batch, int head, int query, int key,
                 int vectors, float lse, float rowSum, int plain, int capped, float* products,
                 float* weightGradient)
{
    int seen = (seenKeys(p, query + 1, key, 16 * vectors) + 15) / 16;
    for (int x = seen; x < vectors; ++x) {
        vstore16((float16)(0.0f), x, products);
        vstore16((float16)(0.0f), x, weightGradient);
    }
    for (int x = 0; x < seen; ++x) {
        int first = key + 16 * x;
        float16 scaled = vload16(x, products);
        float16 s = scaled;
        if (!plain)
            s = finishScores(p, OPTIONAL_ARGUMENTS, head, query, first, s);
        float16 weight = expNegative(s - lse);
        if (!plain)
            weight = select((float16)(0.0f), weight,
                            visibleKeys(p, OPTIONAL_ARGUMENTS, batch, query, first));
        float16 gradient = vload16(x, weightGradient);
        float16 left = weight;
        if (p->features & KEEP) {
            float16 fraction = keptFraction(p, OPTIONAL_ARGUMENTS, batch, head, query, first);
            left *= fraction;
            gradient *= fraction;
        }
        gradient = weight * (gradient - rowSum);
        if (capped && (p->features & SOFT_CAP)) {
            float16 t = tanh(scaled / p->softCap);
            gradient *= 1.0f - t * t;
        }
        vstore16(left, x, products);
        vstore16(gradient, x, weightGradient);
    }
}

// Adds transposed tile[rows][PANEL] times kept[rows][padded] to target rows [0, count). The tile
// begins at (query, key); rows that may not see a key are left out.
void addTransposed(const Parameters* p, int query, int key, global float* target, long stride,
                   const float* tile, int count, int rows, const float* kept, int padded)
{
    for (int n = 0; n < count;) {
        int first = clamp(firstQuery(p, key + n) - query, 0, rows);
        const float* weights = tile + first * PANEL + n;
        const float* left = kept + first * padded;
        if (n + ROWS <= count) {
            updateStored(target + n * stride, stride, weights, 1, PANEL, rows - first, left, padded,
                         padded / 16);
            n += ROWS;
        } else {
            updateStoredRow(target + n * stride, stride, weights, 1, PANEL, rows - first, left,
                            padded, padded / 16);
            ++n;
        }
    }
}

void clearRows(global float* rows, long stride, int count, int vectors)
{
    for (int r = 0; r < count; ++r) {
        for (int x = 0; x < vectors; ++x)
            vstore16((float16)(0.0f), x, rows + r * stride);
    }
}

// Global size: [splits, batch * keyHeads]. Rows of `keys`, `keyGradient` and `valueGradient` are
// padded to 16 floats. Split s writes its part of dQ to queryGradient + s * (all of dQ): summed
// afterwards.
ONE_ITEM void block_backward(Parameters p, global const float* queries, global const float* keys,
                             global const float* keyPanels, global const float* valuePanels,
                             global const float* context, global const float* contextGradient,
                             global const float* rowStatistic, global float* queryGradient,
                             global float* keyGradient, global float* valueGradient,
                             OPTIONAL_OPERANDS)
{
    int fraction = get_global_id(0);
    int batch = get_global_id(1) / max(p.keyHeads, 1);
    int keyHead = get_global_id(1) % max(p.keyHeads, 1);
    if (p.queryTokens <= 0)
        return;
    float q[BACK_BLOCK * HEAD_SPACE] ALIGNED;
    float gradient[BACK_BLOCK * VALUE_SPACE] ALIGNED;
    float dq[BACK_BLOCK * HEAD_SPACE] ALIGNED;
    float weights[BACK_BLOCK * PANEL] ALIGNED;
    float dScores[BACK_BLOCK * PANEL] ALIGNED;
    float rowSums[BACK_BLOCK];
    int panelCount = (p.keyTokens + PANEL - 1) / PANEL;
    long firstPanel = ((long)batch * p.keyHeads + keyHead) * panelCount;
    for (int panel = fraction; panel < panelCount; panel += p.splits) {
        int count = min(PANEL, p.keyTokens - panel * PANEL);
        clearRows(keyGradient + at(p.keyGradient, batch, keyHead, panel * PANEL),
                  p.keyGradient.token, count, HEAD_VECTORS);
        clearRows(valueGradient + at(p.valueGradient, batch, keyHead, panel * PANEL),
                  p.valueGradient.token, count, VALUE_VECTORS);
    }
    int group = p.queryHeads / p.keyHeads;
    for (int head = keyHead * group; head < (keyHead + 1) * group; ++head) {
        for (int query = 0; query < p.queryTokens; query += BACK_BLOCK) {
            int rows = min(BACK_BLOCK, p.queryTokens - query);
            int height = (rows + ROWS - 1) / ROWS * ROWS;
            keepRows(queries, p.query, batch, head, query, rows, height, p.headDim, HEAD_SPACE,
                     p.scale, q);
            keepRows(contextGradient, p.contextGradient, batch, head, query, rows, height,
                     p.valueDim, VALUE_SPACE, 1.0f, gradient);
            rowProducts(&p, context, gradient, batch, head, query, rows, rowSums);
            for (int x = 0; x < height * HEAD_VECTORS; ++x)
                vstore16((float16)(0.0f), x, dq);
            int end = endKey(&p, query + rows - 1);
            int begin = firstKey(&p, query) / PANEL;
            begin += (fraction - begin % p.splits + p.splits) % p.splits;
            for (int panel = begin; panel * PANEL < end; panel += p.splits) {
                int key = panel * PANEL;
                int count = min(PANEL, end - key);
                int vectors = (count + 15) / 16;
                int height16 = min(16 * vectors, p.keyTokens - key);
                for (int r = 0; r < rows; r += ROWS) {
                    int seen = (seenKeys(&p, query + min(r + ROWS, rows), key, count) + 15) / 16;
                    tileProduct(q + r * HEAD_SPACE, HEAD_SPACE, p.headDim,
                                keyPanels + (firstPanel + panel) * (p.headDim * PANEL), seen,
                                weights + r * PANEL);
                    tileProduct(gradient + r * VALUE_SPACE, VALUE_SPACE, p.valueDim,
                                valuePanels + (firstPanel + panel) * (p.valueDim * PANEL), seen,
                                dScores + r * PANEL);
                }
                int plain = isPlainTile(&p, query, rows, key, vectors);
                for (int r = 0; r < rows; ++r) {
                    float lse = rowStatistic[at(p.rowStatistic, batch, head, query + r)];
                    gradientRow(&p, OPTIONAL_ARGUMENTS, batch, head, query + r, key, vectors, lse,
                                rowSums[r], plain, 1, weights + r * PANEL, dScores + r * PANEL);
                }
                for (int r = 0; r < rows; r += ROWS)
                    updateKept(dq + r * HEAD_SPACE, HEAD_SPACE, dScores + r * PANEL, PANEL, 1,
                               seenKeys(&p, query + min(r + ROWS, rows), key, count),
                               keys + at(p.key, batch, keyHead, key), p.key.token, HEAD_VECTORS);
                addTransposed(&p, query, key, keyGradient + at(p.keyGradient, batch, keyHead, key),
                              p.keyGradient.token, dScores, height16, rows, q, HEAD_SPACE);
                addTransposed(
                    &p, query, key, valueGradient + at(p.valueGradient, batch, keyHead, key),
                    p.valueGradient.token, weights, height16, rows, gradient, VALUE_SPACE);
            }
            long all = (long)p.batch * p.queryHeads * p.queryTokens * p.headDim;
            for (int r = 0; r < rows; ++r) {
                global float* row = queryGradient + (p.splits > 1 ? fraction * all : 0) +
                                    at(p.queryGradient, batch, head, query + r);
                for (int d = 0; d < p.headDim; d += 16)
                    storeSome(vload16(0, dq + r * HEAD_SPACE + d) * p.scale, p.headDim - d,
                              row + d);
            }
        }
    }
}

// Sums the splits' parts of dQ. Global size: [queryTokens, batch * queryHeads].
ONE_ITEM void block_sum_parts(Parameters p, global const float* parts, global float* queryGradient)
{
    int query = get_global_id(0);
    int batch = get_global_id(1) / max(p.queryHeads, 1);
    int head = get_global_id(1) % max(p.queryHeads, 1);
    if (query >= p.queryTokens)
        return;
    long all = (long)p.batch * p.queryHeads * p.queryTokens * p.headDim;
    global const float* part = parts + ((long)get_global_id(1) * p.queryTokens + query) * p.headDim;
    global float* row = queryGradient + at(p.queryGradient, batch, head, query);
    for (int d = 0; d < p.headDim; ++d) {
        float sum = 0.0f;
        for (int fraction = 0; fraction < p.splits; ++fraction)
            sum += part[fraction * all + d];
        row[d] = sum;
    }
}

// Gradient of the bias: dS after the soft cap, summed over the batch. Global size: [blocks of ROWS
// queries, queryHeads].
ONE_ITEM void block_bias_gradient(Parameters p, global const float* queries,
                                  global const float* keyPanels, global const float* valuePanels,
                                  global const float* context, global const float* contextGradient,
                                  global const float* rowStatistic, global float* biasGradient,
                                  OPTIONAL_OPERANDS)
{
    int query = get_global_id(0) * ROWS;
    int head = get_global_id(1);
    int rows = min(ROWS, p.queryTokens - query);
    if (rows <= 0)
        return;
    float q[ROWS * HEAD_SPACE] ALIGNED;
    float gradient[ROWS * VALUE_SPACE] ALIGNED;
    float weights[ROWS * PANEL] ALIGNED;
    float dScores[ROWS * PANEL] ALIGNED;
    float sums[ROWS * PANEL] ALIGNED;
    float rowSums[ROWS];
    int panelCount = (p.keyTokens + PANEL - 1) / PANEL;
    for (int panel = 0; panel < panelCount; ++panel) {
        int key = panel * PANEL;
        int vectors = (min(PANEL, p.keyTokens - key) + 15) / 16;
        for (int x = 0; x < ROWS * PANEL_VECTORS; ++x)
            vstore16((float16)(0.0f), x, sums);
        for (int batch = 0; batch < p.batch; ++batch) {
            long keyHead = (long)batch * p.keyHeads + keyHeadOf(&p, head);
            keepRows(queries, p.query, batch, head, query, rows, ROWS, p.headDim, HEAD_SPACE,
                     p.scale, q);
            keepRows(contextGradient, p.contextGradient, batch, head, query, rows, ROWS, p.valueDim,
                     VALUE_SPACE, 1.0f, gradient);
            rowProducts(&p, context, gradient, batch, head, query, rows, rowSums);
            tileProduct(q, HEAD_SPACE, p.headDim,
                        keyPanels + (keyHead * panelCount + panel) * (p.headDim * PANEL), vectors,
                        weights);
            tileProduct(gradient, VALUE_SPACE, p.valueDim,
                        valuePanels + (keyHead * panelCount + panel) * (p.valueDim * PANEL),
                        vectors, dScores);
            for (int r = 0; r < rows; ++r) {
                float lse = rowStatistic[at(p.rowStatistic, batch, head, query + r)];
                gradientRow(&p, OPTIONAL_ARGUMENTS, batch, head, query + r, key, vectors, lse,
                            rowSums[r], 0, 0, weights + r * PANEL, dScores + r * PANEL);
                for (int x = 0; x < vectors; ++x)
                    vstore16(vload16(x, sums + r * PANEL) + vload16(x, dScores + r * PANEL), x,
                             sums + r * PANEL);
            }
        }
        for (int r = 0; r < rows; ++r) {
            global float* row = biasGradient + at(p.biasGradient, 0, head, query + r);
            for (int x = 0; x < vectors; ++x)
                storeSome(vload16(x, sums + r * PANEL), p.keyTokens - key - 16 * x,
                          row + key + 16 * x);
        }
    }
}
