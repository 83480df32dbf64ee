// Vectors and register tiles of the kernels for CPU devices: one work-item per work-group, float16
// everywhere, no barriers. Comes before attention_block.cl.
//
//               panel 0      panel 1      panel 2         one panel = PANEL keys, transposed:
//             +------------+------------+-----------+     panel[d][key], so that a row of keys
//   block 0   | ROWS rows  |            |           |     is contiguous for every d
//   block 1   |            |   scores   |           |
//   ...       |            | in registers: ROWS x CHUNK float16 at a time

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
#define BACK_BLOCK 48 // query rows between two passes over the keys in backward, a multiple of ROWS
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

// Maximum; returns b where a is NaN. Cheaper than fmax.
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

// Exponential exp(x) for x <= 0 within 2e-7 relative: x = n ln2 + f, a degree-6 polynomial in f
// (Cephes expf). Below -87 the result is exactly 0; NaN is preserved.
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

// Loads the first `count` of 16 floats (or bytes) at x, zero beyond.
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
