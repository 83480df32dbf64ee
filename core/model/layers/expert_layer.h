#pragma once

#include "core/model/layers/shared_expert.h"

namespace headscope {

/// Computes out = residual + dropout(sum over the chosen experts of weight * expert(in), and what a
/// shared expert adds); tokens are gathered per expert, so that each expert's products are matrices.
class ExpertLayer : public Layer
{
public:
    struct Values
    {
        ValueRef in;
        ValueRef residual;
        ValueRef out;           ///< Shares its gradient with `residual`.
        ValueRef probabilities; ///< Probabilities, width experts.
        ValueRef weights;       ///< Weights, width experts.
        ValueRef gathered;      ///< Gathered inputs, width top_k d: expert after expert.
        ValueRef hidden;        ///< Pre-activations, width top_k d_ff (2 d_ff with a gate).
        ValueRef results;       ///< Outputs of the experts, width top_k d.
        ValueRef active;        ///< Activations (scratch), width top_k d_ff.
        ValueRef dHidden;       ///< Gradient of the pre-activations (scratch), width of hidden.
        ValueRef dActive;       ///< Gradient of the activations (scratch), width top_k d_ff.
        ValueRef dGathered;     ///< Gradient of the gathered inputs (scratch), width top_k d.
        ValueRef dWeights;      ///< Gradient of the weights (scratch), width experts.
        ValueRef scratch;       ///< Scratch, width d.
    };

    struct Settings
    {
        Place place;
        LinearRef router;
        std::vector<FeedForwardRef> experts;
        std::optional<SharedExpert> shared;
        std::int64_t topK = 2;
        bool normalised = true;  ///< The weights of the chosen experts sum to 1.
        bool notesOutput = true; ///< False: an AddLayer observes what is added.
        std::uint64_t dropoutSite = 0;
        int slot = 0; ///< Index of this layer's row lists in the workspace.
    };

    ExpertLayer(Settings settings, Values values)
        : m_settings(std::move(settings))
        , m_values(values)
    {
    }

    void forward(ModelPass& pass) const override;
    void backward(ModelPass& pass) const override;

private:
    struct Slice;

    std::optional<TraceKey> outputSite() const;
    void chooseRows(ModelPass& pass, TensorView weights) const;
    std::vector<std::int32_t>& rowsOf(ModelPass& pass, std::size_t expert) const;
    Slice sliceOf(ModelPass& pass, std::size_t expert, std::int64_t first) const;
    std::span<float> scalesOf(ModelPass& pass, std::size_t expert, const Slice& slice) const;
    void backwardExpert(ModelPass& pass, std::size_t expert, const Slice& slice,
                        TensorView dy) const;

    Settings m_settings;
    Values m_values;
};

} // namespace headscope
