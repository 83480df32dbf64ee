#pragma once

#include "core/model/model.h"
#include "core/trace/trace.h"

#include <map>
#include <vector>

namespace headscope {

/// Recorded residual stream of one position and everything that was added to it, in the stack that
/// predicts. Trace and model must outlive it.
class RecordedStream
{
public:
    RecordedStream(const Trace& trace, const Model& model, std::int64_t position);

    Stack stack() const { return m_stack; }

    int layers() const { return m_layers; }

    std::int64_t width() const { return m_config.dModel; }

    bool has(TraceKey key) const { return m_trace.has(key); }

    /// Valid as long as this object. Throws Error if the trace does not contain it.
    const float* row(TraceKey key) const;

    const float* row(Site site, int layer) const { return row({site, layer, m_stack}); }

    std::vector<float> at(Site site, int layer) const; ///< A copy of that row, [d].
    std::vector<float> beforeMlp(int layer) const;
    std::vector<float> last() const; ///< Final residual stream, which predicts.
    /// Sum of token, position and segment embeddings, before any norm.
    std::vector<float> embedded() const;
    std::vector<float> segmentEmbedding() const; ///< Empty if the model has no segments.

private:
    const Trace& m_trace;
    const Model& m_model;
    const ModelConfig& m_config;
    std::int64_t m_position;
    Stack m_stack;
    int m_layers;
    mutable std::map<TraceKey, ActivationRows> m_rows; ///< Rows read so far.
};

/// Adds channel by channel.
std::vector<float> plus(std::vector<float> stream, const float* added);

} // namespace headscope
