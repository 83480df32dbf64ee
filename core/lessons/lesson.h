#pragma once

#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace headscope {

/// What a step shows beside its text.
struct LessonState
{
    enum class Kind {
        Example, ///< a worked example, see worked_example.h
        Lab,     ///< see lab.h
        Page,    ///< a page of the window with everything it needs: a session
    };

    Kind kind = Kind::Example;
    std::string name;                       ///< of the example, lab or page
    std::map<std::string, std::string> set; ///< "Q[2,0]": "1.5", "causal": "on"; of examples, labs
    std::string at; ///< of an example: "start", "end", "softmax" (the end of that stage), or a
                    ///< number of steps
    nlohmann::json session; ///< of a page: a headscope-session, or null for the open one

    friend bool operator==(const LessonState&, const LessonState&) = default;
};

struct LessonQuestion
{
    std::string prompt;               ///< lesson text
    std::vector<std::string> choices; ///< lesson text each; none: a number is asked for
    int right = 0;                    ///< of choices
    std::string answer;               ///< reference to the number: "output[2,1]"
    double tolerance = 0.005;         ///< of that number, absolute
    std::string praise;               ///< lesson text when it was right: why
    std::string hint;                 ///< lesson text when it was wrong: how to find it

    friend bool operator==(const LessonQuestion&, const LessonQuestion&) = default;
};

/// A number of another state, which a text speaks of: an example's or a lab's, by its reference.
struct LessonNumber
{
    LessonState state;
    std::string reference;

    friend bool operator==(const LessonNumber&, const LessonNumber&) = default;
};

struct LessonStep
{
    std::string title;
    std::string text; ///< lesson text, see lesson_text.h
    LessonState state;
    std::vector<std::string> highlight; ///< matrices, stages or panels to point at, by name
    std::vector<std::string> hide;      ///< controls that stay out of sight, by name
    std::map<std::string, LessonNumber> numbers; ///< more references: {{name}}
    std::optional<LessonQuestion> question;

    friend bool operator==(const LessonStep&, const LessonStep&) = default;
};

/// A row of the curriculum and the test that pins its numbers.
struct LessonRow
{
    std::string id;   ///< "A2"
    std::string test; ///< as ctest calls it: "core.lessons.attention_examples"

    friend bool operator==(const LessonRow&, const LessonRow&) = default;
};

/// Ordered saved states with text: a file that a person can write, open and share.
struct Lesson
{
    std::string id; ///< "worked-example": letters, digits and "-"
    std::string title;
    std::string summary;            ///< one sentence
    std::vector<LessonRow> rows;    ///< of the curriculum; none in a person's own
    std::vector<std::string> terms; ///< that it explains: "softmax"
    std::vector<LessonStep> steps;

    friend bool operator==(const Lesson&, const Lesson&) = default;
};

/// A course: chapters of lessons, in order.
struct Course
{
    struct Chapter
    {
        std::string title;
        std::vector<std::string> lessons; ///< ids
    };

    std::string title;
    std::vector<Chapter> chapters;
};

} // namespace headscope
