#pragma once

#include "core/train/files/json_fields.h"

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json.hpp>

namespace headscope {

/// One object of a file that people write, read strictly: a key that is unknown, missing or of the
/// wrong kind throws FormatError, one sentence with the file and the key.
class JsonRecord
{
public:
    /// `name` is how the object is called in errors: "step 3". `object` must outlive this.
    JsonRecord(const nlohmann::json& object, std::string name,
               const std::vector<std::string>& known, std::string where);

    /// `wanted` completes "Give ...".
    [[noreturn]] void refuse(const char* key, const std::string& wanted) const;

    bool has(const char* key) const { return m_fields.has(key); }

    const nlohmann::json* find(const char* key) const; ///< null where absent

    std::string text(const char* key) const;   ///< "" where absent
    std::string needed(const char* key) const; ///< a text that is not empty
    double neededNumber(const char* key) const;
    std::int64_t neededInteger(const char* key) const; ///< 0 to a million

    /// "name", which must be that of the file.
    std::string nameAs(std::string_view file) const;

    bool isOn(const char* key) const;                                      ///< false where absent
    nlohmann::json list(const char* key) const;                            ///< empty where absent
    nlohmann::json neededList(const char* key) const;                      ///< not empty
    std::vector<std::string> texts(const char* key) const;                 ///< empty where absent
    std::map<std::string, std::string> textsByName(const char* key) const; ///< likewise

    const JsonFields& fields() const { return m_fields; }

    /// How a part of this object is called in errors: "step 3: question".
    std::string part(std::string_view key) const;

    const std::string& where() const { return m_where; }

private:
    JsonFields m_fields;
    std::string m_name;
    std::string m_where;
};

} // namespace headscope
