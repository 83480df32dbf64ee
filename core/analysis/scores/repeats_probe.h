#pragma once

#include "core/analysis/scores/head_table.h"
#include "core/model/pass/tracer.h"

#include <functional>

namespace headscope {

/// Scores on repeated random tokens: only a head that copies can predict what comes next. The mean
/// over several texts of `period` tokens, repeated once; PrefixMatching over texts of
/// `prefixPeriod` tokens repeated four times (Olsson et al. 2022: 25 tokens).
struct RepeatsProbe
{
    HeadScoreTables tables;
    TracePtr example; ///< Patterns of one of the texts repeated once.
    /// Patterns of one repeated four times; null if the context is too short.
    TracePtr prefixExample;
    int period = 0;
    int prefixPeriod = 0; ///< 0: the context is too short.
    int texts = 0;
    int prefixTexts = 0;
    double elapsedMs = 0.0;
};

using RepeatsProbePtr = std::shared_ptr<const RepeatsProbe>;

constexpr int kRepeatsTexts = 4;
constexpr int kPrefixTexts = 2;
constexpr int kProbeSteps = kRepeatsTexts + kPrefixTexts;

/// Runs the probe; deterministic (fixed seed). `progress` counts texts, of kProbeSteps. Throws
/// Error for a model that is too small for a probe, and Cancelled.
RepeatsProbePtr probeRepeats(const LoadedModel& model, const std::stop_token& stop = {},
                             const std::function<void(int done)>& progress = {});

} // namespace headscope
