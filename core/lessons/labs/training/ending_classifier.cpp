#include "core/lessons/labs/training/ending_classifier.h"

#include "core/base/random.h"
#include "core/lessons/labs/lab_parts.h"
#include "core/train/measures/target_accuracy.h"
#include "core/train/trainer.h"

#include <algorithm>

namespace headscope {

namespace {

constexpr std::int64_t kWarmup = 10;

/// Stories as rows [CLS] text [SEP], padded to the longest; the label is that of the pair head.
Batch batchOf(std::span<const StoryEnding* const> stories, const Tokenizer& tokenizer)
{
    std::vector<std::vector<TokenId>> rows;
    std::size_t longest = 0;
    for (const StoryEnding* story : stories) {
        rows.push_back(tokenizer.encode(story->text).ids());
        longest = std::max(longest, rows.back().size());
    }
    Batch batch;
    batch.rows = std::ssize(rows);
    batch.length = static_cast<std::int64_t>(longest);
    for (std::size_t row = 0; row < rows.size(); ++row) {
        const std::size_t used = rows[row].size();
        rows[row].resize(longest, rows[row].back());
        batch.inputs.insert(batch.inputs.end(), rows[row].begin(), rows[row].end());
        for (std::size_t i = 0; i < longest; ++i)
            batch.keyMask.push_back(i < used ? 1 : 0);
        batch.nextSentence.push_back(stories[row]->isHappy ? 0 : 1);
    }
    batch.targets.assign(batch.inputs.size(), kIgnoredTarget);
    batch.segments.assign(batch.inputs.size(), 0);
    return batch;
}

/// All stories as one held-out batch.
class HeldOutStories final : public BatchSource
{
public:
    HeldOutStories(std::span<const StoryEnding> stories, const Tokenizer& tokenizer)
    {
        std::vector<const StoryEnding*> all;
        for (const StoryEnding& story : stories)
            all.push_back(&story);
        m_batch = batchOf(all, tokenizer);
    }

    Batch trainingBatch(std::uint64_t, std::int64_t) const override { return m_batch; }

    std::int64_t validationBatchCount() const override { return 1; }

    Batch validationBatch(std::int64_t) const override { return m_batch; }

private:
    Batch m_batch;
};

ModelConfig configOf(const LoadedModel& encoder)
{
    ModelConfig config = encoder.model->config();
    if (!config.nextSentence)
        throw Error("the encoder has no head at [CLS]", encoder.name,
                    "Use an encoder that was trained with pairs of texts");
    config.dropout = 0.0;
    return config;
}

ParameterSet startOf(const LoadedModel& encoder, const FineTuning& settings)
{
    ParameterSet fresh = Model::initialised(configOf(encoder), settings.seed).parameters();
    if (!settings.keepsWeights)
        return fresh;
    ParameterSet kept = encoder.model->parameters();
    for (const char* name : {"next_sentence.weight", "next_sentence.bias"}) {
        const TensorView from = fresh.view(name);
        std::copy_n(from.data, from.shape.elementCount(), kept.view(name).data);
    }
    return kept;
}

Trainer::Settings trainerSettings(const FineTuning& settings, const LabContext& context)
{
    Trainer::Settings made;
    made.optimizer.learningRate = settings.learningRate;
    made.optimizer.beta2 = 0.98;
    made.optimizer.weightDecay = 0.0;
    made.schedule.kind = ScheduleSettings::Kind::WarmupLinear;
    made.schedule.warmupSteps = std::min(kWarmup, settings.steps);
    made.schedule.totalSteps = settings.steps;
    made.seed = settings.seed;
    made.makeBackend = [&context] { return backendOf(context); };
    return made;
}

/// Picks stories at random, each once before any is picked again.
class StoryPicker
{
public:
    StoryPicker(std::span<const StoryEnding> stories, std::uint64_t seed) : m_random(seed)
    {
        for (const StoryEnding& story : stories)
            m_order.push_back(&story);
    }

    std::vector<const StoryEnding*> pick(std::int64_t count)
    {
        std::vector<const StoryEnding*> picked;
        while (std::ssize(picked) < count) {
            if (m_next == 0)
                shuffle();
            picked.push_back(m_order[m_next]);
            m_next = (m_next + 1) % m_order.size();
        }
        return picked;
    }

private:
    void shuffle()
    {
        for (std::size_t i = 0; i + 1 < m_order.size(); ++i)
            std::swap(m_order[i], m_order[i + m_random.below(m_order.size() - i)]);
    }

    Random m_random;
    std::vector<const StoryEnding*> m_order;
    std::size_t m_next = 0;
};

} // namespace

EndingClassifier::EndingClassifier(const LoadedModel& encoder, std::span<const StoryEnding> stories,
                                   const FineTuning& settings, const LabContext& context,
                                   const std::stop_token& stop,
                                   const std::function<void()>& advance)
    : m_tokenizer(encoder.tokenizer)
{
    TrainingState state;
    state.parameters = startOf(encoder, settings);
    Trainer trainer(configOf(encoder), std::move(state), trainerSettings(settings, context));
    StoryPicker picker(stories, settings.seed);
    for (std::int64_t step = 0; step < settings.steps; ++step) {
        throwIfStopped(stop);
        trainer.step(batchOf(picker.pick(settings.rows), *m_tokenizer));
        advance();
    }
    m_model = trainer.snapshot();
}

double EndingClassifier::accuracy(std::span<const StoryEnding> stories,
                                  const LabContext& context) const
{
    const auto backend = backendOf(context);
    return measureTargets(*m_model, HeldOutStories(stories, *m_tokenizer), *backend).pairsRight;
}

} // namespace headscope
