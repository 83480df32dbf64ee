#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>

namespace headscope {

/// Where a run came from.
struct RunOrigin
{
    std::string run; ///< path of the run that was forked
    std::int64_t step = 0;
    bool isExact = false; ///< with the optimizer's state

    friend bool operator==(const RunOrigin&, const RunOrigin&) = default;
};

/// run.json: what is known about a run besides its configuration.
struct RunCard
{
    std::string device;
    std::string started; ///< "2026-11-21T20:15:02Z"; empty for runs of older versions
    std::optional<RunOrigin> origin;
};

std::string timeNow(); ///< in that form

/// Throws FormatError for a file that is damaged or of a newer version. Without one: an empty card.
RunCard readRunCard(const std::filesystem::path& run);
std::string toJsonText(const RunCard& card); ///< of run.json

} // namespace headscope
