#pragma once

namespace headscope::ui {

/// What is known when a newer job arrives while one is running. All in milliseconds.
struct RunningJob
{
    double typicalMs = 0.0;        ///< how long this model's passes have taken lately
    double sinceLastFrameMs = 0.0; ///< since the last result went out
};

/// Cancelling at every key starves the screen: passes up to 50 ms are never stopped, slower ones
/// only while the last picture is not older than 100 ms.
constexpr bool shouldCancel(const RunningJob& job)
{
    constexpr double kFastPassMs = 50.0;
    constexpr double kPatienceMs = 100.0;
    return job.typicalMs > kFastPassMs && job.sinceLastFrameMs <= kPatienceMs;
}

} // namespace headscope::ui
