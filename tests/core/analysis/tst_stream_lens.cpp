// labels: golden threads
#include "core/analysis/lens/stream_lens.h"

#include "core/analysis/lens/lens_head.h"
#include "core/analysis/lens/lens_row.h"
#include "core/base/error.h"
#include "core/model/pass/site_shape.h"
#include "tests/support/hugging_face_model.h"
#include "tests/support/qt_under_tsan.h"
#include "tests/support/small_models.h"
#include "tests/support/stored_weights.h"
#include "tests/support/test_program.h"
#include "tests/support/tolerances.h"
#include "tests/support/traced_kinds.h"

#include <QTest>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

using namespace headscope;
using namespace headscope::test;

Q_DECLARE_METATYPE(headscope::ModelConfig)

namespace {

/// ln softmax in doubles, plainly.
std::vector<double> logSoftmax(TensorView logits)
{
    double largest = -1e300;
    for (std::int64_t id = 0; id < logits.shape[0]; ++id)
        largest = std::max(largest, double{logits(id)});
    double sum = 0.0;
    for (std::int64_t id = 0; id < logits.shape[0]; ++id)
        sum += std::exp(double{logits(id)} - largest);
    std::vector<double> result;
    for (std::int64_t id = 0; id < logits.shape[0]; ++id)
        result.push_back(double{logits(id)} - largest - std::log(sum));
    return result;
}

std::vector<std::optional<TokenId>> targetsOf(const Trace& trace, std::int64_t vocabulary)
{
    std::vector<std::optional<TokenId>> targets;
    for (std::size_t token = 0; token < trace.tokens().size(); ++token)
        targets.emplace_back(
            static_cast<TokenId>((7 * token + 3) % static_cast<std::size_t>(vocabulary)));
    return targets;
}

bool sameBits(TensorView got, TensorView expected)
{
    return got.shape == expected.shape &&
           std::equal(got.data, got.data + got.shape.elementCount(), expected.data);
}

/// Compares every cell with what lensLogits() gives.
void compareWithPlainLoops(const Model& model, const Trace& trace, const StreamLens& lens)
{
    const auto last = trace.find(lens.stages.back().key);
    const Tensor own = lensLogits(model, last->view());
    for (int stage = 0; stage < lens.stageCount(); ++stage) {
        const auto stream = trace.find(lens.stages[static_cast<std::size_t>(stage)].key);
        const Tensor logits = lensLogits(model, stream->view());
        for (int row = 0; row < lens.rows(); ++row) {
            const int position = lens.positions[static_cast<std::size_t>(row)];
            const std::vector<double> p = logSoftmax(own.view()[position]);
            const std::vector<double> q = logSoftmax(logits.view()[position]);
            double entropy = 0.0;
            double kl = 0.0;
            for (std::size_t id = 0; id < q.size(); ++id) {
                entropy -= std::exp(q[id]) * q[id];
                kl += std::exp(p[id]) * (p[id] - q[id]);
            }
            const std::size_t cell = lens.at(row, stage);
            QVERIFY(std::abs(lens.entropies[cell] - entropy) < 1e-9);
            QVERIFY(std::abs(lens.divergences[cell] - kl) < 1e-9);
            const auto target =
                static_cast<std::size_t>(*lens.targets[static_cast<std::size_t>(row)]);
            QVERIFY(std::abs(lens.logProbabilities[cell] - q[target]) < 1e-9);
            QCOMPARE(lens.ranks[cell], 1 + std::count_if(q.begin(), q.end(), [&](double value) {
                                           return value > q[target];
                                       }));
            std::vector<TokenId> order(q.size());
            std::iota(order.begin(), order.end(), 0);
            std::stable_sort(order.begin(), order.end(), [&](TokenId a, TokenId b) {
                return q[static_cast<std::size_t>(a)] > q[static_cast<std::size_t>(b)];
            });
            for (int place = 0; place < lens.top; ++place) {
                const std::size_t at = lens.topAt(row, stage, place);
                QCOMPARE(lens.ids[at], order[static_cast<std::size_t>(place)]);
                QVERIFY(std::abs(double{lens.probabilities[at]} -
                                 std::exp(q[static_cast<std::size_t>(lens.ids[at])])) < 1e-6);
            }
        }
    }
}

} // namespace

class TstStreamLens : public QObject
{
    Q_OBJECT

private slots:
    void everyKindReadsItsOwnLogits_data();
    void everyKindReadsItsOwnLogits();
    void storedWeightsReadTheirOwnLogits_data();
    void storedWeightsReadTheirOwnLogits();

    void theHeadsBiasIsNotScaled();

    void stagesAreThoseOfTheModel_data() { everyKindReadsItsOwnLogits_data(); }

    void stagesAreThoseOfTheModel();
    void somePositionsAreThoseOfTheWhole();
    void earlierLayersPredictOtherwise();
    void theGoldenLensIsFound();
    void withoutATargetNothingIsSaid();
    void whatMakesNoSoftmaxIsUndefined();
    void equalTokensShareARank();
    void whatCannotBeReadIsRefused();
};

void TstStreamLens::everyKindReadsItsOwnLogits_data()
{
    QTest::addColumn<ModelConfig>("config");
    for (const auto& [name, config] : tracedKinds())
        if (config.languageHead && config.layers > 0)
            QTest::newRow(name.c_str()) << config;
    ModelConfig one = smallConfig();
    one.heads = 1;
    one.dFf = 0;
    QTest::newRow("one head, no feed-forward part") << one;
}

/// The same operators on the same weights: no tolerance.
void TstStreamLens::everyKindReadsItsOwnLogits()
{
    QFETCH(ModelConfig, config);
    const LoadedModel model = kindModel(config);
    const TracePtr trace = freshTrace(model, randomTexts(config, 3, 6));
    std::int64_t reported = 0;
    StreamLensOptions options;
    options.targets = targetsOf(*trace, config.vocabularySize);
    options.progress = [&reported](std::int64_t done, std::int64_t) { reported = done; };
    const StreamLens lens = streamLens(*model.model, *trace, options);
    const TensorView own = trace->find({Site::Logits, 0})->view();
    const auto last = trace->find(lens.stages.back().key);
    QVERIFY(sameBits(lensLogits(*model.model, last->view()).view(), own));
    for (int row = 0; row < lens.rows(); ++row) {
        const std::size_t cell = lens.at(row, lens.stageCount() - 1);
        QCOMPARE(lens.divergences[cell], 0.0);
        const auto target =
            static_cast<std::size_t>(*options.targets[static_cast<std::size_t>(row)]);
        QVERIFY(std::abs(lens.logProbabilities[cell] - logSoftmax(own[row])[target]) < 1e-12);
    }
    QCOMPARE(reported, static_cast<std::int64_t>(lens.entropies.size()));
    compareWithPlainLoops(*model.model, *trace, lens);
}

void TstStreamLens::storedWeightsReadTheirOwnLogits_data()
{
    QTest::addColumn<bool>("tied");
    QTest::newRow("tied") << true;
    QTest::newRow("a head of its own") << false;
}

void TstStreamLens::storedWeightsReadTheirOwnLogits()
{
    QFETCH(bool, tied);
    ModelConfig config = smallConfig();
    config.dModel = 64;
    config.heads = 4;
    config.tieEmbeddings = tied;
    LoadedModel stored;
    stored.model = std::make_shared<const Model>(
        config, ParameterSet(config, randomStored(config, BlockFormat::Q4_1, 3)));
    const TracePtr trace = freshTrace(stored, randomTexts(config, 3, 9));
    StreamLensOptions options;
    options.targets = targetsOf(*trace, config.vocabularySize);
    const StreamLens lens = streamLens(*stored.model, *trace, options);
    const auto last = trace->find(lens.stages.back().key);
    QVERIFY(sameBits(lensLogits(*stored.model, last->view()).view(),
                     trace->find({Site::Logits, 0})->view()));
    compareWithPlainLoops(*stored.model, *trace, lens);
}

void TstStreamLens::theHeadsBiasIsNotScaled()
{
    ModelConfig config = smallConfig();
    config.headBias = true;
    config.headScale = 0.25;
    ParameterSet parameters = Model::initialised(config, 1).parameters();
    const MutableTensorView bias = parameters.view("head.bias");
    std::iota(bias.data, bias.data + bias.shape[0], 1.0F);
    LoadedModel model;
    model.model = std::make_shared<const Model>(config, parameters);
    const TracePtr trace = freshTrace(model, randomTexts(config, 3, 6));
    const auto last = trace->find(lensStages(config).back().key);
    QVERIFY(sameBits(lensLogits(*model.model, last->view()).view(),
                     trace->find({Site::Logits, 0})->view()));
}

void TstStreamLens::stagesAreThoseOfTheModel()
{
    QFETCH(ModelConfig, config);
    const bool twoStacks = hasTwoStacks(config);
    const auto layers =
        static_cast<std::size_t>(twoStacks ? config.decoderLayerCount() : config.layers);
    const bool feedsForward = config.dFf > 0;
    const std::size_t halves =
        (twoStacks || feedsForward ? 1U : 0U) + (twoStacks && feedsForward ? 1U : 0U);
    QCOMPARE(lensStages(config, false).size(), 1 + layers);
    const std::vector<LensStage> stages = lensStages(config);
    QCOMPARE(stages.size(), 1 + layers * (1 + halves));
    QVERIFY(stages.front().kind == LensStage::Kind::Embeddings);
    QVERIFY(stages.back().kind == LensStage::Kind::AfterLayer);
    for (std::size_t stage = 1; stage < stages.size(); ++stage)
        QVERIFY(stages[stage - 1].key.layer < stages[stage].key.layer ||
                stages[stage - 1].key.site < stages[stage].key.site); // as they are computed
    for (const LensStage& stage : stages)
        QVERIFY(siteShape(config, stage.key, {5, 9}) == Shape({5, config.dModel}));
    const TraceRequest request{lensSites(config)};
    for (const LensStage& stage : stages)
        QVERIFY(request.wants(stage.key));
    QVERIFY(!request.wants({Site::Pattern, 0}));
    ModelConfig none = config;
    none.layers = none.decoderLayers = 0;
    if (!twoStacks)
        QVERIFY(lensStages(none).empty());
}

void TstStreamLens::somePositionsAreThoseOfTheWhole()
{
    const LoadedModel model = smallModel();
    const TracePtr trace = freshTrace(model, randomTexts(model.model->config(), 3, 24));
    StreamLensOptions options;
    options.halfSteps = false;
    options.top = 3;
    options.targets = targetsOf(*trace, model.model->config().vocabularySize);
    const StreamLens all = streamLens(*model.model, *trace, options);
    options.positions = {23, 4, 5, 9, 0, 12};
    const StreamLens some = streamLens(*model.model, *trace, options);
    QCOMPARE(some.rows(), 6);
    QCOMPARE(some.stageCount(), 4);
    for (int stage = 0; stage < some.stageCount(); ++stage) {
        for (int row = 0; row < some.rows(); ++row) {
            const int whole = options.positions[static_cast<std::size_t>(row)];
            QCOMPARE(some.entropies[some.at(row, stage)], all.entropies[all.at(whole, stage)]);
            QCOMPARE(some.divergences[some.at(row, stage)], all.divergences[all.at(whole, stage)]);
            QCOMPARE(some.ranks[some.at(row, stage)], all.ranks[all.at(whole, stage)]);
            QCOMPARE(some.ids[some.topAt(row, stage, 2)], all.ids[all.topAt(whole, stage, 2)]);
        }
    }
}

/// The layers alone, as two runs are compared.
void TstStreamLens::earlierLayersPredictOtherwise()
{
    const LoadedModel model = smallModel();
    const TracePtr trace = freshTrace(model, randomTexts(model.model->config(), 3, 8));
    StreamLensOptions options;
    options.halfSteps = options.embeddings = false;
    options.top = 1;
    const StreamLens lens = streamLens(*model.model, *trace, options);
    QCOMPARE(lens.stageCount(), trace->layerCount());
    options.embeddings = true;
    const StreamLens whole = streamLens(*model.model, *trace, options);
    int changed = 0;
    for (int row = 0; row < lens.rows(); ++row) {
        changed += lens.ids[lens.at(row, 0)] != lens.ids[lens.at(row, 2)] ? 1 : 0;
        for (int layer = 0; layer < lens.stageCount(); ++layer) {
            QVERIFY(lens.stages[static_cast<std::size_t>(layer)].key ==
                    TraceKey({Site::ResidPost, layer}));
            QCOMPARE(lens.probabilities[lens.at(row, layer)],
                     whole.probabilities[whole.at(row, layer + 1)]);
        }
    }
    QVERIFY(changed > 0);
}

/// transformers' GPT-2: embeddings, then every layer.
void TstStreamLens::theGoldenLensIsFound()
{
    const GoldenFile file("interp/gpt2_internals.safetensors");
    LoadedModel model;
    model.model = std::make_shared<const Model>(loadHuggingFaceModel(goldenDir() / "hf" / "gpt2"));
    const std::vector<std::int64_t> given = file.integers("in.ids");
    const TracePtr trace =
        freshTrace(model, {{}, tokensOf(std::vector<TokenId>(given.begin(), given.end()))});
    StreamLensOptions options;
    options.halfSteps = false;
    const StreamLens lens = streamLens(*model.model, *trace, options);
    const std::vector<std::int64_t> shape = file.shape("out.lens_last3");
    QCOMPARE(std::int64_t{lens.stageCount()}, shape[0]);
    const std::vector<std::int64_t> top = file.integers("out.lens_top5");
    const std::vector<double> logits = file.expected("out.lens_last3");
    const auto values = static_cast<std::size_t>(shape[1] * shape[2]);
    for (int stage = 0; stage < lens.stageCount(); ++stage) {
        const auto index = static_cast<std::size_t>(stage);
        for (int row = 0; row < lens.rows(); ++row)
            for (int place = 0; place < 5; ++place)
                QCOMPARE(std::int64_t{lens.ids[lens.topAt(row, stage, place)]},
                         top[(index * given.size() + static_cast<std::size_t>(row)) * 5 +
                             static_cast<std::size_t>(place)]);
        const auto stream = trace->find(lens.stages[index].key);
        const Tensor got = lensLogits(*model.model, stream->view());
        HS_COMPARE(
            got.values().last(values),
            std::vector<double>(logits.begin() + static_cast<std::ptrdiff_t>(index * values),
                                logits.begin() + static_cast<std::ptrdiff_t>((index + 1) * values)),
            kInterpretability);
    }
}

void TstStreamLens::withoutATargetNothingIsSaid()
{
    const LoadedModel model = smallModel();
    const TracePtr trace = freshTrace(model, randomTexts(model.model->config(), 3, 4));
    StreamLensOptions options;
    options.targets = followingTokens(model.model->config(), *trace);
    QVERIFY(options.targets[0] == trace->tokens().tokens[1].id);
    QVERIFY(!options.targets[3]);
    const StreamLens lens = streamLens(*model.model, *trace, options);
    QCOMPARE(lens.ranks[lens.at(3, 0)], std::int64_t{0});
    QVERIFY(std::isnan(lens.logProbabilities[lens.at(3, 0)]));
    QVERIFY(lens.ranks[lens.at(2, 0)] >= 1);
    ModelConfig encoder = model.model->config();
    encoder.architecture = Architecture::Encoder;
    QVERIFY(followingTokens(encoder, *trace)[3] == trace->tokens().tokens[3].id);
}

void TstStreamLens::whatMakesNoSoftmaxIsUndefined()
{
    Tensor logits({2, 4});
    logits.view()(0, 2) = std::numeric_limits<float>::quiet_NaN();
    logits.view()(1, 2) = -std::numeric_limits<float>::infinity(); // a token that cannot come
    const LensRow bad(logits.view()[0]);
    const LensRow good(logits.view()[1]);
    QVERIFY(std::isnan(bad.entropy()) && std::isnan(bad.logProbability(0)));
    QVERIFY(std::isnan(divergence(bad, good)) && std::isnan(divergence(good, bad)));
    QCOMPARE(bad.rank(1), std::int64_t{0});
    QVERIFY(std::abs(good.entropy() - std::log(3.0)) < 1e-12);
    QCOMPARE(divergence(good, good), 0.0);
    QCOMPARE(good.rank(2), std::int64_t{4});
    std::vector<TokenId> ids(2);
    std::vector<float> probabilities(2);
    bad.top(ids, probabilities);
    QVERIFY(std::isnan(probabilities[0]));
}

void TstStreamLens::equalTokensShareARank()
{
    Tensor logits({1, 4});
    logits.view()(0, 3) = 1.0F;
    const LensRow row(logits.view()[0]);
    for (const TokenId id : {0, 1, 2})
        QCOMPARE(row.rank(id), std::int64_t{2});
    std::vector<TokenId> ids(3);
    std::vector<float> probabilities(3);
    row.top(ids, probabilities);
    QCOMPARE(ids, (std::vector<TokenId>{3, 0, 1}));
}

void TstStreamLens::whatCannotBeReadIsRefused()
{
    const LoadedModel model = smallModel();
    const TracePtr trace = freshTrace(model, randomTexts(model.model->config(), 3, 4));
    StreamLensOptions options;
    options.positions = {4};
    QVERIFY_THROWS_EXCEPTION(ShapeError, streamLens(*model.model, *trace, options));
    options = {};
    options.targets = {TokenId{37}};
    QVERIFY_THROWS_EXCEPTION(ShapeError, streamLens(*model.model, *trace, options));
    const Trace bare(trace->tokens(), {}, {});
    QVERIFY_THROWS_EXCEPTION(Error, streamLens(*model.model, bare));
    ModelConfig config = smallConfig();
    config.languageHead = false;
    const LoadedModel silent = smallModel(1, config);
    QVERIFY_THROWS_EXCEPTION(
        Error, streamLens(*silent.model, *freshTrace(silent, randomTexts(config, 3, 4))));
    std::stop_source stop;
    stop.request_stop();
    QVERIFY_THROWS_EXCEPTION(Cancelled, streamLens(*model.model, *trace, {}, stop.get_token()));
}

HEADSCOPE_TEST(TstStreamLens)
#include "tst_stream_lens.moc"
