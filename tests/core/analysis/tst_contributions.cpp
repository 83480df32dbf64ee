#include "core/analysis/flow/contributions.h"

#include "core/attention/cpu_attention.h"
#include "core/base/error.h"
#include "tests/support/small_models.h"
#include "tests/support/test_program.h"
#include "tests/support/traced_kinds.h"

#include <QTest>

#include <cmath>

using namespace headscope;
using namespace headscope::test;

namespace {

std::vector<SublayerIndex> placesOf(const ModelConfig& config)
{
    if (config.layers == 0)
        return {};
    const int last = static_cast<int>(config.layers) - 1;
    if (!hasTwoStacks(config))
        return {{Stack::Blocks, last, false}};
    const int lastOfDecoder = static_cast<int>(config.decoderLayerCount()) - 1;
    return {{Stack::Encoder, last, false},
            {Stack::Decoder, 0, false},
            {Stack::Decoder, lastOfDecoder, true}};
}

std::shared_ptr<const Tensor> recorded(const Trace& trace, const SublayerIndex& place, Site self,
                                       Site cross)
{
    return trace.find({place.cross ? cross : self, place.layer, place.stack});
}

double length(const std::vector<double>& vector)
{
    double sum = 0.0;
    for (const double value : vector)
        sum += value * value;
    return std::sqrt(sum);
}

/// Shares of one row the long way: from the part vectors themselves.
std::vector<double> plainFractions(const Tensor& parts, const float* residual, const float* out,
                                   ContributionMeasure measure)
{
    const auto width = static_cast<std::size_t>(parts.shape()[1]);
    std::vector<double> whole(width);
    for (std::size_t i = 0; i < width; ++i)
        whole[i] = double{residual[i]} + double{out[i]};
    std::vector<double> sizes;
    double sum = 0.0;
    for (std::int64_t part = 0; part <= parts.shape()[0]; ++part) {
        const float* vector = part == parts.shape()[0] ? residual : &parts.view()(part, 0);
        std::vector<double> own(vector, vector + width);
        std::vector<double> rest(width);
        for (std::size_t i = 0; i < width; ++i)
            rest[i] = whole[i] - own[i];
        const double size = measure == ContributionMeasure::Length
                                ? length(own)
                                : std::max(length(whole) - length(rest), 0.0);
        sizes.push_back(size);
        sum += size;
    }
    for (double& size : sizes)
        size /= sum;
    return sizes;
}

} // namespace

class TstContributions : public QObject
{
    Q_OBJECT

private slots:

    void allKinds_data()
    {
        QTest::addColumn<int>("kind");
        const auto kinds = tracedKinds();
        for (std::size_t kind = 0; kind < kinds.size(); ++kind)
            QTest::newRow(kinds[kind].first.c_str()) << static_cast<int>(kind);
    }

    void partsAddUpToTheRecordedOutput_data() { allKinds_data(); }

    void partsAddUpToTheRecordedOutput()
    {
        QFETCH(int, kind);
        const ModelConfig config = tracedKinds()[static_cast<std::size_t>(kind)].second;
        const LoadedModel model = kindModel(config);
        const TracePtr trace = freshTrace(model, randomTexts(config, 3, 7));
        for (const SublayerIndex& place : placesOf(config)) {
            const auto out = recorded(*trace, place, Site::AttnOut, Site::CrossOut);
            const TensorView bias = outputBias(*model.model, place);
            double largest = 0.0;
            for (std::int64_t query = 0; query < out->shape()[0]; ++query) {
                const Tensor parts = tokenParts(*trace, *model.model, place, query);
                for (std::int64_t channel = 0; channel < out->shape()[1]; ++channel) {
                    double sum = bias ? double{bias(channel)} : 0.0;
                    for (std::int64_t key = 0; key < parts.shape()[0]; ++key)
                        sum += double{parts.view()(key, channel)};
                    const double expected = out->view()(query, channel);
                    largest = std::max(largest, std::abs(sum - expected) /
                                                    std::max(1.0, std::abs(expected)));
                }
            }
            QVERIFY2(largest <= 1e-5, qPrintable(QString::number(largest)));
        }
    }

    void sharesAreThoseOfThePartsThemselves_data() { allKinds_data(); }

    void sharesAreThoseOfThePartsThemselves()
    {
        QFETCH(int, kind);
        const ModelConfig config = tracedKinds()[static_cast<std::size_t>(kind)].second;
        const LoadedModel model = kindModel(config);
        const TracePtr trace = freshTrace(model, randomTexts(config, 4, 6));
        for (const SublayerIndex& place : placesOf(config)) {
            const auto before = recorded(*trace, place, Site::ResidPre, Site::ResidMid);
            const auto out = recorded(*trace, place, Site::AttnOut, Site::CrossOut);
            const Tensor none(before->shape());
            const Tensor& stream = config.hasResidual() ? *before : none;
            for (const auto measure :
                 {ContributionMeasure::Length, ContributionMeasure::Distance}) {
                const SublayerContributions fractions =
                    sublayerContributions(*trace, *model.model, place, measure);
                QVERIFY(fractions.replacedHeads.empty());
                for (std::int64_t query = 0; query < before->shape()[0]; ++query) {
                    const std::vector<double> expected =
                        plainFractions(tokenParts(*trace, *model.model, place, query),
                                       &stream.view()(query, 0), &out->view()(query, 0), measure);
                    double sum = fractions.residual.view()(query);
                    QVERIFY(std::abs(sum - expected.back()) < 1e-4);
                    for (std::int64_t key = 0; key < fractions.tokens.shape()[1]; ++key) {
                        const double got = fractions.tokens.view()(query, key);
                        QVERIFY(std::abs(got - expected[static_cast<std::size_t>(key)]) < 1e-4);
                        sum += got;
                    }
                    QVERIFY(std::abs(sum - 1.0) < 1e-5);
                }
            }
        }
    }

    void whereNothingIsAddedTheResidualIsAll()
    {
        ModelConfig config = smallConfig();
        config.initStd = 0.0; // the residual stream is zero throughout
        const LoadedModel model = smallModel(1, config);
        const TracePtr trace = freshTrace(model, randomTexts(config, 3, 4));
        for (const auto measure : {ContributionMeasure::Length, ContributionMeasure::Distance}) {
            const SublayerContributions got =
                sublayerContributions(*trace, *model.model, {Stack::Blocks, 1, false}, measure);
            for (const float residual : got.residual.values())
                QCOMPARE(residual, 1.0F);
            for (const float token : got.tokens.values())
                QCOMPARE(token, 0.0F);
        }
    }

    void aHeadThatIsOffHasNoShare()
    {
        const LoadedModel model = kindModel(tracedKinds().front().second);
        const SourceAndTarget texts = randomTexts(model.model->config(), 5, 6);
        Interventions off;
        off.ablatedHeads.push_back({1, 2});
        const TracePtr trace = freshTrace(model, texts, off);
        const SublayerIndex place{Stack::Blocks, 1, false};
        QCOMPARE(sublayerContributions(*trace, *model.model, place, ContributionMeasure::Length)
                     .replacedHeads,
                 std::vector<int>{2});
        const std::vector<float> heads = headParts(*trace, *model.model, place, 5, 3);
        QCOMPARE(heads.size(), std::size_t{4});
        QCOMPARE(heads[2], 0.0F);
        QVERIFY(heads[1] > 0.0F);
    }

    void whatIsMissingIsNamed()
    {
        const LoadedModel model = kindModel(tracedKinds().front().second);
        QVERIFY_THROWS_EXCEPTION(Error, sublayerContributions(Trace({}, {}, {}), *model.model, {},
                                                              ContributionMeasure::Length));
    }
};

HEADSCOPE_TEST(TstContributions)
#include "tst_contributions.moc"
