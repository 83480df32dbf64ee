#include "core/train/files/json_fields.h"

#include "core/base/error.h"
#include "core/base/json_text.h"

#include <cmath>
#include <optional>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace headscope {

using nlohmann::json;

JsonFields::JsonFields(const json& object, std::string name, const std::vector<std::string>& known,
                       std::string where)
    : m_object(object)
    , m_name(std::move(name))
    , m_where(std::move(where))
{
    if (!object.is_object())
        throw FormatError(
            fmt::format("{} is not a JSON object", m_name), m_where, std::nullopt,
            fmt::format("Write {{\"{}\": ...}}", known.empty() ? "key" : known.front()));
    refuseUnknownKeys(object, known, m_where);
}

void JsonFields::refuse(const char* key, const std::string& wanted) const
{
    std::string shown = at(key).dump(-1, ' ', true, json::error_handler_t::replace);
    if (shown.size() > 40)
        shown = shown.substr(0, 40) + "...";
    throw FormatError(fmt::format("\"{}\" of {} is {}", key, m_name, shown), m_where, std::nullopt,
                      "Give " + wanted);
}

void JsonFields::read(const char* key, std::int64_t& value, std::int64_t low,
                      std::int64_t high) const
{
    if (!has(key))
        return;
    const json& field = at(key);
    const bool tooLarge = field.is_number_unsigned() && field > std::uint64_t{INT64_MAX};
    if (!field.is_number_integer() || tooLarge || field < low || field > high)
        refuse(key, fmt::format("a whole number from {} to {}", low, high));
    value = field.get<std::int64_t>();
}

void JsonFields::read(const char* key, double& value, double low, double high) const
{
    if (!has(key))
        return;
    const double number = at(key).is_number() ? at(key).get<double>() : std::nan("");
    if (!(number >= low && number <= high))
        refuse(key, fmt::format("a number from {} to {}", low, high));
    value = number;
}

void JsonFields::read(const char* key, std::uint64_t& value) const
{
    if (!has(key))
        return;
    if (!at(key).is_number_unsigned())
        refuse(key, "a whole number from 0 on");
    value = at(key).get<std::uint64_t>();
}

void JsonFields::read(const char* key, bool& value) const
{
    if (!has(key))
        return;
    if (!at(key).is_boolean())
        refuse(key, "true or false");
    value = at(key).get<bool>();
}

void JsonFields::read(const char* key, std::string& value) const
{
    if (!has(key))
        return;
    if (!at(key).is_string() || at(key).get_ref<const std::string&>().empty())
        refuse(key, "a non-empty text");
    value = at(key).get<std::string>();
}

std::size_t JsonFields::choice(const char* key, const std::vector<std::string>& choices,
                               std::size_t otherwise) const
{
    if (!has(key))
        return otherwise;
    for (std::size_t i = 0; i < choices.size(); ++i) {
        if (at(key) == choices[i])
            return i;
    }
    const std::string near =
        at(key).is_string() ? nearestName(at(key).get_ref<const std::string&>(), choices) : "";
    if (!near.empty())
        refuse(key, fmt::format("\"{}\", the nearest known name", near));
    refuse(key, fmt::format("{}\"{}\"", choices.size() > 1 ? "one of " : "",
                            fmt::join(choices, "\", \"")));
}

} // namespace headscope
