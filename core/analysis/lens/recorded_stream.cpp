#include "core/analysis/lens/recorded_stream.h"

#include "core/analysis/lens/frozen_norm.h"
#include "core/base/error.h"
#include "core/model/pass/site_shape.h"
#include "core/text/text_pair.h"

#include <fmt/format.h>

namespace headscope {

RecordedStream::RecordedStream(const Trace& trace, const Model& model, std::int64_t position)
    : m_trace(trace)
    , m_model(model)
    , m_config(model.config())
    , m_position(position)
    , m_stack(m_config.mainStack())
    , m_layers(static_cast<int>(layerCount(m_config, m_stack)))
{
}

const float* RecordedStream::row(TraceKey key) const
{
    auto known = m_rows.find(key);
    if (known == m_rows.end())
        known = m_rows.emplace(key, m_trace.findRows(key, m_position)).first;
    if (!known->second)
        throw Error(fmt::format("the trace contains no {}", toString(key)), "logit attribution",
                    "Trace the heads' outputs and all that is added to the residual stream");
    return known->second.view.data;
}

std::vector<float> RecordedStream::at(Site site, int layer) const
{
    const float* const first = row(site, layer);
    return {first, first + width()};
}

std::vector<float> RecordedStream::beforeMlp(int layer) const
{
    return at(m_config.isEncoderDecoder() ? Site::ResidMidCross : Site::ResidMid, layer);
}

std::vector<float> RecordedStream::last() const
{
    return m_layers > 0 ? at(Site::ResidPost, m_layers - 1) : embedded();
}

std::vector<float> RecordedStream::embedded() const
{
    const float* const token = row({Site::Embed, 0});
    std::vector<float> sum(token, token + width());
    if (has({Site::PosEmbed, 0}))
        sum = plus(std::move(sum), row({Site::PosEmbed, 0}));
    const std::vector<float> segment = segmentEmbedding();
    return segment.empty() ? sum : plus(std::move(sum), segment.data());
}

std::vector<float> RecordedStream::segmentEmbedding() const
{
    if (m_config.tokenTypes == 0)
        return {};
    const std::vector<std::int32_t> segments =
        m_config.tokenTypes > 1 ? segmentsOf(m_trace.tokens()) : std::vector<std::int32_t>();
    const auto place = static_cast<std::size_t>(m_position);
    return parameterRow(m_model, "type_emb.weight", place < segments.size() ? segments[place] : 0);
}

std::vector<float> plus(std::vector<float> stream, const float* added)
{
    for (std::size_t channel = 0; channel < stream.size(); ++channel)
        stream[channel] += added[channel];
    return stream;
}

} // namespace headscope
