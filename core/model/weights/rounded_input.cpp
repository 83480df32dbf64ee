#include "core/model/weights/rounded_input.h"

#include "core/base/parallel.h"

namespace headscope {

namespace {

/// Below this, waking a second thread takes longer than rounding.
constexpr std::size_t kValuesPerThread = 1 << 15;

} // namespace

RoundedRows RoundedInput::round(TensorView in, RoundRow roundRow)
{
    const std::int64_t depth = in.shape[1];
    const auto codes = static_cast<std::size_t>(in.shape[0] * depth);
    const std::size_t blocks = codes / kRoundedBlock;
    if (m_codes.size() < codes) {
        m_codes.resize(codes);
        m_scales.resize(blocks);
        m_sums.resize(blocks);
        m_codeSums.resize(4 * blocks);
    }
    const RoundedRows rows{m_codes.data(), m_scales.data(), m_sums.data(), m_codeSums.data(),
                           depth};
    const std::size_t threads = codes < kValuesPerThread ? 1 : workerCount();
    parallelFor(in.shape[0], threads, [&](std::size_t begin, std::size_t end, std::size_t) {
        for (std::size_t row = begin; row < end; ++row)
            roundRow(in[static_cast<std::int64_t>(row)].data, static_cast<std::int64_t>(row), rows);
    });
    return rows;
}

} // namespace headscope
