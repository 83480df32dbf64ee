// labels: learns
#include "core/runs/head_probe.h"
#include "core/runs/jumps.h"
#include "core/runs/run_curves.h"
#include "tests/core/runs/repeated_snippets.h"
#include "tests/core/runs/small_run.h"
#include "tests/support/test_program.h"

#include <QtTest>

#include <algorithm>
#include <cmath>

using namespace headscope;
using namespace headscope::test;

namespace {

/// Of the training loss, in units of its own range: the fall at the start is none.
std::vector<Jump> lossJumps(const RunCurves& curves)
{
    std::vector<std::int64_t> steps;
    std::vector<double> losses;
    for (const LogLine& line : curves.lines) {
        if (!std::isfinite(line.loss))
            continue;
        steps.push_back(line.step);
        losses.push_back(line.loss);
    }
    const auto [low, high] = std::ranges::minmax(losses);
    return findJumps(steps, losses, {.height = 0.3 * (high - low)});
}

LiveRun trained(const TrainingConfig& config, const std::filesystem::path& folder)
{
    LiveRun run = LiveRun::create(config, optionsFor(folder));
    train(run, config.steps);
    return run;
}

} // namespace

/// Runs in which an induction head forms, or cannot.
class TstInductionRuns : public QObject
{
    Q_OBJECT

private slots:

    void theInductionJumpIsFoundWithItsHeadAndItsStep()
    {
        Folder folder;
        const LiveRun run = trained(repeatedSnippets(2), folder.path("two"));
        const auto jumps = findJumps(run.headCurves());
        const auto found = std::find_if(jumps.begin(), jumps.end(),
                                        [](const Jump& jump) { return jump.curve == "induction"; });
        QVERIFY(found != jumps.end());
        QCOMPARE(found->place->layer, 1); // the head that looks back needs one below it
        QVERIFY2(found->after > 0.7 && found->before < 0.1, describe(*found).c_str());
        // by another way: the first measured step beyond half of what the score ends with
        const auto steps = run.headCurves().steps();
        const auto curve = run.headCurves().curve("induction", *found->place);
        std::size_t at = 0;
        while (curve[at] < 0.5 * curve.back())
            ++at;
        QVERIFY2(std::abs(steps[at] - found->step) <= 20, describe(*found).c_str());
        // the loss falls where the head appears
        const auto losses = lossJumps(RunCurves::read(run.folder()));
        QCOMPARE(losses.size(), std::size_t(1));
        QVERIFY2(std::abs(losses[0].step - found->step) <= 60, describe(losses[0]).c_str());
        // and the run has put it on record
        const auto& events = run.events();
        QVERIFY(std::ranges::any_of(events, [&](const RunEvent& event) {
            return event.kind == RunEvent::Kind::Jump && event.curve == "induction" &&
                   event.layer == 1 && event.head == found->place->head &&
                   std::abs(event.step - found->step) <= 20;
        }));
    }

    void oneLayerDoesNotJump()
    {
        Folder folder;
        const LiveRun run = trained(repeatedSnippets(1), folder.path("one"));
        const auto jumps = findJumps(run.headCurves());
        QVERIFY(std::ranges::none_of(jumps,
                                     [](const Jump& jump) { return jump.curve == "induction"; }));
        for (const HeadId& place : run.headCurves().places())
            QVERIFY(run.headCurves().curve("induction", place).back() < 0.2);
        QVERIFY(std::ranges::none_of(
            run.events(), [](const RunEvent& event) { return event.curve == "induction"; }));
    }
};

HEADSCOPE_TEST(TstInductionRuns)
#include "tst_induction_runs.moc"
