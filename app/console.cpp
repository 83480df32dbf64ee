#include "app/console.h"

#include "core/base/error.h"
#include "core/base/json_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>

#include <unistd.h>

namespace headscope::app {

namespace {

void write(std::FILE* stream, std::string_view text)
{
    std::fwrite(text.data(), 1, text.size(), stream);
}

} // namespace

void print(std::string_view text)
{
    write(stdout, text);
}

void printJsonLine(const nlohmann::json& value)
{
    print(dumpJson(value));
    printLineEnd();
}

void printLineEnd()
{
    print("\n");
    std::fflush(stdout);
}

void finishOutput()
{
    const bool failed = std::fflush(stdout) != 0 || std::ferror(stdout) != 0;
    if (failed)
        throw Error("cannot write the result", "standard output",
                    "Make sure that the reader is running and the disk is not full");
}

void note(std::string_view text)
{
    write(stderr, "headscope: " + oneLine(text) + "\n");
}

std::string oneLine(std::string_view text)
{
    std::string line(text);
    std::replace_if(
        line.begin(), line.end(),
        [](char letter) { return static_cast<unsigned char>(letter) < 0x20 || letter == 0x7F; },
        ' ');
    return line;
}

ProgressBar::ProgressBar(std::string label)
    : m_label(std::move(label))
    , m_isTerminal(::isatty(STDERR_FILENO) == 1)
{
}

ProgressBar::~ProgressBar()
{
    clear();
}

void ProgressBar::show(std::int64_t done, std::int64_t total, std::string_view detail)
{
    if (!m_isTerminal)
        return;
    constexpr std::int64_t kWidth = 24;
    const std::int64_t filled =
        total > 0 ? std::clamp<std::int64_t>(done * kWidth / total, 0, kWidth) : 0;
    const std::string text = fmt::format("{} [{:#<{}}{:.<{}}] {}/{}  {}", m_label, "", filled, "",
                                         kWidth - filled, done, total, detail);
    if (text == m_last)
        return;
    write(stderr, "\r\x1b[K" + text);
    m_last = text;
    m_isShown = true;
}

void ProgressBar::clear()
{
    if (m_isShown)
        write(stderr, "\r\x1b[K");
    m_isShown = false;
}

} // namespace headscope::app
