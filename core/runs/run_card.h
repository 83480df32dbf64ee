#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>

namespace headscope {

/// Origin of a forked training run.
struct RunOrigin
{
    std::string run; ///< Path of the run that was forked.
    std::int64_t step = 0;
    bool isExact = false; ///< Whether the optimizer state was included.

    friend bool operator==(const RunOrigin&, const RunOrigin&) = default;
};

/// Contents of run.json: facts about a training run besides its configuration.
struct RunCard
{
    std::string device;
    std::string started; ///< For example "2026-11-21T20:15:02Z"; empty for runs of older versions.
    std::optional<RunOrigin> origin;
};

std::string timeNow(); ///< Current time in that format.

/// Throws FormatError for a file that is damaged or of a newer version. Without one: an empty card.
RunCard readRunCard(const std::filesystem::path& run);
std::string toJsonText(const RunCard& card); ///< Text of run.json.

} // namespace headscope
