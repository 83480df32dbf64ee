#include "core/model/weights/rounded_input.h"

namespace headscope {

RoundedRows RoundedInput::round(TensorView in, RoundRow roundRow)
{
    const std::int64_t depth = in.shape[1];
    const auto codes = static_cast<std::size_t>(in.shape[0] * depth);
    const std::size_t blocks = codes / kRoundedBlock;
    if (m_codes.size() < codes) {
        m_codes.resize(codes);
        m_scales.resize(blocks);
        m_sums.resize(blocks);
        m_codeSums.resize(blocks);
    }
    const RoundedRows rows{m_codes.data(), m_scales.data(), m_sums.data(), m_codeSums.data(),
                           depth};
    for (std::int64_t row = 0; row < in.shape[0]; ++row)
        roundRow(in[row].data, row, rows);
    return rows;
}

} // namespace headscope
