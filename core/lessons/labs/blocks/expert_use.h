#pragma once

#include "core/lessons/labs/lab_plot.h"
#include "core/trace/trace.h"

namespace headscope {

/// Experts that the tokens of one forward pass went to, layer by layer.
class ExpertUse
{
public:
    /// Null: no layers.
    ExpertUse(TracePtr trace, std::shared_ptr<const Tokenizer> tokenizer);

    /// Layers with experts, in the order of the computation.
    std::size_t layers() const { return m_layers.size(); }

    std::int64_t experts() const; ///< Of a layer.

    std::size_t at(Stack stack, int layer) const; ///< Its index; 0 if it has no experts.

    std::vector<double> loads(std::size_t layer) const; ///< Fraction of all choices by expert.

    /// Mean over the layers of the largest load times the number of experts; 1: even.
    double imbalance() const;

    LabPanel loadPanel() const; ///< Load [layers, experts].

    /// Weights [experts, tokens] of one layer, masked where an expert was not chosen.
    LabPanel tokenPanel(std::size_t layer) const;

    /// Mean probability that the router of a layer gives to each expert.
    LabPanel probabilityPanel(std::size_t layer) const;

private:
    std::string layerName(std::size_t layer) const;
    TensorView weights(std::size_t layer) const;
    std::vector<std::string> tokenNames(std::size_t layer) const;

    TracePtr m_trace;
    std::shared_ptr<const Tokenizer> m_tokenizer;
    std::vector<TraceKey> m_layers;
};

} // namespace headscope
