#include "core/attention/cpu_attention.h"
#include "core/base/random.h"
#include "core/train/trainer.h"
#include "tests/support/batch_run.h"
#include "tests/support/model_batches.h"
#include "tests/support/test_program.h"
#include "tests/support/traced_kinds.h"

#include <QtTest>

using namespace headscope;
using namespace headscope::test;

Q_DECLARE_METATYPE(headscope::ModelConfig)

namespace {

constexpr std::int64_t kLength = 11;
constexpr std::int64_t kSourceLength = 9;
constexpr std::int64_t kLengths[] = {5, 9, 7};
constexpr std::int64_t kSourceLengths[] = {6, 3, 8};
constexpr std::int64_t kTargets = 3; ///< that count, in every text: each has the same weight

/// Sums over rows are in another order when there are more of them. Two stacks magnify it: with
/// these weights, changing the last bit of each moves gradients by 2e-5 already.
Exactness roundingOf(const ModelConfig& config)
{
    return {config.isEncoderDecoder() ? 1e-4 : 2e-5};
}

/// Copies `all` [tokens] into row `row` of `padded` [rows, length].
template<class Value>
void putRow(const std::vector<Value>& all, std::vector<Value>& padded, std::int64_t row,
            std::int64_t length)
{
    std::copy(all.begin(), all.end(), padded.begin() + row * length);
}

std::vector<std::uint8_t> paddingMask(std::span<const std::int64_t> lengths, std::int64_t length)
{
    std::vector<std::uint8_t> mask;
    for (const std::int64_t tokens : lengths)
        for (std::int64_t i = 0; i < length; ++i)
            mask.push_back(i < tokens);
    return mask;
}

std::vector<Batch> unequalTexts(const ModelConfig& config)
{
    std::vector<Batch> texts;
    for (std::size_t i = 0; i < std::size(kLengths); ++i) {
        texts.push_back(randomBatch(config, {1, kLengths[i], kSourceLengths[i]}, 10 + i));
        std::fill(texts[i].targets.begin() + kTargets, texts[i].targets.end(), kIgnoredTarget);
    }
    return texts;
}

/// The texts as one batch; the padding is random tokens of that seed.
Batch padded(const ModelConfig& config, const std::vector<Batch>& texts, std::uint64_t seed)
{
    const auto rows = static_cast<std::int64_t>(texts.size());
    Batch batch = randomBatch(config, {rows, kLength, kSourceLength}, seed);
    std::ranges::fill(batch.targets, kIgnoredTarget);
    for (std::int64_t row = 0; row < rows; ++row) {
        const Batch& text = texts[static_cast<std::size_t>(row)];
        putRow(text.inputs, batch.inputs, row, kLength);
        putRow(text.targets, batch.targets, row, kLength);
        putRow(text.segments, batch.segments, row, kLength);
        putRow(text.nextSentence, batch.nextSentence, row, 1);
        putRow(text.sources, batch.sources, row, kSourceLength);
    }
    batch.keyMask = paddingMask(kLengths, kLength);
    if (batch.sourceLength > 0)
        batch.sourceKeyMask = paddingMask(kSourceLengths, kSourceLength);
    return batch;
}

/// A mask for all rows in which every token sees itself and about half of the others.
std::vector<std::uint8_t> randomCells(std::int64_t tokens)
{
    Random random(99);
    std::vector<std::uint8_t> cells;
    for (std::int64_t i = 0; i < kLength * kLength; ++i) {
        const bool seen = random.below(2) == 0 || i / kLength == i % kLength;
        if (i / kLength < tokens && i % kLength < tokens)
            cells.push_back(seen);
    }
    return cells;
}

struct Learned
{
    double loss = 0.0;
    ParameterSet gradients;
};

Learned learn(const Model& model, const Batch& batch)
{
    Trainer::Settings settings;
    settings.makeBackend = [] { return std::make_unique<CpuAttention>(); };
    Trainer trainer(model.config(), {0, model.parameters(), {}, {}}, settings);
    Learned learned;
    learned.loss = trainer.lossAndGradients(batch, learned.gradients);
    return learned;
}

std::string difference(const Learned& got, const Learned& expected, Exactness exactness)
{
    if (!(std::abs(got.loss - expected.loss) <= exactness.tolerance))
        return "losses " + std::to_string(got.loss) + " and " + std::to_string(expected.loss);
    for (const ParameterSpec& spec : expected.gradients.specs()) {
        const std::string problem = headscope::test::difference(
            contiguous(got.gradients.view(spec)).values(),
            contiguous(expected.gradients.view(spec)).values(), exactness);
        if (!problem.empty())
            return spec.name + ": " + problem;
    }
    return {};
}

Learned meanOf(const Model& model, const std::vector<Batch>& texts)
{
    Learned mean{0.0, ParameterSet(model.config())};
    const auto fraction = 1.0F / static_cast<float>(texts.size());
    for (const Batch& text : texts) {
        const Learned one = learn(model, text);
        mean.loss += one.loss / static_cast<double>(texts.size());
        for (std::size_t i = 0; i < one.gradients.values().size(); ++i)
            mean.gradients.values()[i] += fraction * one.gradients.values()[i];
    }
    return mean;
}

BatchTexts textsOf(const Batch& batch)
{
    return {batch.rows,    batch.length,   batch.sourceLength, batch.inputs,
            batch.keyMask, batch.segments, batch.sources,      batch.sourceKeyMask};
}

/// "" when no query of the first text gives a key from `tokens` on any weight.
std::string seenPadding(const RunRecord& record, Site site, std::int64_t tokens)
{
    for (const auto& [key, rows] : record.all()) {
        const TensorView pattern = rows.values.view();
        if (key.site != site)
            continue;
        for (std::int64_t head = 0; head < pattern.shape[0]; ++head)
            for (std::int64_t query = 0; query < pattern.shape[1]; ++query)
                for (std::int64_t k = tokens; k < pattern.shape[2]; ++k)
                    if (pattern(head, query, k) != 0.0F)
                        return headscope::toString(key) + " shows padding";
    }
    return {};
}

} // namespace

#define HS_SAME(problem)                                                                           \
    do {                                                                                           \
        const std::string problem_ = (problem);                                                    \
        QVERIFY2(problem_.empty(), problem_.c_str());                                              \
    } while (false)

/// Texts of unequal length in one batch, of every kind of model.
class TstPadding : public QObject
{
    Q_OBJECT

private slots:

    void aPaddedBatchLearnsWhatItsTextsDo_data() { kinds(true); }

    void aPaddedBatchLearnsWhatItsTextsDo()
    {
        QFETCH(ModelConfig, config);
        if (config.norm == Norm::Batch)
            return; // every text alone has other moments
        const Model model = Model::initialised(config, 3);
        const std::vector<Batch> texts = unequalTexts(config);
        HS_SAME(difference(learn(model, padded(config, texts, 1)), meanOf(model, texts),
                           roundingOf(config)));
    }

    void maskedCellsHoldBesidesThePadding_data() { kinds(true); }

    void maskedCellsHoldBesidesThePadding()
    {
        QFETCH(ModelConfig, config);
        if (config.norm == Norm::Batch)
            return; // every text alone has other moments
        const Model model = Model::initialised(config, 3);
        std::vector<Batch> texts = unequalTexts(config);
        Batch batch = padded(config, texts, 1);
        const Learned unmasked = learn(model, batch);
        batch.mask = randomCells(kLength);
        for (Batch& text : texts)
            text.mask = randomCells(text.length);
        const Learned masked = learn(model, batch);
        HS_SAME(difference(masked, meanOf(model, texts), roundingOf(config)));
        if (config.layers > 0)
            QVERIFY(masked.loss != unmasked.loss);
    }

    void whatStandsInThePaddingDoesNotMatter_data() { kinds(true); }

    void whatStandsInThePaddingDoesNotMatter()
    {
        QFETCH(ModelConfig, config);
        const Model model = Model::initialised(config, 3);
        const std::vector<Batch> texts = unequalTexts(config);
        // Zeros may have either sign. Experts take the padding's rows among those of the texts.
        const Exactness exactness{config.experts.count > 0 ? 1e-6 : 1e-30};
        HS_SAME(difference(learn(model, padded(config, texts, 1)),
                           learn(model, padded(config, texts, 2)), exactness));
    }

    void aPaddedBatchHasTheLogitsOfItsTexts_data() { kinds(false); }

    void aPaddedBatchHasTheLogitsOfItsTexts()
    {
        QFETCH(ModelConfig, config);
        const Model model = Model::initialised(config, 3);
        const std::vector<Batch> texts = unequalTexts(config);
        const Batch batch = padded(config, texts, 1);
        const BatchTexts all = textsOf(batch);
        CpuAttention backend;
        const BatchRun pass(model, all, backend);
        for (std::size_t i = 0; i < texts.size(); ++i) {
            ForwardOptions options;
            options.segments = texts[i].segments;
            KvCache cache = cacheFor(model, {texts[i].inputs, texts[i].sources}, backend);
            const Tensor expected = model.forward(texts[i].inputs, backend, cache, options);
            const TensorView row = pass.result[static_cast<std::int64_t>(i)];
            HS_SAME(headscope::test::difference({row.data, expected.size()}, expected.values(),
                                                roundingOf(config)));
        }
    }

    void paddingHasWeightZero_data() { kinds(false); }

    void paddingHasWeightZero()
    {
        QFETCH(ModelConfig, config);
        const Model model = Model::initialised(config, 3);
        const Batch batch = padded(config, unequalTexts(config), 1);
        const BatchTexts all = textsOf(batch);
        CpuAttention backend;
        const BatchRun pass(model, all, backend);
        HS_SAME(seenPadding(pass.record, Site::Pattern, kLengths[0]));
        HS_SAME(seenPadding(pass.record, Site::CrossPattern, kSourceLengths[0]));
        const bool patterns = std::ranges::any_of(
            pass.record.all(), [](const auto& entry) { return entry.first.site == Site::Pattern; });
        QCOMPARE(patterns, config.layers > 0);
    }

private:
    /// Without dropout, whose decisions belong to places in a batch, and without a table that
    /// depends on the length of the batch.
    void kinds(bool learning)
    {
        QTest::addColumn<ModelConfig>("config");
        for (auto [name, config] : tracedKinds()) {
            if (config.rope.scaling == RopeSettings::Scaling::Dynamic ||
                (learning && !config.languageHead))
                continue;
            config.dropout = 0.0;
            config.attentionDropout.reset();
            config.embeddingDropout.reset();
            QTest::newRow(name.c_str()) << config;
        }
    }
};

HEADSCOPE_TEST(TstPadding)
#include "tst_padding.moc"
