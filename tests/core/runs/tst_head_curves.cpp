#include "core/runs/head_probe.h"
#include "tests/core/runs/repeated_snippets.h"
#include "tests/core/runs/small_run.h"
#include "tests/support/test_program.h"

#include <QtTest>

#include <algorithm>
#include <cmath>

using namespace headscope;
using namespace headscope::test;

namespace {

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

} // namespace

class TstHeadCurves : public QObject
{
    Q_OBJECT

private slots:

    void evenAttentionHasItsClosedForms()
    {
        const TrainingConfig config = repeatedSnippets(2);
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
};

HEADSCOPE_TEST(TstHeadCurves)
#include "tst_head_curves.moc"
