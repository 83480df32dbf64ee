#include "core/runs/head_curves.h"
#include "core/runs/run_curves.h"
#include "tests/core/runs/small_run.h"
#include "tests/support/test_program.h"

#include <QtTest>

#include <algorithm>
#include <cmath>
#include <numeric>

using namespace headscope;
using namespace headscope::test;

namespace {

TrainingConfig withExperts(std::int64_t count, double coefficient)
{
    TrainingConfig config = smallTrainingConfig();
    config.steps = 20;
    config.model.experts.count = count;
    config.model.experts.topK = 1;
    config.model.experts.balanceCoefficient = coefficient;
    return config;
}

std::vector<double> logged(const RunCurves& curves, const std::string& part)
{
    std::vector<double> values;
    for (const LogLine& line : curves.lines)
        for (const auto& [name, value] : line.lossParts)
            if (name == part)
                values.push_back(value);
    return values;
}

} // namespace

/// What a run with experts records beside its loss.
class TstExpertLoads : public QObject
{
    Q_OBJECT

private slots:

    void everyMeasurementHasTheLoadOfEachLayer()
    {
        const QTemporaryDir folder;
        const std::filesystem::path path = folder.filePath("run").toStdString();
        LiveRun run = LiveRun::create(withExperts(4, 0.01), optionsFor(path));
        HeadScorePoint last;
        while (run.stepsDone() < 20) {
            const LivePoint point = run.step();
            if (point.scores)
                last = *point.scores;
        }
        QCOMPARE(last.experts.size(), std::size_t{2});
        QCOMPARE(last.experts[1].layer, std::string("h.1"));
        for (const ExpertLoads& layer : last.experts) {
            QCOMPARE(layer.fractions.size(), std::size_t{4});
            const double sum = std::accumulate(layer.fractions.begin(), layer.fractions.end(), 0.0);
            QVERIFY(std::abs(sum - 1.0) < 1e-12);
        }
        const HeadCurves read = HeadCurves::read(path);
        QCOMPARE(read.points().back().experts[0].fractions, last.experts[0].fractions);
        QCOMPARE(read.points().back().experts[1].layer, last.experts[1].layer);
    }

    void theBalancingLossIsLoggedEvenWhereNothingMinimisesIt()
    {
        for (const double coefficient : {0.0, 0.01}) {
            const QTemporaryDir folder;
            const std::filesystem::path path = folder.filePath("run").toStdString();
            LiveRun run = LiveRun::create(withExperts(4, coefficient), optionsFor(path));
            train(run, 20);
            const std::vector<double> balances = logged(RunCurves::read(path), "balance");
            QCOMPARE(balances.size(), std::size_t{20});
            for (const double balance : balances) // E sum f P, 1 for an even load, E for one expert
                QVERIFY(balance > 0.9 && balance < 4.1);
        }
    }

    void withoutExpertsThereIsNoneOfThis()
    {
        const QTemporaryDir folder;
        const std::filesystem::path path = folder.filePath("run").toStdString();
        LiveRun run = LiveRun::create(withExperts(0, 0.01), optionsFor(path));
        train(run, 20);
        QVERIFY(HeadCurves::read(path).points().back().experts.empty());
        QVERIFY(RunCurves::read(path).lines.back().lossParts.empty());
    }
};

HEADSCOPE_TEST(TstExpertLoads)
#include "tst_expert_loads.moc"
