// Backward of attention_tiled.cl, which the host prepends; formulas in attention_block_backward.cl.

// rowSums[batch][queryHead][query] = contextGradient . context. Global size: [queries, batch *
// queryHeads], any work-group.
kernel void tiled_row_products(Parameters p, global const float* context,
                               global const float* contextGradient, global float* rowSums)
{
    int query = get_global_id(0);
    int batch = get_global_id(1) / max(p.queryHeads, 1);
    int head = get_global_id(1) % max(p.queryHeads, 1);
    if (query >= p.queryTokens)
        return;
    global const float* a = context + at(p.context, batch, head, query);
    global const float* b = contextGradient + at(p.contextGradient, batch, head, query);
    float sum = 0.0f;
    for (int d = 0; d < p.valueDim; ++d)
        sum = fma(a[d], b[d], sum);
    rowSums[(long)get_global_id(1) * p.queryTokens + query] = sum;
}

// Turns products[] = scale q . k and gradients[] = G . v into W (times the dropout factor) and dS:
// before the soft cap if `capped`, else after it, which is the gradient of the bias.
void gradientTile(const Parameters* p, OPTIONAL_OPERANDS, global const float* rowStatistic,
                  global const float* rowSums, int batch, int head, int query, int key, int capped,
                  float products[SPAN][SPAN], float gradients[SPAN][SPAN])
{
    EACH(m, SPAN)
    {
        EACH(n, SPAN)
        {
            int i = query + rowOf(m), j = key + columnOf(n);
            float left = 0.0f, gradient = 0.0f;
            if (i < p->queryTokens && j < p->keyTokens &&
                isVisible(p, OPTIONAL_ARGUMENTS, batch, i, j)) {
                float scaled = products[m][n];
                float fraction = 1.0f;
                if (p->features & KEEP)
                    fraction = keepRow(p, keep, batch, head, i)[j] ? p->keepScale : 0.0f;
                float weight = exp(scoreOf(p, OPTIONAL_ARGUMENTS, head, i, j, scaled) -
                                   rowStatistic[at(p->rowStatistic, batch, head, i)]);
                long row = ((long)batch * p->queryHeads + head) * p->queryTokens + i;
                left = weight * fraction;
                gradient = weight * (gradients[m][n] * fraction - rowSums[row]);
                if (capped)
                    gradient *= capSlope(p, scaled);
            }
            products[m][n] = left;
            gradients[m][n] = gradient;
        }
    }
}

void storeSlice(global float* target, View view, int batch, int head, int first, int tokens,
                int depth, int dim, float factor, float sums[SPAN][SLICES])
{
    EACH(m, SPAN)
    {
        EACH(c, SLICES)
        {
            int token = first + rowOf(m), d = depth + columnOf(c);
            if (token < tokens && d < dim)
                target[at(view, batch, head, token) + d] = sums[m][c] * factor;
        }
    }
}

// Global size: [GROUP, GROUP * tiles of keys, batch * keyHeads].
TILED void tiled_key_gradients(Parameters p, global const float* queries, global const float* keys,
                               global const float* values, global const float* contextGradient,
                               global const float* rowStatistic, global const float* rowSums,
                               global float* keyGradient, global float* valueGradient,
                               OPTIONAL_OPERANDS)
{
    local float left[OPERAND_FLOATS], right[OPERAND_FLOATS], tile[TILE * TILE_STRIDE];
    int batch = get_global_id(2) / max(p.keyHeads, 1);
    int keyHead = get_global_id(2) % max(p.keyHeads, 1);
    int key = get_group_id(1) * TILE;
    if (key >= p.keyTokens)
        return;
    float dk[HEAD_STEPS][SPAN][SLICES], dv[VALUE_STEPS][SPAN][SLICES];
    EACH(m, SPAN)
    {
        EACH(c, SLICES)
        {
            EACH(s, HEAD_STEPS) dk[s][m][c] = 0.0f;
            EACH(s, VALUE_STEPS) dv[s][m][c] = 0.0f;
        }
    }
    int group = p.queryHeads / p.keyHeads;
    int end = endQuery(&p, min(key + TILE, p.keyTokens) - 1);
    for (int head = keyHead * group; head < (keyHead + 1) * group; ++head) {
        for (int query = firstQuery(&p, key) / TILE * TILE; query < end; query += TILE) {
            float weights[SPAN][SPAN], dScores[SPAN][SPAN];
            scaledProducts(&p, queries, keys, batch, head, query, key, left, right, weights);
            gradientProducts(&p, contextGradient, values, batch, head, query, key, left, right,
                             dScores);
            gradientTile(&p, OPTIONAL_ARGUMENTS, rowStatistic, rowSums, batch, head, query, key, 1,
                         weights, dScores);
            keepTile(tile, weights);
            EACH(s, VALUE_STEPS)
            {
                barrier(CLK_LOCAL_MEM_FENCE);
                loadOperand(right, contextGradient, p.contextGradient, batch, head, query,
                            p.queryTokens, s * DEPTH, p.valueDim, 1.0f);
                barrier(CLK_LOCAL_MEM_FENCE);
                addWeighted(tile, 1, TILE_STRIDE, right, dv[s]);
            }
            keepTile(tile, dScores);
            EACH(s, HEAD_STEPS)
            {
                barrier(CLK_LOCAL_MEM_FENCE);
                loadOperand(right, queries, p.query, batch, head, query, p.queryTokens, s * DEPTH,
                            p.headDim, 1.0f);
                barrier(CLK_LOCAL_MEM_FENCE);
                addWeighted(tile, 1, TILE_STRIDE, right, dk[s]);
            }
        }
    }
    EACH(s, HEAD_STEPS)
    storeSlice(keyGradient, p.keyGradient, batch, keyHead, key, p.keyTokens, s * DEPTH, p.headDim,
               p.scale, dk[s]);
    EACH(s, VALUE_STEPS)
    storeSlice(valueGradient, p.valueGradient, batch, keyHead, key, p.keyTokens, s * DEPTH,
               p.valueDim, 1.0f, dv[s]);
}

// Global size: [GROUP, GROUP * tiles of queries, batch * queryHeads].
TILED void tiled_query_gradients(Parameters p, global const float* queries,
                                 global const float* keys, global const float* values,
                                 global const float* contextGradient,
                                 global const float* rowStatistic, global const float* rowSums,
                                 global float* queryGradient, OPTIONAL_OPERANDS)
{
    local float left[OPERAND_FLOATS], right[OPERAND_FLOATS], tile[TILE * TILE_STRIDE];
    int batch = get_global_id(2) / max(p.queryHeads, 1);
    int head = get_global_id(2) % max(p.queryHeads, 1);
    int query = get_group_id(1) * TILE;
    if (query >= p.queryTokens)
        return;
    float dq[HEAD_STEPS][SPAN][SLICES];
    EACH(m, SPAN)
    {
        EACH(c, SLICES)
        {
            EACH(s, HEAD_STEPS) dq[s][m][c] = 0.0f;
        }
    }
    int end = endKey(&p, min(query + TILE, p.queryTokens) - 1);
    for (int key = firstKey(&p, query) / TILE * TILE; key < end; key += TILE) {
        float weights[SPAN][SPAN], dScores[SPAN][SPAN];
        scaledProducts(&p, queries, keys, batch, head, query, key, left, right, weights);
        gradientProducts(&p, contextGradient, values, batch, head, query, key, left, right,
                         dScores);
        gradientTile(&p, OPTIONAL_ARGUMENTS, rowStatistic, rowSums, batch, head, query, key, 1,
                     weights, dScores);
        keepTile(tile, dScores);
        EACH(s, HEAD_STEPS)
        {
            barrier(CLK_LOCAL_MEM_FENCE);
            loadOperand(right, keys, p.key, batch, keyHeadOf(&p, head), key, p.keyTokens, s * DEPTH,
                        p.headDim, 1.0f);
            barrier(CLK_LOCAL_MEM_FENCE);
            addWeighted(tile, TILE_STRIDE, 1, right, dq[s]);
        }
    }
    EACH(s, HEAD_STEPS)
    storeSlice(queryGradient, p.queryGradient, batch, head, query, p.queryTokens, s * DEPTH,
               p.headDim, p.scale, dq[s]);
}

// Gradient of the bias: dS after the soft cap, summed over the batch. Global size: [GROUP * tiles
// of keys, GROUP * tiles of queries, queryHeads].
TILED void tiled_bias_gradient(Parameters p, global const float* queries, global const float* keys,
                               global const float* values, global const float* contextGradient,
                               global const float* rowStatistic, global const float* rowSums,
                               global float* biasGradient, OPTIONAL_OPERANDS)
{
    local float left[OPERAND_FLOATS], right[OPERAND_FLOATS];
    int head = get_global_id(2);
    int key = get_group_id(0) * TILE, query = get_group_id(1) * TILE;
    if (query >= p.queryTokens || key >= p.keyTokens)
        return;
    float sums[SPAN][SPAN];
    clearProducts(sums);
    for (int batch = 0; batch < p.batch; ++batch) {
        float weights[SPAN][SPAN], dScores[SPAN][SPAN];
        scaledProducts(&p, queries, keys, batch, head, query, key, left, right, weights);
        gradientProducts(&p, contextGradient, values, batch, head, query, key, left, right,
                         dScores);
        gradientTile(&p, OPTIONAL_ARGUMENTS, rowStatistic, rowSums, batch, head, query, key, 0,
                     weights, dScores);
        EACH(m, SPAN)
        {
            EACH(n, SPAN) sums[m][n] += dScores[m][n];
        }
    }
    EACH(m, SPAN)
    {
        EACH(n, SPAN)
        {
            int i = query + rowOf(m), j = key + columnOf(n);
            if (i < p.queryTokens && j < p.keyTokens)
                biasGradient[at(p.biasGradient, 0, head, i) + j] = sums[m][n];
        }
    }
}
