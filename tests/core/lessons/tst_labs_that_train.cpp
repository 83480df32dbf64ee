// labels: learns
#include "core/base/error.h"
#include "tests/core/lessons/lab_runs.h"
#include "tests/support/test_program.h"

#include <QTest>

using namespace headscope;
using namespace headscope::test;

namespace {

const LabSet kShortTuning{{"steps", "60"}, {"runs", "1"}, {"held_out", "200"}};

} // namespace

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
};

HEADSCOPE_TEST_WITHOUT_APPLICATION(TstLabsThatTrain)
#include "tst_labs_that_train.moc"
