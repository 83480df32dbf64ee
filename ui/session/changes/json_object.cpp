#include "ui/session/changes/json_object.h"

#include "core/base/error.h"

namespace headscope::ui {

JsonObject::JsonObject(const nlohmann::json& value, std::string where,
                       const std::vector<std::string>& known)
    : m_value(value)
    , m_where(std::move(where))
{
    if (!value.is_object())
        throw FormatError("expected a JSON object", m_where);
    refuseUnknownKeys(value, known, m_where);
}

const nlohmann::json* JsonObject::find(const std::string& key) const
{
    const auto found = m_value.find(key);
    return found == m_value.end() ? nullptr : &*found;
}

const nlohmann::json& JsonObject::need(const std::string& key) const
{
    const nlohmann::json* value = find(key);
    if (!value)
        throw FormatError("the key \"" + key + "\" is missing", m_where);
    return *value;
}

QString JsonObject::text(const std::string& key, const QString& otherwise) const
{
    const nlohmann::json* value = find(key);
    if (!value)
        return otherwise;
    if (!value->is_string())
        complain(key, "a text");
    return QString::fromStdString(value->get<std::string>());
}

bool JsonObject::flag(const std::string& key, bool otherwise) const
{
    const nlohmann::json* value = find(key);
    if (!value)
        return otherwise;
    if (!value->is_boolean())
        complain(key, "true or false");
    return value->get<bool>();
}

int JsonObject::number(const std::string& key, int otherwise, int low, int high) const
{
    const nlohmann::json* value = find(key);
    if (!value)
        return otherwise;
    const bool fits = value->is_number_integer() &&
                      (!value->is_number_unsigned() || value->get<std::uint64_t>() <= INT32_MAX);
    const std::int64_t number = fits ? value->get<std::int64_t>() : std::int64_t{low} - 1;
    if (number < low || number > high)
        complain(key,
                 "a whole number from " + std::to_string(low) +
                     (high == std::numeric_limits<int>::max() ? std::string(" upwards")
                                                              : " to " + std::to_string(high)));
    return static_cast<int>(number);
}

std::string JsonObject::place(const std::string& key) const
{
    const bool nested = m_where.find(", ") != std::string::npos;
    return m_where + (nested ? "." : ", ") + key;
}

void JsonObject::complain(const std::string& key, const std::string& expected) const
{
    throw FormatError("expected " + expected, place(key));
}

void JsonObject::refuse(const std::string& key, const std::vector<std::string>& known) const
{
    const nlohmann::json& value = need(key);
    const std::string given = value.is_string() ? value.get<std::string>() : dumpJson(value);
    throw FormatError("unknown value " + inQuotes(given), place(key), std::nullopt,
                      nearestNameAdvice(given, known));
}

} // namespace headscope::ui
