#include "core/base/content_language.h"
#include "core/lessons/labs/lab.h"
#include "core/lessons/labs/lab_parts.h"
#include "core/lessons/labs/training/ending_classifier.h"
#include "core/lessons/labs/training/few_shot.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace headscope {

namespace {

constexpr const char* kEncoder = "builtin:sentences";
constexpr const char* kDecoder = "builtin:stories";
constexpr std::array<std::size_t, 4> kLabelled = {8, 16, 32, 64}; ///< Stories to learn from.
constexpr std::array<std::size_t, 4> kShots = {0, 2, 4, 8};       ///< Examples in a prompt.

/// Accuracies as fractions, by the number of labelled stories or of examples.
struct Measured
{
    std::vector<double> tuned;  ///< From the weights of the encoder.
    std::vector<double> random; ///< From random weights.
    std::vector<double> shots;  ///< The decoder.
};

class FineTuningLab
{
public:
    FineTuningLab(const LabSettings& settings, const LabContext& context,
                  const std::stop_token& stop)
        : m_settings(settings)
        , m_context(context)
        , m_stop(stop)
        , m_stories(storyEndings(static_cast<std::uint64_t>(settings.integer("seed")),
                                 heldOutCount() + runs() * kLabelled.back()))
    {
        if (!context.openModel)
            throw Error("this context cannot open built-in models", "lab");
    }

    Measured measure()
    {
        const LoadedModel encoder = m_context.openModel(kEncoder);
        Measured measured;
        for (const std::size_t labelled : kLabelled) {
            measured.tuned.push_back(meanAccuracy(encoder, labelled, true));
            measured.random.push_back(meanAccuracy(encoder, labelled, false));
        }
        const FewShot decoder(m_context.openModel(kDecoder), m_context);
        for (const std::size_t shots : kShots) {
            measured.shots.push_back(decoder.accuracy(heldOut(), pool(), shots, seed(), m_stop));
            advance(m_settings.integer("steps"));
        }
        return measured;
    }

    std::span<const StoryEnding> heldOut() const
    {
        return std::span(m_stories).first(heldOutCount());
    }

private:
    std::size_t heldOutCount() const
    {
        return static_cast<std::size_t>(m_settings.integer("held_out"));
    }

    std::size_t runs() const { return static_cast<std::size_t>(m_settings.integer("runs")); }

    std::uint64_t seed() const { return static_cast<std::uint64_t>(m_settings.integer("seed")); }

    /// Stories to learn from.
    std::span<const StoryEnding> pool() const
    {
        return std::span(m_stories).subspan(heldOutCount());
    }

    /// Mean over runs with other labelled stories and another classifier.
    double meanAccuracy(const LoadedModel& encoder, std::size_t labelled, bool keepsWeights)
    {
        double sum = 0.0;
        for (std::size_t run = 0; run < runs(); ++run) {
            FineTuning tuning;
            tuning.steps = m_settings.integer("steps");
            tuning.seed = seed() + 1000 * run;
            tuning.keepsWeights = keepsWeights;
            const EndingClassifier classifier(encoder,
                                              pool().subspan(run * kLabelled.back(), labelled),
                                              tuning, m_context, m_stop, [this] { advance(1); });
            sum += classifier.accuracy(heldOut(), m_context);
        }
        return sum / static_cast<double>(runs());
    }

    /// The prompts of the decoder count as `steps` each.
    void advance(std::int64_t steps)
    {
        m_done += steps;
        const auto trainings = static_cast<std::int64_t>(2 * kLabelled.size() * runs());
        const std::int64_t all =
            m_settings.integer("steps") * (trainings + static_cast<std::int64_t>(kShots.size()));
        if (m_context.progress)
            m_context.progress(static_cast<double>(m_done) / static_cast<double>(all));
    }

    const LabSettings& m_settings;
    const LabContext& m_context;
    const std::stop_token& m_stop;
    std::vector<StoryEnding> m_stories;
    std::int64_t m_done = 0;
};

LabChart::Series seriesOf(const char* name, const std::vector<double>& accuracies, bool isDashed)
{
    LabChart::Series series{name, {}, {}, isDashed};
    for (std::size_t i = 0; i < kLabelled.size(); ++i) {
        series.x.push_back(static_cast<double>(kLabelled[i]));
        series.y.push_back(100.0 * accuracies[i]);
    }
    return series;
}

LabPanel curvesOf(const Measured& measured)
{
    return {"Accuracy by labelled stories", "Held-out stories; 50 % is chance",
            LabChart{"labelled stories",
                     "right, in %",
                     true,
                     false,
                     {seriesOf("fine-tuned", measured.tuned, false),
                      seriesOf("from random weights", measured.random, true)}}};
}

std::string percent(double fraction)
{
    return fmt::format("{:.1f} %", 100.0 * fraction);
}

LabPanel shotsOf(const Measured& measured)
{
    LabBars bars;
    for (std::size_t i = 0; i < kShots.size(); ++i)
        bars.bars.push_back({message(fmt::format("{} examples", kShots[i])), measured.shots[i],
                             percent(measured.shots[i])});
    return {"The decoder, few-shot", "Examples in the prompt, no training; fixed scale 0 to 1",
            std::move(bars)};
}

LabPanel examplesOf(std::span<const StoryEnding> stories)
{
    LabTable table{{"Story", "Ending"}};
    for (const StoryEnding& story : stories.first(std::min<std::size_t>(stories.size(), 6)))
        table.rows.push_back({story.text, message(story.isHappy ? "happy" : "sad")});
    return {"Held-out stories", "The second sentence decides, the first is happy or sad at random",
            std::move(table)};
}

/// Two standard errors of the difference of two fractions of `count` stories.
double uncertainty(double a, double b, std::size_t count)
{
    return 2.0 * std::sqrt((a * (1.0 - a) + b * (1.0 - b)) / static_cast<double>(count));
}

/// Which of two accuracies is larger: 1 the first, -1 the second, 0 if the stories do not tell.
int compared(double a, double b, std::size_t count)
{
    if (std::abs(a - b) <= uncertainty(a, b, count))
        return 0;
    return a > b ? 1 : -1;
}

/// Effect of the pretrained weights, for the number of labels with which it is largest.
std::string startText(const Measured& measured, std::size_t held)
{
    std::size_t at = 0;
    for (std::size_t i = 1; i < kLabelled.size(); ++i)
        if (std::abs(measured.tuned[i] - measured.random[i]) >
            std::abs(measured.tuned[at] - measured.random[at]))
            at = i;
    const double tuned = measured.tuned[at];
    const double random = measured.random[at];
    const int order = compared(tuned, random, held);
    if (order > 0)
        return fmt::format("Pretraining helps most with {} labelled stories: {} right, from random "
                           "weights {}.",
                           kLabelled[at], percent(tuned), percent(random));
    if (order < 0)
        return fmt::format("Pretraining does not help: with {} labelled stories {} right, from "
                           "random weights {}.",
                           kLabelled[at], percent(tuned), percent(random));
    return fmt::format("Pretraining makes no clear difference: with {} labelled stories {} right, "
                       "from random weights {}.",
                       kLabelled[at], percent(tuned), percent(random));
}

std::string promptText(double shots, double tuned, std::size_t held)
{
    const int order = compared(shots, tuned, held);
    if (order > 0)
        return fmt::format("The decoder's best prompt gets {} right, more than fine-tuning on {} "
                           "stories ({}).",
                           percent(shots), kLabelled.back(), percent(tuned));
    if (order < 0)
        return fmt::format("The decoder's best prompt gets {} right, fewer than fine-tuning on {} "
                           "stories ({}).",
                           percent(shots), kLabelled.back(), percent(tuned));
    return fmt::format("The decoder's best prompt gets {} right, about as many as fine-tuning on "
                       "{} stories ({}).",
                       percent(shots), kLabelled.back(), percent(tuned));
}

/// What the numbers say: the start of the weights, then prompt against training.
std::string conclusionOf(const Measured& measured, std::size_t held)
{
    const double best = *std::ranges::max_element(measured.shots);
    return message(startText(measured, held)) + " " +
           message(promptText(best, measured.tuned.back(), held));
}

void addNumbers(LabResult& result, const Measured& measured)
{
    const auto add = [&](std::string name, std::string title, double fraction) {
        result.numbers.push_back({std::move(name), std::move(title), 100.0 * fraction, "%"});
    };
    for (std::size_t i = 0; i < kLabelled.size(); ++i) {
        add(fmt::format("tuned_{}", kLabelled[i]), fmt::format("Fine-tuned on {}", kLabelled[i]),
            measured.tuned[i]);
        add(fmt::format("random_{}", kLabelled[i]),
            fmt::format("Random weights, trained on {}", kLabelled[i]), measured.random[i]);
    }
    for (std::size_t i = 0; i < kShots.size(); ++i)
        add(fmt::format("shots_{}", kShots[i]), fmt::format("Decoder, {} examples", kShots[i]),
            measured.shots[i]);
    add("shots_best", "Decoder, best prompt", *std::ranges::max_element(measured.shots));
}

} // namespace

LabResult runFineTuning(const LabSettings& settings, const LabContext& context,
                        const std::stop_token& stop)
{
    FineTuningLab lab(settings, context, stop);
    const Measured measured = lab.measure();
    LabResult result;
    result.panels = {curvesOf(measured), shotsOf(measured), examplesOf(lab.heldOut())};
    addNumbers(result, measured);
    const std::size_t held = lab.heldOut().size();
    result.numbers.push_back({"held_out", "Held-out stories", static_cast<double>(held)});
    result.sentence = conclusionOf(measured, held);
    return result;
}

} // namespace headscope
