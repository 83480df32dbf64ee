// labels: learns
#include "core/base/error.h"
#include "tests/core/lessons/lab_runs.h"
#include "tests/support/test_program.h"

#include <QTest>

using namespace headscope;
using namespace headscope::test;

namespace {

} // namespace

class TstLabsThatTrain : public QObject
{
    Q_OBJECT

private slots:

    /// A few steps: the numbers are those of real trainings, and the learned table ends.
    void o7ExtrapolationIsMeasuredOnModelsTrainedHere()
    {
        LabContext context = labContext();
        double last = -1.0;
        bool isRising = true;
        context.progress = [&](double fraction) {
            isRising = isRising && fraction >= last && fraction <= 1.0;
            last = fraction;
        };
        const LabResult result = runLab("extrapolation", {{"steps", "10"}}, context);
        QCOMPARE(flawOf(catalogueLab("extrapolation"), result), std::string());
        QVERIFY(isRising && last > 0.9);
        QVERIFY(result.number("alibi_128").value > 1.0);
        QVERIFY_THROWS_EXCEPTION(Error, result.number("learned_64"));
        QVERIFY(result.number("learned_32").value > 1.0);
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
};

HEADSCOPE_TEST_WITHOUT_APPLICATION(TstLabsThatTrain)
#include "tst_labs_that_train.moc"
