#pragma once

#include "core/model/config/model_settings.h"
#include "core/model/pass/program.h"
#include "core/trace/site.h"

#include <optional>

namespace headscope {

/// Layer and stack, for the names of its sites.
struct Place
{
    Stack stack = Stack::Blocks;
    int layer = 0;

    TraceKey key(Site site) const { return {site, layer, stack}; }
};

/// Some columns of a value viewed as heads: [rows, heads, width].
struct HeadColumns
{
    ValueRef value;
    std::int64_t first = 0; ///< Column of head 0's first channel.
    std::int64_t heads = 0;
    std::int64_t width = 0;  ///< Channels per head.
    std::int64_t stride = 0; ///< Distance between the first channels of neighbouring heads.
};

MutableTensorView headsOf(MutableTensorView rows, const HeadColumns& columns);

/// Exposes a value to observers and interventions where no other layer handles it.
class NoteLayer : public Layer
{
public:
    NoteLayer(ValueRef value, TraceKey key) : m_value(value), m_key(key) {}

    ValueRef value() const { return m_value; }

    TraceKey key() const { return m_key; }

    void forward(ModelPass& pass) const override;
    void backward(ModelPass& pass) const override;

private:
    ValueRef m_value;
    TraceKey m_key;
};

struct NormRef
{
    NormKind kind = NormKind::Layer;
    float epsilon = 1e-5F;
    ParameterRef gamma;
    ParameterRef beta;
};

/// Computes out = norm(in); keeps in and the statistics.
class NormLayer : public Layer
{
public:
    struct Values
    {
        ValueRef in;
        ValueRef out;
        ValueRef mean;      ///< Mean; width 1.
        ValueRef deviation; ///< Inverse deviation; width 1.
    };

    NormLayer(NormRef norm, Values values, std::optional<TraceKey> site = {})
        : m_norm(norm)
        , m_values(values)
        , m_site(site)
    {
    }

    void forward(ModelPass& pass) const override;
    void backward(ModelPass& pass) const override;

private:
    NormRef m_norm;
    Values m_values;
    std::optional<TraceKey> m_site;
};

/// Computes out = in W^T + b, with parts of `out` that have their own names.
class LinearLayer : public Layer
{
public:
    struct Part
    {
        TraceKey key;
        HeadColumns columns; ///< Columns of out; without heads the whole of it.
    };

    LinearLayer(LinearRef linear, ValueRef in, ValueRef out, std::vector<Part> parts = {})
        : m_linear(linear)
        , m_in(in)
        , m_out(out)
        , m_parts(std::move(parts))
    {
    }

    void forward(ModelPass& pass) const override;
    void backward(ModelPass& pass) const override;

protected:
    void noteParts(ModelPass& pass) const;

    LinearRef m_linear;
    ValueRef m_in;
    ValueRef m_out;
    std::vector<Part> m_parts;
};

/// Rotates queries and keys by their positions, in place, when the pass's positions are rotary.
class RotaryLayer : public Layer
{
public:
    enum class When {
        Rotary,   ///< With rotary positions.
        Always,   ///< Whatever the model's positions: rotary channels of latent attention.
        Replaced, ///< Where an intervention replaces the positions: layers without positions.
    };

    struct Part
    {
        TraceKey key;
        HeadColumns columns; ///< Rotated columns.
        HeadColumns seen;    ///< Whole heads; empty: the value as it is.
    };

    RotaryLayer(std::vector<Part> parts, When when) : m_parts(std::move(parts)), m_when(when) {}

    void forward(ModelPass& pass) const override;
    void backward(ModelPass& pass) const override;

    /// Whether such a layer rotates anything in this pass.
    static bool turns(const ModelPass& pass, When when);

private:
    std::vector<Part> m_parts;
    When m_when;
};

} // namespace headscope
