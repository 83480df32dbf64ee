#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

namespace headscope {

/// Reads the fields of one JSON object of a configuration. An absent field leaves the value
/// unchanged; one of the wrong type or out of range throws a one-sentence FormatError.
class JsonFields
{
public:
    /// `name` is the object's name in errors, for example "data". Refuses keys that are not in
    /// `known`.
    JsonFields(const nlohmann::json& object, std::string name,
               const std::vector<std::string>& known, std::string where);

    bool has(const char* key) const { return m_object.contains(key); }

    const nlohmann::json& at(const char* key) const { return m_object.at(key); }

    void read(const char* key, std::int64_t& value, std::int64_t low, std::int64_t high) const;
    void read(const char* key, double& value, double low, double high) const;
    void read(const char* key, std::uint64_t& value) const;
    void read(const char* key, bool& value) const;
    void read(const char* key, std::string& value) const;

    /// Index of the text in `choices`; `otherwise` if absent.
    std::size_t choice(const char* key, const std::vector<std::string>& choices,
                       std::size_t otherwise) const;

    [[noreturn]] void refuse(const char* key, const std::string& wanted) const;

private:
    const nlohmann::json& m_object;
    std::string m_name;
    std::string m_where;
};

} // namespace headscope
