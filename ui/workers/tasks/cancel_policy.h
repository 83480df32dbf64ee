#pragma once

namespace headscope::ui {

/// State when a newer job arrives while one is running. All times in ms.
struct RunningJob
{
    double typicalMs = 0.0;        ///< Typical time of this model's recent forward passes.
    double sinceLastFrameMs = 0.0; ///< Time since the last result was sent.
};

/// Cancelling at every key would starve the screen: forward passes up to 50 ms are never cancelled,
/// slower ones only while the last frame is not older than 100 ms.
constexpr bool shouldCancel(const RunningJob& job)
{
    constexpr double kFastPassMs = 50.0;
    constexpr double kPatienceMs = 100.0;
    return job.typicalMs > kFastPassMs && job.sinceLastFrameMs <= kPatienceMs;
}

} // namespace headscope::ui
