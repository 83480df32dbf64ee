#pragma once

#include "core/train/files/json_fields.h"

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json.hpp>

namespace headscope {

/// One object of a hand-written file, read strictly: a key that is unknown, missing or of the wrong
/// type throws a one-sentence FormatError with the file and the key.
class JsonRecord
{
public:
    /// `name` is the object's name in errors, for example "step 3". `object` must outlive this.
    JsonRecord(const nlohmann::json& object, std::string name,
               const std::vector<std::string>& known, std::string where);

    /// Throws the error; `wanted` completes "Give ...".
    [[noreturn]] void refuse(const char* key, const std::string& wanted) const;

    bool has(const char* key) const { return m_fields.has(key); }

    const nlohmann::json* find(const char* key) const; ///< Null if absent.

    std::string text(const char* key) const;   ///< "" if absent.
    std::string needed(const char* key) const; ///< Non-empty text.
    double neededNumber(const char* key) const;
    std::int64_t neededInteger(const char* key) const; ///< Integer from 0 to a million.

    /// Value of "name", which must equal that of the file.
    std::string nameAs(std::string_view file) const;

    bool isOn(const char* key) const;                                      ///< False if absent.
    nlohmann::json list(const char* key) const;                            ///< Empty if absent.
    nlohmann::json neededList(const char* key) const;                      ///< Non-empty list.
    std::vector<std::string> texts(const char* key) const;                 ///< Empty if absent.
    std::map<std::string, std::string> textsByName(const char* key) const; ///< Empty if absent.

    const JsonFields& fields() const { return m_fields; }

    /// Name of a part of this object in errors, for example "step 3: question".
    std::string part(std::string_view key) const;

    const std::string& where() const { return m_where; }

private:
    JsonFields m_fields;
    std::string m_name;
    std::string m_where;
};

} // namespace headscope
