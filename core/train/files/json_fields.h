#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

namespace headscope {

/// Reads the fields of one JSON object of a configuration. A field that is absent leaves the value
/// as it is; one of the wrong kind or out of range throws FormatError with one sentence.
class JsonFields
{
public:
    /// `name` is how the object is called in errors: "data". Refuses keys that are not in `known`.
    JsonFields(const nlohmann::json& object, std::string name,
               const std::vector<std::string>& known, std::string where);

    bool has(const char* key) const { return m_object.contains(key); }

    const nlohmann::json& at(const char* key) const { return m_object.at(key); }

    void read(const char* key, std::int64_t& value, std::int64_t low, std::int64_t high) const;
    void read(const char* key, double& value, double low, double high) const;
    void read(const char* key, std::uint64_t& value) const;
    void read(const char* key, bool& value) const;
    void read(const char* key, std::string& value) const;

    /// The place of the text among `choices`; `otherwise` when absent.
    std::size_t choice(const char* key, const std::vector<std::string>& choices,
                       std::size_t otherwise) const;

    [[noreturn]] void refuse(const char* key, const std::string& wanted) const;

private:
    const nlohmann::json& m_object;
    std::string m_name;
    std::string m_where;
};

} // namespace headscope
