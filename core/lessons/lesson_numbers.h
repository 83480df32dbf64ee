#pragma once

#include "core/lessons/labs/lab.h"
#include "core/lessons/lesson.h"
#include "core/lessons/lesson_text.h"
#include "core/lessons/worked/example_inputs.h"
#include "core/lessons/worked/worked_example.h"

#include <optional>

namespace headscope {

/// Worked example of a state with the state's settings and the number of finished steps.
struct ExampleState
{
    ExampleInputs inputs;
    WorkedExample example;
    std::size_t done = 0;
};

ExampleState exampleState(const LessonState& state); ///< Throws Error.
LabSettings labSettings(const LessonState& state);   ///< Throws Error.

/// Lesson step with all references replaced by numbers.
struct FilledStep
{
    std::string title;
    std::string text;
    std::optional<LessonQuestion> question; ///< Question with all references replaced.
    double answer = 0.0;                    ///< Expected answer of a numeric question.
};

/// Computes the numbers that the texts of a step refer to. Runs labs: call it from a worker thread.
FilledStep fillStep(const LessonStep& step, const LabContext& context,
                    const std::stop_token& stop = {});

} // namespace headscope
