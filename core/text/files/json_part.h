#pragma once

#include <nlohmann/json.hpp>

#include <optional>
#include <string>
#include <vector>

namespace headscope {

/// An object of a tokenizer.json with a "type". All faults are FormatErrors that name `where`.
/// Refers to the JSON that it was created from.
class JsonPart
{
public:
    /// Takes `what`, such as "pre-tokenizer", for errors. Throws when `value` is not an object.
    JsonPart(const nlohmann::json& value, std::string what, const std::string& where);

    const std::string& where() const { return m_where; }

    std::string type() const;

    /// Null when missing.
    const nlohmann::json& get(const char* key) const;

    bool flag(const char* key, bool otherwise) const;
    std::string text(const char* key, const std::string& otherwise) const;
    std::string text(const char* key) const; ///< Required text.
    std::size_t count(const char* key, std::size_t otherwise) const;
    const nlohmann::json& list(const char* key) const; ///< Required list.

    /// Parts of a list of objects, as in a "Sequence".
    std::vector<JsonPart> parts(const char* key) const;

    /// Rejects keys that are not in `known`, instead of ignoring them, unless their value is null
    /// or false. "type" is always known.
    void allow(const std::vector<std::string>& known) const;

    [[noreturn]] void fail(const std::string& problem, const std::string& advice = {}) const;

    /// Throws "the pre-tokenizer X is not supported".
    [[noreturn]] void refuseType() const;

private:
    const nlohmann::json& m_value;
    std::string m_what;
    const std::string& m_where;
};

} // namespace headscope
