#pragma once

#include "core/model/model.h"
#include "core/model/pass/site_shape.h"
#include "core/trace/omitted_activations.h"
#include "core/trace/trace.h"

#include <map>
#include <span>
#include <vector>

namespace headscope {

/// What a trace retained of a forward pass in order to compute the rest of it again.
struct RetainedPass
{
    std::shared_ptr<const Model> model;
    Interventions interventions;
    std::int64_t tokens = 0;
    Trace::Activations streams; ///< Includes LayerReplay::streams().
    /// With RetainedAttention::Operands::All; layers whose pattern was edited have none.
    Trace::RetainedPatterns attention;
};

/// Computes omitted activations of a model with one stack from the nearest residual stream before
/// them. Where no query sees later keys, retained keys and values stand for the other tokens, so
/// that a row costs what a generated token does; otherwise the whole layer is computed. On the CPU.
class LayerReplay : public OmittedActivations
{
public:
    /// Retained streams that everything else follows from: before every layer, and the last one.
    static std::vector<TraceKey> streams(const ModelConfig& config);

    /// True for sites that follow from streams() and have a row per token.
    static bool canCompute(const ModelConfig& config, TraceKey key);

    /// Takes the omitted activations, for each of which canCompute() is true; those that the model
    /// does not have are left out.
    LayerReplay(RetainedPass pass, std::span<const TraceKey> omitted);

    const std::vector<TraceKey>& keys() const override { return m_keys; }

    std::optional<Shape> shapeOf(TraceKey key) const override;
    Tensor rows(TraceKey key, std::int64_t first, std::int64_t count) const override;

private:
    struct Stretch; ///< Layers of the program between two retained streams.
    struct Span;

    Stretch stretchOf(TraceKey key) const;
    const RetainedAttention* retainedIn(int layer) const;
    const RetainedAttention* attentionOf(const Stretch& stretch) const;
    const Tensor* sameStream(TraceKey key) const;
    TensorView operandsOf(TraceKey key) const;
    void replay(TraceKey key, const Stretch& stretch, const Span& span, float* destination) const;

    RetainedPass m_pass;
    SiteExtents m_extents;
    std::vector<TraceKey> m_keys;
    std::map<TraceKey, std::size_t> m_places; ///< Index in the program of a stream's NoteLayer.
};

} // namespace headscope
