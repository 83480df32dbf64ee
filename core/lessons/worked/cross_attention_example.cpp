#include "core/lessons/worked/attention_steps.h"
#include "core/lessons/worked/example_inputs.h"
#include "core/lessons/worked/example_list.h"

namespace headscope {

ExampleInputs crossAttentionInputs()
{
    const std::vector<std::string> source = {"the", "cat", "sat"};
    const std::vector<std::string> target = {"le", "chat"};
    const std::vector<std::string> dims = numbered("dim", 2);
    ExampleInputs inputs;
    inputs.example = "cross-attention";
    inputs.matrices = {inputMatrix("Q", target, dims, {2, 0, 0, 2}),
                       inputMatrix("K", source, dims, {2, 0, 0, 2, 1, 1}),
                       inputMatrix("V", source, dims, {1, 0, 0, 1, .5, .5}),
                       inputMatrix("mask", target, source, {1, 1, 1, 1, 1, 1})};
    inputs.switches = {{"scale", "Scale by 1/√d", true}, {"own-mask", "Your own mask", false}};
    return inputs;
}

WorkedExample workCrossAttention(const ExampleInputs& inputs)
{
    ExampleBuilder builder(inputs.example, "Cross-attention, two tokens to three");
    AttentionParts parts;
    parts.queries =
        builder.input(inputs.matrix("Q"), {"", "Queries Q (decoder)", "", CellRole::Query});
    parts.keys = builder.input(inputs.matrix("K"), {"", "Keys K (encoder)", "", CellRole::Key});
    parts.values =
        builder.input(inputs.matrix("V"), {"", "Values V (encoder)", "", CellRole::Value});
    AttentionChoices choices;
    choices.scale = inputs.isOn("scale");
    if (inputs.isOn("own-mask"))
        choices.mask = builder.input(inputs.matrix("mask"), {"", "Mask (1: visible, 0: hidden)"});
    attentionStages(builder, parts, choices);
    return builder.finish();
}

} // namespace headscope
