#include "core/lessons/worked/attention_steps.h"
#include "core/lessons/worked/example_inputs.h"
#include "core/lessons/worked/example_list.h"

namespace headscope {

namespace {

std::vector<ExampleInputs::Switch> attentionSwitches()
{
    return {{"causal", "Causal mask", false},
            {"scale", "Scale by 1/√d", true},
            {"own-mask", "Your own mask", false}};
}

ExampleInputs::Matrix openMask(const std::vector<std::string>& tokens)
{
    return {"mask", tokens, tokens, std::vector<double>(tokens.size() * tokens.size(), 1.0)};
}

} // namespace

ExampleInputs attentionInputs()
{
    const std::vector<std::string> tokens = {"The", "cat", "sat"};
    const std::vector<std::string> dims = numbered("dim", 2);
    ExampleInputs inputs;
    inputs.example = "attention";
    inputs.matrices = {inputMatrix("Q", tokens, dims, {1, 0, 0, 1, 1, 1}),
                       inputMatrix("K", tokens, dims, {1, 1, 0, 1, 1, 0}),
                       inputMatrix("V", tokens, dims, {1, 0, 0, 1, .5, .5}), openMask(tokens)};
    inputs.switches = attentionSwitches();
    return inputs;
}

ExampleInputs twoTokenInputs()
{
    const std::vector<std::string> tokens = {"token 1", "token 2"};
    const std::vector<std::string> dims = numbered("dim", 2);
    ExampleInputs inputs;
    inputs.example = "two-tokens";
    inputs.matrices = {inputMatrix("Q", tokens, dims, {1, 0, 0, 1}),
                       inputMatrix("K", tokens, dims, {1, 0, 1, 1}),
                       inputMatrix("V", tokens, dims, {1, 2, 3, 4}), openMask(tokens)};
    inputs.switches = attentionSwitches();
    return inputs;
}

WorkedExample workAttention(const ExampleInputs& inputs)
{
    const bool two = inputs.example == "two-tokens";
    ExampleBuilder builder(inputs.example,
                           two ? "Attention, two tokens" : "Attention, three tokens");
    AttentionParts parts;
    parts.queries = builder.input(inputs.matrix("Q"), {"", "Queries Q", "", CellRole::Query});
    parts.keys = builder.input(inputs.matrix("K"), {"", "Keys K", "", CellRole::Key});
    parts.values = builder.input(inputs.matrix("V"), {"", "Values V", "", CellRole::Value});
    AttentionChoices choices;
    choices.scale = inputs.isOn("scale");
    choices.causal = inputs.isOn("causal");
    if (inputs.isOn("own-mask"))
        choices.mask = builder.input(inputs.matrix("mask"), {"", "Mask (1: visible, 0: hidden)"});
    attentionStages(builder, parts, choices);
    return builder.finish();
}

} // namespace headscope
