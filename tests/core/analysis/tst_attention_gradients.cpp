// labels: golden
#include "core/analysis/flow/attention_gradients.h"
#include "core/analysis/scores/gradient_importance.h"
#include "core/attention/cpu_attention.h"
#include "core/base/error.h"
#include "core/model/weights/lazy_parameters.h"
#include "core/trace/trace_recorder.h"
#include "tests/support/hugging_face_model.h"
#include "tests/support/small_models.h"
#include "tests/support/stored_weights.h"
#include "tests/support/test_program.h"
#include "tests/support/tolerances.h"
#include "tests/support/traced_kinds.h"

#include <QTest>

#include <cmath>
#include <fmt/format.h>
#include <numeric>

using namespace headscope;
using namespace headscope::test;

Q_DECLARE_METATYPE(headscope::ModelConfig)

namespace {

/// For the mean loss of one text.
HeadImportance lossImportance(const Model& model, const GradientText& text,
                              AttentionBackend& backend)
{
    ImportanceText one;
    one.text = text;
    one.target.kind = GradientTarget::Kind::Loss;
    return headImportance(model, {&one, 1}, backend);
}

/// A model, its texts and a target, kept while runs refer to them.
class Case
{
public:
    explicit Case(const ModelConfig& config, std::size_t tokens = 6)
        : m_loaded(kindModel(config))
        , m_texts(randomTexts(config, 2, tokens))
        , m_ids(m_texts.target.ids())
        , m_source(m_texts.source.ids())
    {
        m_target.kind = GradientTarget::Kind::LogitDifference;
        m_target.token = 3;
        m_target.other = 1;
    }

    const Model& model() const { return *m_loaded.model; }

    GradientText text() const { return {m_ids, m_source, {}}; }

    GradientTarget& target() { return m_target; }

    AttributionRun run(const Interventions* interventions = nullptr)
    {
        return {model(), m_backend, text(), m_target, interventions};
    }

    double value(const Interventions& interventions = {}) const
    {
        const TracePtr trace = freshTrace(m_loaded, m_texts, interventions);
        const TensorView logits = trace->find({Site::Logits, 0})->view();
        const std::int64_t row = m_target.position < 0 ? logits.shape[0] - 1 : m_target.position;
        return double{logits(row, m_target.token)} - double{logits(row, m_target.other)};
    }

    TracePtr trace(const Interventions& interventions = {}) const
    {
        return freshTrace(m_loaded, m_texts, interventions);
    }

private:
    LoadedModel m_loaded;
    SourceAndTarget m_texts;
    std::vector<TokenId> m_ids;
    std::vector<TokenId> m_source;
    GradientTarget m_target;
    CpuAttention m_backend;
};

double sumOf(const Tensor& tensor)
{
    return std::accumulate(tensor.values().begin(), tensor.values().end(), 0.0);
}

bool near(double a, double b, double tolerance)
{
    return std::abs(a - b) <= tolerance;
}

std::vector<double> part(const std::vector<double>& all, std::int64_t index, std::int64_t count)
{
    const auto size = static_cast<std::ptrdiff_t>(all.size()) / count;
    return {all.begin() + index * size, all.begin() + (index + 1) * size};
}

/// z of one head times a gate, at all positions.
Interventions gated(const Trace& trace, TraceKey key, int head, float gate)
{
    auto z = std::make_shared<Tensor>(*trace.find(key));
    for (float& value : z->values())
        value *= gate;
    Interventions interventions;
    interventions.patches = {{key, std::move(z), head, {}}};
    return interventions;
}

} // namespace

class TstAttentionGradients : public QObject
{
    Q_OBJECT

private slots:

    void whereAnotherExpertIsChosenTheTargetJumps()
    {
        ModelConfig config = smallConfig();
        QCOMPARE(integratedInput(Case(config).run(), {512, 1e-3}).path.jumps, 0.0);
        config.initStd = 0.3;
        config.experts = {3, 1, 0.01};
        const PathResult path = integratedInput(Case(config).run(), {512, 1e-3}).path;
        QVERIFY(std::abs(path.jumps) > 1e-2);
        QVERIFY(near(path.gap(), 0.0, 1e-2));
    }

    void mapsAreThoseOfAutograd()
    {
        const GoldenFile file("interp/gpt2_internals.safetensors");
        const Model model = loadHuggingFaceModel(goldenDir() / "hf" / "gpt2");
        const std::vector<std::int64_t> integers = file.integers("in.ids");
        const std::vector<TokenId> ids(integers.begin(), integers.end());
        CpuAttention backend;
        GradientTarget target;
        target.token = static_cast<TokenId>(file.integers("in.target")[0]);
        const AttributionRun run{model, backend, {ids}, target};
        const InputAttribution input = gradientTimesInput(run);
        HS_COMPARE(std::span<const double>(input.tokens), file.expected("out.grad_x_input"),
                   kInterpretability);
        const GradientAttention attention = gradientTimesAttention(run);
        const std::int64_t layers = model.config().layers;
        const std::vector<double> slopes = file.expected("out.attn_grad");
        LoadedModel loaded;
        loaded.model = std::make_shared<const Model>(model);
        const TracePtr trace = freshTrace(loaded, {{}, tokensOf(ids)});
        for (int layer = 0; layer < static_cast<int>(layers); ++layer) {
            std::vector<double> expected = part(slopes, layer, layers);
            const auto pattern = trace->find({Site::Pattern, layer});
            for (std::size_t cell = 0; cell < expected.size(); ++cell)
                expected[cell] *= double{pattern->data()[cell]};
            HS_COMPARE(attention.maps.at({Site::Pattern, layer}).values(), expected,
                       kInterpretability);
        }
    }

    void importanceIsTheSlopeOfAGate_data() { kinds(); }

    void importanceIsTheSlopeOfAGate()
    {
        QFETCH(ModelConfig, config);
        Case one(config);
        const ImportanceText text{one.text(), one.target()};
        CpuAttention backend;
        const HeadImportance got = headImportance(one.model(), {&text, 1}, backend);
        const Stack stack = hasTwoStacks(config) ? Stack::Decoder : Stack::Blocks;
        const TracePtr plain = one.trace();
        constexpr float kStep = 2e-3F;
        for (int layer = 0; layer < got.layers; ++layer)
            for (int head = 0; head < got.heads; ++head) {
                const TraceKey key{Site::Z, layer, stack};
                const double slope = (one.value(gated(*plain, key, head, 1.0F + kStep)) -
                                      one.value(gated(*plain, key, head, 1.0F - kStep))) /
                                     (2.0 * double{kStep});
                const auto place = static_cast<std::size_t>(layer * got.heads + head);
                const std::string what = fmt::format("{}.{}: {} where the gate gives {}", layer,
                                                     head, got.gate[place], slope);
                QVERIFY2(near(got.gate[place], slope, 2e-2 * std::max(std::abs(slope), 0.1)),
                         what.c_str());
                QCOMPARE(got.byGate[place], std::abs(got.gate[place]));
                QVERIFY(got.byPosition[place] * static_cast<double>(got.positions) >=
                        got.byGate[place] - 1e-9);
            }
    }

    void importanceIsAveragedOverTexts()
    {
        Case a(smallConfig(), 5);
        Case b(smallConfig(), 7);
        CpuAttention backend;
        GradientTarget loss;
        loss.kind = GradientTarget::Kind::Loss;
        const std::vector<ImportanceText> texts{{a.text(), loss}, {b.text(), loss}};
        const HeadImportance both = headImportance(a.model(), texts, backend);
        const HeadImportance first = lossImportance(a.model(), a.text(), backend);
        const HeadImportance second = lossImportance(a.model(), b.text(), backend);
        QCOMPARE(both.texts, std::int64_t{2});
        QCOMPARE(both.positions, std::int64_t{12});
        for (std::size_t head = 0; head < both.gate.size(); ++head) {
            QVERIFY(
                near(both.byGate[head], 0.5 * (first.byGate[head] + second.byGate[head]), 1e-12));
            QVERIFY(near(both.byPosition[head],
                         (5.0 * first.byPosition[head] + 7.0 * second.byPosition[head]) / 12.0,
                         1e-12));
        }
        QVERIFY_EXCEPTION_THROWN(headImportance(a.model(), {}, backend), Error);
    }

    void importanceOfStoredWeightsIsThatOfTheirFloats()
    {
        ModelConfig config = smallConfig();
        config.dModel = 256;
        config.dFf = 512;
        config.layers = 2;
        const auto stored = randomStored(config, BlockFormat::Q4_1, 3);
        const Model mapped(config, ParameterSet(config, stored));
        ParameterSet owned(config);
        for (std::size_t i = 0; i < stored.size(); ++i)
            unpackParameter(stored[i], owned.view(owned.specs()[i]));
        const Model floats(config, std::move(owned));
        const LazyParameters& lazy = *mapped.parameters().stored();
        QCOMPARE(lazy.unpackedBytes(), std::size_t{0});
        const std::vector<TokenId> ids = randomIds(4, 6, config.vocabularySize);
        CpuAttention backend;
        QCOMPARE(lossImportance(mapped, {ids}, backend).gate,
                 lossImportance(floats, {ids}, backend).gate);
        QCOMPARE(lazy.unpackedBytes(), mapped.parameters().parameterCount() * sizeof(float));
    }

    void integratedAttentionIsComplete_data() { kinds(); }

    /// The sum over one layer is what the target loses without that layer's attention.
    void integratedAttentionIsComplete()
    {
        QFETCH(ModelConfig, config);
        Case one(config);
        const Stack stack = hasTwoStacks(config) ? Stack::Decoder : Stack::Blocks;
        std::vector<TraceKey> keys;
        const std::int64_t layers =
            hasTwoStacks(config) ? config.decoderLayerCount() : config.layers;
        for (int layer = 0; layer < static_cast<int>(layers); ++layer)
            keys.push_back({Site::Pattern, layer, stack});
        if (hasTwoStacks(config))
            keys.push_back({Site::CrossPattern, 0, stack});
        for (const TraceKey key : keys) {
            const IntegratedAttention got = integratedAttention(one.run(), {&key, 1}, {512, 1e-3});
            QCOMPARE(got.maps.size(), std::size_t{1});
            const std::string what = fmt::format(
                "{}: {}, jumps {}, in {} steps where {} - {}", headscope::toString(key),
                got.path.sum, got.path.jumps, got.path.steps, got.path.full, got.path.baseline);
            QVERIFY2(near(got.path.gap(), 0.0, 1e-2 * std::max(1.0, std::abs(got.path.full))),
                     what.c_str());
            QVERIFY(near(sumOf(got.maps.at(key)), got.path.sum, 1e-4));
            QVERIFY(near(got.path.full, one.value(), 1e-4));
            auto nothing = std::make_shared<Tensor>(got.maps.at(key).shape());
            Interventions off;
            off.patches = {{key, std::move(nothing), {}, {}}};
            QVERIFY(near(got.path.baseline, one.value(off), 1e-3));
        }
    }

    /// Fifty norms make infinitely much of embeddings of 0: all of that is a jump, nothing is NaN.
    void slopesThatOverflowAreAJump()
    {
        ModelConfig config = smallConfig();
        config.positions = Positions::Rope;
        config.norm = Norm::Rms;
        config.bias = false;
        config.layers = 25;
        const InputAttribution got = integratedInput(Case(config).run(), {200, 1e-3});
        for (const double value : got.tokens)
            QVERIFY(std::isfinite(value));
        QVERIFY(got.path.baseline == 0.0);
        QVERIFY(std::abs(got.path.jumps) > 0.0);
        QVERIFY(near(got.path.gap(), 0.0, 5e-2 * std::max(1.0, std::abs(got.path.full))));
    }

    void allLayersGrowTogether()
    {
        Case one(smallConfig());
        std::vector<TraceKey> keys;
        for (int layer = 0; layer < 3; ++layer)
            keys.push_back({Site::Pattern, layer});
        const IntegratedAttention got = integratedAttention(one.run(), keys, {512, 1e-3});
        QCOMPARE(got.maps.size(), std::size_t{3});
        QVERIFY(near(got.path.gap(), 0.0, 1e-2 * std::max(1.0, std::abs(got.path.full))));
    }

    void integratedInputsAreComplete_data() { kinds(); }

    void integratedInputsAreComplete()
    {
        QFETCH(ModelConfig, config);
        Case one(config);
        const InputAttribution got = integratedInput(one.run(), {512, 1e-3});
        QCOMPARE(got.tokens.size(), std::size_t{6});
        QCOMPARE(got.source.size(), one.text().source.size());
        const std::string what =
            fmt::format("{}, jumps {}, in {} steps where {} - {}", got.path.sum, got.path.jumps,
                        got.path.steps, got.path.full, got.path.baseline);
        QVERIFY2(near(got.path.gap(), 0.0, 2e-2 * std::max(1.0, std::abs(got.path.full))),
                 what.c_str());
    }

    void gradientsOfAPathFitIntoTheirMemory()
    {
        Case one(smallConfig());
        std::vector<TraceKey> keys{{Site::Pattern, 0}, {Site::Pattern, 1}};
        PathSettings settings{40, 0.0};
        QCOMPARE(integratedAttention(one.run(), keys, settings).path.steps, 40);
        constexpr std::size_t kGradient = 2 * 4 * 6 * 6 * sizeof(float); // layers, heads, cells
        for (const int fits : {7, 11}) {
            settings.memory = static_cast<std::size_t>(fits) * kGradient;
            QCOMPARE(integratedAttention(one.run(), keys, settings).path.steps, fits);
            settings.memory += kGradient - 1;
            QCOMPARE(integratedAttention(one.run(), keys, settings).path.steps, fits);
        }
    }

    void aChangedRunIsAttributedAsItIs()
    {
        Case one(smallConfig());
        Interventions changed;
        changed.ablatedHeads = {{2, 1}};
        PatternEdit edit;
        edit.key = {Site::Pattern, 1};
        edit.head = 2;
        edit.query = 5;
        edit.weights = {0.0F, 1.0F, 0.0F, 0.0F, 0.0F, 0.0F};
        changed.patternEdits = {edit};
        const TraceKey key{Site::Pattern, 1};
        const IntegratedAttention got =
            integratedAttention(one.run(&changed), {&key, 1}, {512, 1e-3});
        QVERIFY(near(got.path.full, one.value(changed), 1e-4));
        QVERIFY(near(got.path.gap(), 0.0, 1e-2 * std::max(1.0, std::abs(got.path.full))));
        QVERIFY(got.maps.at(key).view()(2, 5, 1) != 0.0F); // all that this row looks at
        QCOMPARE(got.maps.at(key).view()(2, 5, 0), 0.0F);
        const GradientAttention gradients = gradientTimesAttention(one.run(&changed));
        for (std::int64_t column = 0; column < 6; ++column) // behind a head that is off
            QCOMPARE(gradients.maps.at({Site::Pattern, 2}).view()(1, 5, column), 0.0F);
    }

    void nothingIsSaidOfOtherPositions()
    {
        Case one(smallConfig());
        one.target().position = 2;
        const GradientAttention got = gradientTimesAttention(one.run());
        const Tensor& last = got.maps.at({Site::Pattern, 2});
        for (std::int64_t head = 0; head < 4; ++head)
            for (std::int64_t row = 0; row < 6; ++row)
                for (std::int64_t column = 0; column < 6; ++column)
                    QVERIFY(row == 2 || last.view()(head, row, column) == 0.0F);
        const InputAttribution input = gradientTimesInput(one.run());
        for (const std::size_t later : {3, 4, 5})
            QCOMPARE(input.tokens[later], 0.0);
    }

    void itStopsAndTellsHowFarItIs()
    {
        Case one(smallConfig());
        std::stop_source stop;
        AttributionRun run = one.run();
        run.stop = stop.get_token();
        std::vector<double> reported;
        run.progress = [&](double fraction) {
            reported.push_back(fraction);
            if (reported.size() == 3)
                stop.request_stop();
        };
        const TraceKey key{Site::Pattern, 0};
        QVERIFY_EXCEPTION_THROWN(integratedAttention(run, {&key, 1}), Cancelled);
        QCOMPARE(reported.size(), std::size_t{3});
        QVERIFY(reported[0] < reported[1] && reported[1] < reported[2] && reported[2] <= 1.0);
        const TraceKey none{Site::CrossPattern, 0, Stack::Decoder};
        QVERIFY_EXCEPTION_THROWN(integratedAttention(one.run(), {&none, 1}), Error);
    }

private:
    static void kinds()
    {
        QTest::addColumn<ModelConfig>("config");
        for (const auto& [name, config] : tracedKinds())
            if (config.languageHead && config.layers > 0)
                QTest::newRow(name.c_str()) << config;
    }
};

HEADSCOPE_TEST(TstAttentionGradients)
#include "tst_attention_gradients.moc"
