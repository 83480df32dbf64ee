#pragma once

#include "core/lessons/lesson.h"
#include "core/lessons/lesson_library.h"

#include <memory>

namespace headscope::ui::test {

inline LessonStep exampleStep(const std::string& title, const std::string& text)
{
    LessonStep step;
    step.title = title;
    step.text = text;
    step.state = {LessonState::Kind::Example, "attention", {}, "end", {}};
    return step;
}

/// Three steps: a text with numbers, a question for a number, a question with choices.
inline Lesson scoresLesson()
{
    Lesson lesson{"scores", "Scores", "How well a query fits each key.", {}, {"score"}, {}};
    lesson.steps.push_back(exampleStep(
        "Three scores", "The query of sat meets The: $q \\cdot k = $ **{{scores[2,0]}}**, then the "
                        "softmax makes it {{weights[2,0]|4}}."));
    lesson.steps.push_back(exampleStep("Your number", "Look at the last row."));
    lesson.steps.back().question =
        LessonQuestion{"What is the output of sat in its last dimension?",
                       {},
                       0,
                       "output[2,1]",
                       0.005,
                       "It is {{output[2,1]|4}}.",
                       "Multiply each weight with its value."};
    lesson.steps.push_back(exampleStep("Selected head", "One more."));
    lesson.steps.back().question = LessonQuestion{"What do the weights of a row add up to?",
                                                  {"zero", "one"},
                                                  1,
                                                  {},
                                                  0.005,
                                                  "Softmax divides by the sum.",
                                                  "Add them."};
    return lesson;
}

inline Lesson softmaxLesson()
{
    Lesson lesson{"softmax", "Softmax", "From scores to shares.", {}, {"softmax", "weight"}, {}};
    lesson.steps.push_back(exampleStep("Shares", "Each score of sat becomes a weight."));
    return lesson;
}

inline std::shared_ptr<const LessonLibrary> sampleLibrary(std::vector<Lesson> more = {})
{
    Course course{"How a transformer works", {{"Attention", {"scores", "softmax"}}}};
    std::vector<Lesson> lessons{scoresLesson(), softmaxLesson()};
    if (!more.empty())
        course.chapters.push_back({"More", {}});
    for (const Lesson& lesson : more) {
        course.chapters.back().lessons.push_back(lesson.id);
        lessons.push_back(lesson);
    }
    return std::make_shared<const LessonLibrary>(course, lessons);
}

} // namespace headscope::ui::test
