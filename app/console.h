#pragma once

#include <nlohmann/json_fwd.hpp>

#include <cstdint>
#include <string>
#include <string_view>

namespace headscope::app {

/// Prints a result to standard output.
void print(std::string_view text);
void printJsonLine(const nlohmann::json& value);

/// Ends a line of a stream: its reader sees it immediately.
void printLineEnd();

/// Throws Error if standard output did not take everything (for example on a full disk).
void finishOutput();

/// Prints one line to standard error: "headscope: TEXT".
void note(std::string_view text);

/// Text of unknown origin on one line: line ends and control characters are replaced.
std::string oneLine(std::string_view text);

/// A progress bar on standard error, shown only on a terminal; removed with the object.
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
