#include "core/analysis/derivation/derivation.h"
#include "core/base/error.h"
#include "core/base/random.h"
#include "core/model/weights/running_statistics.h"
#include "tests/support/small_models.h"
#include "tests/support/test_program.h"
#include "tests/support/traced_kinds.h"

#include <QTest>

#include <random>
#include <set>

using namespace headscope;
using namespace headscope::test;

Q_DECLARE_METATYPE(headscope::ModelConfig)

class TstDerivation : public QObject
{
    Q_OBJECT

private slots:
    void everySiteFollowsFromItsOperands_data();
    void everySiteFollowsFromItsOperands();
    void theWayDownEndsAtWeights_data();
    void theWayDownEndsAtWeights();
    void numbersMadeOfOthersFollowFromThem_data();
    void numbersMadeOfOthersFollowFromThem();
    void sumsProductsAndLengths();
    void rareSettingsAreFollowed_data();
    void rareSettingsAreFollowed();
    void aSinusoidIsItsFormula();
    void anEditedNumberDisagrees();
    void cellsOutsideAreRefused();
};

namespace {

void addKinds()
{
    QTest::addColumn<ModelConfig>("config");
    for (const auto& [name, config] : tracedKinds())
        QTest::newRow(name.c_str()) << config;
}

NumberRef randomCell(const TraceKey& key, const Tensor& tensor, std::mt19937& random)
{
    NumberRef number{NumberRef::Kind::Activation, key, {}, {}};
    for (int axis = 0; axis < tensor.shape().rank(); ++axis)
        number.index.push_back(static_cast<std::int64_t>(random() % tensor.shape()[axis]));
    return number;
}

} // namespace

void TstDerivation::everySiteFollowsFromItsOperands_data()
{
    addKinds();
}

void TstDerivation::everySiteFollowsFromItsOperands()
{
    QFETCH(ModelConfig, config);
    const LoadedModel model = kindModel(config);
    const TracePtr trace = freshTrace(model, randomTexts(config, 5, 7));
    std::mt19937 random(3);
    int checked = 0;
    for (const auto& [key, tensor] : trace->activations()) {
        for (int round = 0; round < 4; ++round) {
            const NumberRef number = randomCell(key, *tensor, random);
            const Derivation derivation = derive(*trace, *model.model, number);
            QCOMPARE(derivation.recorded, [&] {
                TensorView view = tensor->view();
                std::int64_t offset = 0;
                for (int axis = 0; axis < view.shape.rank(); ++axis)
                    offset =
                        offset * view.shape[axis] + number.index[static_cast<std::size_t>(axis)];
                return double{view.data[offset]};
            }());
            if (!derivation.end.empty())
                continue;
            ++checked;
            QVERIFY2(derivation.agrees(2e-4),
                     qPrintable(QString("%1: recorded %2, recomputed %3 by %4")
                                    .arg(toString(number).c_str())
                                    .arg(derivation.recorded)
                                    .arg(derivation.recomputed)
                                    .arg(derivation.formula.c_str())));
            QVERIFY(!derivation.terms.empty());
        }
    }
    QVERIFY(checked > 8);
}

void TstDerivation::theWayDownEndsAtWeights_data()
{
    addKinds();
}

void TstDerivation::theWayDownEndsAtWeights()
{
    QFETCH(ModelConfig, config);
    const LoadedModel model = kindModel(config);
    const TracePtr trace = freshTrace(model, randomTexts(config, 6, 5));
    std::mt19937 random(8);
    for (int walk = 0; walk < 10; ++walk) {
        const auto chosen = std::next(trace->activations().begin(),
                                      static_cast<long>(random() % trace->activations().size()));
        NumberRef number = randomCell(chosen->first, *chosen->second, random);
        int steps = 0;
        for (;; ++steps) {
            const Derivation derivation = derive(*trace, *model.model, number);
            if (!derivation.end.empty())
                break;
            std::vector<Factor> below;
            for (const Term& term : derivation.terms)
                below.insert(below.end(), term.factors.begin(), term.factors.end());
            QVERIFY(!below.empty());
            const Factor& next = below[random() % below.size()];
            QVERIFY(next.of != number);
            number = next.of;
            QVERIFY(steps < 200);
        }
    }
}

void TstDerivation::numbersMadeOfOthersFollowFromThem_data()
{
    addKinds();
}

void TstDerivation::numbersMadeOfOthersFollowFromThem()
{
    QFETCH(ModelConfig, config);
    const LoadedModel model = kindModel(config);
    const TracePtr trace = freshTrace(model, randomTexts(config, 5, 7));
    const Stack stack = hasTwoStacks(config) ? Stack::Decoder : Stack::Blocks;
    std::vector<NumberRef> numbers;
    const auto add = [&](NumberRef::Kind kind, TraceKey key, std::vector<std::int64_t> index) {
        NumberRef number{kind, key, {}, std::move(index)};
        if (trace->find(key))
            numbers.push_back(std::move(number));
    };
    add(NumberRef::Kind::Probability, {Site::Logits, 0}, {2, 3});
    add(NumberRef::Kind::Exponential, {Site::AttnScores, 0, stack}, {1, 3, 2});
    if (config.languageHead) {
        add(NumberRef::Kind::Probability, {Site::ResidPost, 0, stack}, {2, 3});
        add(NumberRef::Kind::LensLogit, {Site::ResidPost, 0, stack}, {2, 3});
    }
    add(NumberRef::Kind::Contribution, {Site::AttnOut, 0, stack}, {4, 1, 2});
    for (const NumberRef& number : numbers) {
        const Derivation derivation = derive(*trace, *model.model, number);
        QVERIFY(std::isfinite(derivation.recorded));
        QVERIFY2(derivation.agrees(2e-4), toString(number).c_str());
        if (derivation.end.empty())
            QVERIFY(!derivation.terms.empty());
    }
    if (!trace->find({Site::Logits, 0}))
        return;
    double all = 0.0; // probabilities of the whole vocabulary
    const TensorView row = trace->find({Site::Logits, 0})->view()[2];
    for (std::int64_t id = 0; id < row.shape[0]; ++id)
        all += derive(*trace, *model.model,
                      {NumberRef::Kind::Probability, {Site::Logits, 0}, {}, {2, id}})
                   .recorded;
    QVERIFY(std::abs(all - 1.0) < 1e-9);
    // the lens of the last stream is the prediction itself
    const auto last =
        static_cast<int>(stack == Stack::Decoder ? config.decoderLayerCount() : config.layers) - 1;
    if (last < 0 || config.headTransform)
        return;
    const NumberRef lens{NumberRef::Kind::LensLogit, {Site::ResidPost, last, stack}, {}, {2, 3}};
    const double logit = double{trace->find({Site::Logits, 0})->view()(2, 3)};
    QVERIFY(std::abs(derive(*trace, *model.model, lens).recorded - logit) <
            1e-4 * std::max(1.0, std::abs(logit)));
}

void TstDerivation::sumsProductsAndLengths()
{
    const auto [name, config] = tracedKinds().front();
    const LoadedModel model = kindModel(config);
    const TracePtr trace = freshTrace(model, randomTexts(config, 5, 7));
    const Stack stack = hasTwoStacks(config) ? Stack::Encoder : Stack::Blocks;
    const TraceKey key{Site::Pattern, 0, stack};
    const TensorView pattern = trace->find(key)->view();
    const NumberRef one{NumberRef::Kind::Activation, key, {}, {1, 4, 2}};
    const NumberRef two{NumberRef::Kind::Activation, key, {}, {1, 4, 3}};
    const double a = double{pattern(1, 4, 2)};
    const double b = double{pattern(1, 4, 3)};
    NumberRef made{NumberRef::Kind::Sum, {}, "both", {}};
    made.parts = {one, two};
    made.scale = 0.5;
    Derivation derivation = derive(*trace, *model.model, made);
    QVERIFY(std::abs(derivation.recorded - (a + b) / 2.0) < 1e-12);
    QCOMPARE(derivation.terms.size(), std::size_t(2));
    made.over = {two};
    derivation = derive(*trace, *model.model, made);
    QVERIFY(std::abs(derivation.recorded - (a + b) / 2.0 / b) < 1e-9);
    made.over.clear();
    made.kind = NumberRef::Kind::Product;
    derivation = derive(*trace, *model.model, made);
    QVERIFY(std::abs(derivation.recorded - 0.5 * a * b) < 1e-12);
    made.kind = NumberRef::Kind::Length;
    derivation = derive(*trace, *model.model, made);
    QVERIFY(std::abs(derivation.recorded - std::hypot(a, b)) < 1e-12);
    made.parts.front().index = {1, 4, 99};
    QVERIFY_EXCEPTION_THROWN(derive(*trace, *model.model, made), ShapeError);
}

void TstDerivation::rareSettingsAreFollowed_data()
{
    QTest::addColumn<ModelConfig>("config");
    QTest::addColumn<int>("site");
    const auto row = [](const char* name, Site site, auto change) {
        ModelConfig config = smallConfig();
        change(config);
        QTest::newRow(name) << config << static_cast<int>(site);
    };
    row("learned positions", Site::PosEmbed,
        [](ModelConfig& c) { c.positions = Positions::Learned; });
    row("no final norm", Site::Logits, [](ModelConfig& c) { c.normPosition = NormPosition::Post; });
    row("gain around 1, large epsilon", Site::LnFinal, [](ModelConfig& c) {
        c.norm = Norm::RmsUnitOffset;
        c.normEpsilon = 0.5;
    });
    row("batch norm, large epsilon", Site::LnFinal, [](ModelConfig& c) {
        c.norm = Norm::Batch;
        c.normEpsilon = 0.5;
    });
    row("latent, rotary", Site::RotatedQuery, [](ModelConfig& c) {
        c.latent = {12, 16, 4, 8, 6};
        c.positions = Positions::Rope;
    });
}

void TstDerivation::rareSettingsAreFollowed()
{
    QFETCH(const ModelConfig, config);
    QFETCH(const int, site);
    ParameterSet parameters(config);
    Random random(4);
    for (float& value : parameters.values())
        value = static_cast<float>(0.3 * random.normal());
    for (const ParameterSpec& spec : parameters.specs())
        if (spec.name.ends_with(kRunningVariance))
            for (float& value : std::span(parameters.view(spec).data,
                                          static_cast<std::size_t>(spec.shape.elementCount())))
                value = 0.25F + value * value;
    LoadedModel model = kindModel(config);
    model.model = std::make_shared<const Model>(config, std::move(parameters));
    const TracePtr trace = freshTrace(model, randomTexts(config, 5, 7));
    const TraceKey key{static_cast<Site>(site), 0};
    const auto tensor = trace->find(key);
    QVERIFY(tensor != nullptr);
    for (std::int64_t channel = 0; channel < tensor->shape().back(); ++channel) {
        NumberRef number{NumberRef::Kind::Activation, key, {}, {4, channel}};
        if (tensor->shape().rank() == 3)
            number.index = {4, 1, channel};
        const Derivation derivation = derive(*trace, *model.model, number);
        QCOMPARE(derivation.end, std::string());
        QVERIFY(derivation.agrees());
        for (const Factor& factor : derivation.terms.front().factors)
            QVERIFY(std::abs(derive(*trace, *model.model, factor.of).recorded - factor.value) <
                    1e-4);
    }
}

void TstDerivation::aSinusoidIsItsFormula()
{
    const auto [name, config] = tracedKinds().front();
    const LoadedModel model = kindModel(config);
    const TracePtr trace = freshTrace(model, randomTexts(config, 5, 7));
    NumberRef wave{NumberRef::Kind::Sinusoid, {}, {}, {9, 3, 16}};
    wave.scale = 10000.0;
    const Derivation derivation = derive(*trace, *model.model, wave);
    QVERIFY(std::abs(derivation.recorded - std::cos(9.0 / std::pow(10000.0, 2.0 / 16.0))) < 1e-12);
    QVERIFY(derivation.formula.starts_with("cos"));
}

void TstDerivation::anEditedNumberDisagrees()
{
    const auto [name, config] = tracedKinds().front();
    const LoadedModel model = kindModel(config);
    Interventions off;
    const Stack stack = hasTwoStacks(config) ? Stack::Encoder : Stack::Blocks;
    off.ablatedHeads = {{selfAttentionOf(stack), 0, 1}};
    const TracePtr trace = freshTrace(model, randomTexts(config, 5, 7), off);
    const NumberRef z{NumberRef::Kind::Activation, {Site::Z, 0, stack}, {}, {3, 1, 0}};
    const Derivation derivation = derive(*trace, *model.model, z);
    QCOMPARE(derivation.recorded, 0.0);
    QVERIFY(!derivation.agrees());
}

void TstDerivation::cellsOutsideAreRefused()
{
    const auto [name, config] = tracedKinds().front();
    const LoadedModel model = kindModel(config);
    const TracePtr trace = freshTrace(model, randomTexts(config, 5, 7));
    const auto& [key, tensor] = *trace->activations().begin();
    NumberRef number{NumberRef::Kind::Activation, key, {}, {}};
    for (int axis = 0; axis < tensor->shape().rank(); ++axis)
        number.index.push_back(tensor->shape()[axis]);
    QVERIFY_EXCEPTION_THROWN(derive(*trace, *model.model, number), ShapeError);
    number.index = {0};
    QVERIFY_EXCEPTION_THROWN(derive(*trace, *model.model, number), ShapeError);
}

HEADSCOPE_TEST(TstDerivation)
#include "tst_derivation.moc"
