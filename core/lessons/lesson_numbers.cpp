#include "core/lessons/lesson_numbers.h"

#include "core/base/error.h"
#include "core/base/json_text.h"
#include "core/lessons/lesson_references.h"
#include "core/lessons/worked/example_catalogue.h"

#include <algorithm>
#include <charconv>
#include <map>

namespace headscope {

namespace {

/// Number of finished steps at the point that a state names.
std::size_t stepsDone(const WorkedExample& example, const std::string& at)
{
    if (at.empty() || at == "end")
        return example.steps.size();
    if (at == "start")
        return 0;
    std::size_t number = 0;
    const auto [end, error] = std::from_chars(at.data(), at.data() + at.size(), number);
    if (error == std::errc() && end == at.data() + at.size()) {
        if (number > example.steps.size())
            throw Error("the example has no step " + at, example.name,
                        "Its last step is " + std::to_string(example.steps.size()));
        return number;
    }
    std::vector<std::string> known{"start", "end"};
    for (const WorkedStage& stage : example.stages) {
        if (stage.title == at)
            return stage.firstStep + stage.steps;
        known.push_back(stage.title);
    }
    throw Error("the example has no stage " + inQuotes(at), example.name,
                nearestNameAdvice(at, known));
}

bool isCell(std::string_view reference)
{
    return reference.find('[') != std::string_view::npos;
}

ReferencedNumber cellOf(const WorkedExample& example, std::string_view reference)
{
    const CellAddress address = example.address(reference);
    const WorkedMatrix& matrix = example.matrices[static_cast<std::size_t>(address.matrix)];
    const std::size_t at = matrix.at(address.row, address.column);
    const bool hasExact = at < matrix.exact.size() && matrix.exact[at];
    return {matrix.values[at], hasExact ? matrix.exact[at]->text() : std::string()};
}

/// A number of a lab or, if there is none, the value of one of its controls.
ReferencedNumber numberOf(const LabResult& result, const LabSettings& settings,
                          std::string_view reference)
{
    const auto known = std::ranges::find(result.numbers, reference, &LabNumber::name);
    if (known == result.numbers.end())
        for (const LabControl& control : settings.controls())
            if (control.name == reference && control.kind == LabControl::Kind::Number)
                return {settings.number(reference), {}};
    return {result.number(reference).value, {}};
}

/// Looks up numbers and computes each state only once.
class NumberSource
{
public:
    NumberSource(const LabContext& context, const std::stop_token& stop)
        : m_context(context)
        , m_stop(stop)
    {
    }

    ReferencedNumber number(const LessonStep& step, std::string_view reference)
    {
        const auto alias = step.numbers.find(std::string(reference));
        if (alias != step.numbers.end())
            return number(alias->second.state, alias->second.reference);
        return number(step.state, reference);
    }

private:
    struct LabRun
    {
        LabSettings settings;
        LabResult result;
    };

    ReferencedNumber number(const LessonState& state, std::string_view reference)
    {
        if (state.kind == LessonState::Kind::Example)
            return cellOf(example(state), reference);
        if (state.kind == LessonState::Kind::Lab) {
            const LabRun& run = lab(state);
            return numberOf(run.result, run.settings, reference);
        }
        throw Error("a page has no number " + inQuotes(reference), state.name,
                    isCell(reference) ? "Name the example under \"numbers\""
                                      : "Name the lab under \"numbers\"");
    }

    static std::string keyOf(const LessonState& state)
    {
        std::string key = state.name;
        for (const auto& [name, value] : state.set)
            key += '\0' + name + '\0' + value;
        return key;
    }

    const WorkedExample& example(const LessonState& state)
    {
        const auto [place, isNew] = m_examples.try_emplace(keyOf(state));
        if (isNew)
            place->second = exampleState(state).example;
        return place->second;
    }

    const LabRun& lab(const LessonState& state)
    {
        const std::string key = keyOf(state);
        const auto found = m_labs.find(key);
        if (found != m_labs.end())
            return found->second;
        const LabSettings settings = labSettings(state);
        const Lab& lab = catalogueLab(state.name);
        if (lab.isSlow)
            throw Error("this lab is too slow for a text", lab.title,
                        "Refer to the figure instead");
        return m_labs.emplace(key, LabRun{settings, lab.run(settings, m_context, m_stop)})
            .first->second;
    }

    const LabContext& m_context;
    std::stop_token m_stop;
    std::map<std::string, WorkedExample> m_examples;
    std::map<std::string, LabRun> m_labs;
};

LessonQuestion filledQuestion(LessonQuestion question,
                              const std::function<std::string(const std::string&)>& fill)
{
    question.prompt = fill(question.prompt);
    question.praise = fill(question.praise);
    question.hint = fill(question.hint);
    for (std::string& choice : question.choices)
        choice = fill(choice);
    return question;
}

} // namespace

ExampleState exampleState(const LessonState& state)
{
    ExampleInputs inputs = exampleInputs(state.name);
    for (const auto& [name, value] : state.set)
        inputs.set(name, value);
    WorkedExample example = workExample(inputs);
    const std::size_t done = stepsDone(example, state.at);
    return {std::move(inputs), std::move(example), done};
}

LabSettings labSettings(const LessonState& state)
{
    LabSettings settings(catalogueLab(state.name).controls);
    for (const auto& [name, value] : state.set)
        settings.set(name, value);
    return settings;
}

FilledStep fillStep(const LessonStep& step, const LabContext& context, const std::stop_token& stop)
{
    NumberSource source(context, stop);
    const auto fill = [&](const std::string& text) {
        return fillIn(text, [&](std::string_view name) { return source.number(step, name); });
    };
    FilledStep filled{fill(step.title), fill(step.text), {}, 0.0};
    if (step.question) {
        filled.question = filledQuestion(*step.question, fill);
        if (!step.question->answer.empty())
            filled.answer = source.number(step, step.question->answer).value;
    }
    return filled;
}

} // namespace headscope
