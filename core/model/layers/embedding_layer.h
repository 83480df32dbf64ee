#pragma once

#include "core/model/layers/block_layers.h"
#include "core/model/positions/position_encoding.h"

namespace headscope {

/// Computes out = dropout(scale * tokens[id] + positions[position] + segments[segment]).
class EmbeddingLayer : public Layer
{
public:
    struct Parameters
    {
        ParameterRef tokens;    ///< Token embeddings [V, d].
        ParameterRef positions; ///< Learned positions [maxLen, d].
        ParameterRef segments;  ///< Segments [tokenTypes, d].
    };

    struct Settings
    {
        Place place; ///< Position in the model; only the stack matters.
        float scale = 1.0F;
        bool dropsOut = false; ///< False where a norm follows, which precedes the dropout.
        std::uint64_t dropoutSite = 0;
    };

    EmbeddingLayer(Parameters parameters, ValueRef out, Settings settings)
        : m_parameters(parameters)
        , m_out(out)
        , m_settings(settings)
    {
    }

    void forward(ModelPass& pass) const override;
    void backward(ModelPass& pass) const override;

private:
    void lookUpStored(ModelPass& pass, MutableTensorView x) const;
    TensorView positionRows(ModelPass& pass) const;
    void addPositions(ModelPass& pass, MutableTensorView x) const;
    void addSegments(ModelPass& pass, MutableTensorView x) const;
    void backwardTables(ModelPass& pass, TensorView dx) const;

    Parameters m_parameters;
    ValueRef m_out;
    Settings m_settings;
};

/// Applies dropout in place to embeddings after their norm.
class DropoutLayer : public Layer
{
public:
    DropoutLayer(ValueRef value, std::uint64_t site) : m_value(value), m_site(site) {}

    void forward(ModelPass& pass) const override;
    void backward(ModelPass& pass) const override;

private:
    ValueRef m_value;
    std::uint64_t m_site;
};

/// Learned relative position bias of one stack, shared by all its self-attention layers (T5).
class PositionBiasLayer : public Layer
{
public:
    explicit PositionBiasLayer(ParameterRef table, bool bidirectional)
        : m_table(table)
        , m_bidirectional(bidirectional)
    {
    }

    void forward(ModelPass& pass) const override;
    void backward(ModelPass& pass) const override;

private:
    BiasedScores scores(ModelPass& pass) const;

    ParameterRef m_table;
    bool m_bidirectional;
};

/// Prepares what layers read besides the residual stream, for a pass that starts in the middle.
void prepareBiases(ModelPass& pass);

} // namespace headscope
