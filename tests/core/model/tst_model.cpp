// labels: golden
#include "core/model/model.h"

#include "core/attention/cpu_attention.h"
#include "core/tensor/half.h"
#include "core/trace/trace_recorder.h"
#include "tests/support/small_models.h"
#include "tests/support/test_program.h"
#include "tests/support/tolerances.h"

#include <QTest>

using namespace headscope;
using namespace headscope::test;

namespace {

constexpr int kSites = static_cast<int>(Site::Logits) + 1;

std::vector<TraceKey> allKeys(const ModelConfig& config)
{
    std::vector<TraceKey> keys;
    for (int site = 0; site < kSites; ++site)
        for (int layer = 0; layer < config.layers; ++layer)
            keys.push_back(
                {static_cast<Site>(site), isPerLayer(static_cast<Site>(site)) ? layer : 0});
    return keys;
}

std::vector<double> rowOf(const std::vector<double>& values, std::int64_t row, std::int64_t rows)
{
    const auto size = static_cast<std::ptrdiff_t>(values.size()) / rows;
    return {values.begin() + row * size, values.begin() + (row + 1) * size};
}

/// Everything of one run, on a fresh cache.
Trace::Activations runWhole(const Model& model, const std::vector<TokenId>& ids,
                            const Interventions& interventions = {})
{
    CpuAttention backend;
    KvCache cache(model.config());
    TraceRecorder recorder(allKeys(model.config()), static_cast<std::int64_t>(ids.size()), nullptr);
    model.forward(ids, backend, cache, &recorder, interventions);
    return recorder.take();
}

std::vector<double> asDoubles(std::span<const float> values)
{
    return {values.begin(), values.end()};
}

std::span<const float> rowsOf(const Tensor& tensor, std::int64_t first, std::int64_t count)
{
    const auto width = static_cast<std::size_t>(tensor.view().stride(0));
    return tensor.values().subspan(static_cast<std::size_t>(first) * width,
                                   static_cast<std::size_t>(count) * width);
}

} // namespace

class TstModel : public QObject
{
    Q_OBJECT

private slots:
    void goldenModelsMatch_data();
    void goldenModelsMatch();
    void cachedDecodingEqualsTheWholePass();
    void everyRowOfAttentionFollowsTheMask();
    void scoresAreMinusInfinityWhereMasked();
    void patternIsTheSoftmaxOfTheScores();
    void ablatedHeadEqualsZeroOutputRows();
    void residualsAddUp();
    void unwantedActivationsAreNotAskedFor();
    void paintedMaskSurvivesCopies();
    void sinusoidalAndNoPositionsRun();
    void withoutPositionsAndMaskPermutationPermutesTheOutputs();
    void theHeadsFactorLeavesItsBiasAlone();
    void modelWithoutFeedForwardRuns();
    void sameSeedGivesTheSameModel();
    void initialValuesFollowTheConfiguration();
    void roundedWeightsGiveTheBitsOfAModelWithThem_data();
    void roundedWeightsGiveTheBitsOfAModelWithThem();
};

void TstModel::goldenModelsMatch_data()
{
    QTest::addColumn<QString>("path");
    for (const std::string& path : goldenFiles("models", "gpt_preln"))
        QTest::newRow(path.c_str()) << QString::fromStdString(path);
}

void TstModel::goldenModelsMatch()
{
    QFETCH(QString, path);
    const GoldenFile file(path.toStdString());
    const Model model = goldenModel(file);
    const std::vector<std::int64_t> shape = file.shape("in.ids");
    const std::vector<std::int64_t> ids = file.integers("in.ids");
    for (std::int64_t row = 0; row < shape[0]; ++row) {
        const std::vector<TokenId> text(ids.begin() + row * shape[1],
                                        ids.begin() + (row + 1) * shape[1]);
        const Trace::Activations got = runWhole(model, text);
        const auto expected = [&](const std::string& name) {
            return rowOf(file.expected(name), row, shape[0]);
        };
        const std::int64_t layers = model.config().layers;
        for (int layer = 0; layer < layers; ++layer) {
            const std::string suffix = std::to_string(layer);
            HS_COMPARE(got.at({Site::ResidPre, layer})->values(), expected("out.hidden." + suffix),
                       kModelOutputs);
            HS_COMPARE(got.at({Site::Pattern, layer})->values(), expected("out.attn." + suffix),
                       kModelOutputs);
        }
        HS_COMPARE(got.at({Site::ResidPost, static_cast<int>(layers) - 1})->values(),
                   expected("out.hidden." + std::to_string(layers)), kModelOutputs);
        HS_COMPARE(got.at({Site::Logits, 0})->values(), expected("out.logits"), kModelOutputs);
    }
}

void TstModel::cachedDecodingEqualsTheWholePass()
{
    const LoadedModel loaded = smallModel();
    const std::vector<TokenId> ids = randomIds(3, 20, 37);
    CpuAttention backend;
    KvCache whole(loaded.model->config());
    const Tensor expected = loaded.model->forward(ids, backend, whole);
    KvCache cache(loaded.model->config());
    std::size_t done = 0;
    for (const std::size_t step : {7u, 1u, 1u, 3u, 8u}) {
        const Tensor got = loaded.model->forward(std::span(ids).first(done + step), backend, cache);
        HS_COMPARE(got.values(),
                   asDoubles(rowsOf(expected, static_cast<std::int64_t>(done),
                                    static_cast<std::int64_t>(step))),
                   (Tolerance{1e-6, 1e-6}));
        done += step;
        QCOMPARE(cache.size(), static_cast<std::int64_t>(done));
    }
}

void TstModel::everyRowOfAttentionFollowsTheMask()
{
    const LoadedModel loaded = smallModel();
    const std::vector<TokenId> ids = randomIds(4, 9, 37);
    Interventions none;
    none.mask = AttentionMask{};
    Interventions window;
    window.mask = AttentionMask{.causal = true, .window = 3};
    const auto visible = [&](const Interventions& interventions, std::int64_t q, std::int64_t k) {
        if (!interventions.mask)
            return k <= q;
        return !interventions.mask->causal || (k <= q && q - k < interventions.mask->window);
    };
    for (const Interventions& interventions : {Interventions{}, none, window}) {
        const auto held = runWhole(*loaded.model, ids, interventions).at({Site::Pattern, 1});
        const Tensor& pattern = *held;
        for (std::int64_t head = 0; head < 4; ++head)
            for (std::int64_t q = 0; q < 9; ++q) {
                double sum = 0.0;
                for (std::int64_t k = 0; k < 9; ++k) {
                    const float weight = pattern.view()(head, q, k);
                    QCOMPARE(weight > 0.0F, visible(interventions, q, k));
                    sum += static_cast<double>(weight);
                }
                QVERIFY(std::abs(sum - 1.0) < 1e-6);
            }
    }
}

void TstModel::scoresAreMinusInfinityWhereMasked()
{
    const LoadedModel loaded = smallModel();
    const Trace::Activations got = runWhole(*loaded.model, randomIds(5, 6, 37));
    const Tensor& scores = *got.at({Site::AttnScores, 2});
    const Tensor& queries = *got.at({Site::Query, 2});
    const Tensor& keys = *got.at({Site::Key, 2});
    for (std::int64_t head = 0; head < 4; ++head)
        for (std::int64_t q = 0; q < 6; ++q)
            for (std::int64_t k = 0; k < 6; ++k) {
                double product = 0.0;
                for (std::int64_t i = 0; i < 8; ++i)
                    product += static_cast<double>(queries.view()(q, head, i)) *
                               static_cast<double>(keys.view()(k, head, i));
                const double score = static_cast<double>(scores.view()(head, q, k));
                if (k > q)
                    QVERIFY(std::isinf(score) && score < 0.0);
                else
                    QVERIFY(std::abs(score - product / std::sqrt(8.0)) < 1e-5);
            }
}

void TstModel::patternIsTheSoftmaxOfTheScores()
{
    const LoadedModel loaded = smallModel();
    const Trace::Activations got = runWhole(*loaded.model, randomIds(6, 11, 37));
    const std::span<const float> scores = got.at({Site::AttnScores, 0})->values();
    const std::span<const float> pattern = got.at({Site::Pattern, 0})->values();
    for (std::size_t row = 0; row < scores.size() / 11; ++row) {
        std::vector<double> expected;
        double sum = 0.0;
        for (std::size_t k = 0; k < 11; ++k)
            sum += std::exp(static_cast<double>(scores[row * 11 + k]));
        for (std::size_t k = 0; k < 11; ++k)
            expected.push_back(std::exp(static_cast<double>(scores[row * 11 + k])) / sum);
        HS_COMPARE(pattern.subspan(row * 11, 11), expected, kAttention);
    }
}

void TstModel::ablatedHeadEqualsZeroOutputRows()
{
    const LoadedModel loaded = smallModel();
    const ModelConfig config = loaded.model->config();
    ParameterSet changed = loaded.model->parameters();
    const MutableTensorView out = changed.view("h.1.attn.o.weight");
    for (std::int64_t row = 0; row < config.dModel; ++row)
        for (std::int64_t column = 2 * config.headDim(); column < 3 * config.headDim(); ++column)
            out(row, column) = 0.0F;
    const Model without(config, std::move(changed));
    const std::vector<TokenId> ids = randomIds(7, 10, 37);
    Interventions interventions;
    interventions.ablatedHeads = {{1, 2}};
    const Trace::Activations got = runWhole(*loaded.model, ids, interventions);
    const Trace::Activations expected = runWhole(without, ids);
    HS_COMPARE(got.at({Site::Logits, 0})->values(),
               asDoubles(expected.at({Site::Logits, 0})->values()), (Tolerance{1e-6, 1e-6}));
    const Trace::Activations untouched = runWhole(*loaded.model, ids);
    QVERIFY(!mismatch(got.at({Site::Logits, 0})->values(),
                      asDoubles(untouched.at({Site::Logits, 0})->values()), {1e-3, 1e-3})
                 .empty());
    const Tensor& z = *got.at({Site::Z, 1});
    for (std::int64_t row = 0; row < 10; ++row)
        for (std::int64_t i = 0; i < config.headDim(); ++i)
            QCOMPARE(z.view()(row, 2, i), 0.0F);
}

void TstModel::residualsAddUp()
{
    const LoadedModel loaded = smallModel();
    const Trace::Activations got = runWhole(*loaded.model, randomIds(8, 5, 37));
    const auto sum = [&](TraceKey a, TraceKey b) {
        std::vector<double> values = asDoubles(got.at(a)->values());
        for (std::size_t i = 0; i < values.size(); ++i)
            values[i] += static_cast<double>(got.at(b)->values()[i]);
        return values;
    };
    const Tolerance close{1e-6, 1e-6};
    HS_COMPARE(got.at({Site::ResidPre, 0})->values(), sum({Site::Embed, 0}, {Site::PosEmbed, 0}),
               close);
    for (int layer = 0; layer < 3; ++layer) {
        HS_COMPARE(got.at({Site::ResidMid, layer})->values(),
                   sum({Site::ResidPre, layer}, {Site::AttnOut, layer}), close);
        HS_COMPARE(got.at({Site::ResidPost, layer})->values(),
                   sum({Site::ResidMid, layer}, {Site::MlpOut, layer}), close);
    }
}

void TstModel::unwantedActivationsAreNotAskedFor()
{
    class Picky : public ActivationObserver
    {
    public:
        bool wants(TraceKey key) const override { return key.site == Site::Z && key.layer == 1; }

        void record(TraceKey key, TensorView, std::int64_t) override { recorded.push_back(key); }

        std::vector<TraceKey> recorded;
    };

    const LoadedModel loaded = smallModel();
    CpuAttention backend;
    KvCache cache(loaded.model->config());
    Picky picky;
    loaded.model->forward(randomIds(9, 4, 37), backend, cache, &picky);
    QCOMPARE(picky.recorded.size(), std::size_t{1});
    QVERIFY(picky.recorded.front() == (TraceKey{Site::Z, 1}));
}

void TstModel::paintedMaskSurvivesCopies()
{
    const LoadedModel loaded = smallModel();
    const std::vector<TokenId> ids = randomIds(10, 4, 37);
    auto painted = std::make_unique<Interventions>();
    painted->mask = AttentionMask{};
    painted->maskCells = {1, 0, 0, 1, /**/ 0, 1, 1, 0, /**/ 0, 0, 0, 0, /**/ 1, 1, 1, 1};
    painted->mask->allowed = painted->maskCells.data();
    const Interventions copy = *painted;
    painted.reset();
    const auto held = runWhole(*loaded.model, ids, copy).at({Site::Pattern, 0});
    const Tensor& pattern = *held;
    for (std::size_t cell = 0; cell < 16; ++cell)
        QCOMPARE(pattern.values()[cell] > 0.0F, copy.maskCells[cell] != 0);
}

void TstModel::sinusoidalAndNoPositionsRun()
{
    ModelConfig config = smallConfig();
    config.positions = Positions::Sinusoidal;
    const std::vector<TokenId> ids = randomIds(11, 5, 37);
    const Trace::Activations waves = runWhole(*smallModel(1, config).model, ids);
    const Tensor& table = *waves.at({Site::PosEmbed, 0});
    QVERIFY(std::abs(table.view()(3, 0) - std::sin(3.0F)) < 1e-6F);
    QVERIFY(std::abs(table.view()(3, 1) - std::cos(3.0F)) < 1e-6F);
    config.positions = Positions::None;
    const Trace::Activations none = runWhole(*smallModel(1, config).model, ids);
    QVERIFY(!none.contains({Site::PosEmbed, 0}));
    QVERIFY(none.contains({Site::Logits, 0}));
}

void TstModel::withoutPositionsAndMaskPermutationPermutesTheOutputs()
{
    ModelConfig config = smallConfig();
    config.positions = Positions::None;
    const LoadedModel loaded = smallModel(2, config);
    Interventions none;
    none.mask = AttentionMask{};
    const Trace::Activations dogBitesMan = runWhole(*loaded.model, {3, 9, 27}, none);
    const Trace::Activations manBitesDog = runWhole(*loaded.model, {27, 9, 3}, none);
    for (std::int64_t row = 0; row < 3; ++row)
        HS_COMPARE(rowsOf(*dogBitesMan.at({Site::Logits, 0}), row, 1),
                   asDoubles(rowsOf(*manBitesDog.at({Site::Logits, 0}), 2 - row, 1)),
                   (Tolerance{1e-5, 1e-5}));
}

void TstModel::modelWithoutFeedForwardRuns()
{
    ModelConfig config = smallConfig();
    config.dFf = 0;
    const Trace::Activations got = runWhole(*smallModel(1, config).model, {1, 2, 3});
    QVERIFY(!got.contains({Site::MlpPre, 0}));
    HS_COMPARE(got.at({Site::ResidPost, 0})->values(),
               asDoubles(got.at({Site::ResidMid, 0})->values()), (Tolerance{0.0, 0.0}));
}

void TstModel::sameSeedGivesTheSameModel()
{
    const auto values = [](std::uint64_t seed) {
        const LoadedModel loaded = smallModel(seed);
        const std::span<const float> all = loaded.model->parameters().values();
        return std::vector<float>(all.begin(), all.end());
    };
    QVERIFY(values(5) == values(5));
    QVERIFY(values(5) != values(6));
}

void TstModel::initialValuesFollowTheConfiguration()
{
    ModelConfig config = smallConfig();
    config.initStd = 0.02;
    config.dFf = 128;
    const auto deviation = [](const Model& model, const char* name) {
        const TensorView view = model.parameters().view(name);
        double squares = 0.0;
        for (std::int64_t i = 0; i < view.shape.elementCount(); ++i)
            squares += static_cast<double>(view.data[i]) * static_cast<double>(view.data[i]);
        return std::sqrt(squares / static_cast<double>(view.shape.elementCount()));
    };
    const Model normal = Model::initialised(config, 1);
    QVERIFY(std::abs(deviation(normal, "h.0.fc1.weight") - 0.02) < 0.002);
    QCOMPARE(deviation(normal, "h.0.attn.q.bias"), 0.0);
    QCOMPARE(deviation(normal, "ln_f.weight"), 1.0);
    config.initialisation = Initialisation::FanIn;
    const Model fanIn = Model::initialised(config, 1);
    QVERIFY(std::abs(deviation(fanIn, "h.0.fc2.weight") - 1.0 / std::sqrt(128.0)) < 0.01);
    QVERIFY(std::abs(deviation(fanIn, "tok_emb.weight") - 1.0 / std::sqrt(32.0)) < 0.02);
}

void TstModel::theHeadsFactorLeavesItsBiasAlone()
{
    ModelConfig config = smallConfig();
    config.headScale = 0.25;
    config.headBias = true;
    const std::vector<TokenId> ids = randomIds(2, 5, config.vocabularySize);
    const Model plain = Model::initialised(config, 1);
    ParameterSet parameters = plain.parameters();
    const MutableTensorView bias = parameters.view("head.bias");
    for (std::int64_t token = 0; token < config.vocabularySize; ++token)
        bias(token) = static_cast<float>(token);
    const Tensor without = *runWhole(plain, ids).at({Site::Logits, 0});
    const Tensor with = *runWhole(Model(config, parameters), ids).at({Site::Logits, 0});
    for (std::int64_t row = 0; row < 5; ++row)
        for (std::int64_t token = 0; token < config.vocabularySize; ++token)
            QVERIFY(std::abs(with.view()(row, token) - without.view()(row, token) - bias(token)) <
                    1e-4F);
}

void TstModel::roundedWeightsGiveTheBitsOfAModelWithThem_data()
{
    QTest::addColumn<WeightPrecision>("precision");
    QTest::newRow("f16") << WeightPrecision::Float16;
    QTest::newRow("bf16") << WeightPrecision::BFloat16;
}

/// The matrices of linear layers are rounded, and nothing else; edits keep the precision.
void TstModel::roundedWeightsGiveTheBitsOfAModelWithThem()
{
    QFETCH(WeightPrecision, precision);
    ModelConfig config = smallConfig();
    config.tieEmbeddings = false;
    const std::shared_ptr<const Model> exact = smallModel(1, config).model;
    std::vector<ReplacedParameter> replaced;
    for (std::size_t i = 0; i < exact->parameters().specs().size(); ++i) {
        const ParameterSpec& spec = exact->parameters().specs()[i];
        if (spec.shape.rank() != 2 || spec.name.find("emb") != std::string::npos)
            continue;
        Tensor values(spec.shape);
        std::copy_n(exact->parameters().view(spec).data, values.size(), values.data());
        for (float& value : values.values())
            value = precision == WeightPrecision::Float16 ? halfToFloat(floatToHalf(value))
                                                          : bfloatToFloat(floatToBfloat(value));
        replaced.push_back({i, std::move(values)});
    }
    const Model expected = Model::replaced(exact, std::move(replaced), {});
    const auto rounded = std::make_shared<const Model>(Model::rounded(exact, precision));
    const std::vector<TokenId> ids{1, 2, 3, 4, 5};
    const auto logits = [&](const Model& model) {
        return asDoubles(runWhole(model, ids).at({Site::Logits, 0})->values());
    };
    QVERIFY(logits(*rounded) == logits(expected));
    QVERIFY(logits(*rounded) != logits(*exact));
    // The same numbers, read where they are: summed up in another order.
    HS_COMPARE(logits(Model::rounded(rounded, WeightPrecision::Float32)), logits(*exact),
               (Tolerance{1e-5, 1e-5}));
    QCOMPARE(Model::replaced(rounded, {}, {}).precision(), precision);
}

HEADSCOPE_TEST(TstModel)
#include "tst_model.moc"
