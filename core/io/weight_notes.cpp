#include "core/io/weight_notes.h"

#include "core/base/json_text.h"

#include <fmt/format.h>

#include <cmath>

namespace headscope {

namespace {

constexpr double kRounding = 0.02; // bfloat16 has eight bits of precision

} // namespace

void WeightNotes::Oddity::note(const std::string& name)
{
    if (count++ == 0)
        first = name;
}

void WeightNotes::check(const std::string& name, Tensor& pattern, bool hasSinks)
{
    const auto length = static_cast<std::size_t>(pattern.shape()[2]);
    const auto values = pattern.values();
    for (std::size_t row = 0; row < values.size(); row += length) {
        double sum = 0.0;
        bool isWhole = true;
        for (float& weight : values.subspan(row, length)) {
            if (!std::isfinite(weight)) {
                weight = 0.0F;
                isWhole = false;
                m_noNumbers.note(name);
            }
            sum += double{weight};
        }
        if (isWhole && (hasSinks ? sum - 1.0 : std::abs(sum - 1.0)) > kRounding)
            m_otherSums.note(name);
    }
}

std::vector<std::string> WeightNotes::sentences() const
{
    std::vector<std::string> notes;
    if (m_noNumbers.count > 0)
        notes.push_back(fmt::format("{} weights are NaN and shown as 0, the first in {}.",
                                    m_noNumbers.count, inQuotes(m_noNumbers.first)));
    if (m_otherSums.count > 0)
        notes.push_back(fmt::format("{} rows of weights do not sum to 1 and are shown unchanged, "
                                    "the first in {}.",
                                    m_otherSums.count, inQuotes(m_otherSums.first)));
    return notes;
}

} // namespace headscope
