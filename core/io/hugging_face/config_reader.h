#pragma once

#include "core/model/config/model_config.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace headscope {

/// One object of a model's config.json. A key that is null counts as absent. Everything that is
/// read throws FormatError naming the family, the key, its value and what would work.
class ConfigReader
{
public:
    /// `tensors`: names in the weight files; `where`: the file in errors. All are kept by
    /// reference, but `where`.
    ConfigReader(const nlohmann::json& object, const std::set<std::string>& tensors,
                 std::string where, std::string family = {});

    bool has(const char* key) const;

    /// True if the name of a tensor ends like this.
    bool hasTensor(const std::string& end) const;

    std::int64_t integer(const char* key, std::optional<std::int64_t> otherwise = {}) const;
    std::int64_t positiveInteger(const char* key, std::int64_t otherwise) const;
    double number(const char* key, std::optional<double> otherwise = {}) const;
    bool flag(const char* key, bool otherwise) const;
    std::string text(const char* key, const std::string& otherwise) const;

    /// Elements of a list, which must have `count` of them.
    std::vector<double> numbers(const char* key, std::int64_t count) const;
    std::vector<std::string> texts(const char* key, std::int64_t count) const;
    std::vector<std::int64_t> integers(const char* key) const;

    /// Texts of a list of [[text, ...], times], which make up `count`: [[["a", "b"], 2]] is
    /// a, b, a, b.
    std::vector<std::string> repeatedTexts(const char* key, std::int64_t count) const;

    /// Finds the value of a name; rejects other names.
    template<class Value>
    Value choice(const char* key, const std::string& otherwise,
                 const std::map<std::string, Value>& known) const
    {
        const auto found = known.find(text(key, otherwise));
        if (found != known.end())
            return found->second;
        std::string names;
        for (const auto& [name, value] : known)
            names += (names.empty() ? "\"" : ", \"") + name + "\"";
        refuse(key, fmt::format("Supported: {}", names));
    }

    void requireFlag(const char* key, bool only) const;

    ConfigReader object(const char* key) const;

    [[noreturn]] void refuse(const char* key, const std::string& advice) const;

private:
    std::string shown(const char* key) const;
    bool isThere(const char* key, bool optional) const;
    const nlohmann::json& list(const char* key, std::optional<std::int64_t> count) const;

    const nlohmann::json& m_object;
    const std::set<std::string>& m_tensors;
    std::string m_where;
    std::string m_family;
};

/// Activation functions by their names in transformers, of plain and of gated networks.
const std::map<std::string, Activation>& plainActivations();
const std::map<std::string, Activation>& gatedActivations();

} // namespace headscope
