#include "core/analysis/head_scores.h"
#include "core/attention/cpu_attention.h"
#include "core/base/error.h"
#include "tests/support/tiny_model.h"
#include "ui/views/head_card.h"
#include "ui/views/heads_view.h"

#include <QHeaderView>
#include <QPushButton>
#include <QSignalSpy>
#include <QTest>
#include <QToolButton>

#include <algorithm>
#include <cmath>
#include <memory>

using namespace headscope;
using namespace headscope::ui;

namespace {

LoadedModel openTiny(const std::string& name)
{
    LoadedModel model = headscope::test::tinyModel();
    model.name = name;
    return model;
}

QToolButton* buttonNamed(QWidget& page, const QString& text)
{
    for (QToolButton* button : page.findChildren<QToolButton*>()) {
        if (button->text() == text && button->isVisible())
            return button;
    }
    return nullptr;
}

/// Waits until the button can be pressed.
void press(QWidget& page, const QString& text)
{
    QTRY_VERIFY2(buttonNamed(page, text) && buttonNamed(page, text)->isEnabled(),
                 qPrintable("no button " + text));
    QTest::mouseClick(buttonNamed(page, text), Qt::LeftButton);
}

} // namespace

class TstHeads : public QObject
{
    Q_OBJECT

private slots:

    void init()
    {
        m_session = std::make_unique<Session>(BackendRegistry(), openTiny);
        m_session->setDevice("cpu");
        m_session->setText("the cat sat on the mat the cat");
        m_view = std::make_unique<HeadsView>(*m_session);
        m_view->resize(1200, 760);
        m_view->show();
        m_session->openModel("tiny");
        QTRY_VERIFY(m_session->traceA());
        QTRY_COMPARE(table().rows().size(), 4u);
    }

    void cleanup()
    {
        m_view.reset();
        m_session.reset();
    }

    void rowsStandByTheScoreOfTheTrace()
    {
        press(*m_view, "Previous token");
        const std::vector<double> values = column(HeadScore::PreviousToken);
        QVERIFY(std::is_sorted(values.begin(), values.end(), std::greater<>()));
        for (int row = 0; row < 4; ++row) {
            const QString name = table().rows()[static_cast<std::size_t>(row)].name;
            const int layer = name.section('.', 0, 0).toInt();
            const int head = name.section('.', 1, 1).toInt();
            QVERIFY(std::abs(values[static_cast<std::size_t>(row)] - previousOf(layer, head)) <
                    1e-9);
        }
    }

    void columnsAreChosenByClickAndByKey()
    {
        auto& mutableTable = const_cast<ScoreTable&>(table());
        mutableTable.setFocus();
        QCOMPARE(table().sortedColumn(), 0);
        QTest::keyClick(&mutableTable, Qt::Key_Right);
        QCOMPARE(table().sortedColumn(), 1);
        QHeaderView* header = table().horizontalHeader();
        const int entropy = static_cast<int>(HeadScore::Entropy);
        const QPoint title(header->sectionViewportPosition(entropy + 1) + 20, header->height() / 2);
        QTest::mouseClick(header->viewport(), Qt::LeftButton, {}, title);
        QCOMPARE(table().sortedColumn(), entropy);
        QVERIFY(!table().isRising());
        std::vector<double> values = column(HeadScore::Entropy);
        QVERIFY(std::is_sorted(values.begin(), values.end(), std::greater<>()));
        QTest::keyClick(&mutableTable, Qt::Key_Space);
        QVERIFY(table().isRising());
        values = column(HeadScore::Entropy);
        QVERIFY(std::is_sorted(values.begin(), values.end()));
    }

    void aRowIsTheSelectedHeadAndEnterOpensIt()
    {
        auto& mutableTable = const_cast<ScoreTable&>(table());
        m_session->activateHead(0, 0);
        QTRY_COMPARE(currentName(), QString("0.0"));
        const int before = table().currentRow();
        QTest::keyClick(&mutableTable, before > 0 ? Qt::Key_Up : Qt::Key_Down);
        const Selection& now = m_session->selection();
        QVERIFY(now.layer != 0 || now.head != 0);
        QCOMPARE(currentName(), QString("%1.%2").arg(now.layer).arg(now.head));
        QTRY_COMPARE(m_view->card().content().title,
                     QString("Head %1.%2").arg(now.layer).arg(now.head));
        QSignalSpy wanted(m_view.get(), &Page::pageWanted);
        QTest::keyClick(&mutableTable, Qt::Key_Return);
        QCOMPARE(wanted.size(), 1);
        QCOMPARE(wanted.at(0).at(0).toString(), QString("head"));
    }

    void theCardSaysHowFarBackTheHeadLooks()
    {
        m_session->activateHead(1, 0);
        QTRY_COMPARE(m_view->card().content().title, QString("Head 1.0"));
        const auto pattern = m_session->traceA()->find({Site::Pattern, 1});
        const auto tokens = static_cast<int>(m_session->traceA()->tokens().size());
        double here = 0.0;
        double before = 0.0;
        for (int query = 0; query < tokens; ++query) {
            here += double{pattern->view()(0, query, query)};
            before += query > 0 ? double{pattern->view()(0, query, query - 1)} : 0.0;
        }
        const std::vector<Bar>& bars = m_view->card().content().distances;
        QVERIFY(std::abs(bars[0].value - here / tokens) < 1e-6);
        QVERIFY(std::abs(bars[1].value - before / tokens) < 1e-6);
        double all = 0.0;
        for (const Bar& bar : bars)
            all += bar.value;
        QVERIFY(std::abs(all - 1.0) < 1e-5);
    }

    void theMapColoursWhatTheTableSays()
    {
        press(*m_view, "First token");
        const HeadScoreTable& scores = m_view->scores();
        for (int layer = 0; layer < 2; ++layer) {
            for (int head = 0; head < 2; ++head) {
                const double value = scores.at({layer, head}, HeadScore::FirstToken);
                const ThumbnailPtr square = m_view->grid().content().at({layer, head});
                QCOMPARE(static_cast<int>(square->levels.at(0)),
                         static_cast<int>(std::lround(value * 254.0)));
            }
        }
    }

    void randomRepeatsAreMeasuredAside()
    {
        press(*m_view, "Random repeats");
        QTRY_VERIFY_WITH_TIMEOUT(m_view->probe() != nullptr, 60000);
        const ProbePtr probe = m_view->probe();
        QCOMPARE(probe->texts, kProbeTexts);
        const std::vector<TokenId> ids = probe->example->tokens().ids();
        QCOMPARE(static_cast<int>(ids.size()), 2 * probe->period);
        for (int index = 0; index < probe->period; ++index)
            QCOMPARE(ids[static_cast<std::size_t>(index)],
                     ids[static_cast<std::size_t>(index + probe->period)]);
        const std::vector<double> values = column(HeadScore::Induction);
        QVERIFY(std::is_sorted(values.begin(), values.end(), std::greater<>()));
        QVERIFY(m_view->status().contains(QString::number(2 * probe->period)));
        press(*m_view, "This text");
        press(*m_view, "Random repeats");
        QCOMPARE(m_view->probe(), probe); // kept
    }

    void theProbeIsTheMeanOfItsTextsStripes()
    {
        const LoadedModel model = openTiny("tiny");
        const ProbePtr one = runProbe(model);
        const ProbePtr two = runProbe(model);
        for (int layer = 0; layer < 2; ++layer)
            for (int head = 0; head < 2; ++head)
                QCOMPARE(
                    one->tables.at(AttentionPart::Self).at({layer, head}, HeadScore::Induction),
                    two->tables.at(AttentionPart::Self).at({layer, head}, HeadScore::Induction));
        QCOMPARE(one->period, 16); // the tiny model reads 32 tokens
        std::stop_source stop;
        stop.request_stop();
        QVERIFY_EXCEPTION_THROWN(runProbe(model, stop.get_token()), Cancelled);
    }

    void aTextWithoutRepeatsSaysWhyThereIsNoInduction()
    {
        m_session->replaceText("xyz");
        QTRY_COMPARE(m_session->traceA()->tokens().size(), 3u);
        QTRY_VERIFY(!m_view->scores().isEmpty() &&
                    std::isnan(m_view->scores().at({0, 0}, HeadScore::Induction)));
        HeadsChoice choice;
        QVERIFY(
            whyUndefined(m_view->scores(), choice, AttentionPart::Self).contains("random repeats"));
        choice.score = HeadScore::Entropy;
        QVERIFY(whyUndefined(m_view->scores(), choice, AttentionPart::Self).isEmpty());
    }

    void aTextWithoutRepeatsBeginsWithAScoreThatItHas()
    {
        const int induction = static_cast<int>(HeadScore::Induction);
        QCOMPARE(table().sortedColumn(), induction);
        m_session->replaceText("xyz");
        QTRY_COMPARE(table().sortedColumn(), static_cast<int>(HeadScore::PreviousToken));
        QVERIFY(std::isfinite(m_view->scores().at({0, 0}, HeadScore::PreviousToken)));
        press(*m_view, "Induction"); // who asks for it sees why there is none
        m_session->replaceText("zyx");
        QTRY_VERIFY(m_view->isSettled());
        QCOMPARE(table().sortedColumn(), induction);
    }

    void withoutATextThePageOffersOne()
    {
        m_session->replaceText({});
        QTRY_VERIFY(!table().isVisible() && !m_view->card().isVisible());
        QPushButton* sample = nullptr;
        for (QPushButton* button : m_view->findChildren<QPushButton*>())
            if (button->isVisible())
                sample = button;
        QVERIFY(sample);
        QTest::mouseClick(sample, Qt::LeftButton);
        QVERIFY(!m_session->text().isEmpty());
        QTRY_VERIFY(table().isVisible() && m_view->card().isVisible());
    }

    void noColumnIsCutInANarrowPage()
    {
        m_view->resize(900, 600);
        QTRY_VERIFY(table().isVisible());
        const QHeaderView* header = table().horizontalHeader();
        QTRY_VERIFY2(
            header->length() <= table().viewport()->width(),
            qPrintable(QString("%1 of %2").arg(header->length()).arg(table().viewport()->width())));
    }

    void theFigureHasAllScores()
    {
        press(*m_view, "Entropy");
        const Figure figure = m_view->figure();
        const NumberTable& numbers = figure.numbers.at(0);
        QCOMPARE(numbers.rows.size(), 4);
        QCOMPARE(numbers.columns.size(), kHeadScores);
        const int entropy = static_cast<int>(HeadScore::Entropy);
        QCOMPARE(numbers.values.at({3, entropy}),
                 static_cast<float>(m_view->scores().at({1, 1}, HeadScore::Entropy)));
        QVERIFY(figure.title.contains("entropy"));
    }

private:
    const ScoreTable& table() const { return m_view->table(); }

    std::vector<double> column(HeadScore score) const
    {
        std::vector<double> values;
        for (const ScoreRow& row : table().rows())
            values.push_back(row.values[static_cast<std::size_t>(score)]);
        return values;
    }

    QString currentName() const
    {
        const int row = table().currentRow();
        return row < 0 ? QString() : table().rows()[static_cast<std::size_t>(row)].name;
    }

    double previousOf(int layer, int head) const
    {
        const auto pattern = m_session->traceA()->find({Site::Pattern, layer});
        const std::int64_t tokens = pattern->shape()[1];
        double sum = 0.0;
        for (std::int64_t query = 1; query < tokens; ++query)
            sum += double{pattern->view()(head, query, query - 1)};
        return sum / static_cast<double>(tokens - 1);
    }

    std::unique_ptr<Session> m_session;
    std::unique_ptr<HeadsView> m_view;
};

QTEST_MAIN(TstHeads)
#include "tst_heads.moc"
