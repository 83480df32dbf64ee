#include "tests/support/test_program.h"
#include "ui/pages/train/train_content.h"
#include "ui/pages/train/train_texts.h"

#include <QtTest>

using namespace headscope;
using namespace headscope::ui;

namespace {

TrainContent inductionAt(double value)
{
    const std::vector<HeadId> heads{{0, 0}, {1, 3}};
    TrainContent content;
    content.record.folder = "run";
    content.record.steps = 2600;
    content.record.step = 600;
    content.record.heads.add({546, heads, {{"induction", {0.0, 0.4}}}});
    content.record.heads.add({572, heads, {{"induction", {0.0, value}}}});
    return content;
}

} // namespace

class TstTrainContent : public QObject
{
    Q_OBJECT

private slots:

    void inductionIsMarkedWhereItPassesHalf()
    {
        const TrainContent content = inductionAt(0.62);
        QCOMPARE(inductionText(content.record),
                 QString("Induction passed 0.5 at step 572 (head 1.3)"));
        QCOMPARE(timelineOf(content).jumps, std::vector<double>{572.0});
        for (const LineChartContent& chart : {upperChart(content), lowerChart(content)}) {
            QCOMPARE(chart.marks.size(), std::size_t(1));
            QCOMPARE(chart.marks[0].x, 572.0);
            QCOMPARE(chart.marks[0].text, inductionText(content.record));
        }
    }

    /// Terms of the loss beside it, only where the run logs them.
    void theTermsOfALossAreItsCurves()
    {
        TrainContent content = inductionAt(0.1);
        content.record.loss = {{1, 3.0}, {2, 2.9}};
        const auto namesOf = [&] {
            QStringList names;
            for (const LineChartCurve& curve : upperChart(content).curves)
                names << curve.name;
            return names;
        };
        QCOMPARE(namesOf(), QStringList{"training"});
        content.record.lossParts = {{"mlm", {{1, 2.3}, {2, 2.2}}}, {"nsp", {{1, 0.7}, {2, 0.7}}}};
        QCOMPARE(namesOf(), (QStringList{"training", "masked words", "next sentence"}));
        content.record.lossParts = {{"balance", {{1, 1.2}, {2, 1.1}}}};
        QCOMPARE(namesOf(), (QStringList{"training", "balancing"}));
    }

    void theLoadOfExpertsIsACurve()
    {
        TrainContent content = inductionAt(0.1);
        content.options.lower = TrainOptions::Lower::Experts;
        QVERIFY(!hasExperts(content));
        QCOMPARE(lowerChart(content).title, QString("Head scores"));
        HeadScorePoint point{598, {{0, 0}, {1, 3}}, {{"induction", {0.0, 0.1}}}};
        point.experts = {{"h.0", {0.75, 0.25}}, {"h.1", {0.5, 0.5}}};
        content.record.heads.add(point);
        const LineChartContent chart = lowerChart(content);
        QVERIFY(hasExperts(content));
        QCOMPARE(chart.curves.size(), std::size_t(4));
        QCOMPARE(chart.curves[0].name, QString("0.0"));
        QVERIFY(chart.y.low == 0.0 && chart.y.high >= 0.75);
        QCOMPARE(chart.curves[0].points.back(), QPointF(598, 0.75));
        QVERIFY(chart.note.contains("even: 0.500"));
        TrainOptions again = TrainOptions::fromJson(content.options.toJson());
        QVERIFY(again.lower == TrainOptions::Lower::Experts && !again.showsExperts);
        content.options.showsExperts = true;
        QVERIFY(TrainOptions::fromJson(content.options.toJson()).showsExperts);
    }

    /// By layer and number, and of more than eight the highest.
    void theHighestOfManyExpertsKeepTheirOrder()
    {
        TrainContent content = inductionAt(0.1);
        content.options.lower = TrainOptions::Lower::Experts;
        HeadScorePoint point{598, {{0, 0}, {1, 3}}, {{"induction", {0.0, 0.1}}}};
        ExpertLoads loads{"h.0", std::vector<double>(12, 0.07)};
        loads.fractions[2] = loads.fractions[10] = 0.15;
        loads.fractions[0] = 0.0;
        point.experts = {loads};
        content.record.heads.add(point);
        const LineChartContent chart = lowerChart(content);
        QStringList names;
        for (const LineChartCurve& curve : chart.curves)
            names << curve.name;
        QCOMPARE(names.size(), 8);
        QVERIFY(names.contains("0.10") && !names.contains("0.0"));
        QVERIFY(names.indexOf("0.2") < names.indexOf("0.10"));
        QVERIFY(chart.y.low == 0.0 && chart.y.high >= 0.15 && chart.y.high < 0.3);
    }

    void nothingIsMarkedBefore()
    {
        const TrainContent content = inductionAt(0.49);
        QVERIFY(inductionText(content.record).isEmpty());
        QVERIFY(timelineOf(content).jumps.empty());
        QVERIFY(upperChart(content).marks.empty());
    }
};

HEADSCOPE_TEST(TstTrainContent)
#include "tst_train_content.moc"
