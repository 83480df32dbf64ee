#include "ui/window/benchmarks/long_text_benchmark.h"

#include "core/base/memory.h"
#include "core/base/stopwatch.h"
#include "ui/pages/shared/maps/map_content.h"
#include "ui/workers/forward/thumbnails.h"

#include <algorithm>
#include <ctime>
#include <functional>
#include <future>

namespace headscope::ui {

namespace {

constexpr QSize kViewport(768, 768);

double processCpuMs()
{
    timespec now{};
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return static_cast<double>(now.tv_sec) * 1e3 + static_cast<double>(now.tv_nsec) / 1e6;
}

/// Words in a fixed order that does not repeat, so that the text has no needle.
TokenSequence longText(const Tokenizer& tokenizer, int tokens)
{
    static const char* const kWords[] = {"river", "stone", "cloud",  "green", "house", "under",
                                         "seven", "light", "carpet", "moves", "where"};
    std::string text;
    std::size_t state = 1;
    for (int word = 0; word < tokens; ++word) {
        state = state * 6364136223846793005U + 1442695040888963407U;
        text += kWords[(state >> 33) % std::size(kWords)];
        text += ' ';
    }
    TokenSequence sequence = tokenizer.encode(text);
    if (std::ssize(sequence.tokens) > tokens)
        sequence.tokens.resize(static_cast<std::size_t>(tokens));
    return sequence;
}

/// The steps in the order of their first measurement. Each runs in its own thread, which frees the
/// buffers of its forward passes.
class TimedSteps
{
public:
    void time(const std::string& step, const std::function<void()>& work)
    {
        resetPeakMemory();
        const double cpu = processCpuMs();
        const headscope::Stopwatch stopwatch;
        std::async(std::launch::async, work).get();
        LongTextTiming timing;
        timing.wallMs = stopwatch.milliseconds();
        timing.step = step;
        timing.cpuMs = processCpuMs() - cpu;
        timing.peakMiB = static_cast<double>(peakMemory()) / (1024.0 * 1024.0);
        const auto known = std::find_if(m_steps.begin(), m_steps.end(), [&](const auto& rounds) {
            return rounds.front().step == step;
        });
        if (known == m_steps.end())
            m_steps.push_back({timing});
        else
            known->push_back(timing);
    }

    std::vector<LongTextTiming> medians()
    {
        std::vector<LongTextTiming> medians;
        for (std::vector<LongTextTiming>& rounds : m_steps) {
            std::sort(rounds.begin(), rounds.end(),
                      [](const auto& a, const auto& b) { return a.cpuMs < b.cpuMs; });
            medians.push_back(rounds[rounds.size() / 2]);
            medians.back().ofPlain = medians.back().cpuMs / medians.front().cpuMs;
        }
        return medians;
    }

private:
    std::vector<std::vector<LongTextTiming>> m_steps;
};

} // namespace

std::vector<LongTextTiming> measureLongText(const LoadedModel& model,
                                            const BackendRegistry& registry,
                                            const std::string& device, int tokens, int rounds)
{
    const int longest = static_cast<int>(model.model->config().maxLen);
    const TokenSequence text = longText(*model.tokenizer, std::min(tokens, longest));
    const std::vector<TokenId> ids = text.ids();
    TimedSteps watch;
    for (int round = 0; round < std::max(rounds, 1); ++round) {
        for (const bool lastLogits : {false, true})
            watch.time(lastLogits ? "plain pass, last logits" : "plain pass", [&] {
                KvCache cache(model.model->config());
                ForwardOptions options;
                options.lastLogitsOnly = lastLogits;
                model.model->forward(ids, *registry.create(device), cache, options);
            });
        Tracer tracer(model, registry.create(device));
        ViewSnapshot view;
        view.modelA = model;
        watch.time("pass for the window",
                   [&] { view.a = tracer.trace(text, TraceRequest::forWindow()); });
        MapWithLegend map;
        watch.time("first map", [&] { map = headMap(view, MapChoice()); });
        watch.time("its image", [&] {
            heatmapImage(map.map, Theme::light(),
                         kViewport.boundedTo(QSize(map.map.matrix.columns, map.map.matrix.rows)));
        });
        watch.time("thumbnails of all heads", [&] { thumbnailsOf(*view.a); });
    }
    std::vector<LongTextTiming> timings = watch.medians();
    for (LongTextTiming& timing : timings) {
        timing.model = model.name;
        timing.tokens = static_cast<int>(text.size());
    }
    return timings;
}

} // namespace headscope::ui
