#include "core/base/error.h"
#include "core/lessons/worked/attention_steps.h"
#include "core/lessons/worked/example_inputs.h"
#include "core/lessons/worked/example_list.h"
#include "core/lessons/worked/matrix_steps.h"

#include <fmt/format.h>

namespace headscope {

namespace {

constexpr int kHeads = 2;

/// Row labels per head: "0: The" for head 0.
std::vector<std::string> rowsByHead(const std::vector<std::string>& tokens)
{
    std::vector<std::string> labels;
    for (int head = 0; head < kHeads; ++head)
        for (const std::string& token : tokens)
            labels.push_back(fmt::format("{}: {}", head, token));
    return labels;
}

/// Copies the columns of each head, starting at head * d_k, to the rows of that head.
int split(ExampleBuilder& builder, int whole, const std::string& letter, CellRole role)
{
    const int tokens = builder.at(whole).rows();
    const int width = builder.at(whole).columns() / kHeads;
    const int heads =
        builder.matrix({letter + "_heads", letter + " by head", letter + "_h", role},
                       rowsByHead(builder.at(whole).rowLabels), numbered("dim", width));
    builder.stage("Split " + letter, fmt::format("{0} \\to {0}_h", letter), {whole, heads}, {"→"});
    for (int head = 0; head < kHeads; ++head)
        for (int token = 0; token < tokens; ++token)
            for (int i = 0; i < width; ++i)
                builder.step(Operation::Copy, {cell(whole, token, head * width + i)},
                             {heads, head * tokens + token, i},
                             fmt::format("{0}_{1} = {0}_{2}", letter,
                                         cellIndex(builder.at(heads), head * tokens + token, i),
                                         cellIndex(builder.at(whole), token, head * width + i)),
                             fmt::format("Head {} uses dimensions {} to {}.", head, head * width,
                                         head * width + width - 1));
    return heads;
}

int concatenate(ExampleBuilder& builder, int heads, const ExampleInputs::Matrix& tokens)
{
    const int width = builder.at(heads).columns();
    const int count = static_cast<int>(tokens.rowLabels.size());
    const int joined = builder.matrix({"concatenated", "Concatenated heads", "", CellRole::Result},
                                      tokens.rowLabels, numbered("dim", kHeads * width));
    builder.stage("Concatenate", "\\text{Concat}(\\text{head}_0, \\text{head}_1)", {heads, joined},
                  {"→"});
    for (int token = 0; token < count; ++token)
        for (int column = 0; column < kHeads * width; ++column)
            builder.step(Operation::Copy,
                         {cell(heads, column / width * count + token, column % width)},
                         {joined, token, column},
                         fmt::format("c_{}", cellIndex(builder.at(joined), token, column)),
                         fmt::format("From head {}.", column / width));
    return joined;
}

void project(ExampleBuilder& builder, int joined, int matrix)
{
    ProductPlan plan;
    plan.left = joined;
    plan.right = matrix;
    plan.style = {"output", "Output", "\\text{Concat} \\cdot W_O", CellRole::Result};
    plan.stage = "Project";
    plan.formula = plan.style.formula;
    plan.cell = "o";
    plan.entry = "c";
    productStage(builder, std::move(plan));
}

void checkSizes(const ExampleInputs& inputs)
{
    const auto& q = inputs.matrix("Q");
    for (const char* name : {"Q", "K", "V"}) {
        const auto& each = inputs.matrix(name);
        if (each.columnLabels.size() % kHeads != 0 || each.rowLabels.size() != q.rowLabels.size())
            throw ShapeError(
                fmt::format("{} cannot be split into {} heads of the same tokens", name, kHeads),
                {}, "Use an even number of dimensions");
    }
    if (inputs.matrix("W_O").rowLabels.size() != inputs.matrix("V").columnLabels.size())
        throw ShapeError("W_O does not have one row for each dimension of V");
}

} // namespace

ExampleInputs multiHeadInputs()
{
    const std::vector<std::string> tokens = {"The", "cat", "sat"};
    const std::vector<std::string> dims = numbered("dim", 4);
    ExampleInputs inputs;
    inputs.example = "multi-head";
    inputs.matrices = {// head 0 is the example with three tokens
                       inputMatrix("Q", tokens, dims, {1, 0, 0, 2, 0, 1, 2, 0, 1, 1, 2, 0}),
                       inputMatrix("K", tokens, dims, {1, 1, 2, 0, 0, 1, 0, 2, 1, 0, 1, 1}),
                       inputMatrix("V", tokens, dims, {1, 0, 2, 0, 0, 1, 0, 2, .5, .5, 1, 1}),
                       inputMatrix("W_O", {"0", "1", "2", "3"}, {"0", "1", "2", "3"},
                                   {1, 0, .5, 0, 0, 1, 0, .5, .5, 0, 1, 0, 0, .5, 0, 1})};
    inputs.switches = {{"causal", "Causal mask", false}, {"scale", "Scale by 1/√d", true}};
    return inputs;
}

WorkedExample workMultiHead(const ExampleInputs& inputs)
{
    checkSizes(inputs);
    ExampleBuilder builder(inputs.example, "Multi-head attention, two heads");
    const int q = builder.input(inputs.matrix("Q"), {"", "Queries Q", "", CellRole::Query});
    const int k = builder.input(inputs.matrix("K"), {"", "Keys K", "", CellRole::Key});
    const int v = builder.input(inputs.matrix("V"), {"", "Values V", "", CellRole::Value});
    const int projection = builder.input(inputs.matrix("W_O"), {"", "W_O", "W_O"});
    AttentionParts parts;
    parts.queries = split(builder, q, "Q", CellRole::Query);
    parts.keys = split(builder, k, "K", CellRole::Key);
    parts.values = split(builder, v, "V", CellRole::Value);
    parts.groups = kHeads;
    AttentionChoices choices;
    choices.scale = inputs.isOn("scale");
    choices.causal = inputs.isOn("causal");
    choices.outputName = "heads";
    choices.outputTitle = "Output of each head";
    const int heads = attentionStages(builder, parts, choices);
    project(builder, concatenate(builder, heads, inputs.matrix("Q")), projection);
    return builder.finish();
}

} // namespace headscope
