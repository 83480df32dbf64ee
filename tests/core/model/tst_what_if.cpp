#include "core/model/config/mask_choice.h"
#include "core/model/pass/patches.h"
#include "core/model/pass/tracer.h"

#include "core/attention/cpu_attention.h"
#include "tests/support/small_models.h"
#include "tests/support/test_program.h"
#include "tests/support/traced_kinds.h"

#include <QTest>

#include <algorithm>
#include <cmath>

using namespace headscope;
using namespace headscope::test;

Q_DECLARE_METATYPE(headscope::ModelConfig)

namespace {

constexpr std::size_t kTokens = 7;

bool sameBits(const Tensor& a, const Tensor& b)
{
    return a.shape() == b.shape() &&
           std::equal(a.values().begin(), a.values().end(), b.values().begin());
}

/// "" when both traces hold the same values, bit for bit, wherever `compares`.
template<class Compares>
std::string changedSite(const Trace& got, const Trace& expected, const Compares& compares)
{
    for (const auto& [key, values] : expected.activations())
        if (compares(key) && !sameBits(*got.find(key), *values))
            return headscope::toString(key) + " has changed";
    return {};
}

/// Row `row` of an activation (a pattern's query), all heads.
std::vector<float> rowOf(TraceKey key, const Tensor& values, std::int64_t row)
{
    std::vector<float> numbers;
    const TensorView view = values.view();
    if (!hasQueryRowsPerHead(key.site)) {
        const std::int64_t width = view.stride(0);
        numbers.assign(view.data + row * width, view.data + (row + 1) * width);
        return numbers;
    }
    for (std::int64_t head = 0; head < view.shape[0]; ++head)
        for (std::int64_t j = 0; j < view.shape[2]; ++j)
            numbers.push_back(view(head, row, j));
    return numbers;
}

std::int64_t rowsOf(TraceKey key, const Tensor& values)
{
    return values.shape()[hasQueryRowsPerHead(key.site) ? 1 : 0];
}

/// The largest |z - pattern values| of one attention layer, as the trace holds them.
double contextError(const Trace& trace, TraceKey pattern)
{
    const bool cross = pattern.site == Site::CrossPattern;
    const TraceKey value{cross ? Site::CrossValue : Site::Value, pattern.layer, pattern.stack};
    const TraceKey context{cross ? Site::CrossZ : Site::Z, pattern.layer, pattern.stack};
    const TensorView weights = trace.find(pattern)->view();
    const TensorView values = trace.find(value)->view();
    const TensorView z = trace.find(context)->view();
    const std::int64_t shared = weights.shape[0] / values.shape[1];
    double worst = 0.0;
    for (std::int64_t head = 0; head < weights.shape[0]; ++head)
        for (std::int64_t i = 0; i < weights.shape[1]; ++i)
            for (std::int64_t c = 0; c < z.shape[2]; ++c) {
                double sum = 0.0;
                for (std::int64_t j = 0; j < weights.shape[2]; ++j)
                    sum += static_cast<double>(weights(head, i, j)) *
                           static_cast<double>(values(j, head / shared, c));
                worst = std::max(worst, std::abs(sum - static_cast<double>(z(i, head, c))));
            }
    return worst;
}

/// The same weights under other positions.
LoadedModel withPositions(const LoadedModel& loaded, const PositionsChoice& choice)
{
    ModelConfig config = loaded.model->config();
    const std::int64_t turning = config.positions == Positions::Rope ? config.rope.dimensions : 0;
    config.rope = {};
    config.rope.dimensions = turning;
    config.rope.theta = choice.base;
    config.sinusoidalBase = choice.base;
    config.positions = choice.kind;
    for (LayerSettings& layer : config.layerSettings) {
        layer.rope = config.rope;
        layer.rotates = true;
    }
    ParameterSet parameters(config);
    for (const ParameterSpec& spec : parameters.specs()) {
        const TensorView own = loaded.model->parameters().view(spec.name);
        std::copy_n(own.data, own.shape.elementCount(), parameters.view(spec).data);
    }
    LoadedModel other = loaded;
    other.model = std::make_shared<const Model>(config, std::move(parameters));
    return other;
}

} // namespace

/// Interventions in every kind of model that a configuration can name.
class TstWhatIf : public QObject
{
    Q_OBJECT

private slots:

    void ablatingAndRestoringGivesTheOriginalBits_data() { kinds(); }

    void ablatingAndRestoringGivesTheOriginalBits()
    {
        QFETCH(ModelConfig, config);
        const SourceAndTarget texts = randomTexts(config, 1, kTokens);
        Tracer tracer(kindModel(config), std::make_unique<CpuAttention>());
        const TracePtr original = traceOf(tracer, texts);
        Interventions off;
        off.ablatedHeads = {{selfAttentionOf(config.mainStack()), 0, 2}};
        const TracePtr ablated = traceOf(tracer, texts, off);
        const TraceKey z{Site::Z, 0, config.mainStack()};
        for (std::int64_t head = 0; head < config.heads; ++head)
            QCOMPARE(headIsZero(*ablated->find(z), head), head == 2);
        QVERIFY(!sameBits(*ablated->find({Site::ResidPost, 0, config.mainStack()}),
                          *original->find({Site::ResidPost, 0, config.mainStack()})));
        const TracePtr restored = traceOf(tracer, texts);
        const std::string changed =
            changedSite(*restored, *original, [](TraceKey) { return true; });
        QVERIFY2(changed.empty(), changed.c_str());
    }

    void headsOfEveryAttentionAreAblatedAlone_data() { kinds(true); }

    void headsOfEveryAttentionAreAblatedAlone()
    {
        QFETCH(ModelConfig, config);
        const LoadedModel loaded = kindModel(config);
        const SourceAndTarget texts = randomTexts(config, 2, kTokens);
        const std::pair<HeadId, TraceKey> cases[] = {
            {{AttentionKind::EncoderSelf, 1, 1}, {Site::Z, 1, Stack::Encoder}},
            {{AttentionKind::DecoderSelf, 1, 1}, {Site::Z, 1, Stack::Decoder}},
            {{AttentionKind::Cross, 1, 1}, {Site::CrossZ, 1, Stack::Decoder}}};
        for (const auto& [head, place] : cases) {
            Interventions off;
            off.ablatedHeads = {head};
            const TracePtr ablated = freshTrace(loaded, texts, off);
            for (const auto& [other, context] : cases)
                QCOMPARE(headIsZero(*ablated->find(context), 1), context == place);
        }
    }

    void ownValuesAsPatchesChangeNothing_data() { kinds(); }

    void ownValuesAsPatchesChangeNothing()
    {
        QFETCH(ModelConfig, config);
        const LoadedModel loaded = kindModel(config);
        const SourceAndTarget texts = randomTexts(config, 3, kTokens);
        const TracePtr original = freshTrace(loaded, texts);
        Interventions own;
        for (const auto& [key, values] : original->activations())
            if (key.site != Site::AttnScores && key.site != Site::CrossScores &&
                key.site != Site::RouterProbs)
                own.patches.push_back(patchFrom(*original, key));
        const std::string difference =
            traceDifference(*freshTrace(loaded, texts, own), *original, 1e-4);
        QVERIFY2(difference.empty(), difference.c_str());
    }

    void anotherTextsStreamGivesItsNumbers_data() { kinds(); }

    void anotherTextsStreamGivesItsNumbers()
    {
        QFETCH(ModelConfig, config);
        const LoadedModel loaded = kindModel(config);
        const TracePtr other = freshTrace(loaded, randomTexts(config, 5, kTokens));
        Interventions transplant;
        for (const Stack stack : {Stack::Blocks, Stack::Encoder, Stack::Decoder})
            if (other->find({Site::ResidPre, 0, stack}))
                transplant.patches.push_back(patchFrom(*other, {Site::ResidPre, 0, stack}));
        const TracePtr got = freshTrace(loaded, randomTexts(config, 4, kTokens), transplant);
        const std::string changed = changedSite(*got, *other, [](TraceKey key) {
            return key.site != Site::Embed && key.site != Site::PosEmbed;
        });
        QVERIFY2(changed.empty(), changed.c_str());
    }

    void aPatchMovesExactlyItsCausalCone_data() { kinds(); }

    void aPatchMovesExactlyItsCausalCone()
    {
        QFETCH(ModelConfig, config);
        if (!config.hasDecoder() || !config.causal)
            return; // every position is in the cone
        const LoadedModel loaded = kindModel(config);
        const SourceAndTarget texts = randomTexts(config, 6, kTokens);
        const TracePtr original = freshTrace(loaded, texts);
        const TracePtr other = freshTrace(loaded, randomTexts(config, 7, kTokens));
        const Stack stack = config.mainStack();
        const TraceKey z{Site::Z, 0, stack};
        constexpr std::int64_t kRow = 3;
        Interventions patched;
        patched.patches.push_back(patchFrom(*other, z, 1, {kRow}));
        const TracePtr got = freshTrace(loaded, texts, patched);
        for (const auto& [key, before] : original->activations()) {
            const Tensor& after = *got->find(key);
            for (std::int64_t row = 0; row < rowsOf(key, *before); ++row) {
                const bool firstLayer = isPerLayer(key.site) && key.layer == 0;
                const bool early = key.site < Site::ResidPre ||
                                   (firstLayer && (key.site < Site::Z || row != kRow));
                if (isComputedAtOnce(key) || row < kRow || early)
                    QVERIFY2(rowOf(key, after, row) == rowOf(key, *before, row),
                             headscope::toString(key).c_str());
            }
        }
        const auto moved = [&](TraceKey key, std::int64_t row) {
            return rowOf(key, *got->find(key), row) != rowOf(key, *original->find(key), row);
        };
        QVERIFY(moved(z, kRow));
        QVERIFY(moved({Site::ResidMid, 0, stack}, kRow));
        for (std::int64_t row = kRow; row <= kRow + 1; ++row)
            QVERIFY(moved({Site::ResidMid, 1, stack}, row));
        const Tensor& context = *got->find(z);
        for (std::int64_t head = 0; head < config.heads; ++head) {
            const auto& source = head == 1 ? *other->find(z) : *original->find(z);
            for (std::int64_t c = 0; c < context.shape()[2]; ++c)
                QCOMPARE(context.view()(kRow, head, c), source.view()(kRow, head, c));
        }
    }

    void frozenPatternsStay_data() { kinds(); }

    void frozenPatternsStay()
    {
        QFETCH(ModelConfig, config);
        const LoadedModel loaded = kindModel(config);
        const TracePtr first = freshTrace(loaded, randomTexts(config, 8, kTokens));
        Interventions frozen;
        frozen.patches = freezePatterns(*first);
        const TracePtr second = freshTrace(loaded, randomTexts(config, 9, kTokens), frozen);
        for (const Patch& patch : frozen.patches) {
            QVERIFY(sameBits(*second->find(patch.key), *first->find(patch.key)));
            QVERIFY(contextError(*second, patch.key) < 1e-4);
        }
    }

    void frozenPatternsLeaveLaterTokensComputed_data() { kinds(); }

    void frozenPatternsLeaveLaterTokensComputed()
    {
        QFETCH(ModelConfig, config);
        const LoadedModel loaded = kindModel(config);
        const SourceAndTarget longer = randomTexts(config, 10, kTokens);
        SourceAndTarget shorter = longer;
        shorter.target.tokens.resize(4);
        const TracePtr first = freshTrace(loaded, shorter);
        const TracePtr original = freshTrace(loaded, longer);
        Interventions frozen;
        frozen.patches = freezePatterns(*first);
        const TracePtr grown = freshTrace(loaded, longer, frozen);
        for (const Patch& patch : frozen.patches) {
            const TensorView held = grown->find(patch.key)->view();
            const std::int64_t known = patch.values->shape()[2];
            for (std::int64_t head = 0; head < held.shape[0]; ++head) {
                for (std::int64_t key = 0; key < held.shape[2]; ++key)
                    QCOMPARE(held(head, 3, key),
                             key < known ? patch.values->view()(head, 3, key) : 0.0F);
                double sum = 0.0; // of a row that is computed
                for (std::int64_t key = 0; key < held.shape[2]; ++key)
                    sum += static_cast<double>(held(head, held.shape[1] - 1, key));
                if (config.attentionSinks)
                    QVERIFY(sum > 0.0 && sum < 1.0);
                else
                    QVERIFY(std::abs(sum - 1.0) < 1e-5);
            }
        }
        if (!keepsPrefixes(config, {}))
            return; // patterns of longer texts are others
        const TraceKey last{Site::ResidPost, 1, config.mainStack()};
        for (std::size_t i = 0; i < original->find(last)->size(); ++i)
            QVERIFY(std::abs(grown->find(last)->values()[i] - original->find(last)->values()[i]) <
                    1e-3F);
        frozen.patches = freezePatterns(*original); // more rows than the shorter text has tokens
        const std::string difference =
            traceDifference(*freshTrace(loaded, shorter, frozen), *first, 1e-3);
        QVERIFY2(difference.empty(), difference.c_str());
    }

    void editedCellsAndRowsAreWhatValuesAreWeightedWith_data() { kinds(); }

    void editedCellsAndRowsAreWhatValuesAreWeightedWith()
    {
        QFETCH(ModelConfig, config);
        const LoadedModel loaded = kindModel(config);
        const SourceAndTarget texts = randomTexts(config, 11, kTokens);
        const TracePtr original = freshTrace(loaded, texts);
        std::vector<TraceKey> patterns;
        for (const auto& [key, values] : original->activations())
            if (key.layer == 0 && (key.site == Site::Pattern || key.site == Site::CrossPattern))
                patterns.push_back(key);
        for (const TraceKey key : patterns) {
            const Tensor& before = *original->find(key);
            const std::int64_t keys = before.shape()[2];
            Interventions edits;
            edits.patternEdits.push_back({key, 1, 4, 3, {0.5F}, true});
            edits.patternEdits.push_back({key, 2, 4, 3, {0.25F}, false});
            std::vector<float> row(static_cast<std::size_t>(keys), 0.0F);
            row[2] = 0.75F;
            edits.patternEdits.push_back({key, 3, 5, {}, row, false});
            edits.patternEdits.push_back({key, 0, 0, 0, {0.375F}, false});
            const TracePtr edited = freshTrace(loaded, texts, edits);
            const TensorView after = edited->find(key)->view();
            const float kept = before.view()(1, 4, 3);
            for (std::int64_t j = 0; j < keys; ++j) {
                const float old = before.view()(1, 4, j);
                const float scaled = old * ((1.0F - 0.5F) / (1.0F - kept));
                QVERIFY(std::abs(after(1, 4, j) - (j == 3 ? 0.5F : scaled)) < 1e-6F);
                QCOMPARE(after(2, 4, j), j == 3 ? 0.25F : before.view()(2, 4, j));
                QCOMPARE(after(3, 5, j), j == 2 ? 0.75F : 0.0F);
                QCOMPARE(after(0, 0, j), j == 0 ? 0.375F : before.view()(0, 0, j));
                QCOMPARE(after(0, 4, j), before.view()(0, 4, j));
                QCOMPARE(after(1, 3, j), before.view()(1, 3, j));
            }
            QVERIFY(contextError(*edited, key) < 1e-4);
            const TraceKey out{key.site == Site::Pattern ? Site::AttnOut : Site::CrossOut, 0,
                               key.stack};
            QVERIFY(rowOf(out, *edited->find(out), 4) != rowOf(out, *original->find(out), 4));
        }
    }

    void replacedPositionsAreThoseOfAModelThatHasThem_data() { kinds(); }

    void replacedPositionsAreThoseOfAModelThatHasThem()
    {
        QFETCH(ModelConfig, config);
        const LoadedModel loaded = kindModel(config);
        const SourceAndTarget texts = randomTexts(config, 12, kTokens);
        for (const PositionsChoice& choice :
             {PositionsChoice{Positions::None}, PositionsChoice{Positions::Sinusoidal, 50.0},
              PositionsChoice{Positions::Rope, 30.0}, PositionsChoice{Positions::Alibi}}) {
            const bool alibi = choice.kind == Positions::Alibi;
            if (alibi && (config.hasEncoder() || config.isLatent()))
                continue;
            if (config.isLatent() && config.latent.ropeDim > 0 && choice.kind != Positions::Rope)
                continue; // such a model turns its rotary channels whatever its positions are
            if (choice.kind == Positions::Rope && config.isLatent() && config.latent.ropeDim == 0)
                continue;
            Interventions changed;
            changed.positions = choice;
            const TracePtr got = freshTrace(loaded, texts, changed);
            const TracePtr expected = freshTrace(withPositions(loaded, choice), texts);
            const std::string difference = traceDifference(*got, *expected, 1e-6);
            QVERIFY2(difference.empty(), difference.c_str());
        }
    }

    void replacedPositionsKeepThePrefixCache_data() { kinds(); }

    void replacedPositionsKeepThePrefixCache()
    {
        QFETCH(ModelConfig, config);
        if (!config.hasDecoder() || !config.causal || config.isLatent())
            return;
        const LoadedModel loaded = kindModel(config);
        const SourceAndTarget texts = randomTexts(config, 13, kTokens);
        Interventions turned;
        turned.positions = PositionsChoice{Positions::Rope, 30.0};
        Tracer tracer(loaded, std::make_unique<CpuAttention>());
        SourceAndTarget typed = texts;
        for (const std::size_t count : {4u, 5u, 7u}) {
            typed.target = texts.target;
            typed.target.tokens.resize(count);
            const TracePtr trace = traceOf(tracer, typed, turned);
            QCOMPARE(trace->info().newTokens, static_cast<std::int64_t>(count == 4   ? 4
                                                                        : count == 5 ? 1
                                                                                     : 2));
            const std::string difference =
                traceDifference(*trace, *freshTrace(loaded, typed, turned), 2e-5);
            QVERIFY2(difference.empty(), difference.c_str());
        }
    }

    void meanAndResampledHeadsAreThoseOfTheOtherTexts_data() { kinds(); }

    void meanAndResampledHeadsAreThoseOfTheOtherTexts()
    {
        QFETCH(ModelConfig, config);
        const LoadedModel loaded = kindModel(config);
        const SourceAndTarget texts = randomTexts(config, 14, kTokens);
        const TracePtr other = freshTrace(loaded, randomTexts(config, 15, 5));
        const TraceKey z{Site::Z, 1, config.mainStack()};
        const std::vector<HeadId> heads{{selfAttentionOf(config.mainStack()), 1, 0}};
        Interventions mean;
        mean.patches = meanAblation({other, freshTrace(loaded, texts)}, heads);
        const TracePtr meant = freshTrace(loaded, texts, mean);
        Interventions resampled;
        resampled.patches = {patchFrom(*other, z, 0)};
        const TracePtr drawn = freshTrace(loaded, texts, resampled);
        const TracePtr original = freshTrace(loaded, texts);
        for (std::int64_t c = 0; c < original->find(z)->shape()[2]; ++c) {
            for (std::int64_t row = 0; row < static_cast<std::int64_t>(kTokens); ++row) {
                QCOMPARE(meant->find(z)->view()(row, 0, c),
                         mean.patches[0].values->view()(0, 0, c));
                QCOMPARE(meant->find(z)->view()(row, 1, c), original->find(z)->view()(row, 1, c));
                QCOMPARE(drawn->find(z)->view()(row, 0, c),
                         (row < 5 ? other : original)->find(z)->view()(row, 0, c));
            }
        }
    }

private:
    static bool headIsZero(const Tensor& context, std::int64_t head)
    {
        for (std::int64_t row = 0; row < context.shape()[0]; ++row)
            for (std::int64_t c = 0; c < context.shape()[2]; ++c)
                if (context.view()(row, head, c) != 0.0F)
                    return false;
        return true;
    }

    static void kinds(bool twoStacksAlone = false)
    {
        QTest::addColumn<ModelConfig>("config");
        for (const auto& [name, config] : tracedKinds())
            if (config.layers > 0 && (!twoStacksAlone || hasTwoStacks(config)))
                QTest::newRow(name.c_str()) << config;
    }
};

HEADSCOPE_TEST(TstWhatIf)
#include "tst_what_if.moc"
