// Copies of operands in the order that attention_block.cl reads, which the host puts in front.

// panels[batch * heads][panel][dim][PANEL] = transposed rows, zero beyond the last token.
void packPanel(global const float* rows, long stride, int count, int dim, global float* panel)
{
    for (int first = 0; first < PANEL; first += 16) {
        global const float* x = rows + first * stride;
        int some = clamp(count - first, 0, 16);
        for (int d = 0; d < dim; ++d) {
            float16 v = (float16)(0.0f);
            if (some == 16) {
                v = (float16)(x[d], x[stride + d], x[2 * stride + d], x[3 * stride + d],
                              x[4 * stride + d], x[5 * stride + d], x[6 * stride + d],
                              x[7 * stride + d], x[8 * stride + d], x[9 * stride + d],
                              x[10 * stride + d], x[11 * stride + d], x[12 * stride + d],
                              x[13 * stride + d], x[14 * stride + d], x[15 * stride + d]);
            } else {
                float part[16] ALIGNED;
                for (int lane = 0; lane < 16; ++lane)
                    part[lane] = lane < some ? x[lane * stride + d] : 0.0f;
                v = vload16(0, part);
            }
            vstore16(v, 0, panel + d * PANEL + first);
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

// Rows of `dim` floats into rows of `padded` floats, or back; zeros fill the rest.
// Global size: [tokens, batch * heads].
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
