#include "core/text/files/json_part.h"

#include "core/base/error.h"
#include "core/base/json_text.h"

#include <algorithm>

#include <fmt/format.h>

namespace headscope {

using nlohmann::json;

JsonPart::JsonPart(const json& value, std::string what, const std::string& where)
    : m_value(value)
    , m_what(std::move(what))
    , m_where(where)
{
    if (!value.is_object())
        fail(fmt::format("the {} is not a JSON object", m_what));
}

std::string JsonPart::type() const
{
    const json& type = get("type");
    if (!type.is_string())
        fail(fmt::format("the {} has no \"type\"", m_what));
    return type.get<std::string>();
}

const json& JsonPart::get(const char* key) const
{
    static const json kNothing;
    const auto found = m_value.find(key);
    return found == m_value.end() ? kNothing : *found;
}

bool JsonPart::flag(const char* key, bool otherwise) const
{
    const json& value = get(key);
    if (value.is_null())
        return otherwise;
    if (!value.is_boolean())
        fail(fmt::format("\"{}\" of the {} is neither true nor false", key, m_what));
    return value.get<bool>();
}

std::string JsonPart::text(const char* key, const std::string& otherwise) const
{
    return get(key).is_null() ? otherwise : text(key);
}

std::string JsonPart::text(const char* key) const
{
    const json& value = get(key);
    if (!value.is_string())
        fail(fmt::format("\"{}\" of the {} is not a text", key, m_what));
    return value.get<std::string>();
}

std::size_t JsonPart::count(const char* key, std::size_t otherwise) const
{
    const json& value = get(key);
    if (value.is_null())
        return otherwise;
    if (!value.is_number_unsigned())
        fail(fmt::format("\"{}\" of the {} is not a number from 0", key, m_what));
    return value.get<std::size_t>();
}

const json& JsonPart::list(const char* key) const
{
    const json& value = get(key);
    if (!value.is_array())
        fail(fmt::format("the {} has no list \"{}\"", m_what, key));
    return value;
}

std::vector<JsonPart> JsonPart::parts(const char* key) const
{
    std::vector<JsonPart> result;
    for (const json& value : list(key))
        result.emplace_back(value, m_what, m_where);
    return result;
}

void JsonPart::allow(const std::vector<std::string>& known) const
{
    for (const auto& [key, value] : m_value.items()) {
        const bool saysNothing = value.is_null() || value == false;
        if (key != "type" && !saysNothing && std::ranges::find(known, key) == known.end())
            fail(fmt::format("{} of the {} is not supported", inQuotes(key), m_what),
                 nearestNameAdvice(key, known));
    }
}

void JsonPart::fail(const std::string& problem, const std::string& advice) const
{
    throw FormatError(problem, m_where, std::nullopt, advice);
}

void JsonPart::refuseType() const
{
    fail(fmt::format("the {} {} is not supported", m_what, inQuotes(type())),
         "Headscope reads the tokenizers of GPT-2, BERT, Llama, Mistral, Qwen2, GPT-NeoX, BLOOM "
         "and T5");
}

} // namespace headscope
