#include "core/attention/attention_backend.h"

#include "core/attention/attention_sinks.h"
#include "core/base/error.h"

#include <fmt/format.h>

#include <array>
#include <cmath>

namespace headscope {

namespace {

using std::int64_t;

[[noreturn]] void refuse(std::string_view function, const std::string& problem)
{
    throw ShapeError(fmt::format("attention {}: {}", function, problem));
}

/// Lists every shape, so that the message shows which operand is wrong.
std::string shapesOf(const AttentionInputs& inputs)
{
    return fmt::format("queries {}, keys {}, values {}", inputs.queries.shape.toString(),
                       inputs.keys.shape.toString(), inputs.values.shape.toString());
}

class Checker
{
public:
    explicit Checker(std::string_view function) : m_function(function) {}

    void operands(const AttentionInputs& inputs) const;
    void parameters(const AttentionInputs& inputs) const;

    /// Checks an operand to read: pointer, shape, and non-negative strides.
    void source(std::string_view name, const TensorView& view, const Shape& expected) const
    {
        if (view.shape != expected)
            refuse(m_function, fmt::format("{} is {}, but {} was expected", name,
                                           view.shape.toString(), expected.toString()));
        layout(name, view);
    }

    /// Checks an operand to write: additionally, no two indices may share an element.
    void destination(std::string_view name, const MutableTensorView& view,
                     const Shape& expected) const
    {
        source(name, view, expected);
        if (!isInjective(view))
            refuse(m_function, fmt::format("{} {} has strides that make elements overlap", name,
                                           view.shape.toString()));
    }

private:
    void layout(std::string_view name, const TensorView& view) const
    {
        const Shape& shape = view.shape;
        if (shape.elementCount() > 0 && view.data == nullptr)
            refuse(m_function, fmt::format("{} {} has no data", name, shape.toString()));
        for (int axis = 0; axis < shape.rank(); ++axis)
            if (view.stride(axis) < 0)
                refuse(m_function,
                       fmt::format("{} {} has a negative stride", name, shape.toString()));
        if (shape.rank() > 0 && shape.back() > 1 && view.stride(shape.rank() - 1) != 1)
            refuse(m_function,
                   fmt::format("the last axis of {} {} is not contiguous", name, shape.toString()));
    }

    /// Sufficient and, for views of dense memory, necessary: sorted by stride, every axis steps
    /// beyond everything that the smaller ones reach.
    static bool isInjective(const TensorView& view)
    {
        if (view.shape.elementCount() == 0)
            return true;
        int64_t reach = 0;
        std::array<bool, Shape::kMaxRank> done{};
        for (int pass = 0; pass < view.shape.rank(); ++pass) {
            const int axis = smallestStride(view, done);
            done[axis] = true;
            if (view.shape[axis] <= 1)
                continue;
            if (view.stride(axis) <= reach)
                return false;
            reach += view.stride(axis) * (view.shape[axis] - 1);
        }
        return true;
    }

    static int smallestStride(const TensorView& view, const std::array<bool, Shape::kMaxRank>& done)
    {
        int best = -1;
        for (int axis = 0; axis < view.shape.rank(); ++axis)
            if (!done[axis] && (best < 0 || view.stride(axis) < view.stride(best)))
                best = axis;
        return best;
    }

    std::string_view m_function;
};

void Checker::operands(const AttentionInputs& inputs) const
{
    const Shape& queries = inputs.queries.shape;
    const Shape& keys = inputs.keys.shape;
    const Shape& values = inputs.values.shape;
    if (queries.rank() != 4 || keys.rank() != 4 || values.rank() != 4)
        refuse(m_function, "queries, keys and values need four axes, not " + shapesOf(inputs));
    const bool positive = queries[1] > 0 && keys[1] > 0 && queries[3] > 0 && values[3] > 0;
    if (!positive)
        refuse(m_function,
               "the numbers of heads and head sizes must be positive: " + shapesOf(inputs));
    if (keys[0] != queries[0] || values[0] != queries[0])
        refuse(m_function, "the batch sizes differ: " + shapesOf(inputs));
    if (queries[1] % keys[1] != 0)
        refuse(m_function, "the number of key heads does not divide the number of query heads: " +
                               shapesOf(inputs));
    if (values[1] != keys[1] || values[2] != keys[2])
        refuse(m_function, "keys and values differ in heads or tokens: " + shapesOf(inputs));
    if (keys[3] != queries[3])
        refuse(m_function, "queries and keys have different head sizes: " + shapesOf(inputs));
    source("queries", inputs.queries, queries);
    source("keys", inputs.keys, keys);
    source("values", inputs.values, values);
    if (inputs.bias)
        source("bias", inputs.bias, {queries[1], queries[2], keys[2]});
    if (inputs.alibiSlopes)
        source("alibiSlopes", inputs.alibiSlopes, {queries[1]});
    if (inputs.sinks)
        source("sinks", inputs.sinks, {queries[1]});
}

void Checker::parameters(const AttentionInputs& inputs) const
{
    const AttentionMask& mask = inputs.mask;
    if (!std::isfinite(inputs.scale))
        refuse(m_function, fmt::format("scale is {}, which is not a finite number", inputs.scale));
    if (!std::isfinite(inputs.softCap) || inputs.softCap < 0.0F)
        refuse(m_function,
               fmt::format("softCap is {}, but must be 0 or a positive number", inputs.softCap));
    if (!(inputs.dropout >= 0.0F && inputs.dropout < 1.0F))
        refuse(m_function,
               fmt::format("dropout is {}, but must be at least 0 and below 1", inputs.dropout));
    if (inputs.dropout > 0.0F && inputs.keep == nullptr)
        refuse(m_function, fmt::format("dropout {} needs a keep mask", inputs.dropout));
    if (mask.window < 0)
        refuse(m_function, fmt::format("the window is {} keys wide", mask.window));
    if (mask.allowedBatchStride < 0 || mask.allowedQueryStride < 0)
        refuse(m_function, fmt::format("the allowed mask has strides {} and {}",
                                       mask.allowedBatchStride, mask.allowedQueryStride));
}

struct ResultShapes
{
    explicit ResultShapes(const AttentionInputs& inputs)
        : context{inputs.queries.shape[0], inputs.queries.shape[1], inputs.queries.shape[2],
                  inputs.values.shape[3]}
        , pattern{inputs.queries.shape[0], inputs.queries.shape[1], inputs.queries.shape[2],
                  inputs.keys.shape[2]}
        , rows{inputs.queries.shape[0], inputs.queries.shape[1], inputs.queries.shape[2]}
        , bias{inputs.queries.shape[1], inputs.queries.shape[2], inputs.keys.shape[2]}
    {
    }

    Shape context;
    Shape pattern;
    Shape rows;
    Shape bias;
};

} // namespace

void AttentionBackend::forward(const AttentionInputs& inputs, const AttentionOutputs& outputs)
{
    const Checker check("forward");
    check.operands(inputs);
    check.parameters(inputs);
    const ResultShapes shapes(inputs);
    check.destination("context", outputs.context, shapes.context);
    if (outputs.pattern)
        check.destination("pattern", outputs.pattern, shapes.pattern);
    if (outputs.scores)
        check.destination("scores", outputs.scores, shapes.pattern);
    if (outputs.logSumExp)
        check.destination("logSumExp", outputs.logSumExp, shapes.rows);
    if (shapes.rows.elementCount() == 0)
        return;
    if (inputs.sinks)
        forwardWithSinks(inputs, outputs);
    else
        computeForward(inputs, outputs);
}

void AttentionBackend::forwardWithSinks(const AttentionInputs& inputs,
                                        const AttentionOutputs& outputs)
{
    AttentionOutputs withSums = outputs;
    if (!outputs.logSumExp) {
        const ResultShapes shapes(inputs);
        if (std::ssize(m_logSumExp) < shapes.rows.elementCount())
            m_logSumExp = Tensor({shapes.rows.elementCount()});
        withSums.logSumExp = MutableTensorView(m_logSumExp.data(), shapes.rows);
    }
    AttentionInputs without = inputs; // a backend may hand them to another, which has no sinks then
    without.sinks = {};
    computeForward(without, withSums);
    applySinks(inputs, withSums.logSumExp, outputs);
}

void AttentionBackend::backward(const AttentionInputs& inputs, const AttentionSaved& saved,
                                const AttentionGradients& gradients)
{
    const Checker check("backward");
    check.operands(inputs);
    check.parameters(inputs);
    const ResultShapes shapes(inputs);
    check.source("context", saved.context, shapes.context);
    check.source("logSumExp", saved.logSumExp, shapes.rows);
    check.source("contextGradient", saved.contextGradient, shapes.context);
    check.destination("the gradient of queries", gradients.queries, inputs.queries.shape);
    check.destination("the gradient of keys", gradients.keys, inputs.keys.shape);
    check.destination("the gradient of values", gradients.values, inputs.values.shape);
    if (gradients.bias)
        check.destination("the gradient of bias", gradients.bias, shapes.bias);
    if (gradients.sinks)
        check.destination("the gradient of sinks", gradients.sinks, {inputs.queries.shape[1]});
    // With the sinks in context and logSumExp the weights come out right, and so do all gradients.
    AttentionGradients ofKeys = gradients;
    ofKeys.sinks = {}; // added once, whatever backend it is handed to
    computeBackward(inputs, saved, ofKeys);
    if (inputs.sinks && gradients.sinks)
        addSinkGradients(inputs, saved, gradients.sinks);
}

} // namespace headscope
