// Copies of operands in the order in which attention_block.cl reads them; the host prepends that
// file.

// Transposes 16 rows of 16 floats by interleaving the halves four times.
void transposeSquare(global const float* rows, long stride, global float* columns)
{
    float16 a[16], b[16];
    UNROLL for (int i = 0; i < 16; ++i) a[i] = vload16(0, rows + i * stride);
    UNROLL for (int step = 0; step < 4; ++step)
    {
        UNROLL for (int i = 0; i < 8; ++i)
        {
            float16 x = a[i], y = a[i + 8];
            b[2 * i] = (float16)(x.s0, y.s0, x.s1, y.s1, x.s2, y.s2, x.s3, y.s3, x.s4, y.s4, x.s5,
                                 y.s5, x.s6, y.s6, x.s7, y.s7);
            b[2 * i + 1] = (float16)(x.s8, y.s8, x.s9, y.s9, x.sa, y.sa, x.sb, y.sb, x.sc, y.sc,
                                     x.sd, y.sd, x.se, y.se, x.sf, y.sf);
        }
        UNROLL for (int i = 0; i < 16; ++i) a[i] = b[i];
    }
    UNROLL for (int i = 0; i < 16; ++i) vstore16(a[i], 0, columns + i * PANEL);
}

// panels[batch * heads][panel][dim][PANEL] = transposed rows, zero beyond the last token.
void packPanel(global const float* rows, long stride, int count, int dim, global float* panel)
{
    for (int first = 0; first < PANEL; first += 16) {
        global const float* x = rows + first * stride;
        int some = clamp(count - first, 0, 16);
        int d = 0;
        if (some == 16) {
            for (; d + 16 <= dim; d += 16)
                transposeSquare(x + d, stride, panel + d * PANEL + first);
        }
        for (; d < dim; ++d) {
            float part[16] ALIGNED;
            for (int lane = 0; lane < 16; ++lane)
                part[lane] = lane < some ? x[lane * stride + d] : 0.0f;
            vstore16(vload16(0, part), 0, panel + d * PANEL + first);
        }
    }
}

// Global size: [panels, batch * keyHeads].
ONE_ITEM void block_pack_keys(Parameters p, global const float* keys, global float* panels)
{
    int first = get_global_id(0) * PANEL;
    int batch = get_global_id(1) / max(p.keyHeads, 1);
    int head = get_global_id(1) % max(p.keyHeads, 1);
    if (first >= p.keyTokens)
        return;
    long panel = (long)get_global_id(1) * get_global_size(0) + get_global_id(0);
    packPanel(keys + at(p.key, batch, head, first), p.key.token, min(PANEL, p.keyTokens - first),
              p.headDim, panels + panel * (p.headDim * PANEL));
}

ONE_ITEM void block_pack_values(Parameters p, global const float* values, global float* panels)
{
    int first = get_global_id(0) * PANEL;
    int batch = get_global_id(1) / max(p.keyHeads, 1);
    int head = get_global_id(1) % max(p.keyHeads, 1);
    if (first >= p.keyTokens)
        return;
    long panel = (long)get_global_id(1) * get_global_size(0) + get_global_id(0);
    packPanel(values + at(p.value, batch, head, first), p.value.token,
              min(PANEL, p.keyTokens - first), p.valueDim, panels + panel * (p.valueDim * PANEL));
}

// Copies rows of `dim` floats into rows of `padded` floats, or back; zeros fill the rest. Global
// size: [tokens, batch * heads].
ONE_ITEM void block_copy_rows(View from, View to, int heads, int tokens, int dim, int padded,
                              global const float* source, global float* target)
{
    int token = get_global_id(0);
    int batch = get_global_id(1) / max(heads, 1);
    int head = get_global_id(1) % max(heads, 1);
    if (token >= tokens)
        return;
    global const float* x = source + at(from, batch, head, token);
    global float* y = target + at(to, batch, head, token);
    for (int d = 0; d < padded; ++d)
        y[d] = d < dim ? x[d] : 0.0f;
}
