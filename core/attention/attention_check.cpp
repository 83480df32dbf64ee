#include "core/attention/attention_check.h"

#include "core/attention/attention_operands.h"
#include "core/attention/reference_attention.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace headscope {

namespace {

using std::int64_t;

constexpr float kUnwritten = std::numeric_limits<float>::quiet_NaN();
constexpr float kUntouched = 12345.0F;
constexpr int64_t kGap = 3;

/// A destination surrounded by elements that must not change: before and after everything, and in
/// the gaps of the case's memory.
class Target
{
public:
    Target(std::string name, const Shape& shape, CaseMemory memory = CaseMemory::Dense)
        : m_name(std::move(name))
    {
        const bool isDense = memory == CaseMemory::Dense;
        const CaseLayout layout = isDense ? CaseLayout() : layoutOf(memory, shape, kGap);
        m_storage = Tensor({(isDense ? shape.elementCount() : layout.floats) + 2 * kMargin});
        std::fill_n(m_storage.data(), m_storage.size(), kUntouched);
        m_view = MutableTensorView(m_storage.data() + kMargin, shape);
        if (!isDense)
            m_view.strides = layout.strides;
        forEach([](float& value) { value = kUnwritten; });
    }

    const std::string& name() const { return m_name; }

    const MutableTensorView& view() const { return m_view; }

    /// Visits elements in row-major order of the shape, whatever the memory layout.
    template<class Visit>
    void forEach(Visit visit) const
    {
        const Shape& shape = m_view.shape;
        for (int64_t index = 0; index < shape.elementCount(); ++index)
            visit(m_view.data[offsetOf(index)]);
    }

    std::vector<double> values() const
    {
        std::vector<double> result;
        forEach([&](const float& value) { result.push_back(static_cast<double>(value)); });
        return result;
    }

    bool leftItsBounds() const
    {
        std::size_t written = 0;
        for (const float value : m_storage.values())
            written += value == kUntouched ? 0 : 1;
        std::size_t own = 0;
        forEach([&](const float& value) { own += value == kUntouched ? 0 : 1; });
        return written != own;
    }

private:
    static constexpr int64_t kMargin = 64;

    int64_t offsetOf(int64_t index) const
    {
        int64_t offset = 0;
        for (int axis = m_view.shape.rank() - 1; axis >= 0; --axis) {
            offset += index % m_view.shape[axis] * m_view.stride(axis);
            index /= m_view.shape[axis];
        }
        return offset;
    }

    std::string m_name;
    Tensor m_storage;
    MutableTensorView m_view;
};

/// Results of one backend for a case.
struct Results
{
    Results(const AttentionCase& test, CaseMemory memory)
        : context("context", contextShape(test), memory)
        , pattern("pattern", patternShape(test))
        , scores("scores", patternShape(test))
        , logSumExp("logSumExp", {test.batch, test.queryHeads, test.queryTokens})
        , queries("gradient of queries",
                  {test.batch, test.queryHeads, test.queryTokens, test.headDim}, memory)
        , keys("gradient of keys", {test.batch, test.keyHeads, test.keyTokens, test.headDim},
               memory)
        , values("gradient of values", {test.batch, test.keyHeads, test.keyTokens, test.valueDim},
                 memory)
        , bias("gradient of bias", {test.queryHeads, test.queryTokens, test.keyTokens})
    {
    }

    static Shape contextShape(const AttentionCase& test)
    {
        return {test.batch, test.queryHeads, test.queryTokens, test.valueDim};
    }

    static Shape patternShape(const AttentionCase& test)
    {
        return {test.batch, test.queryHeads, test.queryTokens, test.keyTokens};
    }

    std::vector<const Target*> wanted(const AttentionCase& test) const
    {
        std::vector<const Target*> all{&context, &logSumExp, &queries, &keys, &values};
        if (test.wantMaps) {
            all.push_back(&pattern);
            all.push_back(&scores);
        }
        if (test.bias)
            all.push_back(&bias);
        return all;
    }

    Target context;
    Target pattern;
    Target scores;
    Target logSumExp;
    Target queries;
    Target keys;
    Target values;
    Target bias;
};

void runForward(AttentionBackend& backend, const AttentionCase& test, const AttentionInputs& inputs,
                Results& results)
{
    AttentionOutputs outputs;
    outputs.context = results.context.view();
    outputs.logSumExp = results.logSumExp.view();
    if (test.wantMaps) {
        outputs.pattern = results.pattern.view();
        outputs.scores = results.scores.view();
    }
    backend.forward(inputs, outputs);
}

void runBackward(AttentionBackend& backend, const AttentionCase& test,
                 const AttentionOperands& operands, Results& results)
{
    AttentionGradients gradients;
    gradients.queries = results.queries.view();
    gradients.keys = results.keys.view();
    gradients.values = results.values.view();
    if (test.bias)
        gradients.bias = results.bias.view();
    const AttentionSaved saved{results.context.view(), results.logSumExp.view(),
                               operands.contextGradient()};
    backend.backward(operands.inputs(), saved, gradients);
}

/// Keeps the worst mismatch so far, as a sentence.
class Worst
{
public:
    explicit Worst(const AttentionCase& test) : m_test(test) {}

    void compare(const Target& got, const Target& expected)
    {
        if (got.leftItsBounds())
            note(std::numeric_limits<double>::infinity(),
                 fmt::format("{}: wrote outside the {}", m_test.name, got.name()));
        const std::vector<double> left = got.values();
        const std::vector<double> right = expected.values();
        for (std::size_t i = 0; i < left.size(); ++i)
            compareValue(got.name(), i, left[i], right[i]);
    }

    AttentionComparison take() { return std::move(m_comparison); }

private:
    void compareValue(const std::string& name, std::size_t index, double got, double expected)
    {
        if (got == expected)
            return;
        const double error = std::abs(got - expected);
        if (!std::isfinite(error))
            m_comparison.largestError = std::numeric_limits<double>::infinity();
        else
            m_comparison.largestError = std::max(m_comparison.largestError, error);
        const double excess = error - m_test.absolute - m_test.relative * std::abs(expected);
        if (!(excess <= 0.0))
            note(std::isfinite(excess) ? excess : std::numeric_limits<double>::infinity(),
                 fmt::format("{}: {} at {} is {:.9g}, the reference says {:.9g}", m_test.name, name,
                             index, got, expected));
    }

    void note(double excess, std::string problem)
    {
        if (!m_comparison.problem.empty() && excess <= m_excess)
            return;
        m_excess = excess;
        m_comparison.problem = std::move(problem);
    }

    const AttentionCase& m_test;
    double m_excess = 0.0;
    AttentionComparison m_comparison;
};

} // namespace

AttentionComparison compareWithReference(AttentionBackend& backend, const AttentionCase& test,
                                         std::uint64_t seed)
{
    const AttentionOperands operands(test, seed);
    const AttentionInputs inputs = operands.inputs();
    AttentionComparison comparison;
    comparison.supported = backend.supports(inputs);
    if (!comparison.supported)
        return comparison;
    ReferenceAttention reference;
    Results expected(test, CaseMemory::Dense);
    Results got(test, test.memory);
    runForward(reference, test, inputs, expected);
    runForward(backend, test, inputs, got);
    runBackward(reference, test, operands, expected);
    runBackward(backend, test, operands, got);
    Worst worst(test);
    const std::vector<const Target*> left = got.wanted(test);
    const std::vector<const Target*> right = expected.wanted(test);
    for (std::size_t i = 0; i < left.size(); ++i)
        worst.compare(*left[i], *right[i]);
    return worst.take();
}

} // namespace headscope
