#include "core/runs/head_probe.h"
#include "core/runs/jumps.h"
#include "core/runs/run_curves.h"
#include "tests/core/runs/small_run.h"
#include "tests/support/test_program.h"

#include <QtTest>

#include <algorithm>
#include <cmath>

using namespace headscope;
using namespace headscope::test;

namespace {

/// As the shipped model for induction, for fewer steps.
TrainingConfig repeatConfig(int layers)
{
    return parseTrainingConfig(
        R"({"model": {"d_model": 64, "n_layers": )" + std::to_string(layers) +
            R"(, "n_heads": 4, "d_ff": 0, "max_len": 128, "positions": "learned",
                "tie_embeddings": false, "init_from": "fan_in"},
            "data": {"task": "repeat", "variant": "snippets", "validation_batches": 1},
            "optimizer": {"lr": 0.003, "beta2": 0.98, "weight_decay": 0.01},
            "schedule": {"name": "warmup_cosine", "warmup_steps": 50, "total_steps": 2600},
            "batch_size": 24, "steps": 850, "seed": 1})",
        "test");
}

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

Model withoutPositionsOrWeights(const ModelConfig& config)
{
    ParameterSet parameters(config); // all zero: every score is 0, so attention is even
    return {config, std::move(parameters)};
}

double harmonic(std::int64_t first, std::int64_t last)
{
    double sum = 0.0;
    for (std::int64_t i = first; i <= last; ++i)
        sum += 1.0 / static_cast<double>(i);
    return sum;
}

bool isClose(double a, double b)
{
    return std::abs(a - b) < 1e-5;
}

LiveRun trained(const TrainingConfig& config, const std::filesystem::path& folder)
{
    LiveRun run = LiveRun::create(config, optionsFor(folder));
    train(run, config.steps);
    return run;
}

} // namespace

class TstHeadCurves : public QObject
{
    Q_OBJECT

private slots:

    void evenAttentionHasItsClosedForms()
    {
        const TrainingConfig config = repeatConfig(2);
        const PreparedData data = prepareData(config);
        const Model model = withoutPositionsOrWeights(data.model);
        CpuAttention backend;
        const HeadScorePoint point = HeadProbe(data).measure(model, 7, backend);
        QCOMPARE(point.step, std::int64_t(7));
        QCOMPARE(point.places.size(), std::size_t(8));
        const std::int64_t n = 128;
        for (const HeadId& place : point.places) {
            // query i sees i + 1 keys
            const double mass = (harmonic(2, n)) / static_cast<double>(n - 1);
            QVERIFY(isClose(point.value("previous_token", place), mass));
            QVERIFY(isClose(point.value("first_token", place), mass));
            QVERIFY(isClose(point.value("self", place), harmonic(1, n) / static_cast<double>(n)));
            QVERIFY(isClose(point.value("entropy", place), 1.0));
            // 25 tokens twice after one: the second copy is at 26 .. 50
            QVERIFY(isClose(point.value("induction", place), harmonic(27, 51) / 25.0));
            QVERIFY(isClose(point.value("duplicate_token", place), harmonic(27, 51) / 25.0));
            QVERIFY(std::isnan(point.value("diagonal", place)));
        }
    }

    void encodersAndCrossAttentionHaveTheirOwnScores()
    {
        const TrainingConfig config = parseTrainingConfig(
            R"({"model": {"architecture": "encoder-decoder", "d_model": 16, "n_layers": 2,
                "n_heads": 2, "d_ff": 32, "max_len": 32}, "data": {"task": "reverse",
                "min_length": 6, "max_length": 6}, "batch_size": 4})",
            "test");
        const PreparedData data = prepareData(config);
        CpuAttention backend;
        const HeadScorePoint point =
            HeadProbe(data).measure(withoutPositionsOrWeights(data.model), 0, backend);
        QCOMPARE(point.places.size(), std::size_t(2 * 2 * 3));
        const HeadId cross{AttentionKind::Cross, 1, 1};
        QVERIFY(isClose(point.value("diagonal", cross), 1.0 / 7.0)); // six symbols and <eos>
        QVERIFY(isClose(point.value("antidiagonal", cross), 1.0 / 7.0));
        QVERIFY(isClose(point.value("entropy", cross), 1.0));
        QVERIFY(std::isnan(point.value("previous_token", cross)));
        const HeadId encoder{AttentionKind::EncoderSelf, 0, 1};
        QVERIFY(isClose(point.value("previous_token", encoder), 1.0 / 7.0));
        QVERIFY(isClose(point.value("entropy", encoder), 1.0));
        QVERIFY(std::isnan(point.value("induction", encoder)));
        QCOMPARE(toString(cross), std::string("cross L1H1"));
        QCOMPARE(toString(encoder), std::string("encoder L0H1"));
    }

    void scoresComeBackFromTheFileAsTheyWere()
    {
        Folder folder;
        const auto run = folder.path("run");
        std::filesystem::create_directories(run);
        const HeadScorePoint first{0,
                                   {{AttentionKind::Self, 0, 0}, {AttentionKind::Cross, 1, 11}},
                                   {{"induction", {0.1, std::nan("")}}, {"entropy", {0.25, 1.0}}}};
        HeadScorePoint second = first;
        second.step = 5;
        appendLines(run / "scores.jsonl",
                    toJsonLine(first) + "\n" + toJsonLine(second) + "\n" +
                        "{\"step\": 9, \"places\": [\"X1\"]}\n{\"step\": 10, \"pla");
        const HeadCurves curves = HeadCurves::read(run);
        QCOMPARE(curves.steps(), (std::vector<std::int64_t>{0, 5}));
        QVERIFY(curves.places() == first.places);
        QCOMPARE(curves.names(), (std::vector<std::string>{"induction", "entropy"}));
        QCOMPARE(curves.curve("entropy", first.places[1]), (std::vector<double>{1.0, 1.0}));
        QVERIFY(std::isnan(curves.curve("induction", first.places[1])[0]));
        QVERIFY(HeadCurves::read(folder.path("none")).points().empty());
    }

    void theInductionJumpIsFoundWithItsHeadAndItsStep()
    {
        Folder folder;
        const LiveRun run = trained(repeatConfig(2), folder.path("two"));
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
        const LiveRun run = trained(repeatConfig(1), folder.path("one"));
        const auto jumps = findJumps(run.headCurves());
        QVERIFY(std::ranges::none_of(jumps,
                                     [](const Jump& jump) { return jump.curve == "induction"; }));
        for (const HeadId& place : run.headCurves().places())
            QVERIFY(run.headCurves().curve("induction", place).back() < 0.2);
        QVERIFY(std::ranges::none_of(
            run.events(), [](const RunEvent& event) { return event.curve == "induction"; }));
    }
};

HEADSCOPE_TEST(TstHeadCurves)
#include "tst_head_curves.moc"
