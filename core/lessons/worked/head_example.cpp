#include "core/lessons/worked/head_example.h"

#include "core/analysis/derivation/pair_explanation.h"
#include "core/base/content_language.h"
#include "core/base/error.h"
#include "core/lessons/worked/example_builder.h"
#include "core/lessons/worked/example_inputs.h"
#include "core/lessons/worked/example_list.h"
#include "core/text/display_text.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <limits>
#include <map>

namespace headscope {

namespace {

/// Token labels without the leading space, numbered if two are the same.
std::vector<std::string> labelsOf(const TokenSequence& tokens)
{
    std::vector<std::string> labels;
    std::map<std::string, int> count;
    for (const Token& token : tokens.tokens) {
        const std::string bytes =
            tokens.text.substr(token.bytes.begin, token.bytes.end - token.bytes.begin);
        std::string label = bytes.empty() ? fmt::format("id {}", token.id) : displayText(bytes);
        if (label.size() > 1 && label.front() == ' ')
            label.erase(0, 1);
        ++count[label];
        labels.push_back(std::move(label));
    }
    for (std::size_t i = 0; i < labels.size(); ++i)
        if (count[labels[i]] > 1)
            labels[i] += fmt::format(" ({})", i);
    return labels;
}

/// Operands of one row of a head, limited to the keys and dimensions shown.
class HeadCut
{
public:
    HeadCut(const Trace& trace, const Model& model, const HeadExampleChoice& choice);

    ExampleInputs inputs() const;

private:
    std::size_t firstKey() const;
    ExampleInputs::Matrix keyRow(const std::string& name, double ScoreSteps::*number) const;
    ExampleInputs::Matrix keys() const;
    ExampleInputs::Matrix values() const;
    ExampleInputs::Matrix mask() const;
    ExampleInputs::Matrix rest() const;
    std::vector<std::string> shownKeys() const;
    std::vector<std::size_t> others() const;
    double sinkTerm(double largest) const;
    std::string othersName(const std::vector<std::size_t>& others) const;
    double othersScore(const std::vector<std::size_t>& others) const;
    double blended(const std::vector<std::size_t>& others, std::int64_t dimension) const;
    std::string title() const;

    HeadExampleChoice m_choice;
    RowExplanation m_row;
    std::shared_ptr<const Tensor> m_values;
    std::int64_t m_valueHead = 0;
    std::vector<std::string> m_keyLabels;
    std::string m_queryLabel;
    std::size_t m_first = 0; ///< First key shown.
    std::size_t m_keys = 0;
    std::size_t m_dimensions = 0;
    std::size_t m_valueDimensions = 0;
};

RowExplanation rowOf(const Trace& trace, const Model& model, const AttentionCell& cell)
{
    std::optional<RowExplanation> row = explainRow(trace, cell, &model);
    if (!row)
        throw Error(fmt::format("the queries and keys of layer {} were not captured", cell.layer),
                    {}, "Repeat the forward pass with query, key and value vectors");
    return std::move(*row);
}

HeadCut::HeadCut(const Trace& trace, const Model& model, const HeadExampleChoice& choice)
    : m_choice(choice)
    , m_row(rowOf(trace, model, choice.cell))
{
    if (choice.keys < 1 || choice.dimensions < 1)
        throw Error(fmt::format("{} tokens of {} dimensions cannot be shown", choice.keys,
                                choice.dimensions),
                    {}, "Choose at least one of each");
    const AttentionCell& cell = choice.cell;
    m_values = trace.find({cell.cross ? Site::CrossValue : Site::Value, cell.layer, cell.stack});
    if (!m_values)
        throw Error(fmt::format("the values of layer {} were not captured", cell.layer), {},
                    "Repeat the forward pass with query, key and value vectors");
    const auto queries =
        trace.find({cell.cross ? Site::CrossQuery : Site::Query, cell.layer, cell.stack});
    const std::int64_t heads = queries ? queries->shape()[1] : model.config().heads;
    m_valueHead = cell.head * m_values->shape()[1] / heads;
    const bool readsSource = cell.cross || cell.stack == Stack::Encoder;
    m_keyLabels = labelsOf(readsSource ? trace.sourceTokens() : trace.tokens());
    const auto queryLabels =
        labelsOf(cell.stack == Stack::Encoder ? trace.sourceTokens() : trace.tokens());
    if (m_keyLabels.size() != m_row.steps.size() ||
        queryLabels.size() <= static_cast<std::size_t>(cell.query))
        throw ShapeError(
            fmt::format("{} tokens have {} keys", m_keyLabels.size(), m_row.steps.size()));
    m_queryLabel = queryLabels[static_cast<std::size_t>(cell.query)];
    m_keys = std::min(m_row.steps.size(), static_cast<std::size_t>(std::min(choice.keys, 32)));
    m_first = firstKey();
    const auto most = static_cast<std::size_t>(std::min(choice.dimensions, 32));
    m_dimensions = std::min(m_row.query.size(), most);
    m_valueDimensions = std::min(static_cast<std::size_t>(m_values->shape()[2]), most);
}

/// Keys up to the query's own; in cross-attention, those around the largest weight.
std::size_t HeadCut::firstKey() const
{
    std::size_t last = static_cast<std::size_t>(m_choice.cell.query);
    if (m_choice.cell.cross) {
        const auto largest = std::ranges::max_element(m_row.steps, {}, &ScoreSteps::weight);
        last = static_cast<std::size_t>(largest - m_row.steps.begin()) + m_keys / 2;
    }
    last = std::min(last, m_row.steps.size() - 1);
    return last + 1 < m_keys ? 0 : last + 1 - m_keys;
}

std::vector<std::string> HeadCut::shownKeys() const
{
    const auto first = m_keyLabels.begin() + static_cast<std::ptrdiff_t>(m_first);
    return {first, first + static_cast<std::ptrdiff_t>(m_keys)};
}

/// Visible keys that are not shown.
std::vector<std::size_t> HeadCut::others() const
{
    std::vector<std::size_t> others;
    for (std::size_t key = 0; key < m_row.steps.size(); ++key)
        if ((key < m_first || key >= m_first + m_keys) && !m_row.steps[key].masked)
            others.push_back(key);
    return others;
}

/// Single score that replaces many: ln of the sum of their e^score. A sink is one of them.
double HeadCut::othersScore(const std::vector<std::size_t>& others) const
{
    double sum = sinkTerm(m_row.largest);
    for (const std::size_t key : others)
        sum += std::exp(m_row.steps[key].score - m_row.largest);
    return std::max(m_row.largest + std::log(sum), -1e6); // e^-1000000 is 0 as well
}

/// What the sink adds to the sum of exponentials; it has no value.
double HeadCut::sinkTerm(double largest) const
{
    return m_row.rule.sink ? std::exp(*m_row.rule.sink - largest) : 0.0;
}

std::string HeadCut::othersName(const std::vector<std::size_t>& others) const
{
    return m_row.rule.sink ? message(fmt::format("{} others and the sink", others.size()))
                           : message(fmt::format("{} others", others.size()));
}

double HeadCut::blended(const std::vector<std::size_t>& others, std::int64_t dimension) const
{
    double largest = m_row.rule.sink.value_or(-std::numeric_limits<double>::infinity());
    for (const std::size_t key : others)
        largest = std::max(largest, m_row.steps[key].score);
    double total = sinkTerm(largest);
    double sum = 0.0;
    for (const std::size_t key : others) {
        const double weight = std::exp(m_row.steps[key].score - largest);
        const float value =
            m_values->view()(static_cast<std::int64_t>(key), m_valueHead, dimension);
        total += weight;
        sum += weight * static_cast<double>(value);
    }
    return sum / total;
}

ExampleInputs::Matrix HeadCut::keyRow(const std::string& name, double ScoreSteps::*number) const
{
    ExampleInputs::Matrix matrix = inputMatrix(name, {m_queryLabel}, shownKeys(), {});
    for (std::size_t key = m_first; key < m_first + m_keys; ++key)
        matrix.values.push_back(m_row.steps[key].*number);
    return matrix;
}

ExampleInputs::Matrix HeadCut::keys() const
{
    ExampleInputs::Matrix matrix =
        inputMatrix("K", shownKeys(), numbered("dim", static_cast<int>(m_dimensions)), {});
    for (std::size_t key = m_first; key < m_first + m_keys; ++key)
        for (std::size_t i = 0; i < m_dimensions; ++i)
            matrix.values.push_back(static_cast<double>(m_row.keys[key][i]));
    return matrix;
}

ExampleInputs::Matrix HeadCut::values() const
{
    ExampleInputs::Matrix matrix =
        inputMatrix("V", {}, numbered("dim", static_cast<int>(m_valueDimensions)), {});
    const std::vector<std::size_t> others = this->others();
    if (!others.empty() || m_row.rule.sink) {
        matrix.rowLabels.push_back(othersName(others));
        for (std::size_t i = 0; i < m_valueDimensions; ++i)
            matrix.values.push_back(blended(others, static_cast<std::int64_t>(i)));
    }
    for (std::size_t key = m_first; key < m_first + m_keys; ++key) {
        matrix.rowLabels.push_back(m_keyLabels[key]);
        for (std::size_t i = 0; i < m_valueDimensions; ++i)
            matrix.values.push_back(static_cast<double>(m_values->view()(
                static_cast<std::int64_t>(key), m_valueHead, static_cast<std::int64_t>(i))));
    }
    return matrix;
}

ExampleInputs::Matrix HeadCut::mask() const
{
    ExampleInputs::Matrix matrix = inputMatrix("mask", {m_queryLabel}, shownKeys(), {});
    for (std::size_t key = m_first; key < m_first + m_keys; ++key)
        matrix.values.push_back(m_row.steps[key].masked ? 0.0 : 1.0);
    return matrix;
}

/// Contribution of the dimensions not shown to each product q k.
ExampleInputs::Matrix HeadCut::rest() const
{
    ExampleInputs::Matrix matrix = inputMatrix("rest", {m_queryLabel}, shownKeys(), {});
    for (std::size_t key = m_first; key < m_first + m_keys; ++key) {
        double rest = 0.0;
        for (std::size_t i = m_dimensions; i < m_row.query.size(); ++i)
            rest += static_cast<double>(m_row.query[i]) * static_cast<double>(m_row.keys[key][i]);
        matrix.values.push_back(rest);
    }
    return matrix;
}

std::string HeadCut::title() const
{
    const AttentionCell& cell = m_choice.cell;
    std::string title = fmt::format("Layer {}, head {}, “{}”", cell.layer, cell.head, m_queryLabel);
    if (m_row.rule.turned)
        title += ", q and k rotated by their positions";
    return title;
}

ExampleInputs HeadCut::inputs() const
{
    ExampleInputs inputs;
    inputs.example = kHeadExample;
    inputs.title = title();
    const std::vector<double> query(
        m_row.query.begin(), m_row.query.begin() + static_cast<std::ptrdiff_t>(m_dimensions));
    inputs.matrices = {
        inputMatrix("Q", {m_queryLabel}, numbered("dim", static_cast<int>(m_dimensions)), query),
        keys(), values(), mask()};
    if (m_row.query.size() > m_dimensions)
        inputs.matrices.push_back(rest());
    const double scale = m_row.rule.scaled
                             ? m_row.rule.scale
                             : 1.0 / std::sqrt(static_cast<double>(m_row.query.size()));
    inputs.matrices.push_back(inputNumber("scale", "1/√d", scale));
    if (m_row.rule.softCap > 0.0)
        inputs.matrices.push_back(inputNumber("cap", message("cap"), m_row.rule.softCap));
    if (m_row.rule.bias != ScoreRule::Bias::None)
        inputs.matrices.push_back(keyRow("bias", &ScoreSteps::bias));
    if (const auto others = this->others(); !others.empty() || m_row.rule.sink)
        inputs.matrices.push_back(inputNumber("others", othersName(others), othersScore(others)));
    inputs.switches = {{"scale", message("Scale by 1/√d"), m_row.rule.scaled}};
    return inputs;
}

} // namespace

ExampleInputs headExample(const Trace& trace, const Model& model, const HeadExampleChoice& choice)
{
    return HeadCut(trace, model, choice).inputs();
}

} // namespace headscope
