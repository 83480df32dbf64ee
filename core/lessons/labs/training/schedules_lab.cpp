#include "core/base/content_language.h"
#include "core/lessons/labs/lab.h"
#include "core/lessons/labs/lab_parts.h"
#include "core/train/files/training_settings.h"

#include <fmt/format.h>

#include <algorithm>

namespace headscope {

namespace {

constexpr std::int64_t kPoints = 400; ///< Points of a plotted curve.

/// Curve of a schedule and its peak.
struct Curve
{
    LabChart::Series series;
    double peak = 0.0;
    std::int64_t peakStep = 1; ///< Counted from 1.
    double first = 0.0;
    double last = 0.0;
};

Curve curveOf(std::string name, const ScheduleSettings& schedule, double peak)
{
    const std::vector<double> rates = schedule.curve(peak, schedule.totalSteps);
    const auto highest = std::ranges::max_element(rates);
    Curve curve;
    curve.series.name = std::move(name);
    curve.peak = *highest;
    curve.peakStep = highest - rates.begin() + 1;
    curve.first = rates.front();
    curve.last = rates.back();
    const auto count = static_cast<std::int64_t>(rates.size());
    const std::int64_t every = std::max<std::int64_t>(1, count / kPoints);
    for (std::int64_t step = 0; step < count; ++step) {
        // the peak is a corner, so it needs its own point
        if (step % every == 0 || step + 1 == curve.peakStep || step + 1 == count) {
            curve.series.x.push_back(static_cast<double>(step + 1));
            curve.series.y.push_back(rates[static_cast<std::size_t>(step)]);
        }
    }
    return curve;
}

} // namespace

LabResult runSchedules(const LabSettings& settings, const LabContext&, const std::stop_token&)
{
    ScheduleSettings noam;
    noam.kind = ScheduleSettings::Kind::Noam;
    noam.dModel = settings.integer("d");
    noam.warmupSteps = settings.integer("warmup");
    noam.totalSteps = settings.integer("steps");
    ScheduleSettings cosine = noam;
    cosine.kind = ScheduleSettings::Kind::WarmupCosine;
    const Curve first = curveOf("Noam (2017)", noam, 1.0);
    const Curve second = curveOf("Warm-up and cosine", cosine, settings.number("peak"));

    LabChart chart{"step", "learning rate", false, false, {first.series, second.series}};
    if (noam.warmupSteps > 0 && noam.warmupSteps <= noam.totalSteps) {
        chart.mark = static_cast<double>(noam.warmupSteps);
        chart.markText = fmt::format("warm-up ends: {}", grouped(noam.warmupSteps));
    }
    LabResult result;
    result.panels = {{"Learning rate by step", "Noam: d^-0.5 \u00B7 min(s^-0.5, s \u00B7 w^-1.5)",
                      std::move(chart)},
                     {"Peak learning rate", "",
                      LabBars{"",
                              {{"Noam (2017)", first.peak, fmt::format("{:.5e}", first.peak), true},
                               {message("Warm-up and cosine"), second.peak,
                                fmt::format("{:.5e}", second.peak)}}}}};
    result.numbers = {
        {"d", "Width", static_cast<double>(noam.dModel)},
        {"warmup", "Warm-up steps", static_cast<double>(noam.warmupSteps)},
        {"noam_peak", "Noam, peak", first.peak},
        {"noam_peak_step", "Noam, step of the peak", static_cast<double>(first.peakStep)},
        {"noam_first", "Noam, first rate", first.first},
        {"noam_last", "Noam, last rate", first.last},
        {"cosine_peak", "Cosine, peak", second.peak},
        {"cosine_peak_step", "Cosine, step of the peak", static_cast<double>(second.peakStep)},
        {"cosine_last", "Cosine, last rate", second.last}};
    result.sentence = fmt::format(
        "Noam rises to {:.5e} at step {} and falls to {:.3e} by step {}; the cosine ends at "
        "{:.3e}.",
        first.peak, grouped(first.peakStep), first.last, grouped(noam.totalSteps), second.last);
    return result;
}

} // namespace headscope
