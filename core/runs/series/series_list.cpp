#include "core/runs/series/series_list.h"

#include "core/base/error.h"
#include "core/base/file.h"
#include "core/base/json_text.h"
#include "core/base/text_parts.h"
#include "core/io/open_model.h"
#include "core/runs/series/checkpoint_step.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <fstream>
#include <string>

namespace headscope {

namespace {

namespace fs = std::filesystem;

constexpr std::size_t kMostCheckpoints = 4096;
constexpr std::uint64_t kListLimit = 1 << 20;
constexpr std::size_t kLongestLine = 4096;

bool hasWeightEnding(const fs::path& path)
{
    return path.extension() == ".gguf" || path.extension() == ".safetensors";
}

/// True for a folder, or a file that may hold weights, with a step in its name.
bool isCheckpointName(const fs::directory_entry& entry)
{
    std::error_code error;
    if (!stepInName(entry.path().filename().string()))
        return false;
    return entry.is_directory(error) ||
           (hasWeightEnding(entry.path()) && entry.is_regular_file(error));
}

/// Folder of a model in the cache of Hugging Face: refs/REVISION contains the name of a folder in
/// snapshots.
bool isHubFolder(const fs::path& folder)
{
    std::error_code error;
    return fs::is_directory(folder / "refs", error) &&
           fs::is_directory(folder / "snapshots", error);
}

/// Calls `take` with every entry of a folder that names a checkpoint, until it returns false.
template<class Take>
void eachCheckpointName(const fs::path& folder, const Take& take)
{
    std::error_code error;
    for (fs::directory_iterator it(folder, error), end; !error && it != end; it.increment(error)) {
        if (isCheckpointName(*it) && !take(it->path()))
            return;
    }
}

template<class Take>
void eachRevision(const fs::path& folder, const Take& take)
{
    std::error_code error;
    for (fs::directory_iterator it(folder / "refs", error), end; !error && it != end;
         it.increment(error)) {
        std::error_code ignored;
        if (stepInName(it->path().filename().string()) && it->is_regular_file(ignored) &&
            !take(it->path()))
            return;
    }
}

std::string trimmed(std::string_view line)
{
    return std::string(trimmedText(line.substr(0, line.find('#')), " \t\r"));
}

/// Calls `take(path as written, number of the line)` for every line with a path, until it returns
/// false.
template<class Take>
void eachLine(std::string_view text, const Take& take)
{
    std::int64_t number = 0;
    for (const std::string_view whole : linesIn(text)) {
        const std::string line = trimmed(whole);
        ++number;
        fs::path written = fs::path(line).lexically_normal();
        if (!written.has_filename())
            written = written.parent_path(); // of "step-1/"
        if (!line.empty() && !take(written, number))
            return;
    }
}

/// Beginning of a regular file, to see what it is; empty for one that is no text.
std::string beginningOf(const fs::path& file)
{
    std::error_code error;
    if (!fs::is_regular_file(file, error))
        return {};
    std::array<char, 1 << 14> bytes{};
    std::ifstream stream(file, std::ios::binary);
    stream.read(bytes.data(), bytes.size());
    std::string text(bytes.data(), static_cast<std::size_t>(stream.gcount()));
    return text.find('\0') == std::string::npos ? text : std::string();
}

/// Path of a line in a list; relative ones begin at the list.
fs::path inList(const fs::path& file, const fs::path& written)
{
    return fs::absolute(file).parent_path() / written;
}

/// True if one of the first lines is the path of a model.
bool isListFile(const fs::path& file)
{
    constexpr int kLines = 16;
    bool isList = false;
    int lines = 0;
    eachLine(beginningOf(file), [&](const fs::path& written, auto) {
        if (written.native().size() <= kLongestLine)
            isList = modelPath(inList(file, written)).has_value();
        return !isList && ++lines < kLines;
    });
    return isList;
}

[[noreturn]] void refuseMore(const fs::path& path)
{
    throw FormatError(fmt::format("the series has more than {} checkpoints", kMostCheckpoints),
                      path.string(), std::nullopt,
                      "List those that you want in a text file, one path a line");
}

std::vector<SeriesEntry> entriesOf(const fs::path& folder)
{
    std::vector<SeriesEntry> entries;
    eachCheckpointName(folder, [&](const fs::path& path) {
        entries.push_back({*stepInName(path.filename().string()), path});
        return entries.size() <= kMostCheckpoints;
    });
    return entries;
}

std::vector<SeriesEntry> revisionsOf(const fs::path& folder)
{
    constexpr std::uint64_t kHashLimit = 256;
    std::vector<SeriesEntry> entries;
    eachRevision(folder, [&](const fs::path& ref) {
        const std::string hash = trimmed(readFile(ref, kHashLimit));
        const bool isName = !hash.empty() && std::ranges::all_of(hash, [](unsigned char c) {
            return std::isxdigit(c) != 0 || c == '\n';
        });
        if (!isName)
            throw FormatError("this is not the name of a snapshot", ref.string());
        entries.push_back({*stepInName(ref.filename().string()),
                           folder / "snapshots" / hash.substr(0, hash.find('\n'))});
        return entries.size() <= kMostCheckpoints;
    });
    return entries;
}

/// The step in one of the last names of a path, as in step8/hf/model.safetensors, or the line.
std::int64_t stepOfLine(fs::path written, std::int64_t line)
{
    constexpr int kNames = 3;
    for (int name = 0; name < kNames && !written.empty(); ++name) {
        if (const auto step = stepInName(written.filename().string()))
            return *step;
        written = written.parent_path();
    }
    return line;
}

std::vector<SeriesEntry> linesOf(const fs::path& file)
{
    std::vector<SeriesEntry> entries;
    eachLine(readFile(file, kListLimit), [&](const fs::path& written, std::int64_t line) {
        if (written.native().size() > kLongestLine)
            throw FormatError(fmt::format("line {} is not a path", line), file.string());
        entries.push_back({stepOfLine(written, line), inList(file, written)});
        return entries.size() <= kMostCheckpoints;
    });
    return entries;
}

} // namespace

bool isSeries(const fs::path& path)
{
    std::error_code error;
    if (!fs::is_directory(path, error))
        return isListFile(path);
    if (isHuggingFaceFolder(path))
        return false; // a model, even beside its checkpoints
    int found = 0;
    const auto isLacking = [&found](const fs::path&) { return ++found < 2; };
    if (isHubFolder(path))
        eachRevision(path, isLacking);
    else
        eachCheckpointName(path, isLacking);
    return found >= 2;
}

std::vector<SeriesEntry> listSeries(const fs::path& path)
{
    std::error_code error;
    std::vector<SeriesEntry> entries = !fs::is_directory(path, error) ? linesOf(path)
                                       : isHubFolder(path)            ? revisionsOf(path)
                                                                      : entriesOf(path);
    if (entries.size() > kMostCheckpoints)
        refuseMore(path);
    std::ranges::sort(entries, [](const SeriesEntry& a, const SeriesEntry& b) {
        return a.step != b.step ? a.step < b.step : a.path < b.path;
    });
    const auto twice = std::ranges::adjacent_find(entries, {}, &SeriesEntry::step);
    if (twice != entries.end())
        throw FormatError(fmt::format("two checkpoints are of step {}: {} and {}", twice->step,
                                      inQuotes(twice->path.string()),
                                      inQuotes(std::next(twice)->path.string())),
                          path.string(), std::nullopt,
                          "List those that you want in a text file, one path a line");
    if (entries.size() < 2)
        throw FormatError("a series has at least two checkpoints", path.string(), std::nullopt,
                          "Name them by their steps, such as step-1000 and step-2000");
    return entries;
}

} // namespace headscope
