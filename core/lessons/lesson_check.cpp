#include "core/lessons/lesson_check.h"

#include "core/base/error.h"
#include "core/base/json_text.h"
#include "core/lessons/worked/example_inputs.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

namespace headscope {

namespace {

bool isDigit(char c)
{
    return c >= '0' && c <= '9';
}

bool isYear(std::string_view word)
{
    return word.size() == 4 && (word.starts_with("19") || word.starts_with("20")) &&
           std::ranges::all_of(word, isDigit);
}

/// Whether a word is a number rather than a name such as "GPT-2" or "8B".
bool isNumber(std::string_view word)
{
    const auto isPart = [](char c) { return isDigit(c) || c == '.' || c == ',' || c == '%'; };
    return std::ranges::any_of(word, isDigit) && std::ranges::all_of(word, isPart) && !isYear(word);
}

std::string_view withoutMarks(std::string_view word)
{
    const auto isMark = [](char c) {
        return std::ispunct(static_cast<unsigned char>(c)) && c != '%';
    };
    while (!word.empty() && isMark(word.front()))
        word.remove_prefix(1);
    while (!word.empty() && isMark(word.back()))
        word.remove_suffix(1);
    return word;
}

/// First number typed into a text, or "".
std::string typedNumber(std::string_view text)
{
    for (std::size_t from = 0; from < text.size();) {
        const std::size_t end = std::min(text.find_first_of(" \n\t", from), text.size());
        const std::string_view word = withoutMarks(text.substr(from, end - from));
        if (isNumber(word))
            return std::string(word);
        from = end + 1;
    }
    return {};
}

/// First decimal number in a formula, or ""; integers are exponents, indices and factors.
std::string typedDecimal(std::string_view latex)
{
    for (std::size_t at = 1; at + 1 < latex.size(); ++at)
        if (latex[at] == '.' && isDigit(latex[at - 1]) && isDigit(latex[at + 1]))
            return std::string(latex.substr(at - 1, 3));
    return {};
}

bool isBalanced(std::string_view latex)
{
    int depth = 0;
    for (const char c : latex) {
        depth += c == '{' ? 1 : (c == '}' ? -1 : 0);
        if (depth < 0)
            return false;
    }
    return depth == 0;
}

/// Collects the problems of one step.
class StepCheck
{
public:
    StepCheck(const LessonStep& step, std::size_t number, bool isOfCourse)
        : m_step(step)
        , m_number(number)
        , m_isOfCourse(isOfCourse)
    {
    }

    std::vector<std::string> run(const LabContext& context, const std::stop_token& stop)
    {
        for (const std::string& text : texts())
            attempt([&] { checkText(text); });
        if (m_step.state.kind == LessonState::Kind::Example)
            attempt([&] { checkExample(); });
        else if (m_step.state.kind == LessonState::Kind::Lab)
            attempt([&] { checkLab(); });
        attempt([&] { fillStep(m_step, context, stop); });
        return std::move(m_complaints);
    }

private:
    std::vector<std::string> texts() const
    {
        std::vector<std::string> all{m_step.title, m_step.text};
        if (m_step.question) {
            const LessonQuestion& question = *m_step.question;
            all.insert(all.end(), {question.prompt, question.praise, question.hint});
            all.insert(all.end(), question.choices.begin(), question.choices.end());
        }
        return all;
    }

    template<class Check>
    void attempt(const Check& check)
    {
        try {
            check();
        } catch (const Cancelled&) {
            throw;
        } catch (const Error& error) {
            complain(error.what());
        }
    }

    void complain(const std::string& sentence)
    {
        m_complaints.push_back(fmt::format("step {}: {}", m_number, sentence));
    }

    void checkText(const std::string& text)
    {
        const std::vector<TextBlock> blocks = parseLessonText(withoutReferences(text));
        for (const TextBlock& block : blocks)
            for (const TextSpan& span : block.spans)
                checkSpan(span);
    }

    /// Replaces references by a letter, so that only typed numbers are found.
    static std::string withoutReferences(std::string_view text)
    {
        std::string result;
        for (std::size_t from = 0; from < text.size();) {
            const std::size_t begin = std::min(text.find("{{", from), text.size());
            result += text.substr(from, begin - from);
            const std::size_t end = text.find("}}", begin);
            if (begin == text.size() || end == std::string_view::npos)
                break;
            result += 'x';
            from = end + 2;
        }
        return result;
    }

    void checkSpan(const TextSpan& span)
    {
        const bool isFormula = span.kind == TextSpan::Kind::Formula;
        if (isFormula && !isBalanced(span.text))
            complain("the braces of " + inQuotes(span.text) + " do not match");
        const std::string typed = isFormula ? typedDecimal(span.text) : typedNumber(span.text);
        if (m_isOfCourse && span.kind != TextSpan::Kind::Code && !typed.empty())
            complain("the number " + typed + " is typed; use a reference {{name}} instead");
    }

    void checkExample()
    {
        const ExampleState state = exampleState(m_step.state);
        std::vector<std::string> parts;
        for (const WorkedMatrix& matrix : state.example.matrices)
            parts.push_back(matrix.name);
        for (const WorkedStage& stage : state.example.stages)
            parts.push_back(stage.title);
        std::vector<std::string> switches{"stages", "back", "next", "play", "place", "edit"};
        for (const ExampleInputs::Switch& entry : state.inputs.switches)
            switches.push_back(entry.name);
        checkNames(m_step.highlight, parts, "to highlight");
        checkNames(m_step.hide, switches, "to hide");
    }

    void checkLab()
    {
        const LabSettings settings = labSettings(m_step.state);
        std::vector<std::string> controls;
        for (const LabControl& control : settings.controls())
            controls.push_back(control.name);
        checkNames(m_step.hide, controls, "to hide");
    }

    void checkNames(const std::vector<std::string>& names, const std::vector<std::string>& known,
                    const std::string& purpose)
    {
        for (const std::string& name : names)
            if (std::ranges::find(known, name) == known.end())
                complain(fmt::format("there is no {} {}. {}", inQuotes(name), purpose,
                                     nearestNameAdvice(name, known)));
    }

    const LessonStep& m_step;
    std::size_t m_number;
    bool m_isOfCourse;
    std::vector<std::string> m_complaints;
};

} // namespace

std::vector<std::string> checkLesson(const Lesson& lesson, const LabContext& context,
                                     const std::stop_token& stop)
{
    std::vector<std::string> complaints;
    for (std::size_t i = 0; i < lesson.steps.size(); ++i) {
        StepCheck check(lesson.steps[i], i + 1, !lesson.rows.empty());
        std::ranges::move(check.run(context, stop), std::back_inserter(complaints));
    }
    return complaints;
}

} // namespace headscope
