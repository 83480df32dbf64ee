#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace headscope {

/// Control of a lab; most labs have two or three.
struct LabControl
{
    enum class Kind { Number, Choice, Switch, Text };

    std::string name;  ///< Id in files and --set: "heads".
    std::string title; ///< Visible title: "KV heads".
    Kind kind = Kind::Number;
    std::string initial;              ///< Initial value in the syntax of set(): "8", "on", "alibi".
    double low = 0.0;                 ///< Minimum of a number.
    double high = 1.0;                ///< Maximum of a number.
    double step = 1.0;                ///< Step of a number; 0: any value.
    bool isLogarithmic = false;       ///< Logarithmic slider.
    std::vector<std::string> choices; ///< Ids of the choices.
    std::vector<std::string> titles;  ///< Visible titles, parallel to choices.

    const std::string& titleOf(std::string_view choice) const; ///< Throws Error if unknown.
};

/// Values of a lab's controls. Always valid.
class LabSettings
{
public:
    explicit LabSettings(std::vector<LabControl> controls); ///< All at their initial values.

    /// Throws Error, one sentence, for an unknown control (nearest name), an invalid number, a
    /// value out of range, an unknown choice, or a text above 100 000 bytes or not in UTF-8.
    void set(std::string_view name, std::string_view value);

    double number(std::string_view name) const;
    std::int64_t integer(std::string_view name) const;
    bool isOn(std::string_view name) const;
    const std::string& text(std::string_view name) const; ///< Choice or text, else as written.

    /// Control `name`. Throws Error with the nearest name, as do all accessors above.
    const LabControl& control(std::string_view name) const;

    const std::vector<LabControl>& controls() const { return m_controls; }

    const std::map<std::string, std::string, std::less<>>& values() const { return m_values; }

private:
    std::vector<LabControl> m_controls;
    std::map<std::string, std::string, std::less<>> m_values;
};

} // namespace headscope
