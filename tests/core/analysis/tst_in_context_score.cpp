#include "core/analysis/scores/in_context_score.h"

#include "core/base/error.h"
#include "tests/support/small_models.h"
#include "tests/support/traced_kinds.h"

#include "core/analysis/lens/next_token.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <cmath>

using namespace headscope;
using namespace headscope::test;

class TstInContextScore : public QObject
{
    Q_OBJECT

private slots:

    void thePositionsAreThePapersWhereTheTextReachesThem()
    {
        QCOMPARE(inContextPositions(501), std::optional(InContextPositions{50, 500}));
        QCOMPARE(inContextPositions(4000), std::optional(InContextPositions{50, 500}));
        QCOMPARE(inContextPositions(500), std::optional(InContextPositions{50, 499}));
        QCOMPARE(inContextPositions(20), std::optional(InContextPositions{2, 19}));
        QVERIFY(!inContextPositions(19));
        QVERIFY(!inContextPositions(0));
    }

    void itIsTheMeanOfTheTextsThatAreLongEnough()
    {
        // Entry i belongs to token i + 1.
        const std::vector<std::vector<double>> texts{
            {-5.0, -3.0, -2.0, -1.0}, {-9.0, -4.0, -3.0, -0.5, -9.0}, {-7.0, -7.0}};
        const auto score = inContextScore(texts, {2, 4});
        QVERIFY(score.has_value());
        QCOMPARE(score->texts, std::size_t{2});
        QCOMPARE(score->earlyLoss, 3.5);
        QCOMPARE(score->lateLoss, 0.75);
        QCOMPARE(score->score(), -2.75);
        QCOMPARE(score->positions, (InContextPositions{2, 4}));
        QVERIFY(!inContextScore(texts, {2, 6}));
        QVERIFY_THROWS_EXCEPTION(ShapeError, inContextScore(texts, {0, 4}));
        QVERIFY_THROWS_EXCEPTION(ShapeError, inContextScore(texts, {4, 4}));
    }

    void aTraceIsScoredByItsLogits()
    {
        const LoadedModel model = smallModel();
        const TracePtr trace = freshTrace(model, randomTexts(model.model->config(), 3, 24));
        ModelConfig config = model.model->config();
        const auto score = inContextScore(*trace, config);
        QVERIFY(score.has_value());
        QCOMPARE(score->positions, (InContextPositions{2, 23}));
        const std::vector<double> logs = logProbabilities(*trace);
        QCOMPARE(score->score(), logs[1] - logs[22]);
        QVERIFY(!inContextScore(*freshTrace(model, randomTexts(config, 3, 19)), config));
        QVERIFY(!inContextScore(Trace(tokensOf(std::vector<TokenId>(24, 1)), {}, {}), config));
        config.architecture = Architecture::Encoder;
        QVERIFY(!inContextScore(*trace, config));
    }
};

HEADSCOPE_TEST(TstInContextScore)
#include "tst_in_context_score.moc"
