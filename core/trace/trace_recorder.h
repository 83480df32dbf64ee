#pragma once

#include "core/trace/activation_observer.h"
#include "core/trace/trace.h"

#include <vector>

namespace headscope {

/// Copies the wanted activations of one forward pass. Where the pass computed only the last
/// positions, the rows before come from an earlier trace of a causal model; what is computed at
/// once (an encoder's sites) comes whole from the pass, or else from that trace.
class TraceRecorder : public ActivationObserver
{
public:
    /// `previous` may be null when nothing is reused.
    TraceRecorder(const std::vector<TraceKey>& wanted, std::int64_t tokens, TracePtr previous);

    bool wants(TraceKey key) const override;
    void record(TraceKey key, TensorView activation, std::int64_t firstRow) override;

    /// What was recorded. When no position had to be computed (a text was shortened), all of it is
    /// cut from the earlier trace.
    Trace::Activations take();

private:
    std::vector<bool> m_wanted; ///< by place(key)
    std::int64_t m_tokens;
    TracePtr m_previous;
    bool m_hasNewRows = false;
    Trace::Activations m_activations;
};

} // namespace headscope
