#pragma once

#include "core/model/layers/block_layers.h"

namespace headscope {

/// Keys and values of every head from one latent per token and, where there are rotary channels,
/// one rotated key shared by all heads (DeepSeek-V2 2024, eq. 9-19). A cache provides the latents
/// and rotated keys of earlier tokens, and stores only these two.
class LatentKeysLayer : public Layer
{
public:
    struct Values
    {
        ValueRef latent;    ///< Latent [n, r].
        ValueRef rotaryKey; ///< Rotary key [n, ropeDim], or none.
        ValueRef expanded;  ///< Expanded latents [m, heads (nope + value)].
        ValueRef keys;      ///< Keys [m, heads (nope + rope)].
    };

    LatentKeysLayer(LinearRef up, Values values, Place place)
        : m_up(up)
        , m_values(values)
        , m_place(place)
    {
    }

    void forward(ModelPass& pass) const override;
    void backward(ModelPass& pass) const override;

private:
    void appendToCache(ModelPass& pass) const;
    void assembleKeys(ModelPass& pass, TensorView rotaryKeys) const;
    void noteKeys(ModelPass& pass) const;
    HeadColumns keyColumns(const ModelPass& pass) const;
    HeadColumns valueColumns(const ModelPass& pass) const;

    LinearRef m_up;
    Values m_values;
    Place m_place;
};

} // namespace headscope
