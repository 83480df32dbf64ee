#pragma once

#include "core/tensor/tensor.h"
#include "core/trace/head_id.h"
#include "core/trace/trace.h"

#include <nlohmann/json.hpp>

#include <vector>

namespace headscope {

/// Weights on attention sinks: of heads with a learned logit that takes part in the softmax of every
/// row and has no value (gpt-oss, OpenAI 2025). Reads the settings of a trace once, so that a
/// captured trace answers too.
class SinkWeights
{
public:
    explicit SinkWeights(const Trace& trace);

    bool hasSinks(AttentionKind kind) const { return m_hasSinks && kind == AttentionKind::Self; }

    /// Weight of each row on the sink: what a row of the head's pattern lacks to 1, at least 0. NaN
    /// for a row whose weights an intervention replaced. `rows` [count, m] are those from
    /// `firstRow` on. Empty without a sink.
    std::vector<float> of(HeadId head, TensorView rows, std::int64_t firstRow = 0) const;

private:
    std::vector<nlohmann::json> entries(const char* list, HeadId head) const;

    nlohmann::json m_settings;
    bool m_hasSinks = false;
};

} // namespace headscope
