#include "core/lessons/worked/example_translation.h"

#include "core/base/content_language.h"

namespace headscope {

namespace {

void translateInPlace(std::string& text)
{
    if (!text.empty())
        text = message(text);
}

} // namespace

ExampleInputs translated(ExampleInputs inputs)
{
    translateInPlace(inputs.title);
    for (ExampleInputs::Switch& each : inputs.switches)
        translateInPlace(each.title);
    for (ExampleInputs::Matrix& matrix : inputs.matrices)
        for (auto* labels : {&matrix.rowLabels, &matrix.columnLabels})
            for (std::string& label : *labels)
                translateInPlace(label);
    return inputs;
}

WorkedExample translated(WorkedExample example)
{
    translateInPlace(example.title);
    for (WorkedMatrix& matrix : example.matrices)
        translateInPlace(matrix.title);
    for (WorkedStage& stage : example.stages)
        translateInPlace(stage.title);
    for (WorkedStep& step : example.steps)
        translateInPlace(step.reason);
    return example;
}

} // namespace headscope
