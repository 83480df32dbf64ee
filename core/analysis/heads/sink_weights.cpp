#include "core/analysis/heads/sink_weights.h"

#include <algorithm>
#include <limits>

namespace headscope {

namespace {

using Json = nlohmann::json;

constexpr float kReplaced = std::numeric_limits<float>::quiet_NaN();

void replace(std::vector<float>& weights, const Json& row, std::int64_t firstRow)
{
    const std::int64_t place = row.is_number_integer() ? row.get<std::int64_t>() - firstRow : -1;
    if (place >= 0 && place < std::ssize(weights))
        weights[static_cast<std::size_t>(place)] = kReplaced;
}

} // namespace

SinkWeights::SinkWeights(const Trace& trace)
    : m_settings(Json::parse(trace.info().settings, nullptr, /*allow_exceptions=*/false))
{
    if (!m_settings.is_object()) // a file written elsewhere may have none
        m_settings = Json::object();
    m_hasSinks = m_settings.value("attention_sinks", Json()) == true;
}

/// Entries of a list in the settings that are about one head's pattern, or all heads'.
std::vector<Json> SinkWeights::entries(const char* list, HeadId head) const
{
    std::vector<Json> found;
    const std::string site = toString(patternKey(head.attention, head.layer));
    for (const Json& entry : m_settings.value(list, Json::array())) {
        const bool isOfSite = entry.is_object() && entry.value("site", Json()) == site;
        if (isOfSite && (!entry.contains("head") || entry["head"] == head.head))
            found.push_back(entry);
    }
    return found;
}

std::vector<float> SinkWeights::of(HeadId head, TensorView rows, std::int64_t firstRow) const
{
    std::vector<float> weights;
    if (!hasSinks(head.attention))
        return weights;
    for (std::int64_t row = 0; row < rows.shape[0]; ++row) {
        double sum = 0.0;
        for (std::int64_t key = 0; key < rows.shape[1]; ++key)
            sum += double{rows(row, key)};
        weights.push_back(static_cast<float>(sum > 1.0 ? 0.0 : 1.0 - sum)); // NaN stays
    }
    for (const Json& patch : entries("patches", head)) {
        if (!patch.contains("positions"))
            std::fill(weights.begin(), weights.end(), kReplaced);
        for (const Json& row : patch.value("positions", Json::array()))
            replace(weights, row, firstRow);
    }
    for (const Json& edit : entries("edits", head))
        if (!edit.contains("rescale")) // which keeps the row's sum
            replace(weights, edit.value("query", Json()), firstRow);
    return weights;
}

} // namespace headscope
