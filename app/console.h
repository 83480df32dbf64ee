#pragma once

#include <nlohmann/json_fwd.hpp>

#include <cstdint>
#include <string>
#include <string_view>

namespace headscope::app {

/// A result, on standard output.
void print(std::string_view text);
void printJsonLine(const nlohmann::json& value);

/// Throws Error when standard output did not take everything (a full disk, say).
void finishOutput();

/// One line on standard error: "headscope: TEXT".
void note(std::string_view text);

/// Text of strangers may hold line ends and control characters; a message is one line.
std::string oneLine(std::string_view text);

/// A bar on standard error, drawn only when that is a terminal; gone when the object is.
class ProgressBar
{
public:
    explicit ProgressBar(std::string label);
    ~ProgressBar();
    ProgressBar(const ProgressBar&) = delete;
    ProgressBar& operator=(const ProgressBar&) = delete;

    void show(std::int64_t done, std::int64_t total, std::string_view detail = {});

private:
    void clear();

    std::string m_label;
    bool m_isTerminal;
    bool m_isShown = false;
    std::string m_last;
};

} // namespace headscope::app
