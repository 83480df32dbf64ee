#pragma once

#include <nlohmann/json.hpp>

#include <optional>
#include <string>
#include <vector>

namespace headscope {

/// An object of a tokenizer.json that says by its "type" what it is. All faults are FormatErrors
/// that name `where`. Refers to the JSON that it was made of.
class JsonPart
{
public:
    /// `what`: "pre-tokenizer", for errors. Throws when `value` is no object.
    JsonPart(const nlohmann::json& value, std::string what, const std::string& where);

    const std::string& where() const { return m_where; }

    std::string type() const;

    /// Null when missing.
    const nlohmann::json& get(const char* key) const;

    bool flag(const char* key, bool otherwise) const;
    std::string text(const char* key, const std::string& otherwise) const;
    std::string text(const char* key) const; ///< must be there
    std::size_t count(const char* key, std::size_t otherwise) const;
    const nlohmann::json& list(const char* key) const; ///< must be there

    /// The parts of a list of objects: of a "Sequence".
    std::vector<JsonPart> parts(const char* key) const;

    /// What is not known is not ignored: refuses keys that are not in `known`, unless their value
    /// is null or false and so says nothing. "type" is always known.
    void allow(const std::vector<std::string>& known) const;

    [[noreturn]] void fail(const std::string& problem, const std::string& advice = {}) const;

    /// "the pre-tokenizer X is not supported".
    [[noreturn]] void refuseType() const;

private:
    const nlohmann::json& m_value;
    std::string m_what;
    const std::string& m_where;
};

} // namespace headscope
