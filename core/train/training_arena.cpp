#include "core/train/training_arena.h"

#include <algorithm>

namespace headscope {

namespace {

constexpr std::int64_t kFloatsPerCacheLine = 16;

/// Logits of this many values at a time (2 MiB) stay in the caches between softmax and its
/// products.
constexpr std::int64_t kLogitValues = 1 << 19;

/// Gives out views one after the other; without a base it only measures.
class Placer
{
public:
    explicit Placer(float* base) : m_base(base) {}

    MutableTensorView operator()(const Shape& shape)
    {
        const std::int64_t start = m_end;
        m_end += (shape.elementCount() + kFloatsPerCacheLine - 1) / kFloatsPerCacheLine *
                 kFloatsPerCacheLine;
        return m_base ? MutableTensorView(m_base + start, shape) : MutableTensorView();
    }

    std::int64_t used() const { return m_end; }

private:
    float* m_base;
    std::int64_t m_end = 0;
};

} // namespace

TrainingArena::TrainingArena(const ModelConfig& config)
    : blocks(static_cast<std::size_t>(config.layers))
    , m_config(config)
{
}

std::int64_t TrainingArena::place(float* base, std::int64_t rows, std::int64_t length)
{
    Placer take(base);
    const ModelConfig& c = m_config;
    const std::int64_t n = rows * length;
    const std::int64_t d = c.dModel;
    for (BlockActivations& block : blocks) {
        block.input = take({n, d});
        block.norm1 = take({n, d});
        block.mean1 = take({n});
        block.scale1 = take({n});
        block.qkv = take({n, 3 * d});
        block.context = take({n, d});
        block.logSumExp = take({rows, c.heads, length});
        if (c.dFf == 0)
            continue;
        block.middle = take({n, d});
        block.norm2 = take({n, d});
        block.mean2 = take({n});
        block.scale2 = take({n});
        block.hidden = take({n, c.dFf});
    }
    output = take({n, d});
    finalNorm = take({n, d});
    finalMean = take({n});
    finalScale = take({n});
    logits =
        take({std::clamp<std::int64_t>(kLogitValues / c.vocabularySize, 1, n), c.vocabularySize});
    active = take({n, c.dFf});
    dResidual = take({n, d});
    dNorm = take({n, d});
    dContext = take({n, d});
    dQkv = take({n, 3 * d});
    dHidden = take({n, c.dFf});
    dropped = c.dropout > 0.0 ? take({n, d}) : MutableTensorView();
    return take.used();
}

void TrainingArena::layOut(std::int64_t rows, std::int64_t length)
{
    if (rows == m_rows && length == m_length)
        return;
    const std::int64_t needed = place(nullptr, rows, length);
    if (needed > static_cast<std::int64_t>(m_memory.size()))
        m_memory = Tensor(Shape{needed});
    place(m_memory.data(), rows, length);
    if (m_config.dropout > 0.0)
        attentionKeep.resize(static_cast<std::size_t>(rows * m_config.heads * length * length));
    m_rows = rows;
    m_length = length;
}

} // namespace headscope
