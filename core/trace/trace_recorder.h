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
    /// How patterns are recorded: as they are, or as what they can be made from again.
    enum class Patterns { Whole, Operands };

    /// `previous` may be null when nothing is reused; where patterns are recorded as operands, it
    /// did so too.
    TraceRecorder(const std::vector<TraceKey>& wanted, std::int64_t tokens, TracePtr previous,
                  Patterns patterns = Patterns::Whole);

    bool wants(TraceKey key) const override;
    void record(TraceKey key, TensorView activation, std::int64_t firstRow) override;

    bool keepsOperands(TraceKey key) const override;
    void recordOperands(TraceKey key, const AttentionInputs& inputs,
                        std::int64_t firstRow) override;

    /// What was recorded. When no position had to be computed (a text was shortened), all of it is
    /// cut from the earlier trace.
    Trace::Activations take();

    /// After take(): the patterns that were recorded as operands.
    Trace::KeptPatterns takeKept() { return std::move(m_kept); }

private:
    void takeKeptBefore();
    void takeRows(TraceKey key, const Tensor& whole);

    std::vector<bool> m_wanted; ///< by place(key)
    std::int64_t m_tokens;
    TracePtr m_previous;
    bool m_hasNewRows = false;
    Patterns m_patterns;
    Trace::Activations m_activations;
    Trace::KeptPatterns m_kept;
};

} // namespace headscope
