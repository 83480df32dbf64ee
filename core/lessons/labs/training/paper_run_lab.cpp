#include "core/base/content_language.h"
#include "core/lessons/labs/attention/attention_parts.h"
#include "core/lessons/labs/lab.h"
#include "core/model/config/presets.h"
#include "core/model/config/size_report.h"
#include "core/train/training_benchmark.h"

#include <fmt/format.h>

#include <cmath>

namespace headscope {

namespace {

// Vaswani et al. 2017, "Attention Is All You Need": sections 5.1 and 5.2, tables 2 and 3.
constexpr double kPairs = 4.5e6;            ///< Sentence pairs, WMT 2014 English-German.
constexpr double kTokensPerBatch = 25000.0; ///< Source tokens, and as many target tokens.
constexpr int kProcessors = 8;              ///< Nvidia P100.
constexpr double kSustained = 9.5e12;       ///< FLOP per second of one, as the paper assumes.

struct PaperRun
{
    std::string name;
    double steps = 0.0;
    double hours = 0.0;
    double bleu = 0.0; ///< English to German, newstest2014.
    double flop = 0.0; ///< Table 2.
};

const std::vector<PaperRun> kRuns{{"base", 1e5, 12.0, 27.3, 3.3e18},
                                  {"big", 3e5, 84.0, 28.4, 2.3e19}};

ModelConfig configOf(const std::string& name)
{
    ModelConfig c = presetConfig("transformer-base");
    if (name == "big") {
        c.dModel = 1024;
        c.heads = 16;
        c.dFf = 4096;
        c.embeddingScale = 32.0; // sqrt(d_model)
    }
    return c;
}

/// The whole training, as arithmetic.
struct Work
{
    double parameters = 0.0;
    double sourceTokens = 0.0; ///< Target tokens are as many.
    double counted = 0.0;   ///< FLOP: 6 per weight and token that meets it, forward and backward.
    double available = 0.0; ///< FLOP of the processors in the time that the paper gives.
};

/// The source meets the encoder; the target meets the decoder and the output matrix; keys and values
/// of cross-attention are computed from the source.
Work workOf(const PaperRun& run)
{
    const ModelConfig c = configOf(run.name);
    const SizeReport size = sizeReport(c);
    Work work;
    work.parameters = static_cast<double>(size.total());
    work.sourceTokens = run.steps * kTokensPerBatch;
    const auto d = static_cast<double>(c.dModel);
    const double crossKeys = 2.0 * d * d;
    const double layers = static_cast<double>(c.layers);
    const double encoder = layers * (static_cast<double>(size.block) + crossKeys);
    const double decoder = layers * (static_cast<double>(size.decoderBlock) - crossKeys) +
                           static_cast<double>(c.vocabularySize) * d;
    work.counted = 6.0 * work.sourceTokens * (encoder + decoder);
    work.available = run.hours * 3600.0 * kProcessors * kSustained;
    return work;
}

/// FLOP per second of training here, best of the measured shapes.
double rateHere(const LabContext& context, const std::stop_token& stop)
{
    const auto cases = trainingBenchmarkCases();
    const auto timings = benchmarkTraining(
        {cases.back()}, 3, [&] { return backendOf(context); }, 0.4, stop,
        [&](double done) { reportProgress(context, done); });
    throwIfStopped(stop);
    return timings.front().flopPerStep / timings.front().medianSeconds;
}

std::string scientific(double value)
{
    return fmt::format("{:.2e}", value);
}

std::string durationOf(double hours)
{
    if (hours < 48.0)
        return message(fmt::format("{:.1f} hours", hours));
    if (hours < 24.0 * 730.0)
        return message(fmt::format("{:.1f} days", hours / 24.0));
    return message(fmt::format("{:.1f} years", hours / 24.0 / 365.25));
}

LabTable tableOf(const PaperRun& run, const Work& work, double rate, double machines,
                 double perSentence)
{
    const double hours = work.counted / rate / machines / 3600.0;
    LabTable table{{"Quantity", "Value", "From"}, {}, 6};
    const auto add = [&](const char* what, std::string value, const char* from) {
        table.rows.push_back({message(what), std::move(value), message(from)});
    };
    add("sentence pairs", grouped(std::llround(kPairs)), "the paper");
    add("steps", grouped(std::llround(run.steps)), "the paper");
    add("parameters", grouped(std::llround(work.parameters)), "computed");
    add("source tokens", scientific(work.sourceTokens), "computed");
    add("passes over the pairs", fmt::format("{:.0f}", work.sourceTokens / kPairs / perSentence),
        "computed");
    add("FLOP by the paper's estimate", scientific(run.flop), "the paper");
    add("FLOP counted", scientific(work.counted), "computed");
    add("time on 8 × P100", durationOf(run.hours), "the paper");
    add("fraction of their peak", fmt::format("{:.0f} %", 100.0 * work.counted / work.available),
        "computed");
    add("time here", durationOf(hours), "measured here");
    add("BLEU, English to German", fmt::format("{:.1f}", run.bleu), "the paper");
    return table;
}

LabBars timeBars(const PaperRun& run, double hours)
{
    return {"",
            {{message("8 × P100, the paper"), run.hours, durationOf(run.hours)},
             {message("this machine"), hours, durationOf(hours), true}}};
}

} // namespace

LabResult runPaperRun(const LabSettings& settings, const LabContext& context,
                      const std::stop_token& stop)
{
    const PaperRun& run = chosenEntry(kRuns, settings, "model");
    const Work work = workOf(run);
    const double machines = settings.number("machines");
    const double perSentence = settings.number("sentence");
    const double rate = rateHere(context, stop);
    const double hours = work.counted / rate / machines / 3600.0;
    LabResult result;
    result.panels = {
        {"The run of 2017", "WMT 2014 English–German",
         tableOf(run, work, rate, machines, perSentence)},
        {"Training time", fmt::format("{:.0f} of this machine", machines), timeBars(run, hours)}};
    result.numbers = {
        measuredNumber("hours_here", "Training time here", hours, "h"),
        measuredNumber("rate_here", "FLOP per second here", rate, "FLOP/s"),
        labNumber("pairs", "Sentence pairs", kPairs),
        labNumber("tokens", "Source and target tokens", 2.0 * work.sourceTokens),
        labNumber("passes", "Passes over the pairs", work.sourceTokens / kPairs / perSentence),
        labNumber("parameters", "Parameters", work.parameters),
        labNumber("flop", "FLOP counted", work.counted),
        labNumber("flop_available", "FLOP of 8 P100 in that time", work.available),
        labNumber("flop_paper", "FLOP by the paper", run.flop),
        labNumber("hours_paper", "Training time of the paper", run.hours, "h"),
        labNumber("used", "Fraction of their peak", 100.0 * work.counted / work.available, "%"),
        labNumber("bleu", "BLEU", run.bleu)};
    const double times = hours / run.hours;
    result.sentence = fmt::format(
        "The run took {} on 8 P100 and {:.2e} FLOP; at the {:.3g} FLOP per second measured here it "
        "would take {}, {:.3g} times as long.",
        durationOf(run.hours), work.counted, rate, durationOf(hours), times);
    return result;
}

} // namespace headscope
