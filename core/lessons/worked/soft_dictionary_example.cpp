#include "core/base/content_language.h"
#include "core/base/error.h"
#include "core/lessons/worked/attention_steps.h"
#include "core/lessons/worked/example_inputs.h"
#include "core/lessons/worked/example_list.h"

#include <fmt/format.h>

namespace headscope {

namespace {

const std::vector<std::string>& things()
{
    static const std::vector<std::string> kThings = {"apple", "banana", "chair"};
    return kThings;
}

/// Weights computed from a query and keys instead of typed ones.
int weightsOfQuery(ExampleBuilder& builder, const ExampleInputs& inputs)
{
    const int query = builder.input(inputs.matrix("query"), {"", "Query", "q", CellRole::Query});
    const int keys = builder.input(inputs.matrix("keys"), {"", "Keys", "k", CellRole::Key});
    if (builder.at(query).columns() != builder.at(keys).columns() || builder.at(query).rows() != 1)
        throw ShapeError("the query and the keys have different lengths", {},
                         "Give both the same number of dimensions");
    const int scores = builder.matrix({"scores", "Scores", "q \\cdot k"}, {message("query")},
                                      builder.at(keys).rowLabels);
    builder.stage("Scores", "s_j = q \\cdot k_j", {query, keys, scores}, {"·", "="});
    for (int key = 0; key < builder.at(keys).rows(); ++key)
        builder.dot(builder.row(query, 0), builder.row(keys, key), {scores, 0, key},
                    fmt::format("s_{} = \\sum_i q_i \\cdot k_{{{}, i}}",
                                rowIndex(builder.at(keys), key), rowIndex(builder.at(keys), key)));
    return softmaxStages(builder, scores);
}

} // namespace

ExampleInputs softDictionaryInputs()
{
    ExampleInputs inputs;
    inputs.example = "soft-dictionary";
    inputs.matrices = {inputMatrix("weights", {"weight"}, things(), {.6, .4, 0}),
                       inputMatrix("values", {"value"}, things(), {10, 5, 2}),
                       inputMatrix("query", {"query"}, {"food", "red"}, {4, 1}),
                       inputMatrix("keys", things(), {"food", "red"}, {1, .4, 1, 0, -1, 0})};
    inputs.switches = {{"scores", "Weights from a query", false}};
    return inputs;
}

WorkedExample workSoftDictionary(const ExampleInputs& inputs)
{
    ExampleBuilder builder(inputs.example, "A soft dictionary");
    const int values = builder.input(inputs.matrix("values"), {"", "Values", "v", CellRole::Value});
    const int weights =
        inputs.isOn("scores")
            ? weightsOfQuery(builder, inputs)
            : builder.input(inputs.matrix("weights"), {"", "Weights", "a", CellRole::Weight});
    const int count = builder.at(values).columns();
    if (builder.at(weights).columns() != count || builder.at(values).rows() != 1)
        throw ShapeError("the numbers of weights and values differ", {},
                         "Give each value one weight");
    const auto labels = builder.at(values).columnLabels;
    const int products =
        builder.matrix({"products", "Products", "a \\cdot v"}, {message("product")}, labels);
    builder.stage("Multiply", "b_j = a_j \\cdot v_j", {weights, values, products}, {"×", "="});
    for (int i = 0; i < count; ++i) {
        const std::string label = latexLabel(labels[static_cast<std::size_t>(i)]);
        builder.step(Operation::Multiply, {cell(weights, 0, i), cell(values, 0, i)},
                     {products, 0, i}, fmt::format("b_{0} = a_{0} \\cdot v_{0}", label));
    }
    const int result = builder.matrix({"result", "Result", "\\sum_j a_j v_j", CellRole::Result},
                                      {message("result")}, {message("value")});
    builder.stage("Add", "\\sum_j b_j", {products, result}, {"→"});
    builder.step(Operation::Sum, builder.row(products, 0), {result, 0, 0},
                 "\\text{result} = \\sum_j b_j");
    return builder.finish();
}

} // namespace headscope
