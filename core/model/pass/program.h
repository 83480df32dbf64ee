#pragma once

#include "core/tensor/tensor.h"

#include <memory>
#include <vector>

namespace headscope {

class ModelPass;

/// Tokens that the rows of a value belong to.
enum class Rows {
    Query,  ///< Tokens computed by the pass.
    Key,    ///< All tokens so far; the same as Query without a cache.
    Memory, ///< Source tokens as seen by a decoder.
};

/// One activation of a program: [rows, width].
struct ValueRef
{
    int index = -1;

    explicit operator bool() const { return index >= 0; }

    friend bool operator==(ValueRef, ValueRef) = default;
};

/// One parameter, or several fused ones, inside a ParameterSet's buffer.
struct ParameterRef
{
    std::size_t offset = 0;
    Shape shape{0};
    bool present = false;
    bool shared = false; ///< True when a later layer uses it too: gradients are added, not written.

    explicit operator bool() const { return present; }
};

/// Layer y = x W^T + b, and the index of its packed weights.
struct LinearRef
{
    ParameterRef weight;
    ParameterRef bias;
    std::size_t packed = 0;
};

/// One step of a model's arithmetic, with its forward and backward pass. Immutable: all state is in
/// the ModelPass.
class Layer
{
public:
    virtual ~Layer() = default;

    virtual void forward(ModelPass& pass) const = 0;

    /// Propagates the gradients of its outputs to those of its inputs and parameters.
    virtual void backward(ModelPass& pass) const = 0;
};

/// How a layer uses values, which determines when their memory is free again.
struct Uses
{
    /// Inputs; their gradients are written (by the last reader) or added to.
    std::vector<ValueRef> reads;
    std::vector<ValueRef> writes; ///< New values.
    std::vector<ValueRef> keeps;  ///< Values needed by the backward pass.
    std::vector<ValueRef> temps;  ///< Scratch of this layer alone, not preserved.
};

/// Layers of one stack in execution order, and the memory offsets of their values in floats per
/// row, so that memory for any number of tokens is one multiplication, known before the first step.
class Program
{
public:
    struct Value
    {
        Rows rows = Rows::Query;
        std::int64_t width = 0;
        bool external = false; ///< In the pass's memory instead of the arena.
        int crossLayer = -1;   ///< With a cache: keys and values of the source are stored there.
        std::int64_t forwardOffset = -1;  ///< Offset without a backward pass.
        std::int64_t trainingOffset = -1; ///< Offset with a backward pass.
        /// Training; of scratch: its offset in the backward pass.
        std::int64_t gradientOffset = -1;
        int lastReader = -1; ///< Layer whose backward pass writes the gradient first.
    };

    const std::vector<std::unique_ptr<Layer>>& layers() const { return m_layers; }

    const Value& value(ValueRef ref) const { return m_values[ref.index]; }

    /// Floats of the arena for this many tokens of each kind.
    std::int64_t arenaSize(const std::int64_t (&tokens)[3], bool training) const;

    /// Floats of the arena per token.
    std::int64_t width(Rows rows, bool training) const;

private:
    friend class ProgramBuilder;

    std::vector<std::unique_ptr<Layer>> m_layers;
    std::vector<Value> m_values;
    std::int64_t m_widths[2][3] = {}; ///< Indexed by [training][rows].
};

/// Collects layers, then determines every value's lifetime and offset.
class ProgramBuilder
{
public:
    ValueRef value(Rows rows, std::int64_t width);

    /// Encoded source and its gradient, provided by the pass.
    ValueRef memoryValue(std::int64_t width);

    /// Keys and values of a source, which a cache computes once and stores.
    ValueRef crossValue(std::int64_t width, int layer);

    void add(std::unique_ptr<Layer> layer, Uses uses);

    /// A residual connection: y = x + f(...) passes its gradient to x unchanged, in one buffer. The
    /// layer that adds must be the last reader of x.
    void shareGradient(ValueRef x, ValueRef y);

    Program finish();

private:
    struct Interval;

    std::vector<Interval> intervals(bool training) const;
    int gradientGroup(int value) const;

    Program m_program;
    std::vector<Uses> m_uses;
    std::vector<int> m_gradientOf; ///< Value whose gradient buffer this one uses.
};

} // namespace headscope
