#pragma once

#include "core/base/json_text.h"

#include <QString>

#include <limits>
#include <string>
#include <utility>
#include <vector>

namespace headscope::ui {

/// Reads one object of an untrusted file. Errors are FormatErrors with their location:
/// "session.hscope, changes.mask".
class JsonObject
{
public:
    /// Throws unless `value` is an object with only `known` keys.
    JsonObject(const nlohmann::json& value, std::string where,
               const std::vector<std::string>& known);

    /// Value of a key; null if missing.
    const nlohmann::json* find(const std::string& key) const;
    const nlohmann::json& need(const std::string& key) const;

    QString text(const std::string& key, const QString& otherwise = {}) const;
    bool flag(const std::string& key, bool otherwise) const;
    int number(const std::string& key, int otherwise, int low,
               int high = std::numeric_limits<int>::max()) const;

    /// One of the named values.
    template<class Value, std::size_t Count>
    Value choice(const std::string& key, const std::pair<const char*, Value> (&names)[Count],
                 Value otherwise) const
    {
        const nlohmann::json* value = find(key);
        if (!value)
            return otherwise;
        std::vector<std::string> known;
        for (const auto& [name, meaning] : names) {
            if (value->is_string() && value->get<std::string>() == name)
                return meaning;
            known.emplace_back(name);
        }
        refuse(key, known);
    }

    /// Location for errors, such as "session.hscope, changes.mask.side".
    std::string place(const std::string& key) const;
    [[noreturn]] void complain(const std::string& key, const std::string& expected) const;

private:
    [[noreturn]] void refuse(const std::string& key, const std::vector<std::string>& known) const;

    const nlohmann::json& m_value;
    std::string m_where;
};

/// Name of a value in the table.
template<class Value, std::size_t Count>
std::string nameIn(const std::pair<const char*, Value> (&names)[Count], Value value)
{
    for (const auto& [name, meaning] : names)
        if (meaning == value)
            return name;
    return {};
}

} // namespace headscope::ui
