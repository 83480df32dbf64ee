// labels: learns
#include "core/base/error.h"
#include "core/lessons/labs/attention/recurrent_learner.h"
#include "tests/core/lessons/lab_runs.h"
#include "tests/support/test_program.h"

#include <QTest>

using namespace headscope;
using namespace headscope::test;

namespace {

const char* const kModels[] = {"rnn", "lstm", "transformer"};

double of(const LabResult& result, const std::string& number, const char* model)
{
    return valueOf(result, number + "_" + model);
}

const LabResult& shortRun()
{
    static const LabResult result = runLab("recurrence", {{"length", "8"}, {"steps", "600"}});
    return result;
}

const LabResult& costs()
{
    static const LabResult result = runLab("recurrence-cost", {{"length", "32"}});
    return result;
}

} // namespace

class TstRecurrenceLab : public QObject
{
    Q_OBJECT

private slots:

    void everyNumberCanBeDrawn()
    {
        QCOMPARE(flawOf(catalogueLab("recurrence"), shortRun()), std::string());
        QCOMPARE(flawOf(catalogueLab("recurrence-cost"), costs()), std::string());
    }

    /// Equal size, equal steps: over eight symbols attention recalls all, a state little.
    void attentionRecallsFurtherThanRecurrenceA15()
    {
        const LabResult& result = shortRun();
        for (const char* model : kModels)
            QVERIFY(
                std::abs(of(result, "parameters", model) / of(result, "parameters", "transformer") -
                         1.0) < 0.05);
        QCOMPARE(valueOf(result, "chance"), 12.5);
        QCOMPARE(valueOf(result, "distance"), 8.0);
        QVERIFY(of(result, "accuracy_far", "transformer") > 99.0);
        QCOMPARE(of(result, "reach", "transformer"), 8.0);
        QVERIFY(of(result, "accuracy_near", "lstm") > 60.0);
        QVERIFY(of(result, "accuracy_far", "lstm") < 40.0);
        QVERIFY(of(result, "accuracy_far", "rnn") < 40.0);
        QVERIFY(of(result, "reach", "lstm") < 8.0);
        QVERIFY(result.sentence.ends_with("attention reaches further."));
        const auto& chart = imageIn<LabChart>(result, 0);
        QCOMPARE(chart.series.size(), std::size_t{4});
        QCOMPARE(chart.series[2].x, (std::vector<double>{1.0, 2.0, 4.0, 8.0}));
        QCOMPARE(chart.series[2].y.back(), of(result, "accuracy_far", "transformer"));
    }

    /// Before training the gradient of an RNN falls from symbol to symbol; that of attention, which
    /// is still uniform, does not.
    void theGradientOfAnRnnVanishesOverTheDistance()
    {
        const auto& chart = imageIn<LabChart>(shortRun(), 1);
        QCOMPARE(chart.series.size(), std::size_t{6});
        const std::vector<double>& rnn = chart.series[3].y;
        const std::vector<double>& transformer = chart.series[5].y;
        for (std::size_t i = 1; i < rnn.size(); ++i)
            QVERIFY(rnn[i] < rnn[i - 1]);
        QVERIFY(rnn.back() < 0.1 * rnn.front());
        QVERIFY(transformer.back() > 0.5 * transformer.front());
        QCOMPARE(of(shortRun(), "gradient_start", "rnn"), rnn.back());
    }

    void pathsAreCountedFromTheGradient()
    {
        for (const std::int64_t tokens : {1, 2, 7, 64})
            for (const auto kind : {RecurrentKind::Elman, RecurrentKind::Lstm})
                QCOMPARE(recurrentPathLength(kind, tokens), tokens);
        QCOMPARE(of(costs(), "path", "rnn"), 32.0);
        QCOMPARE(of(costs(), "path", "lstm"), 32.0);
        QCOMPARE(of(costs(), "path", "transformer"), 1.0);
    }

    /// n d² against n² d, and a state against a cache.
    void theTableCountsWhatAttentionCosts()
    {
        const LabResult& result = costs();
        for (const char* model : {"rnn", "lstm"}) {
            QCOMPARE(of(result, "mixing_tokens", model), 2.0);
            QCOMPARE(of(result, "mixing_width", model), 4.0);
            QCOMPARE(of(result, "memory", model), of(result, "memory_half", model));
        }
        QVERIFY(of(result, "gradient", "rnn") < 1e-4 * of(result, "gradient", "lstm"));
        QCOMPARE(of(result, "mixing", "transformer"), 2.0 * (32.0 * 33.0 / 2.0) * 32.0);
        QVERIFY(near(of(result, "mixing_tokens", "transformer"), 64.0 * 65.0 / (32.0 * 33.0)));
        QCOMPARE(of(result, "mixing_width", "transformer"), 2.0);
        // two layers of keys and values of width 32, four bytes each
        QCOMPARE(of(result, "memory", "transformer"), 2.0 * 2.0 * 32.0 * 32.0 * 4.0);
        QCOMPARE(of(result, "memory_half", "transformer"), 2.0 * 2.0 * 32.0 * 16.0 * 4.0);
        const auto& table = imageIn<LabTable>(result, 0);
        QCOMPARE(table.rows.size(), std::size_t{5});
        QCOMPARE(table.columns.size(), std::size_t{4});
        QCOMPARE(table.rows[1][1], std::string("32"));
        QCOMPARE(table.rows[1][3], std::string("1"));
        for (const char* model : kModels) {
            for (const char* number : {"one_by_one_", "at_once_", "parallel_"})
                QVERIFY(result.number(std::string(number) + model).isMeasured &&
                        valueOf(result, std::string(number) + model) > 0.0);
            QVERIFY(shortRun().number(std::string("seconds_") + model).isMeasured);
        }
        const LabResult wide = runLab("recurrence-cost", {{"length", "32"}, {"width", "64"}});
        QCOMPARE(of(wide, "mixing", "transformer"), 2.0 * of(result, "mixing", "transformer"));
    }

    /// All but times and what follows from them.
    void repeatsToTheBitShowsProgressAndStops()
    {
        const LabSet set{{"length", "16"}, {"steps", "20"}, {"seed", "3"}};
        LabContext context = labContext();
        double last = 0.0;
        bool isRising = true;
        context.progress = [&](double fraction) {
            isRising = isRising && fraction > last && fraction <= 1.0;
            last = fraction;
        };
        const LabResult first = runLab("recurrence", set, context);
        const LabResult second = runLab("recurrence", set);
        QVERIFY(isRising && last == 1.0);
        for (std::size_t i = 0; i < first.numbers.size(); ++i)
            if (!first.numbers[i].isMeasured)
                QCOMPARE(first.numbers[i].value, second.numbers[i].value);
        QCOMPARE(first.sentence, second.sentence);
        QVERIFY(first.sentence.ends_with("attention reaches no further here."));

        std::stop_source stop;
        context.progress = [&](double) { stop.request_stop(); };
        const Lab& lab = catalogueLab("recurrence");
        QVERIFY_THROWS_EXCEPTION(Cancelled,
                                 lab.run(LabSettings(lab.controls), context, stop.get_token()));
    }
};

HEADSCOPE_TEST_WITHOUT_APPLICATION(TstRecurrenceLab)
#include "tst_recurrence_lab.moc"
