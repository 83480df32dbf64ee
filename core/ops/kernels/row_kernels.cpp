#include "core/ops/kernels.h"
#include "core/ops/kernels/simd.h"

namespace headscope::HEADSCOPE_ISA {

namespace {

void addBias(const float* x, const float* bias, float* y, std::int64_t rows, std::int64_t columns)
{
    for (std::int64_t row = 0; row < rows; ++row) {
        const std::int64_t start = row * columns;
        forEachVector(columns, [&](std::int64_t j, std::int64_t n) HEADSCOPE_LAMBDA {
            store(y + start + j, load(x + start + j, n) + load(bias + j, n), n);
        });
    }
}

void add(const float* x, float* y, std::int64_t count)
{
    forEachVector(count, [&](std::int64_t j, std::int64_t n) HEADSCOPE_LAMBDA {
        store(y + j, load(y + j, n) + load(x + j, n), n);
    });
}

void addScaled(const float* x, float scale, float* y, std::int64_t count)
{
    forEachVector(count, [&](std::int64_t j, std::int64_t n) HEADSCOPE_LAMBDA {
        store(y + j, load(y + j, n) + scale * load(x + j, n), n);
    });
}

void scaleAdd(const float* row, float scale, const float* position, float* y, std::int64_t columns)
{
    forEachVector(columns, [&](std::int64_t j, std::int64_t n) HEADSCOPE_LAMBDA {
        const FloatVector added = position ? load(position + j, n) : FloatVector{};
        store(y + j, scale * load(row + j, n) + added, n);
    });
}

/// Processes four rows at a time, so that the sums are loaded and stored once per four rows.
void columnSums(const float* x, float* sums, std::int64_t rows, std::int64_t columns)
{
    std::int64_t row = 0;
    for (; row + 4 <= rows; row += 4) {
        const float* first = x + row * columns;
        forEachVector(columns, [&](std::int64_t j, std::int64_t n) HEADSCOPE_LAMBDA {
            const FloatVector upper = load(first + j, n) + load(first + columns + j, n);
            const FloatVector lower =
                load(first + 2 * columns + j, n) + load(first + 3 * columns + j, n);
            store(sums + j, load(sums + j, n) + (upper + lower), n);
        });
    }
    for (; row < rows; ++row)
        add(x + row * columns, sums, columns);
}

float largest(const float* x, std::int64_t columns)
{
    FloatVector top = broadcast(-__builtin_inff());
    forEachVector(columns, [&](std::int64_t j, std::int64_t n) HEADSCOPE_LAMBDA {
        top = maximum(load(x + j, n, -__builtin_inff()), top);
    });
    return maximum(top);
}

/// Writes y = e^(x - shift) unless y is null; returns the sum.
float exponentialSum(const float* x, float shift, float* y, std::int64_t columns)
{
    FloatVector total{};
    forEachVector(columns, [&](std::int64_t j, std::int64_t n) HEADSCOPE_LAMBDA {
        const FloatVector value = exponential(load(x + j, n, -__builtin_inff()) - shift);
        if (y)
            store(y + j, value, n);
        total += value;
    });
    return sum(total);
}

void softmax(const float* x, float* y, std::int64_t rows, std::int64_t columns)
{
    for (std::int64_t row = 0; row < rows; ++row) {
        const float* in = x + row * columns;
        float* out = y + row * columns;
        const float top = largest(in, columns);
        const float scale = 1.0F / exponentialSum(in, top, out, columns);
        forEachVector(columns, [&](std::int64_t j, std::int64_t n) HEADSCOPE_LAMBDA {
            store(out + j, load(out + j, n) * scale, n);
        });
    }
}

void softmaxBackward(const float* y, const float* dy, float* dx, std::int64_t rows,
                     std::int64_t columns)
{
    for (std::int64_t row = 0; row < rows; ++row) {
        const std::int64_t start = row * columns;
        FloatVector total{};
        forEachVector(columns, [&](std::int64_t j, std::int64_t n) HEADSCOPE_LAMBDA {
            total += load(y + start + j, n) * load(dy + start + j, n);
        });
        const float inner = sum(total);
        forEachVector(columns, [&](std::int64_t j, std::int64_t n) HEADSCOPE_LAMBDA {
            const FloatVector change = load(dy + start + j, n) - inner;
            store(dx + start + j, load(y + start + j, n) * change, n);
        });
    }
}

double crossEntropy(const float* logits, std::int64_t columns, std::int32_t target, float smoothing,
                    float scale, float* gradient)
{
    const float top = largest(logits, columns);
    const float fraction = smoothing / static_cast<float>(columns);
    const float atTarget = logits[target];
    double spread = 0.0;
    if (smoothing > 0.0F) {
        FloatVector all{};
        forEachVector(columns, [&](std::int64_t j, std::int64_t n)
                                   HEADSCOPE_LAMBDA { all += load(logits + j, n, top) - top; });
        spread = static_cast<double>(sum(all)) + static_cast<double>(columns) * top;
    }
    const float total = exponentialSum(logits, top, gradient, columns);
    const double logSum = __builtin_log(static_cast<double>(total)) + top;
    if (gradient) {
        const float probability = scale / total;
        const float less = scale * fraction;
        forEachVector(columns, [&](std::int64_t j, std::int64_t n) HEADSCOPE_LAMBDA {
            store(gradient + j, load(gradient + j, n) * probability - less, n);
        });
        gradient[target] -= scale * (1.0F - smoothing);
    }
    return logSum - (1.0 - static_cast<double>(smoothing)) * atTarget -
           static_cast<double>(fraction) * spread;
}

} // namespace

void fillRowKernels(Kernels& table);

void fillRowKernels(Kernels& table)
{
    table.addBias = addBias;
    table.add = add;
    table.addScaled = addScaled;
    table.scaleAdd = scaleAdd;
    table.columnSums = columnSums;
    table.softmax = softmax;
    table.softmaxBackward = softmaxBackward;
    table.crossEntropy = crossEntropy;
}

} // namespace headscope::HEADSCOPE_ISA
