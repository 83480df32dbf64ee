#include "core/analysis/flow/value_contributions.h"

#include "core/base/error.h"
#include "tests/support/attention_parts.h"
#include "tests/support/tensors.h"
#include "tests/support/test_program.h"
#include "tests/support/traced_kinds.h"

#include <QTest>

#include <cmath>
#include <numeric>

using namespace headscope;
using namespace headscope::test;

namespace {

constexpr SublayerIndex kSecondLayer{Stack::Blocks, 1, false};

std::vector<double> rowOf(const Tensor& rows, std::int64_t index)
{
    const float* const row = &rows.view()(index, 0);
    return {row, row + rows.shape()[1]};
}

double sumAt(const ValueContributions& fractions, std::int64_t query)
{
    double sum = 0.0;
    for (std::int64_t head = 0; head < fractions.heads.shape()[0]; ++head)
        for (std::int64_t key = 0; key < fractions.heads.shape()[2]; ++key)
            sum += double{fractions.heads.view()(head, query, key)};
    for (const Tensor* named : {&fractions.residual, &fractions.bias, &fractions.replaced})
        if (!named->empty())
            sum += double{named->view()(query)};
    return sum;
}

/// The parts of one query with a share, named ones last, as vectors; and their shares as given.
struct Listed
{
    std::vector<std::vector<double>> parts;
    std::vector<double> fractions;
};

Listed listed(const Trace& trace, const Model& model, const SublayerIndex& place,
              const ValueContributions& fractions, std::int64_t query)
{
    Listed list;
    const auto add = [&list](std::vector<double> part, float fraction) {
        list.parts.push_back(std::move(part));
        list.fractions.push_back(double{fraction});
    };
    const auto pattern = recordedAt(trace, place, Site::Pattern, Site::CrossPattern);
    for (std::int64_t head = 0; head < pattern->shape()[0]; ++head)
        for (std::int64_t key = 0; key < pattern->shape()[2]; ++key)
            if (pattern->view()(head, query, key) > 0.0F)
                add(plainPart(trace, model, place, head, query, key),
                    fractions.heads.view()(head, query, key));
    if (model.config().hasResidual())
        add(rowOf(*recordedAt(trace, place, Site::ResidPre, Site::ResidMid), query),
            fractions.residual.view()(query));
    if (outputBias(model, place))
        add(plainBias(trace, model, place, query), fractions.bias.view()(query));
    return list;
}

/// What is recorded behind the sublayer, before any norm.
std::vector<double> recordedWhole(const Trace& trace, const SublayerIndex& place,
                                  std::int64_t query, bool hasResidual = true)
{
    const auto before = recordedAt(trace, place, Site::ResidPre, Site::ResidMid);
    const auto out = recordedAt(trace, place, Site::AttnOut, Site::CrossOut);
    std::vector<double> whole;
    for (std::int64_t i = 0; i < before->shape()[1]; ++i)
        whole.push_back(
            double{(hasResidual ? before->view()(query, i) : 0.0F) + out->view()(query, i)});
    return whole;
}

/// The rule as it is written, in plain loops: shares of `parts` in `whole`.
std::vector<double> l1Shares(const std::vector<std::vector<double>>& parts,
                             const std::vector<double>& whole)
{
    const auto length = [&whole](const auto& without) {
        double sum = 0.0;
        for (std::size_t i = 0; i < whole.size(); ++i)
            sum += std::abs(whole[i] - without(i));
        return sum;
    };
    const double all = length([](std::size_t) { return 0.0; });
    std::vector<double> fractions;
    for (const std::vector<double>& part : parts)
        fractions.push_back(
            std::max(all - length([&part](std::size_t i) { return part[i]; }), 1e-5));
    const double sum = std::accumulate(fractions.begin(), fractions.end(), 0.0);
    for (double& fraction : fractions)
        fraction /= sum;
    return fractions;
}

} // namespace

class TstValueContributions : public QObject
{
    Q_OBJECT

private slots:

    void theRuleIsTheOneOfThePaper()
    {
        // |y| = 4. Without (3, 0): |(0, 1)| = 1, so 3; without (1, 1): |(2, 0)| = 2, so 2; without
        // (-1, 0): 5, further than y itself, so 1e-5.
        const std::vector<double> fractions = l1Shares({{3, 0}, {1, 1}, {-1, 0}}, {3, 1});
        const double sum = 5.0 + 1e-5;
        QVERIFY(std::abs(fractions[0] - 3.0 / sum) < 1e-12);
        QVERIFY(std::abs(fractions[1] - 2.0 / sum) < 1e-12);
        QVERIFY(std::abs(fractions[2] - 1e-5 / sum) < 1e-12);
    }

    void everyKindOfModelAgreesWithItsParts_data()
    {
        QTest::addColumn<int>("kind");
        const auto kinds = tracedKinds();
        for (std::size_t kind = 0; kind < kinds.size(); ++kind)
            QTest::newRow(kinds[kind].first.c_str()) << static_cast<int>(kind);
    }

    void everyKindOfModelAgreesWithItsParts()
    {
        QFETCH(int, kind);
        const ModelConfig config = tracedKinds()[static_cast<std::size_t>(kind)].second;
        const LoadedModel model = kindModel(config);
        const TracePtr trace = freshTrace(model, randomTexts(config, 4, 6));
        for (const SublayerIndex& place : attentionPlaces(config)) {
            const ValueContributions fractions = valueContributions(*trace, *model.model, place);
            QCOMPARE(fractions.bias.empty(), !outputBias(*model.model, place));
            QVERIFY(fractions.replaced.empty());
            for (std::int64_t query = 0; query < fractions.residual.shape()[0]; ++query) {
                const Listed list = listed(*trace, *model.model, place, fractions, query);
                const std::vector<double> expected =
                    l1Shares(list.parts, recordedWhole(*trace, place, query, config.hasResidual()));
                for (std::size_t i = 0; i < expected.size(); ++i)
                    QVERIFY(std::abs(list.fractions[i] - expected[i]) < 1e-5);
                QVERIFY(std::abs(sumAt(fractions, query) - 1.0) < 1e-5); // hidden keys have none
            }
        }
    }

    void whatReplacesAHeadIsAPartOfItsOwn()
    {
        const LoadedModel model = kindModel(tracedKinds().front().second);
        const SourceAndTarget texts = randomTexts(model.model->config(), 5, 6);
        Interventions patched;
        Patch patch;
        patch.key = {Site::Z, 1};
        patch.values = std::make_shared<const Tensor>(randomTensor({1, 4, 6}, 3));
        patch.head = 2;
        patched.patches.push_back(patch);
        const TracePtr trace = freshTrace(model, texts, patched);
        const ValueContributions fractions = valueContributions(*trace, *model.model, kSecondLayer);
        QCOMPARE(fractions.replacedHeads, std::vector<int>{2});
        const auto z = trace->find({Site::Z, 1});
        for (std::int64_t query = 0; query < 6; ++query) {
            Listed list = listed(*trace, *model.model, kSecondLayer, fractions, query);
            for (std::int64_t key = 0; key <= query; ++key) { // head 2 comes from no token
                QCOMPARE(fractions.heads.view()(2, query, key), 0.0F);
                const auto place = list.parts.begin() + 2 * (query + 1);
                list.fractions.erase(list.fractions.begin() + (place - list.parts.begin()));
                list.parts.erase(place);
            }
            list.parts.push_back(throughOutput(*model.model, kSecondLayer, 2, z->view()[query][2]));
            list.fractions.push_back(double{fractions.replaced.view()(query)});
            const std::vector<double> expected =
                l1Shares(list.parts, recordedWhole(*trace, kSecondLayer, query));
            for (std::size_t i = 0; i < expected.size(); ++i)
                QVERIFY(std::abs(list.fractions[i] - expected[i]) < 1e-5);
        }
    }

    void whatIsLeftIsDividedAgain()
    {
        ValueContributions left;
        left.heads = Tensor({1, 1, 3});
        left.heads.view()(0, 0, 0) = 0.5F;
        left.residual = Tensor({1});
        left.residual.view()(0) = 0.3F;
        left.bias = Tensor({1});
        const ValueContributions whole = renormalised(left);
        QVERIFY(std::abs(whole.heads.view()(0, 0, 0) - 0.625F) < 1e-6F);
        QCOMPARE(whole.heads.view()(0, 0, 1), 0.0F);
        QCOMPARE(whole.bias.view()(0), 0.0F);
        QVERIFY(std::abs(whole.residual.view()(0) - 0.375F) < 1e-6F);
        left.heads.view()(0, 0, 0) = 0.0F;
        left.residual.view()(0) = 0.0F;
        QCOMPARE(sumAt(renormalised(left), 0), 0.0);
    }

    void itStopsAndSaysWhatIsMissing()
    {
        const LoadedModel model = kindModel(tracedKinds().front().second);
        QVERIFY_THROWS_EXCEPTION(Error,
                                 valueContributions(Trace({}, {}, {}), *model.model, kSecondLayer));
        const TracePtr trace = freshTrace(model, randomTexts(model.model->config(), 5, 6));
        std::stop_source stop;
        stop.request_stop();
        QVERIFY_THROWS_EXCEPTION(
            Cancelled, valueContributions(*trace, *model.model, kSecondLayer, stop.get_token()));
    }
};

HEADSCOPE_TEST(TstValueContributions)
#include "tst_value_contributions.moc"
