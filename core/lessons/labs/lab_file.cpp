#include "core/lessons/labs/lab_file.h"

#include "core/base/error.h"
#include "core/base/json_text.h"
#include "core/lessons/lesson_references.h"
#include "core/lessons/lesson_text.h"
#include "core/lessons/often_said.h"
#include "core/train/files/json_record.h"

#include <fmt/format.h>

#include <algorithm>

namespace headscope {

namespace {

using nlohmann::json;

/// Names of LabSubject, in the order of the enum.
const std::vector<std::string> kSubjects{"text",   "order",    "attention", "masks", "blocks",
                                         "models", "training", "decoding",  "heads"};

/// Names of LabControl::Kind, in the order of the enum.
const std::vector<std::string> kKinds{"number", "choice", "switch", "text"};

/// Keys that a control of this kind may have; all keys for an unknown kind.
std::vector<std::string> keysOf(const json& control)
{
    std::vector<std::string> keys{"name", "title", "kind", "initial"};
    const json named = control.is_object() ? control.value("kind", json()) : json();
    const std::string kind = named.is_string() ? named.get<std::string>() : std::string();
    const bool isKnown = std::ranges::find(kKinds, kind) != kKinds.end();
    if (!isKnown || kind == "number")
        keys.insert(keys.end(), {"low", "high", "step", "logarithmic"});
    if (!isKnown || kind == "choice")
        keys.emplace_back("choices");
    return keys;
}

std::size_t neededChoice(const JsonRecord& record, const char* key,
                         const std::vector<std::string>& choices)
{
    record.needed(key);
    return record.fields().choice(key, choices, 0);
}

void readNumber(const JsonRecord& record, LabControl& control)
{
    control.initial = fmt::format("{}", record.neededNumber("initial"));
    control.low = record.neededNumber("low");
    control.high = record.neededNumber("high");
    if (control.low >= control.high)
        record.refuse("high", "a number above \"low\"");
    if (record.has("step"))
        control.step = record.neededNumber("step");
    if (control.step < 0.0)
        record.refuse("step", "a number of at least 0");
    control.isLogarithmic = record.isOn("logarithmic");
    if (control.isLogarithmic && control.low <= 0.0)
        record.refuse("low", "a number above 0 for a logarithmic control");
}

void readChoices(const JsonRecord& record, LabControl& control)
{
    for (const json& value : record.neededList("choices")) {
        const JsonRecord choice(value, record.part("choices"), {"name", "title"}, record.where());
        const std::string name = choice.needed("name");
        if (std::ranges::find(control.choices, name) != control.choices.end())
            choice.refuse("name", "a unique name for every choice");
        control.choices.push_back(name);
        control.titles.push_back(choice.needed("title"));
    }
    control.initial = record.needed("initial");
}

void readSwitch(const JsonRecord& record, LabControl& control)
{
    if (!record.has("initial"))
        record.refuse("initial", "true or false");
    control.initial = record.isOn("initial") ? "on" : "off";
}

void checkInitial(const JsonRecord& record, const LabControl& control)
{
    try {
        LabSettings({control});
    } catch (const Error&) {
        record.refuse("initial", "a value that the control accepts");
    }
}

LabControl readControl(const json& value, const std::string& place, const std::string& where)
{
    const JsonRecord record(value, place, keysOf(value), where);
    LabControl control;
    control.name = record.needed("name");
    control.title = record.needed("title");
    control.kind = static_cast<LabControl::Kind>(neededChoice(record, "kind", kKinds));
    switch (control.kind) {
    case LabControl::Kind::Number:
        readNumber(record, control);
        break;
    case LabControl::Kind::Choice:
        readChoices(record, control);
        break;
    case LabControl::Kind::Switch:
        readSwitch(record, control);
        break;
    case LabControl::Kind::Text:
        control.initial = record.text("initial");
        break;
    }
    checkInitial(record, control);
    return control;
}

std::vector<LabControl> readControls(const JsonRecord& lab)
{
    std::vector<LabControl> controls;
    for (const json& value : lab.neededList("controls")) {
        const std::string place = fmt::format("control {}", controls.size() + 1);
        controls.push_back(readControl(value, place, lab.where()));
        if (std::ranges::count(controls, controls.back().name, &LabControl::name) > 1)
            lab.refuse("controls", "a unique name for every control");
    }
    return controls;
}

std::string readAnswer(const JsonRecord& lab)
{
    const std::string answer = lab.needed("answer");
    const std::string said = oftenSaidText(lab);
    try {
        references(answer);
        references(said);
    } catch (const Error& error) {
        lab.refuse("answer", "a text with closed references: " + error.problem());
    }
    return answer + said;
}

} // namespace

Lab parseLab(std::string_view name, std::string_view text)
{
    const std::string where = fmt::format("resources/labs/{}.json", name);
    const json root = parseJson(text, where);
    const JsonRecord record(root, "the lab",
                            {"name", "subject", "order", "title", "rows", "question", "answer",
                             "controls", "uses_model", "is_slow", "often_said"},
                            where);
    Lab lab;
    lab.name = record.nameAs(name);
    lab.subject = static_cast<LabSubject>(neededChoice(record, "subject", kSubjects));
    lab.order = record.neededInteger("order");
    lab.title = record.needed("title");
    lab.rows = record.needed("rows");
    lab.question = record.needed("question");
    lab.answer = readAnswer(record);
    lab.controls = readControls(record);
    lab.usesModel = record.isOn("uses_model");
    lab.isSlow = record.isOn("is_slow");
    return lab;
}

} // namespace headscope
