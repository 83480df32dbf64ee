#pragma once

#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace headscope {

/// Saved state shown beside the text of a step.
struct LessonState
{
    enum class Kind {
        Example, ///< Worked example, see worked_example.h.
        Lab,     ///< Lab, see lab.h.
        Page,    ///< Page of the window, with its session.
    };

    Kind kind = Kind::Example;
    std::string name;                       ///< Name of the example, lab or page.
    std::map<std::string, std::string> set; ///< Settings of an example or lab.
    std::string at;         ///< Point in an example: "start", "end", a stage, or a step count.
    nlohmann::json session; ///< Page: a headscope-session, or null for the open one.

    friend bool operator==(const LessonState&, const LessonState&) = default;
};

struct LessonQuestion
{
    std::string prompt;               ///< Lesson text.
    std::vector<std::string> choices; ///< Lesson texts; empty when the answer is a number.
    int right = 0;                    ///< Index into choices.
    std::string answer;               ///< Reference to the number: "output[2,1]".
    double tolerance = 0.005;         ///< Absolute tolerance of a numeric answer.
    std::string praise;               ///< Lesson text after a right answer: the reason.
    std::string hint; ///< Lesson text after a wrong answer: how to find the right one.

    friend bool operator==(const LessonQuestion&, const LessonQuestion&) = default;
};

/// Reference to a number of another state (example or lab), for use in a text.
struct LessonNumber
{
    LessonState state;
    std::string reference;

    friend bool operator==(const LessonNumber&, const LessonNumber&) = default;
};

struct LessonStep
{
    std::string title;
    std::string text; ///< Lesson text, see lesson_text.h.
    LessonState state;
    std::vector<std::string> highlight; ///< Names of matrices, stages or panels to highlight.
    std::vector<std::string> hide;      ///< Names of hidden controls.
    std::map<std::string, LessonNumber> numbers; ///< Additional references, {{name}}.
    std::optional<LessonQuestion> question;

    friend bool operator==(const LessonStep&, const LessonStep&) = default;
};

/// Row of the curriculum and the test that checks its numbers.
struct LessonRow
{
    std::string id;   ///< Row id: "A2".
    std::string test; ///< Name in ctest: "core.lessons.attention_examples".

    friend bool operator==(const LessonRow&, const LessonRow&) = default;
};

/// Lesson: ordered saved states with text, in a file that users can write, open and share.
struct Lesson
{
    std::string id; ///< Letters, digits and "-": "worked-example".
    std::string title;
    std::string summary;            ///< One sentence.
    std::vector<LessonRow> rows;    ///< Rows of the curriculum; empty in a user's own lesson.
    std::vector<std::string> terms; ///< Terms that the lesson explains: "softmax".
    std::vector<LessonStep> steps;

    friend bool operator==(const Lesson&, const Lesson&) = default;
};

/// Course: chapters of lessons, in order.
struct Course
{
    struct Chapter
    {
        std::string title;
        std::vector<std::string> lessons; ///< Lesson ids.
    };

    std::string title;
    std::vector<Chapter> chapters;
};

} // namespace headscope
