#pragma once

#include "core/analysis/scores/head_table.h"
#include "core/model/pass/tracer.h"

#include <functional>

namespace headscope {

/// What heads do on random tokens said again: only a head that copies can know what comes next.
/// The mean over several texts of `period` tokens said twice; PrefixMatching over texts of
/// `prefixPeriod` tokens said four times (Olsson et al. 2022: 25 tokens).
struct RepeatsProbe
{
    HeadScoreTables tables;
    TracePtr example;       ///< patterns of one of the texts said twice
    TracePtr prefixExample; ///< of one said four times; null where there is no room for one
    int period = 0;
    int prefixPeriod = 0; ///< 0: no room
    int texts = 0;
    int prefixTexts = 0;
    double elapsedMs = 0.0;
};

using RepeatsProbePtr = std::shared_ptr<const RepeatsProbe>;

constexpr int kRepeatsTexts = 4;
constexpr int kPrefixTexts = 2;
constexpr int kProbeSteps = kRepeatsTexts + kPrefixTexts;

/// Same model, same probe (fixed seed). `progress` tells texts done, of kProbeSteps. Throws Error
/// for a model that is too small for a probe, and Cancelled.
RepeatsProbePtr probeRepeats(const LoadedModel& model, const std::stop_token& stop = {},
                             const std::function<void(int done)>& progress = {});

} // namespace headscope
