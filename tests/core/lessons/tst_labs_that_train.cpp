// labels: learns
#include "core/base/error.h"
#include "tests/core/lessons/lab_runs.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <algorithm>

using namespace headscope;
using namespace headscope::test;

namespace {

const LabSet kShortTuning{{"steps", "60"}, {"runs", "1"}, {"held_out", "200"}};

} // namespace

class TstLabsThatTrain : public QObject
{
    Q_OBJECT

private slots:

    /// The loads of a trained model, and both trainings' balancing losses.
    void b4TrainedExpertsShowWhichTokenGoesWhere()
    {
        const LabSet set{{"steps", "40"}, {"top_k", "1"}, {"layer", "1"}};
        const LabResult result = runLab("experts-trained", set);
        QCOMPARE(flawOf(catalogueLab("experts-trained"), result), std::string());
        const auto& loads = imageIn<LabMatrix>(result, 0);
        QCOMPARE(loads.rowLabels.size(), std::size_t{2});
        const auto& tokens = imageIn<LabMatrix>(result, 1);
        std::vector<double> counted(4, 0.0);
        for (std::size_t cell = 0; cell < tokens.values.size(); ++cell)
            counted[cell / tokens.columnLabels.size()] += tokens.masked[cell] ? 0.0 : 1.0;
        for (std::size_t expert = 0; expert < 4; ++expert) // the loads count what the map shows
            QVERIFY(near(loads.values[4 + expert],
                         counted[expert] / static_cast<double>(tokens.columnLabels.size())));
        QCOMPARE(imageIn<LabChart>(result, 2).series.size(), std::size_t{2});
        QVERIFY(valueOf(result, "balance_with") < valueOf(result, "balance_without"));
        const std::string error = whatIsThrown([] {
            runLab("experts-trained", {{"model", "open"}});
        });
        QVERIFY2(error.find("no experts") != std::string::npos, error.c_str());
    }

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

    /// The numbers are of 200 held-out stories, and the sentence follows from them.
    void x1cPretrainingAndPromptsAreCompared()
    {
        LabContext context = labContext();
        double last = -1.0;
        bool isRising = true;
        context.progress = [&](double fraction) {
            isRising = isRising && fraction > last && fraction <= 1.0;
            last = fraction;
        };
        const LabResult result = runLab("fine-tuning", kShortTuning, context);
        QCOMPARE(flawOf(catalogueLab("fine-tuning"), result), std::string());
        QVERIFY(isRising);
        QCOMPARE(last, 1.0);
        QCOMPARE(valueOf(result, "held_out"), 200.0);
        for (const char* name : {"tuned_8", "random_8", "tuned_64", "random_64", "shots_0"})
            QVERIFY(std::abs(valueOf(result, name) * 2.0 -
                             std::round(valueOf(result, name) * 2.0)) < 1e-9); // of 200
        QVERIFY(valueOf(result, "tuned_64") > 70.0);                           // chance is 50
        double best = 0.0;
        for (const char* shots : {"shots_0", "shots_2", "shots_4", "shots_8"})
            best = std::max(best, valueOf(result, shots));
        QCOMPARE(valueOf(result, "shots_best"), best);
        double tuned = 0.5;
        double random = 0.5;
        for (const char* labelled : {"8", "16", "32", "64"}) {
            const double one = valueOf(result, std::string("tuned_") + labelled) / 100.0;
            const double other = valueOf(result, std::string("random_") + labelled) / 100.0;
            if (std::abs(one - other) > std::abs(tuned - random) + 1e-9) {
                tuned = one;
                random = other;
            }
        }
        const double doubt =
            2.0 * std::sqrt((tuned * (1.0 - tuned) + random * (1.0 - random)) / 200.0);
        const char* said = tuned - random > doubt   ? "Pretraining helps most"
                           : random - tuned > doubt ? "Pretraining does not help"
                                                    : "no clear difference";
        QVERIFY2(result.sentence.find(said) != std::string::npos, result.sentence.c_str());
    }

    void fineTuningRepeatsToTheBitAndStops()
    {
        const LabSet set{{"steps", "10"}, {"runs", "1"}, {"held_out", "50"}};
        const LabResult once = runLab("fine-tuning", set);
        const LabResult again = runLab("fine-tuning", set);
        QCOMPARE(once.sentence, again.sentence);
        for (std::size_t i = 0; i < once.numbers.size(); ++i)
            QCOMPARE(once.numbers[i].value, again.numbers[i].value);
        std::stop_source stop;
        LabContext context = labContext();
        context.progress = [&stop](double) { stop.request_stop(); };
        const Lab& lab = catalogueLab("fine-tuning");
        QVERIFY_EXCEPTION_THROWN(lab.run(LabSettings(lab.controls), context, stop.get_token()),
                                 Cancelled);
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
