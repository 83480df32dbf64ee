#include "core/io/hugging_face/config_reader.h"

#include "core/base/error.h"
#include "core/base/json_text.h"

#include <cmath>

namespace headscope {

namespace {

constexpr double kMaxInteger = 1e12; ///< Far above every extent, and products cannot overflow.

} // namespace

ConfigReader::ConfigReader(const nlohmann::json& object, const std::set<std::string>& tensors,
                           std::string where, std::string family)
    : m_object(object)
    , m_tensors(tensors)
    , m_where(std::move(where))
    , m_family(std::move(family))
{
    if (!object.is_object())
        throw FormatError("not a JSON object", m_where);
}

bool ConfigReader::has(const char* key) const
{
    return m_object.contains(key) && !m_object[key].is_null();
}

bool ConfigReader::hasTensor(const std::string& end) const
{
    for (const std::string& name : m_tensors)
        if (name.ends_with(end))
            return true;
    return false;
}

std::int64_t ConfigReader::integer(const char* key, std::optional<std::int64_t> otherwise) const
{
    if (!isThere(key, otherwise.has_value()))
        return *otherwise;
    if (!m_object[key].is_number_integer())
        refuse(key, "Use a whole number");
    if (std::abs(m_object[key].get<double>()) > kMaxInteger)
        refuse(key, "Use a smaller number");
    return m_object[key].get<std::int64_t>();
}

std::int64_t ConfigReader::positiveInteger(const char* key, std::int64_t otherwise) const
{
    const std::int64_t value = integer(key, otherwise);
    if (value < 1)
        refuse(key, "Use a positive number");
    return value;
}

double ConfigReader::number(const char* key, std::optional<double> otherwise) const
{
    if (!isThere(key, otherwise.has_value()))
        return *otherwise;
    if (!m_object[key].is_number())
        refuse(key, "Use a number");
    return m_object[key].get<double>();
}

bool ConfigReader::flag(const char* key, bool otherwise) const
{
    if (!isThere(key, true))
        return otherwise;
    if (!m_object[key].is_boolean())
        refuse(key, "Use true or false");
    return m_object[key].get<bool>();
}

std::string ConfigReader::text(const char* key, const std::string& otherwise) const
{
    if (!isThere(key, true))
        return otherwise;
    if (!m_object[key].is_string())
        refuse(key, "Use a string");
    return m_object[key].get<std::string>();
}

const nlohmann::json& ConfigReader::list(const char* key, std::optional<std::int64_t> count) const
{
    isThere(key, false);
    const nlohmann::json& values = m_object[key];
    if (!values.is_array())
        refuse(key, "Use a list");
    if (count && std::ssize(values) != *count)
        refuse(key, fmt::format("Use a list of {}", *count));
    return values;
}

std::vector<double> ConfigReader::numbers(const char* key, std::int64_t count) const
{
    std::vector<double> result;
    for (const nlohmann::json& value : list(key, count)) {
        if (!value.is_number())
            refuse(key, "Use a list of numbers");
        result.push_back(value.get<double>());
    }
    return result;
}

std::vector<std::string> ConfigReader::texts(const char* key, std::int64_t count) const
{
    std::vector<std::string> result;
    for (const nlohmann::json& value : list(key, count)) {
        if (!value.is_string())
            refuse(key, "Use a list of strings");
        result.push_back(value.get<std::string>());
    }
    return result;
}

std::vector<std::int64_t> ConfigReader::integers(const char* key) const
{
    std::vector<std::int64_t> result;
    for (const nlohmann::json& value : list(key, std::nullopt)) {
        if (!value.is_number_integer() || std::abs(value.get<double>()) > kMaxInteger)
            refuse(key, "Use a list of whole numbers");
        result.push_back(value.get<std::int64_t>());
    }
    return result;
}

std::vector<std::string> ConfigReader::repeatedTexts(const char* key, std::int64_t count) const
{
    std::vector<std::string> result;
    for (const nlohmann::json& item : list(key, std::nullopt)) {
        const bool isPair = item.is_array() && item.size() == 2 && item[0].is_array() &&
                            !item[0].empty() && item[1].is_number_integer();
        if (!isPair)
            refuse(key, "Use a list of [[text, ...], times]");
        const double times = item[1].get<double>(); // any number: the length ends the loop
        for (double i = 0.0; i < times && std::ssize(result) <= count; ++i)
            for (const nlohmann::json& text : item[0]) {
                if (!text.is_string())
                    refuse(key, "Use a list of [[text, ...], times]");
                result.push_back(text.get<std::string>());
            }
    }
    if (std::ssize(result) != count)
        refuse(key, fmt::format("Use a list of {}", count));
    return result;
}

void ConfigReader::requireFlag(const char* key, bool only) const
{
    if (flag(key, only) != only)
        refuse(key, fmt::format("Only {} is supported", only));
}

ConfigReader ConfigReader::object(const char* key) const
{
    isThere(key, false);
    return {m_object[key], m_tensors, m_where + ", " + key, m_family};
}

void ConfigReader::refuse(const char* key, const std::string& advice) const
{
    const std::string problem = m_family.empty()
                                    ? fmt::format("\"{}\" is {}", key, shown(key))
                                    : fmt::format("{}: \"{}\" is {}", m_family, key, shown(key));
    throw FormatError(problem, m_where, std::nullopt, advice);
}

std::string ConfigReader::shown(const char* key) const
{
    if (!has(key))
        return "missing";
    if (m_object[key].is_string())
        return inQuotes(m_object[key].get<std::string>());
    const std::string quoted = inQuotes(dumpJson(m_object[key]));
    return quoted.substr(1, quoted.size() - 2);
}

bool ConfigReader::isThere(const char* key, bool optional) const
{
    if (!has(key) && !optional)
        refuse(key, "Choose the whole folder as transformers saved it");
    return has(key);
}

const std::map<std::string, Activation>& plainActivations()
{
    static const std::map<std::string, Activation> known{
        {"gelu", Activation::GeluExact},     {"gelu_new", Activation::GeluTanh},
        {"gelu_fast", Activation::GeluTanh}, {"gelu_pytorch_tanh", Activation::GeluTanh},
        {"relu", Activation::Relu},          {"silu", Activation::Silu},
        {"swish", Activation::Silu}};
    return known;
}

const std::map<std::string, Activation>& gatedActivations()
{
    static const std::map<std::string, Activation> known{{"silu", Activation::SwiGlu},
                                                         {"swish", Activation::SwiGlu},
                                                         {"gelu", Activation::GeGluExact},
                                                         {"gelu_new", Activation::GeGlu},
                                                         {"gelu_pytorch_tanh", Activation::GeGlu}};
    return known;
}

} // namespace headscope
