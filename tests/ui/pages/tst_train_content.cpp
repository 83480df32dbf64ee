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
