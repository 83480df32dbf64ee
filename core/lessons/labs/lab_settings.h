#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace headscope {

/// Something to turn. Two or three of them make a lab.
struct LabControl
{
    enum class Kind { Number, Choice, Switch, Text };

    std::string name;  ///< "heads": for files and --set
    std::string title; ///< "KV heads"
    Kind kind = Kind::Number;
    std::string initial;              ///< as set() takes it: "8", "on", "alibi", "unhappiness"
    double low = 0.0;                 ///< of a number
    double high = 1.0;                ///< of a number
    double step = 1.0;                ///< of a number; 0: any
    bool isLogarithmic = false;       ///< the slider's way from low to high
    std::vector<std::string> choices; ///< names, of a choice
    std::vector<std::string> titles;  ///< as choices: for people

    const std::string& titleOf(std::string_view choice) const; ///< throws Error: no such choice
};

/// What the controls of a lab are set to. Always valid.
class LabSettings
{
public:
    explicit LabSettings(std::vector<LabControl> controls); ///< all as initial

    /// Throws Error, one sentence: no such control (nearest name), no number, out of its range, no
    /// such choice, a text beyond 100 000 bytes or that is no UTF-8.
    void set(std::string_view name, std::string_view value);

    double number(std::string_view name) const;
    std::int64_t integer(std::string_view name) const;
    bool isOn(std::string_view name) const;
    const std::string& text(std::string_view name) const; ///< of a choice or text; or as written

    /// Throws Error with the nearest name, as all of the above.
    const LabControl& control(std::string_view name) const;

    const std::vector<LabControl>& controls() const { return m_controls; }

    const std::map<std::string, std::string, std::less<>>& values() const { return m_values; }

private:
    std::vector<LabControl> m_controls;
    std::map<std::string, std::string, std::less<>> m_values;
};

} // namespace headscope
