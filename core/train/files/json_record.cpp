#include "core/train/files/json_record.h"

#include "core/base/error.h"
#include "core/base/json_text.h"

#include <optional>
#include <utility>

#include <fmt/format.h>

namespace headscope {

using nlohmann::json;

JsonRecord::JsonRecord(const json& object, std::string name, const std::vector<std::string>& known,
                       std::string where)
    : m_fields(object, name, known, where)
    , m_name(std::move(name))
    , m_where(std::move(where))
{
}

void JsonRecord::refuse(const char* key, const std::string& wanted) const
{
    if (m_fields.has(key))
        m_fields.refuse(key, wanted);
    throw FormatError(fmt::format("\"{}\" of {} is missing", key, m_name), m_where, std::nullopt,
                      "Give " + wanted);
}

const json* JsonRecord::find(const char* key) const
{
    return m_fields.has(key) ? &m_fields.at(key) : nullptr;
}

std::string JsonRecord::text(const char* key) const
{
    std::string value;
    m_fields.read(key, value);
    return value;
}

std::string JsonRecord::needed(const char* key) const
{
    if (!m_fields.has(key) || text(key).empty())
        refuse(key, "a non-empty text");
    return text(key);
}

double JsonRecord::neededNumber(const char* key) const
{
    if (!m_fields.has(key) || !m_fields.at(key).is_number())
        refuse(key, "a number");
    return m_fields.at(key).get<double>();
}

std::int64_t JsonRecord::neededInteger(const char* key) const
{
    if (!m_fields.has(key))
        refuse(key, "a whole number");
    std::int64_t value = 0;
    m_fields.read(key, value, 0, 1'000'000);
    return value;
}

std::string JsonRecord::nameAs(std::string_view file) const
{
    std::string name = needed("name");
    if (name != file)
        refuse("name", inQuotes(file) + ", the name of the file");
    return name;
}

bool JsonRecord::isOn(const char* key) const
{
    bool value = false;
    m_fields.read(key, value);
    return value;
}

json JsonRecord::list(const char* key) const
{
    const json* value = find(key);
    if (value && !value->is_array())
        refuse(key, "a list");
    return value ? *value : json::array();
}

json JsonRecord::neededList(const char* key) const
{
    json value = list(key);
    if (value.empty())
        refuse(key, "a non-empty list");
    return value;
}

std::vector<std::string> JsonRecord::texts(const char* key) const
{
    std::vector<std::string> result;
    for (const json& item : list(key)) {
        if (!item.is_string())
            refuse(key, "a list of texts");
        result.push_back(item.get<std::string>());
    }
    return result;
}

std::map<std::string, std::string> JsonRecord::textsByName(const char* key) const
{
    std::map<std::string, std::string> result;
    const json* object = find(key);
    if (!object)
        return result;
    if (!object->is_object())
        refuse(key, "an object of texts");
    for (const auto& [name, value] : object->items()) {
        if (!value.is_string())
            refuse(key, "an object of texts");
        result.emplace(name, value.get<std::string>());
    }
    return result;
}

std::string JsonRecord::part(std::string_view key) const
{
    return fmt::format("{}: {}", m_name, key);
}

} // namespace headscope
