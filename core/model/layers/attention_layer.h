#pragma once

#include "core/attention/attention_backend.h"
#include "core/model/layers/block_layers.h"

namespace headscope {

/// Scaled dot-product attention of one layer, in self- and in cross-attention.
class AttentionLayer : public Layer
{
public:
    struct Values
    {
        HeadColumns queries;
        HeadColumns keys;   ///< Columns of Query, Key or Memory rows.
        HeadColumns values; ///< Columns of the same rows.
        HeadColumns context;
        ValueRef logSumExp; ///< Log-sum-exp; width heads.
    };

    struct Sites
    {
        Site scores = Site::AttnScores;
        Site pattern = Site::Pattern;
        Site z = Site::Z;
    };

    struct Settings
    {
        Place place;
        float scale = 1.0F;
        bool cross = false;
        /// True when the pass's KvCache holds keys and values of earlier tokens.
        bool cached = false;
        ParameterRef sinks; ///< Logits of the sinks [heads]; may be none.
        std::uint64_t dropoutSite = 0;
    };

    AttentionLayer(Values values, Settings settings);

    void forward(ModelPass& pass) const override;
    void backward(ModelPass& pass) const override;

private:
    AttentionInputs inputs(ModelPass& pass) const;
    void appendToCache(ModelPass& pass) const;
    void usePositions(ModelPass& pass, AttentionInputs& inputs) const;
    void useDropout(ModelPass& pass, AttentionInputs& inputs) const;
    MutableTensorView perSequence(const ModelPass& pass, MutableTensorView rows,
                                  const HeadColumns& columns) const;
    AttentionGradients gradientViews(ModelPass& pass) const;

    Values m_values;
    Settings m_settings;
    Sites m_sites;
};

} // namespace headscope
