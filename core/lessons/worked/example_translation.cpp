#include "core/lessons/worked/example_translation.h"

#include "core/base/content_language.h"

namespace headscope {

namespace {

void translate(std::string& text)
{
    if (!text.empty())
        text = message(text);
}

} // namespace

ExampleInputs translated(ExampleInputs inputs)
{
    translate(inputs.title);
    for (ExampleInputs::Switch& each : inputs.switches)
        translate(each.title);
    for (ExampleInputs::Matrix& matrix : inputs.matrices)
        for (auto* labels : {&matrix.rowLabels, &matrix.columnLabels})
            for (std::string& label : *labels)
                translate(label);
    return inputs;
}

WorkedExample translated(WorkedExample example)
{
    translate(example.title);
    for (WorkedMatrix& matrix : example.matrices)
        translate(matrix.title);
    for (WorkedStage& stage : example.stages)
        translate(stage.title);
    for (WorkedStep& step : example.steps)
        translate(step.reason);
    return example;
}

} // namespace headscope
