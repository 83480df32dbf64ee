#include "core/analysis/flow/value_norms.h"

#include "core/analysis/flow/attention_sublayer.h"
#include "core/base/error.h"
#include "tests/support/attention_parts.h"
#include "tests/support/small_models.h"
#include "tests/support/test_program.h"
#include "tests/support/traced_kinds.h"

#include <QTest>

#include <cmath>

using namespace headscope;
using namespace headscope::test;

namespace {

double length(const std::vector<double>& vector)
{
    double sum = 0.0;
    for (const double value : vector)
        sum += value * value;
    return std::sqrt(sum);
}

/// One head whose W_O is I.
Model identityModel(std::int64_t width)
{
    ModelConfig config = smallConfig();
    config.dModel = width;
    config.heads = 1;
    config.layers = 1;
    ParameterSet parameters(config);
    const MutableTensorView output = parameters.view("h.0.attn.o.weight");
    for (std::int64_t i = 0; i < width; ++i)
        output(i, i) = 1.0F;
    return {config, std::move(parameters)};
}

Trace handMade(const Tensor& pattern, const Tensor& values)
{
    return {{},
            {{{Site::Pattern, 0}, std::make_shared<const Tensor>(pattern)},
             {{Site::Value, 0}, std::make_shared<const Tensor>(values)}},
            {}};
}

/// Heads 0 and 1 of a hand-made two-head model write +v and -v.
Model cancellingModel()
{
    ModelConfig config = smallConfig();
    config.dModel = 4;
    config.heads = 2;
    config.layers = 1;
    ParameterSet parameters(config);
    const MutableTensorView output = parameters.view("h.0.attn.o.weight"); // [4, 2 heads * 2]
    output(0, 0) = 1.0F;
    output(0, 2) = -1.0F;
    return {config, std::move(parameters)};
}

} // namespace

class TstValueNorms : public QObject
{
    Q_OBJECT

private slots:

    void unitValuesThroughTheIdentityGiveAttentionItself()
    {
        const Model model = identityModel(4);
        Tensor pattern({1, 3, 3});
        const float weights[] = {1.0F, 0.0F, 0.0F, 0.25F, 0.75F, 0.0F, 0.5F, 0.125F, 0.375F};
        std::copy(std::begin(weights), std::end(weights), pattern.data());
        Tensor values({3, 1, 4});
        values.view()(0, 0, 1) = 1.0F;
        values.view()(1, 0, 0) = 0.6F;
        values.view()(1, 0, 3) = -0.8F;
        values.view()(2, 0, 2) = -1.0F;
        const Trace trace = handMade(pattern, values);
        const Tensor norms = valueNorms(trace, model, {});
        const Tensor layer = AttentionSublayer(trace, model, {}).squaredLengths();
        for (std::size_t i = 0; i < 9; ++i) {
            QVERIFY(std::abs(norms.data()[i] - weights[i]) < 1e-6F);
            QVERIFY(std::abs(std::sqrt(layer.data()[i]) - weights[i]) < 1e-6F);
        }
    }

    void theLayersNormIsNotTheSumOfTheHeads()
    {
        const Model model = cancellingModel();
        Tensor pattern({2, 1, 1});
        pattern.view()(0, 0, 0) = 1.0F;
        pattern.view()(1, 0, 0) = 1.0F;
        Tensor values({1, 2, 2});
        values.view()(0, 0, 0) = 3.0F;
        values.view()(0, 1, 0) = 3.0F;
        const Trace trace = handMade(pattern, values);
        const Tensor norms = valueNorms(trace, model, {});
        QCOMPARE(norms.view()(0, 0, 0), 3.0F);
        QCOMPARE(norms.view()(1, 0, 0), 3.0F);
        QCOMPARE(AttentionSublayer(trace, model, {}).squaredLengths().view()(0, 0), 0.0F);
    }

    void everyKindOfModelAgreesWithPlainLoops_data()
    {
        QTest::addColumn<int>("kind");
        const auto kinds = tracedKinds();
        for (std::size_t kind = 0; kind < kinds.size(); ++kind)
            QTest::newRow(kinds[kind].first.c_str()) << static_cast<int>(kind);
    }

    void everyKindOfModelAgreesWithPlainLoops()
    {
        QFETCH(int, kind);
        const ModelConfig config = tracedKinds()[static_cast<std::size_t>(kind)].second;
        const LoadedModel model = kindModel(config);
        const TracePtr trace = freshTrace(model, randomTexts(config, 3, 6));
        for (const SublayerIndex& place : attentionPlaces(config)) {
            const Tensor norms = valueNorms(*trace, *model.model, place);
            const Tensor layer = AttentionSublayer(*trace, *model.model, place).squaredLengths();
            QVERIFY(replacedHeads(*trace, *model.model, place).empty());
            for (std::int64_t query = 0; query < norms.shape()[1]; ++query)
                for (std::int64_t key = 0; key < norms.shape()[2]; ++key) {
                    std::vector<double> sum(static_cast<std::size_t>(config.dModel));
                    for (std::int64_t head = 0; head < norms.shape()[0]; ++head) {
                        const auto part = plainPart(*trace, *model.model, place, head, query, key);
                        for (std::size_t i = 0; i < sum.size(); ++i)
                            sum[i] += part[i];
                        const double got = norms.view()(head, query, key);
                        QVERIFY(std::abs(got - length(part)) < 1e-5 * (1.0 + length(part)));
                    }
                    const double got = std::sqrt(double{layer.view()(query, key)});
                    QVERIFY(std::abs(got - length(sum)) < 2e-4 * (1.0 + length(sum)));
                }
        }
    }

    void aHeadThatIsOffMovesNothing()
    {
        const LoadedModel model = kindModel(tracedKinds().front().second);
        Interventions off;
        off.ablatedHeads.push_back({1, 2});
        const TracePtr trace = freshTrace(model, randomTexts(model.model->config(), 5, 6), off);
        const SublayerIndex place{Stack::Blocks, 1, false};
        QCOMPARE(replacedHeads(*trace, *model.model, place), std::vector<int>{2});
        const Tensor norms = valueNorms(*trace, *model.model, place);
        for (std::int64_t key = 0; key < 6; ++key) {
            QCOMPARE(norms.view()(2, 5, key), 0.0F);
            QVERIFY(norms.view()(1, 5, key) > 0.0F);
        }
    }

    void aHeadOfSmallValuesThatIsOffIsFound()
    {
        const ModelConfig config = tracedKinds().front().second;
        const LoadedModel whole = kindModel(config);
        ParameterSet parameters = whole.model->parameters();
        for (const char* name : {"h.1.attn.v.weight", "h.1.attn.v.bias"}) {
            const MutableTensorView values = parameters.view(name);
            for (std::int64_t i = 0; i < values.shape.elementCount(); ++i)
                values.data[i] *= 1e-5F; // far below one
        }
        const LoadedModel model{
            "small", std::make_shared<const Model>(config, std::move(parameters)), whole.tokenizer};
        const SourceAndTarget texts = randomTexts(config, 5, 6);
        const SublayerIndex place{Stack::Blocks, 1, false};
        QVERIFY(replacedHeads(*freshTrace(model, texts), *model.model, place).empty());
        Interventions off;
        off.ablatedHeads.push_back({1, 2});
        QCOMPARE(replacedHeads(*freshTrace(model, texts, off), *model.model, place),
                 std::vector<int>{2});
    }

    void rowsAreDividedByTheirSums()
    {
        Tensor weights({2, 2, 2});
        const float values[] = {1.0F, 3.0F, 0.0F, 0.0F, 2.0F, 2.0F, 0.0F, 5.0F};
        std::copy(std::begin(values), std::end(values), weights.data());
        const Tensor rows = rowsToOne(weights.view());
        const float expected[] = {0.25F, 0.75F, 0.0F, 0.0F, 0.5F, 0.5F, 0.0F, 1.0F};
        for (std::size_t i = 0; i < 8; ++i)
            QCOMPARE(rows.data()[i], expected[i]);
    }

    void itStopsAndSaysWhatIsMissing()
    {
        const Model model = identityModel(4);
        QVERIFY_THROWS_EXCEPTION(Error, valueNorms(Trace({}, {}, {}), model, {}));
        std::stop_source stop;
        stop.request_stop();
        const Trace trace = handMade(Tensor({1, 2, 2}), Tensor({2, 1, 4}));
        QVERIFY_THROWS_EXCEPTION(Cancelled, valueNorms(trace, model, {}, stop.get_token()));
        QVERIFY_THROWS_EXCEPTION(
            Cancelled, AttentionSublayer(trace, model, {}).squaredLengths(stop.get_token()));
    }
};

HEADSCOPE_TEST(TstValueNorms)
#include "tst_value_norms.moc"
