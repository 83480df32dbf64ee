// labels: learns
#include "core/base/error.h"
#include "tests/core/lessons/lab_runs.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <algorithm>

using namespace headscope;
using namespace headscope::test;

class TstLabsThatTrain : public QObject
{
    Q_OBJECT

private slots:

    /// A few dozen steps: the numbers are those of real trainings, and the learned table ends.
    void o7ExtrapolationIsMeasuredOnModelsTrainedHere()
    {
        LabContext context = labContext();
        double last = -1.0;
        bool isRising = true;
        context.progress = [&](double fraction) {
            isRising = isRising && fraction >= last && fraction <= 1.0;
            last = fraction;
        };
        const LabResult early = runLab("extrapolation", {{"steps", "10"}});
        const LabResult result = runLab("extrapolation", {{"steps", "60"}}, context);
        QCOMPARE(flawOf(catalogueLab("extrapolation"), result), std::string());
        QVERIFY(isRising && last > 0.9);
        QVERIFY_THROWS_EXCEPTION(Error, result.number("learned_64"));
        // about 270 after 10 steps, where nothing but the tokens' frequencies is known
        for (const char* learned : {"learned_32", "sinusoidal_32", "alibi_32"})
            QVERIFY(valueOf(result, learned) < 0.7 * valueOf(early, learned));
        for (const char* length : {"16", "32", "64", "128"}) { // ALiBi learns neighbours at once
            const std::string alibi = std::string("alibi_") + length;
            const std::string waves = std::string("sinusoidal_") + length;
            QVERIFY(valueOf(result, alibi.c_str()) < 0.75 * valueOf(result, waves.c_str()));
        }
        QVERIFY(valueOf(result, "alibi_128") > valueOf(result, "alibi_32"));
        QCOMPARE(valueOf(result, "times_worse"),
                 valueOf(result, "alibi_128") / valueOf(result, "alibi_32"));
        const auto& weights = std::get<LabChart>(result.panels.at(1).plot);
        QCOMPARE(weights.series.size(), std::size_t{2});
        for (const auto& series : weights.series) {
            QCOMPARE(series.y.size(), std::size_t{128});
            QVERIFY(std::isfinite(series.y[127]) && series.y[0] > 0.0);
        }
    }

    /// P1: a few dozen steps show it: below the honest loss in training, far above it in earnest.
    void p1TrainedWithoutTheMaskTheLossCollapsesAndWritingFails()
    {
        const LabResult result = runLab("leak-trained", {{"steps", "100"}});
        QCOMPARE(flawOf(catalogueLab("leak-trained"), result), std::string());
        QVERIFY(valueOf(result, "loss_without") < 0.5 * valueOf(result, "loss_with"));
        QVERIFY(valueOf(result, "past_without") > 1.5 * valueOf(result, "past_with"));
        QVERIFY(valueOf(result, "known_without") < valueOf(result, "known_with"));
    }

    /// R8: translation of combinations that training never has, with its alignment.
    void r8ThePhraseBookIsTranslatedAndScored()
    {
        const LabSet set{{"steps", "500"}};
        const LabResult result = runLab("sequences", set);
        QCOMPARE(flawOf(catalogueLab("sequences"), result), std::string());
        QVERIFY(valueOf(result, "exact") > 60.0);
        QVERIFY(valueOf(result, "bleu") > 80.0);
        QVERIFY(valueOf(result, "aligned") > 30.0);
        const auto& bleu = imageIn<LabChart>(result, 1).series.front();
        QVERIFY(bleu.y.front() < 0.05 && bleu.y.back() > 0.8);
        const auto& answers = imageIn<LabTable>(result, 2);
        QCOMPARE(answers.rows[0][3], std::string("汤姆星期一在图书馆读两本书"));
        QCOMPARE(answers.rows[0][2], answers.rows[0][3]);
        QCOMPARE(answers.rows[0][4], std::string("100.0"));
        const auto& pattern = imageIn<LabMatrix>(result, 0);
        QCOMPARE(pattern.columnLabels.size(), std::size_t{10}); // nine words and <eos>
        QCOMPARE(pattern.rowLabels.size(), std::size_t{14});
        QCOMPARE(runLab("sequences", set).sentence, result.sentence); // not trained again
    }

    void r8SymbolsAreReversedOnTheAntidiagonal()
    {
        const LabResult result =
            runLab("sequences", {{"steps", "800"}, {"task", "reverse"}, {"source", "K7qm 2x"}});
        QVERIFY(valueOf(result, "exact") > 80.0);
        QVERIFY(valueOf(result, "aligned") > 40.0);
        QCOMPARE(imageIn<LabTable>(result, 2).rows[0][3], std::string("x2mq7"));
        const QString without = QString::fromStdString(whatIsThrown([] {
            runLab("sequences", {{"task", "reverse"}, {"source", "!"}, {"steps", "20"}});
        }));
        QVERIFY2(without.contains("cannot be read"), qPrintable(without));
    }

    /// X7: the biases are learned, and the answers depend on them.
    void x7AT5LikeModelLearnsOrderFromItsBiases()
    {
        const LabResult result = runLab("t5-trained");
        QCOMPARE(flawOf(catalogueLab("t5-trained"), result), std::string());
        QCOMPARE(valueOf(result, "exact_before"), 0.0);
        QVERIFY(valueOf(result, "exact") > 70.0);
        QVERIFY(valueOf(result, "exact_without") < 0.5 * valueOf(result, "exact"));
        QVERIFY(valueOf(result, "change") > 0.5);
        const auto& encoder = imageIn<LabMatrix>(result, 0);
        const auto& decoder = imageIn<LabMatrix>(result, 1);
        QCOMPARE(encoder.columnLabels.size(), std::size_t{21});
        QCOMPARE(decoder.columnLabels.size(), std::size_t{11});
        QCOMPARE(encoder.rowLabels.size() % 2, std::size_t{0});
        double largest = 0.0;
        for (const auto* matrix : {&encoder, &decoder})
            for (const double value : matrix->values)
                largest = std::max(largest, std::abs(value));
        QCOMPARE(largest, valueOf(result, "largest"));
        const auto& answers = imageIn<LabTable>(result, 2);
        QCOMPARE(answers.rows[1][1], std::string("x2mq7k"));
        QCOMPARE(answers.rows[3][1], std::string("x2mq7k"));
        QVERIFY(answers.rows[0][1] != answers.rows[1][1]);
    }
};

HEADSCOPE_TEST_WITHOUT_APPLICATION(TstLabsThatTrain)
#include "tst_labs_that_train.moc"
