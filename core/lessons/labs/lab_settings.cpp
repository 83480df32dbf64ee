#include "core/lessons/labs/lab_settings.h"

#include "core/base/error.h"
#include "core/base/json_text.h"
#include "core/text/utf8.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>

namespace headscope {

namespace {

constexpr std::size_t kLongestText = 100'000;

double readNumber(const LabControl& control, std::string_view text)
{
    double value = 0.0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc() || end != text.data() + text.size() || !std::isfinite(value))
        throw Error(inQuotes(text) + " is not a number", control.title,
                    "Type a number such as 8 or 0.5");
    if (value < control.low || value > control.high)
        throw Error(fmt::format("{} is out of range", text), control.title,
                    fmt::format("Choose a value from {} to {}", control.low, control.high));
    return value;
}

bool isUtf8(std::string_view text)
{
    for (std::size_t at = 0; at < text.size();) {
        const Utf8Character character = utf8CharacterAt(text, at);
        if (!character.valid)
            return false;
        at += character.length;
    }
    return true;
}

bool isSwitchWord(std::string_view value)
{
    return value == "on" || value == "off";
}

std::string checked(const LabControl& control, std::string_view value)
{
    switch (control.kind) {
    case LabControl::Kind::Number:
        readNumber(control, value);
        break;
    case LabControl::Kind::Choice:
        control.titleOf(value);
        break;
    case LabControl::Kind::Switch:
        if (value == "true" || value == "1")
            return "on";
        if (value == "false" || value == "0")
            return "off";
        if (!isSwitchWord(value))
            throw Error(inQuotes(value) + " is neither on nor off", control.title, "Use on or off");
        break;
    case LabControl::Kind::Text:
        if (value.size() > kLongestText)
            throw Error(fmt::format("the text of {} bytes is too long", value.size()),
                        control.title, fmt::format("Use at most {} bytes", kLongestText));
        if (!isUtf8(value))
            throw Error("the text is not valid UTF-8", control.title, "Save it as UTF-8");
        break;
    }
    return std::string(value);
}

} // namespace

const std::string& LabControl::titleOf(std::string_view choice) const
{
    const auto found = std::ranges::find(choices, choice);
    if (found == choices.end())
        throw Error("there is no choice " + inQuotes(choice), title,
                    nearestNameAdvice(choice, choices));
    return titles[static_cast<std::size_t>(found - choices.begin())];
}

LabSettings::LabSettings(std::vector<LabControl> controls) : m_controls(std::move(controls))
{
    for (const LabControl& control : m_controls)
        set(control.name, control.initial);
}

void LabSettings::set(std::string_view name, std::string_view value)
{
    m_values.insert_or_assign(std::string(name), checked(control(name), value));
}

double LabSettings::number(std::string_view name) const
{
    return readNumber(control(name), text(name));
}

std::int64_t LabSettings::integer(std::string_view name) const
{
    return std::llround(number(name));
}

bool LabSettings::isOn(std::string_view name) const
{
    return text(name) == "on";
}

const std::string& LabSettings::text(std::string_view name) const
{
    control(name);
    return m_values.find(name)->second;
}

const LabControl& LabSettings::control(std::string_view name) const
{
    for (const LabControl& control : m_controls)
        if (control.name == name)
            return control;
    throw Error("there is no setting " + inQuotes(name) + " in this lab", {},
                nearestNameAdvice(name, m_controls, &LabControl::name));
}

} // namespace headscope
