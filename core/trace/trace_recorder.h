#pragma once

#include "core/trace/activation_observer.h"
#include "core/trace/trace.h"

#include <vector>

namespace headscope {

/// Copies the wanted activations of one forward pass. Where only the last positions were computed,
/// earlier rows come from an earlier trace of a causal model; what is computed once (an encoder's
/// sites) comes whole from the pass or from that trace.
class TraceRecorder : public ActivationObserver
{
public:
    /// How patterns are recorded: in full, as the operands that they can be recomputed from, or
    /// with the values, from which the rest of the layer can be recomputed too.
    enum class Patterns { Whole, Operands, AllOperands };

    /// Takes `previous`, null when nothing is reused; where patterns are recorded as operands, it
    /// must have done so too.
    TraceRecorder(const std::vector<TraceKey>& wanted, std::int64_t tokens, TracePtr previous,
                  Patterns patterns = Patterns::Whole);

    bool wants(TraceKey key) const override;
    void record(TraceKey key, TensorView activation, std::int64_t firstRow) override;

    bool keepsOperands(TraceKey key) const override;
    void recordOperands(TraceKey key, const AttentionInputs& inputs,
                        std::int64_t firstRow) override;

    /// Recorded activations. When no position had to be computed (the text was shortened), they are
    /// truncated from the earlier trace.
    Trace::Activations take();

    /// Patterns recorded as operands; call it after take().
    Trace::RetainedPatterns takeKept() { return std::move(m_kept); }

private:
    void takeKeptBefore();
    void takeRows(TraceKey key, const Tensor& whole);

    std::vector<bool> m_wanted; ///< Wanted activations, indexed by place(key).
    std::int64_t m_tokens;
    TracePtr m_previous;
    bool m_hasNewRows = false;
    Patterns m_patterns;
    Trace::Activations m_activations;
    Trace::RetainedPatterns m_kept;
};

} // namespace headscope
