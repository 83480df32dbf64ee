#include "core/base/error.h"
#include "tests/core/lessons/lab_runs.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <array>
#include <numbers>

using namespace headscope;
using namespace headscope::test;

namespace {

const LabMatrix& matrixIn(const LabResult& result, std::size_t panel)
{
    return std::get<LabMatrix>(result.panels.at(panel).plot);
}

const LabBars& barsIn(const LabResult& result, std::size_t panel)
{
    return std::get<LabBars>(result.panels.at(panel).plot);
}

const LabChart& chartIn(const LabResult& result, std::size_t panel)
{
    return std::get<LabChart>(result.panels.at(panel).plot);
}

bool throwsError(const std::function<void()>& call)
{
    try {
        call();
    } catch (const Error& error) {
        return std::string(error.what()).size() > 10;
    }
    return false;
}

} // namespace

class TstOrderLabs : public QObject
{
    Q_OBJECT

private slots:

    void everyLabCanBeDrawnAtAllEndsOfItsControls()
    {
        for (const Lab& lab : labsOf(LabSubject::Order))
            QCOMPARE(flawAtAllEnds(lab), std::string());
    }

    void equalSettingsGiveEqualNumbers()
    {
        for (const char* name : {"embedding", "rotary", "no-order"}) {
            const LabResult one = runLab(name);
            const LabResult two = runLab(name);
            for (std::size_t i = 0; i < one.numbers.size(); ++i)
                QCOMPARE(one.numbers[i].value, two.numbers[i].value);
        }
    }

    /// A fresh row has entries N(0, 1/d), so length 1; sines and cosines have length sqrt(d/2).
    void t5EmbeddingIsLookedUpScaledAndTied()
    {
        const LabResult result = runLab("embedding");
        const LabMatrix& rows = matrixIn(result, 0);
        const std::size_t columns = rows.columnLabels.size();
        for (std::size_t i = 0; i < columns; ++i)
            QCOMPARE(rows.values[i], rows.values[4 * columns + i]); // "the", twice
        QVERIFY(rows.values[0] != rows.values[columns]);
        QVERIFY(near(result.number("position_norm").value, 16.0, 1e-4)); // d = 512
        QVERIFY(near(result.number("word_norm").value, 1.0, 0.1));
        QVERIFY(near(result.number("word_norm_scaled").value,
                     std::sqrt(512.0) * result.number("word_norm").value, 1e-3));
        QCOMPARE(result.number("saved").value, 37000.0 * 512.0);
        QCOMPARE(result.number("parameters_untied").value - result.number("parameters_tied").value,
                 37000.0 * 512.0);
    }

    /// P5: without the factor the word is drowned by its position, with it, it is louder.
    void p5WithoutTheScalePositionsDrownTheWords()
    {
        const LabResult result = runLab("embedding", {{"d", "256"}, {"scale", "off"}});
        QVERIFY(result.number("ratio").value < 0.15);
        QVERIFY(result.number("ratio_scaled").value > 1.2);
        QVERIFY(
            near(result.number("ratio_scaled").value, 16.0 * result.number("ratio").value, 1e-4));
        QVERIFY(barsIn(result, 1).bars[1].isSubject);
    }

    void o1SinusoidalRowsForBase10000AreTheCurriculums()
    {
        const LabResult result = runLab("sinusoid", {{"d", "4"}, {"base", "10000"}});
        const std::array<std::array<double, 4>, 2> rows{
            {{0.841471, 0.540302, 0.010000, 0.999950}, {0.909297, -0.416147, 0.019999, 0.999800}}};
        for (std::size_t p = 0; p < rows.size(); ++p)
            for (std::size_t c = 0; c < 4; ++c) {
                const std::string name = "pe_" + std::to_string(p + 1) + "_" + std::to_string(c);
                QVERIFY2(near(result.number(name).value, rows[p][c]), name.c_str());
                QVERIFY(near(matrixIn(result, 1).values[(p + 1) * 4 + c], rows[p][c]));
            }
    }

    void o1SinusoidalRowsForBase100AreTheCurriculums()
    {
        const LabResult result = runLab("sinusoid", {{"d", "4"}, {"base", "100"}});
        const std::array<std::array<double, 4>, 4> rows{
            {{0.0, 1.0, 0.0, 1.0},
             {0.84147098, 0.54030231, 0.09983342, 0.99500417},
             {0.90929743, -0.41614684, 0.19866933, 0.98006658},
             {0.14112001, -0.9899925, 0.29552021, 0.95533649}}};
        for (std::size_t p = 0; p < rows.size(); ++p)
            for (std::size_t c = 0; c < 4; ++c)
                QVERIFY(
                    near(result.number("pe_" + std::to_string(p) + "_" + std::to_string(c)).value,
                         rows[p][c], 1e-7));
    }

    /// Wavelengths from 2 pi to N 2 pi; PE PE^T depends on the distance alone: sum of cosines.
    void o1WavesAndProducts()
    {
        const LabResult result = runLab("sinusoid", {{"d", "32"}});
        const double pi = std::numbers::pi;
        QVERIFY(near(result.number("wave_first").value, 2.0 * pi));
        QVERIFY(near(result.number("wave_last").value, 2.0 * pi * std::pow(10000.0, 30.0 / 32.0),
                     1e-3));
        QVERIFY(near(result.number("wave_limit").value, 20000.0 * pi, 1e-6));
        for (int distance = 0; distance < 4; ++distance) {
            double expected = 0.0;
            for (int i = 0; i < 16; ++i)
                expected += std::cos(distance / std::pow(10000.0, 2.0 * i / 32.0));
            QVERIFY(near(result.number("dot_" + std::to_string(distance)).value, expected, 1e-4));
        }
        QVERIFY(result.number("diagonal_spread").value < 1e-4);
        QCOMPARE(chartIn(result, 0).series.size(), std::size_t{4});
    }

    void o2OneStepIsOneRotation()
    {
        for (const char* p : {"0", "3", "100"})
            for (const char* k : {"0", "1", "64"}) {
                const LabResult result = runLab("rotation", {{"p", p}, {"k", k}, {"d", "16"}});
                QVERIFY(result.number("residual").value < 1e-6);
                QVERIFY(near(result.number("norm_after").value, std::sqrt(8.0), 1e-5));
            }
        const LabResult two = runLab("rotation", {{"k", "2"}, {"d", "4"}});
        const LabMatrix& turn = matrixIn(two, 0);
        QVERIFY(near(std::abs(turn.values[1]), std::sin(2.0)));
        QVERIFY(near(turn.values[0], std::cos(2.0)));
        QCOMPARE(turn.values[2], 0.0); // blocks of two by two
        QVERIFY(near(turn.values[10], std::cos(0.02)));
        QVERIFY(throwsError([] { runLab("rotation", {{"d", "5"}}); }));
    }

    /// The table is the checkpoint's; the likenesses are cosines of its rows.
    void o3LearnedTableIsTheModels()
    {
        const LoadedModel model = shippedModel("builtin:repeat");
        const TensorView table = model.model->parameters().view("pos_emb.weight");
        const LabResult result = runLab("learned-positions", {{"positions", "16"}});
        QCOMPARE(result.number("max_len").value, static_cast<double>(table.shape[0]));
        QCOMPARE(result.number("parameters").value, 128.0 * 64.0);
        QCOMPARE(matrixIn(result, 0).values[64 * 3 + 5], static_cast<double>(table(3, 5)));
        double product = 0.0;
        double first = 0.0;
        double second = 0.0;
        for (int i = 0; i < 64; ++i) {
            const double a = static_cast<double>(table(2, i));
            const double b = static_cast<double>(table(7, i));
            product += a * b;
            first += a * a;
            second += b * b;
        }
        QVERIFY(near(matrixIn(result, 1).values[2 * 16 + 7], product / std::sqrt(first * second),
                     1e-5));
        // sinusoidal neighbours: mean cosine of 1 / N^(2i/d)
        double expected = 0.0;
        for (int i = 0; i < 32; ++i)
            expected += std::cos(1.0 / std::pow(10000.0, 2.0 * i / 64.0)) / 32.0;
        QVERIFY(near(result.number("neighbours_sinusoidal").value, expected, 1e-4));
    }

    void o3SaysWhenAModelHasNoTable()
    {
        QVERIFY(throwsError([] { runLab("learned-positions", {{"model", "open"}}); }));
        LabContext context = labContext();
        context.model = shippedModel("builtin:stories"); // sinusoidal
        QVERIFY(throwsError([&] { runLab("learned-positions", {{"model", "open"}}, context); }));
        context.openModel = {};
        QVERIFY(throwsError([&] { runLab("learned-positions", {}, context); }));
    }

    void o4RopeScoreDependsOnTheDistanceAlone()
    {
        for (const char* layout : {"interleaved", "half"}) {
            const LabResult start = runLab("rotary", {{"layout", layout}});
            const LabResult slid = runLab("rotary", {{"layout", layout}, {"slide", "173"}});
            QVERIFY(near(start.number("score").value, slid.number("score").value, 1e-5));
            QVERIFY(slid.number("largest_change").value < 1e-5);
            const LabResult moved = runLab("rotary", {{"layout", layout}, {"n", "9"}});
            QVERIFY(std::abs(moved.number("score").value - start.number("score").value) > 1e-3);
        }
        // as written: sum over pairs of Re(q k* e^(i (m - n) theta))
        const LabResult result = runLab("rotary", {{"m", "7"}, {"n", "3"}});
        const LabMatrix& rows = matrixIn(result, 0);
        double score = 0.0;
        for (std::size_t i = 0; i < 4; ++i) {
            const double angle = 4.0 * std::pow(10000.0, -2.0 * static_cast<double>(i) / 8.0);
            const double a = rows.values[2 * i];
            const double b = rows.values[2 * i + 1];
            const double c = rows.values[16 + 2 * i];
            const double d = rows.values[16 + 2 * i + 1];
            score += (a * c + b * d) * std::cos(angle) + (a * d - b * c) * std::sin(angle);
        }
        QVERIFY(near(result.number("score").value, score, 1e-5));
        double parts = 0.0;
        for (const auto& bar : barsIn(result, 2).bars)
            parts += bar.value;
        QVERIFY(near(parts, result.number("score").value, 1e-9));
    }

    void o5AlibiSlopesOfEveryHeadCount()
    {
        const LabResult eight = runLab("alibi", {{"heads", "8"}});
        for (int j = 1; j <= 8; ++j)
            QVERIFY(near(eight.number("slope_" + std::to_string(j)).value, std::pow(2.0, -j)));
        // 12 heads: those of 8, then the 1st, 3rd, 5th, 7th of 16
        const LabResult twelve = runLab("alibi", {{"heads", "12"}});
        for (int j = 1; j <= 8; ++j)
            QVERIFY(near(twelve.number("slope_" + std::to_string(j)).value, std::pow(2.0, -j)));
        for (int j = 0; j < 4; ++j)
            QVERIFY(near(twelve.number("slope_" + std::to_string(9 + j)).value,
                         std::pow(2.0, -(2.0 * j + 1.0) / 2.0)));
    }

    void o5AlibiBiasIsTheSlopeTimesTheDistance()
    {
        const LabResult result = runLab("alibi", {{"heads", "8"}, {"head", "2"}, {"tokens", "6"}});
        const LabMatrix& bias = matrixIn(result, 1);
        const LabMatrix& weights = matrixIn(result, 2);
        for (std::size_t i = 0; i < 6; ++i) {
            double sum = 0.0;
            for (std::size_t j = 0; j < 6; ++j) {
                QCOMPARE(static_cast<bool>(bias.masked[i * 6 + j]), j > i);
                if (j <= i)
                    QVERIFY(near(bias.values[i * 6 + j],
                                 -0.25 * (static_cast<double>(i) - static_cast<double>(j))));
                sum += weights.values[i * 6 + j];
            }
            QVERIFY(near(sum, 1.0));
        }
        QVERIFY(near(weights.values[35] / weights.values[34], std::exp(0.25), 1e-5));
        QVERIFY(near(result.number("farthest").value, -1.25));
        QVERIFY(near(result.number("halving").value, std::log(2.0) / 0.25, 1e-5));
    }

    void o6WithoutPositionsPermutedWordsGivePermutedRows()
    {
        QVERIFY(runLab("no-order").number("largest_difference").value < 1e-6);
        QVERIFY(
            runLab("no-order", {{"words", "a b c d e f g h"}}).number("largest_difference").value <
            2e-6);
        for (const char* positions : {"sinusoidal", "learned", "rope", "alibi", "relative"})
            QVERIFY(runLab("no-order", {{"positions", positions}, {"words", "dog bites big man"}})
                        .number("largest_difference")
                        .value >
                    (std::string(positions) == "relative" || std::string(positions) == "alibi"
                         ? 1e-4
                         : 1e-2));
    }

    void p2TheCausalMaskTellsOrderToo()
    {
        QVERIFY(runLab("no-order", {{"causal", "on"}}).number("largest_difference").value > 1e-2);
    }

    void o6WordsThatCannotChangePlacesAreRefused()
    {
        for (const char* words : {"", "dog", "a b c d e f g h i", "   "})
            QVERIFY(throwsError([&] { runLab("no-order", {{"words", words}}); }));
    }

    /// A wave is new where the trained length does not hold one period of it.
    void o7BeyondTheTrainedLengthWavesAreNew()
    {
        const LabResult result = runLab("beyond-length");
        double waves = 0.0;
        for (int i = 0; i < 32; ++i)
            waves += 2.0 * std::numbers::pi * std::pow(10000.0, 2.0 * i / 64.0) > 32.0 ? 1.0 : 0.0;
        QCOMPARE(result.number("new_waves").value, waves);
        QVERIFY(near(result.number("alibi").value, std::exp(-127.0 / 256.0), 1e-5));
        QCOMPARE(result.number("read").value, 128.0);
        const LabChart& chart = chartIn(result, 0);
        QCOMPARE(*chart.mark, 31.0);
        for (const auto& series : chart.series)
            QVERIFY(near(series.y.front(), 1.0, 1e-5));
    }

    void o7ExtrapolationStopsWhenAsked()
    {
        std::stop_source source;
        source.request_stop();
        const Lab& lab = catalogueLab("extrapolation");
        QVERIFY_THROWS_EXCEPTION(
            Cancelled, lab.run(LabSettings(lab.controls), labContext(), source.get_token()));
    }
};

HEADSCOPE_TEST_WITHOUT_APPLICATION(TstOrderLabs)
#include "tst_order_labs.moc"
