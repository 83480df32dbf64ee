#pragma once

#include "core/model/layers/block_layers.h"

namespace headscope {

/// Normalises queries or keys after their projection (Henry et al. 2020; Qwen3, Gemma 3, OLMo 2):
/// each head by itself, or all of a token's heads as one vector.
class HeadNormLayer : public Layer
{
public:
    struct Values
    {
        HeadColumns in;     ///< Columns of the projection, whose gradient no other layer writes.
        ValueRef out;       ///< Normed vectors [heads * width].
        ValueRef mean;      ///< Mean of each normed vector; width groups().
        ValueRef deviation; ///< Inverse deviation of each; width groups().
    };

    /// Notes `site` unless a rotation follows, which notes it. Gamma has one entry per channel of a
    /// head, of each head, or of the whole, as `kind` says.
    HeadNormLayer(NormRef norm, QueryKeyNorm kind, Values values, TraceKey site,
                  RotaryLayer::When rotation)
        : m_norm(norm)
        , m_kind(kind)
        , m_values(values)
        , m_site(site)
        , m_rotation(rotation)
    {
    }

    /// Vectors that one token's heads are normalised as.
    static std::int64_t groups(QueryKeyNorm kind, std::int64_t heads)
    {
        return kind == QueryKeyNorm::Whole ? 1 : heads;
    }

    void forward(ModelPass& pass) const override;
    void backward(ModelPass& pass) const override;

private:
    struct Token;

    bool notes(const ModelPass& pass) const;
    NormParameters parameters(const ModelPass& pass, std::int64_t group) const;
    Token token(const ModelPass& pass, MutableTensorView in, MutableTensorView out,
                std::int64_t row) const;
    template<class Body>
    void forEachPart(const Body& body) const;

    NormRef m_norm;
    QueryKeyNorm m_kind;
    Values m_values;
    TraceKey m_site;
    RotaryLayer::When m_rotation;
};

} // namespace headscope
