#include "core/base/error.h"
#include "core/base/random.h"
#include "core/train/measures/ngram_baseline.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <cmath>

using namespace headscope;

namespace {

using Ids = std::vector<TokenId>;

bool near(double a, double b)
{
    return std::abs(a - b) < 1e-12;
}

class OneBatch final : public BatchSource
{
public:
    explicit OneBatch(Batch batch) : m_batch(std::move(batch)) {}

    Batch trainingBatch(std::uint64_t, std::int64_t) const override { return m_batch; }

    std::int64_t validationBatchCount() const override { return 1; }

    Batch validationBatch(std::int64_t) const override { return m_batch; }

private:
    Batch m_batch;
};

} // namespace

class TstNgramBaseline : public QObject
{
    Q_OBJECT

private slots:

    void unigramsAreDiscountedCounts()
    {
        // counts: 0 three times, 1 twice, 2 once; n1 = 1, n2 = 1, D = 1/3, kinds = 3, V = 4.
        const NgramBaseline baseline(Ids{0, 1, 0, 2, 0, 1}, 1, 4);
        const double rest = 1.0 / 3.0 * 3.0 / 6.0 / 4.0;
        QVERIFY(near(baseline.probability({}, 0), (3.0 - 1.0 / 3.0) / 6.0 + rest));
        QVERIFY(near(baseline.probability({}, 1), (2.0 - 1.0 / 3.0) / 6.0 + rest));
        QVERIFY(near(baseline.probability({}, 2), (1.0 - 1.0 / 3.0) / 6.0 + rest));
        QVERIFY(near(baseline.probability({}, 3), rest));
    }

    void bigramsFallBackToContinuations()
    {
        // 0 1 0 1 0 2: bigrams 01 x2, 10 x2, 02 x1; n1 = 1, n2 = 2, D2 = 1/5.
        // Continuations: 1 after {0}: 1, 0 after {1}: 1, 2 after {0}: 1; n1 = 3, n2 = 0, D1 = 1.
        const NgramBaseline baseline(Ids{0, 1, 0, 1, 0, 2}, 2, 4);
        const double uniform = 1.0 / 4.0; // all continuation counts are 1 and fully discounted
        const Ids zero{0};
        QVERIFY(near(baseline.probability(zero, 1), (2.0 - 0.2 + 0.2 * 2.0 * uniform) / 3.0));
        QVERIFY(near(baseline.probability(zero, 2), (1.0 - 0.2 + 0.2 * 2.0 * uniform) / 3.0));
        QVERIFY(near(baseline.probability(zero, 3), 0.2 * 2.0 * uniform / 3.0));
        QVERIFY(near(baseline.probability(Ids{3}, 1), uniform)); // a context never seen
    }

    void frequentWordsThatFollowOneWordAloneAreRare()
    {
        // 7 follows only 6, but often; 5 follows many words: Kneser and Ney's point.
        Ids tokens;
        for (int i = 0; i < 20; ++i)
            tokens.insert(tokens.end(), {6, 7});
        for (TokenId before = 0; before < 5; ++before)
            tokens.insert(tokens.end(), {before, 5});
        const NgramBaseline baseline(tokens, 2, 10);
        QVERIFY(baseline.probability(Ids{9}, 5) > 2.0 * baseline.probability(Ids{9}, 7));
    }

    void probabilitiesSumToOne_data()
    {
        QTest::addColumn<int>("order");
        for (int order = 1; order <= 5; ++order)
            QTest::newRow(qPrintable(QString("order %1").arg(order))) << order;
    }

    void probabilitiesSumToOne()
    {
        QFETCH(int, order);
        Random random(3);
        Ids tokens;
        for (int i = 0; i < 3000; ++i)
            tokens.push_back(
                static_cast<TokenId>(random.below(3) == 0 ? random.below(12) : random.below(4)));
        const NgramBaseline baseline(tokens, order, 15);
        for (int round = 0; round < 300; ++round) {
            Ids context;
            for (std::uint64_t i = random.below(7); i > 0; --i)
                context.push_back(static_cast<TokenId>(random.below(15)));
            double sum = 0.0;
            for (TokenId token = 0; token < 15; ++token) {
                const double probability = baseline.probability(context, token);
                QVERIFY(probability > 0.0);
                sum += probability;
            }
            QVERIFY2(std::abs(sum - 1.0) < 1e-9, qPrintable(QString::number(sum, 'g', 12)));
        }
    }

    void longerContextsHelpWhereTextIsRegular()
    {
        Ids tokens;
        for (int i = 0; i < 400; ++i)
            tokens.insert(tokens.end(), {0, 1, 0, 2, 0, 3});
        const OneBatch batches({1, 5, {0, 1, 0, 2, 0}, {1, 0, 2, 0, 3}});
        const double two = NgramBaseline(tokens, 2, 4).validationLoss(batches);
        const double three = NgramBaseline(tokens, 3, 4).validationLoss(batches);
        QVERIFY(three < 0.7 * two);
    }

    void lossIsTheMeanOverTheRowsTargets()
    {
        const Ids tokens{0, 1, 0, 2, 0, 1, 1, 2};
        const NgramBaseline baseline(tokens, 2, 3);
        const OneBatch batches({2, 2, {0, 1, 2, 0}, {1, kIgnoredTarget, 0, 2}});
        const double expected = -(std::log(baseline.probability(Ids{0}, 1)) +
                                  std::log(baseline.probability(Ids{2}, 0)) +
                                  std::log(baseline.probability(Ids{0}, 2))) /
                                3.0;
        QVERIFY(near(baseline.validationLoss(batches), expected));
    }

    void badArgumentsAreRefused()
    {
        const Ids tokens{0, 1};
        QVERIFY_EXCEPTION_THROWN(NgramBaseline(tokens, 0, 2), Error);
        QVERIFY_EXCEPTION_THROWN(NgramBaseline(tokens, 6, 2), Error);
        QVERIFY_EXCEPTION_THROWN(NgramBaseline(tokens, 2, 1), Error);
        const NgramBaseline baseline(tokens, 2, 2);
        QVERIFY_EXCEPTION_THROWN(baseline.probability(tokens, 2), Error);
        QVERIFY_EXCEPTION_THROWN(baseline.probability(tokens, -1), Error);
        QVERIFY(near(NgramBaseline(Ids{}, 3, 8).probability(tokens, 5), 1.0 / 8.0));
    }
};

HEADSCOPE_TEST(TstNgramBaseline)
#include "tst_ngram_baseline.moc"
