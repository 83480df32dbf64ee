#include "ui/workers/forward/patterns.h"

#include "core/analysis/heads/sink_weights.h"
#include "core/model/config/mask_choice.h"

#include <nlohmann/json.hpp>

#include <cstdlib>

namespace headscope::ui {

namespace {

HeatmapMask cellsMask(const nlohmann::json& rows)
{
    auto allowed = std::make_shared<std::vector<std::uint8_t>>();
    for (const nlohmann::json& row : rows) {
        for (const char cell : row.get<std::string>())
            allowed->push_back(cell == '0' ? 0 : 1);
    }
    return {HeatmapMask::Kind::Cells, 0, std::move(allowed)};
}

HeatmapMask twoSidedWindow(int tokens, int window)
{
    auto allowed = std::make_shared<std::vector<std::uint8_t>>();
    for (int query = 0; query < tokens; ++query) {
        for (int key = 0; key < tokens; ++key)
            allowed->push_back(std::abs(query - key) < window ? 1 : 0);
    }
    return {HeatmapMask::Kind::Cells, 0, std::move(allowed)};
}

HeatmapMask maskNamed(const std::string& name, int tokens)
{
    const auto width = [&name] { return std::atoi(name.c_str() + name.find(':') + 1); };
    if (name == "causal")
        return HeatmapMask::causal();
    if (name.starts_with("window:"))
        return {HeatmapMask::Kind::Window, width(), nullptr};
    if (name.starts_with("two-sided window:"))
        return twoSidedWindow(tokens, width());
    return {};
}

} // namespace

HeatmapMask maskOf(const Trace& trace, HeadId head)
{
    const auto settings =
        nlohmann::json::parse(trace.info().settings, nullptr, /*allow_exceptions=*/false);
    const auto layer = static_cast<std::size_t>(head.layer);
    const auto windows = settings.is_object() ? settings.find("windows") : settings.end();
    const bool isByLayer = settings.is_object() && windows != settings.end() &&
                           windows->is_array() && layer < windows->size() &&
                           (*windows)[layer].is_number_integer();
    if (!isByLayer || (*windows)[layer] == 0)
        return maskOf(trace, head.attention);
    const int width = (*windows)[layer].get<int>();
    if (settings.value("causal", true))
        return {HeatmapMask::Kind::Window, width, nullptr};
    return twoSidedWindow(static_cast<int>(trace.tokens().size()), width);
}

HeatmapMask maskOf(const Trace& trace, AttentionKind part)
{
    if (part == AttentionKind::EncoderSelf || part == AttentionKind::Cross)
        return {};
    const auto settings =
        nlohmann::json::parse(trace.info().settings, nullptr, /*allow_exceptions=*/false);
    if (!settings.is_object())
        return {};
    const auto cells = settings.find("mask_cells");
    if (cells != settings.end() && cells->is_array())
        return cellsMask(*cells);
    const auto name = settings.find("mask");
    if (name == settings.end() || !name->is_string())
        return {};
    if (*name == kMaskByLayer)
        return settings.value("causal", true) ? HeatmapMask::causal() : HeatmapMask();
    return maskNamed(name->get<std::string>(), static_cast<int>(trace.tokens().size()));
}

HeatmapMatrix patternOf(const std::shared_ptr<const Tensor>& pattern, int head)
{
    if (!pattern || head < 0 || head >= pattern->shape()[0])
        return {};
    HeatmapMatrix matrix;
    matrix.values = std::shared_ptr<const float>(pattern, pattern->view()[head].data);
    matrix.rows = static_cast<int>(pattern->shape()[1]);
    matrix.columns = static_cast<int>(pattern->shape()[2]);
    return matrix;
}

HeatmapMatrix patternOf(const Trace& trace, HeadId head)
{
    const TraceKey key = patternKey(head.attention, head.layer);
    if (!trace.retainedPatterns().contains(key))
        return patternOf(trace.find(key), head.head);
    const auto made = trace.findHead(key, head.head);
    if (!made)
        return {};
    HeatmapMatrix matrix;
    matrix.values = std::shared_ptr<const float>(made, made->data());
    matrix.rows = static_cast<int>(made->shape()[0]);
    matrix.columns = static_cast<int>(made->shape()[1]);
    return matrix;
}

HeatmapMatrix differenceOf(const HeatmapMatrix& a, const HeatmapMatrix& b)
{
    if (a.isEmpty() || a.rows != b.rows || a.columns != b.columns)
        return {};
    std::vector<float> difference(static_cast<std::size_t>(a.rows) *
                                  static_cast<std::size_t>(a.columns));
    for (std::size_t cell = 0; cell < difference.size(); ++cell)
        difference[cell] = b.values.get()[cell] - a.values.get()[cell];
    return HeatmapMatrix::copyOf(std::move(difference), a.rows, a.columns);
}

std::vector<float> sinkOf(const SinkWeights& sinks, HeadId head, const HeatmapMatrix& pattern)
{
    return sinks.of(head, {pattern.values.get(), {pattern.rows, pattern.columns}});
}

std::vector<float> differenceOf(const std::vector<float>& a, const std::vector<float>& b)
{
    std::vector<float> difference;
    for (std::size_t row = 0; a.size() == b.size() && row < b.size(); ++row)
        difference.push_back(b[row] - a[row]);
    return difference;
}

} // namespace headscope::ui
