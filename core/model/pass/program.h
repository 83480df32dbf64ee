#pragma once

#include "core/tensor/tensor.h"

#include <memory>
#include <vector>

namespace headscope {

class ModelPass;

/// Which tokens the rows of a value belong to.
enum class Rows {
    Query,  ///< the tokens that a run computes
    Key,    ///< all tokens so far; the same as Query without a cache
    Memory, ///< the source's tokens, as a decoder sees them
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
    bool shared = false; ///< a layer further on uses it too: gradients are added, not written

    explicit operator bool() const { return present; }
};

/// y = x W^T + b, and where its weights lie among the packed ones.
struct LinearRef
{
    ParameterRef weight;
    ParameterRef bias;
    std::size_t packed = 0;
};

/// One step of a model's arithmetic, forward and backward side by side. Immutable: everything that
/// changes is in the Run.
class Layer
{
public:
    virtual ~Layer() = default;

    virtual void forward(ModelPass& pass) const = 0;

    /// From the gradients of what it wrote to those of what it read, and of its parameters.
    virtual void backward(ModelPass& pass) const = 0;
};

/// What a layer does with values, which decides when their memory is free again.
struct Uses
{
    std::vector<ValueRef> reads;  ///< their gradients are written (by the last reader) or added to
    std::vector<ValueRef> writes; ///< new values
    std::vector<ValueRef> keeps;  ///< needed by the backward pass
    std::vector<ValueRef> temps;  ///< scratch of this layer alone, which keeps nothing
};

/// The layers of one stack in execution order, and where their values lie: offsets are in floats a
/// row, so that memory for any number of tokens is one multiplication, known before the first step.
class Program
{
public:
    struct Value
    {
        Rows rows = Rows::Query;
        std::int64_t width = 0;
        bool external = false;           ///< the run's memory, instead of the arena
        int crossLayer = -1;             ///< with a cache: keys and values of the source live there
        std::int64_t forwardOffset = -1; ///< where nothing is kept for a backward pass
        std::int64_t trainingOffset = -1; ///< where it is
        std::int64_t gradientOffset = -1; ///< training; of scratch: its place while going backward
        int lastReader = -1;              ///< layer whose backward writes the gradient first
    };

    const std::vector<std::unique_ptr<Layer>>& layers() const { return m_layers; }

    const Value& value(ValueRef ref) const { return m_values[ref.index]; }

    /// Floats of the arena for so many tokens of each kind.
    std::int64_t arenaSize(const std::int64_t (&tokens)[3], bool training) const;

    /// Floats a token of the arena.
    std::int64_t width(Rows rows, bool training) const;

private:
    friend class ProgramBuilder;

    std::vector<std::unique_ptr<Layer>> m_layers;
    std::vector<Value> m_values;
    std::int64_t m_widths[2][3] = {}; ///< [training][rows]
};

/// Collects layers, then finds every value the time in which it lives and a place of its own.
class ProgramBuilder
{
public:
    ValueRef value(Rows rows, std::int64_t width);

    /// The encoded source and its gradient, which the run provides.
    ValueRef memoryValue(std::int64_t width);

    /// Keys and values of a source, which a cache computes once and keeps.
    ValueRef crossValue(std::int64_t width, int layer);

    void add(std::unique_ptr<Layer> layer, Uses uses);

    /// A residual connection: y = x + f(...) passes its gradient on to x as it is, in one buffer.
    /// The layer that adds must be the last reader of x.
    void shareGradient(ValueRef x, ValueRef y);

    Program finish();

private:
    struct Interval;

    std::vector<Interval> intervals(bool training) const;
    int gradientGroup(int value) const;

    Program m_program;
    std::vector<Uses> m_uses;
    std::vector<int> m_gradientOf; ///< value whose gradient buffer this one uses
};

} // namespace headscope
