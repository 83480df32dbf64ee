#pragma once

#include "core/lessons/labs/lab.h"
#include "core/lessons/lesson.h"
#include "core/lessons/lesson_text.h"
#include "core/lessons/worked/example_inputs.h"
#include "core/lessons/worked/worked_example.h"

#include <optional>

namespace headscope {

/// The example of a state, with what the state sets, and how many of its steps are done.
struct ExampleState
{
    ExampleInputs inputs;
    WorkedExample example;
    std::size_t done = 0;
};

ExampleState exampleState(const LessonState& state); ///< throws Error
LabSettings labSettings(const LessonState& state);   ///< throws Error

/// A step with all numbers put into its texts.
struct FilledStep
{
    std::string title;
    std::string text;
    std::optional<LessonQuestion> question; ///< its texts filled
    double answer = 0.0;                    ///< of a question for a number
};

/// Computes what the texts of a step refer to. Runs labs: on a thread of its own in the window.
FilledStep fillStep(const LessonStep& step, const LabContext& context,
                    const std::stop_token& stop = {});

} // namespace headscope
