// labels: threads
#include "core/attention/cpu_attention.h"
#include "core/base/error.h"
#include "core/io/checkpoint.h"
#include "tests/support/qt_under_tsan.h"
#include "tests/support/test_program.h"
#include "tests/support/tiny_model.h"
#include "tests/ui/child.h"
#include "ui/pages/heads/head_card.h"
#include "ui/pages/heads/head_measurement.h"
#include "ui/pages/heads/heads_page.h"
#include "ui/widgets/charts/bars/spectrum.h"
#include "ui/widgets/controls/choice_box.h"
#include "ui/widgets/heads/head_grid_widget.h"
#include "ui/widgets/heatmap/heatmap_widget.h"
#include "ui/widgets/labels.h"

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
using headscope::ui::test::childOf;

namespace {

LoadedModel openTiny(const std::string& name)
{
    if (name == "stories") {
        LoadedModel stories = loadCheckpoint(std::string(HEADSCOPE_SOURCE_DIR) +
                                             "/resources/models/stories/model.safetensors");
        stories.name = name;
        return stories;
    }
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

/// By a person: the entry with this data.
void choose(QWidget& page, const QString& purpose, const QVariant& data)
{
    for (ChoiceBox* box : page.findChildren<ChoiceBox*>()) {
        const int index = box->findData(data);
        if (box->accessibleName() == purpose && index >= 0) {
            box->setCurrentIndex(index);
            emit box->activated(index);
            return;
        }
    }
    QFAIL(qPrintable("no choice " + purpose));
}

void chooseScore(QWidget& page, HeadScore score)
{
    choose(page, "Find heads by", static_cast<int>(score));
}

} // namespace

class TstHeads : public QObject
{
    Q_OBJECT

private slots:

    void init()
    {
        m_session = std::make_unique<Session>(BackendRegistry(), openTiny);
        m_session->computation().setDevice("cpu");
        m_session->document().setText("the cat sat on the mat the cat");
        m_view = std::make_unique<HeadsPage>(*m_session);
        m_view->resize(1200, 760);
        m_view->show();
        m_session->models().open("tiny");
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
        chooseScore(*m_view, HeadScore::PreviousToken);
        const std::vector<double> values = column(0);
        QVERIFY(std::is_sorted(values.begin(), values.end(), std::greater<>()));
        for (int row = 0; row < 4; ++row) {
            const QString name = table().rows()[static_cast<std::size_t>(row)].name;
            const int layer = name.section('.', 0, 0).toInt();
            const int head = name.section('.', 1, 1).toInt();
            QVERIFY(std::abs(values[static_cast<std::size_t>(row)] - previousOf(layer, head)) <
                    1e-9);
        }
    }

    void textAndRandomRepeatsStandSideBySide()
    {
        chooseScore(*m_view, HeadScore::Entropy);
        surveyed();
        QCOMPARE(table().columns().size(), 2u);
        QCOMPARE(table().sortedColumn(), 0);
        const HeadScoreTable& repeats = survey()->repeats->tables.at(AttentionKind::Self);
        for (const ScoreRow& row : table().rows()) {
            const HeadId head{row.name.section('.', 0, 0).toInt(),
                              row.name.section('.', 1, 1).toInt()};
            QCOMPARE(row.values[0], m_view->measured().text->at(head, HeadScore::Entropy));
            QCOMPARE(row.values[1], repeats.at(head, HeadScore::Entropy));
        }
        table().setFocus();
        QTest::keyClick(&table(), Qt::Key_Right);
        QCOMPARE(table().sortedColumn(), 1);
        std::vector<double> values = column(1);
        QVERIFY(std::is_sorted(values.begin(), values.end(), std::greater<>()));
        QTest::keyClick(&table(), Qt::Key_Space);
        QVERIFY(table().isRising());
        values = column(1);
        QVERIFY(std::is_sorted(values.begin(), values.end()));
        QHeaderView* header = table().horizontalHeader();
        const QPoint title(header->sectionViewportPosition(1) + 20, header->height() / 2);
        QTest::mouseClick(header->viewport(), Qt::LeftButton, {}, title);
        QCOMPARE(table().sortedColumn(), 0);
        QVERIFY(!table().isRising());
    }

    void scoresOfWeightsHaveOneColumn()
    {
        chooseScore(*m_view, HeadScore::Copying);
        surveyed();
        QCOMPARE(table().columns().size(), 1u);
        for (const double value : column(0))
            QVERIFY(std::abs(value) <= 1.0 + 1e-9);
        QVERIFY(grid().content().map == MapName::Balance);
    }

    void everyScoreCanBeChosen()
    {
        surveyed();
        for (const HeadScoreInfo& info : headScoreInfos()) {
            chooseScore(*m_view, info.score);
            QCOMPARE(m_view->choice().score, info.score);
            QCOMPARE(table().rows().size(), 4u);
            QCOMPARE(scoreTitle(info.score),
                     QString::fromUtf8(info.title.data(), qsizetype(info.title.size())));
            QCOMPARE(scoreMeaning(info.score),
                     QString::fromUtf8(info.meaning.data(), qsizetype(info.meaning.size())));
        }
        for (const LabelRule& rule : labelRules()) {
            QCOMPARE(labelTitle(rule.kind),
                     QString::fromUtf8(rule.name.data(), qsizetype(rule.name.size())));
            QCOMPARE(labelMeaning(rule.kind),
                     QString::fromUtf8(rule.meaning.data(), qsizetype(rule.meaning.size())));
        }
    }

    void theFirstFewAloneAreListedAndTheOthersMasked()
    {
        chooseScore(*m_view, HeadScore::PreviousToken);
        HeadsChoice choice = m_view->choice();
        choice.top = 1;
        m_view->setOptions(toJson(choice));
        QCOMPARE(table().rows().size(), 1u);
        const QString name = table().rows().front().name;
        int masked = 0;
        for (int head = 0; head < 4; ++head) {
            const GridCell index{head / 2, head % 2};
            const bool isListed = name == QString("%1.%2").arg(index.layer).arg(index.head);
            const int level = grid().content().at(index)->levels.at(0);
            QCOMPARE(level == HeadThumbnail::kMasked, !isListed);
            masked += isListed ? 0 : 1;
        }
        QCOMPARE(masked, 3);
        QVERIFY(childOf<TextLabel>(*m_view, "status").text().contains("1 of 4"));
    }

    void labelsStandInTheTableAndFilterIt()
    {
        openStories();
        const HeadLabelTable* labels = m_view->measured().labels;
        QVERIFY(labels);
        for (const ScoreRow& row : table().rows())
            QCOMPARE(row.words, labelText(labels, headOf(row)));
        HeadsChoice choice = m_view->choice();
        choice.label = HeadLabelKind::Broad;
        m_view->setOptions(toJson(choice));
        QVERIFY(labels->count(HeadLabelKind::Broad) > 0);
        QCOMPARE(static_cast<int>(table().rows().size()), labels->count(HeadLabelKind::Broad));
        for (const ScoreRow& row : table().rows())
            QVERIFY(row.words.contains("broad"));
    }

    void evidenceShowsInTheCardAndOpensTheHead()
    {
        openStories();
        const HeadLabelTable* labels = m_view->measured().labels;
        const HeadId labelled = headOfKind(*labels, HeadLabelKind::SyntaxLike);
        const auto& all = labels->at(labelled);
        const auto which =
            static_cast<int>(labels->find(labelled, HeadLabelKind::SyntaxLike) - all.data());
        m_session->view().activateHead(labelled.layer, labelled.head);
        QTRY_VERIFY(!barsOnCard("labels").empty());
        emit card().labelChosen(which);
        const HeadLabel& label = all[static_cast<std::size_t>(which)];
        QVERIFY(barsOnCard("labels")[static_cast<std::size_t>(which)].subject);
        QCOMPARE(childOf<HeatmapWidget>(card()).content().matrix.rows,
                 static_cast<int>(label.text->tokens().size()));
        QVERIFY(textOnCard("labelNote").contains(number(label.strength, 2)));
        QSignalSpy wanted(m_view.get(), &Page::pageWanted);
        emit card().openWanted();
        QCOMPARE(wanted.size(), 1);
        QCOMPARE(m_session->text(), QString::fromStdString(label.text->tokens().text));
        QTRY_COMPARE(m_session->traceA()->tokens(), label.text->tokens());
        QCOMPARE(m_session->pair().query, label.cells.front().query);
        QCOMPARE(m_session->pair().key, label.cells.front().key);
    }

    void headsLikeOneStandOnAMapOfTheirOwn()
    {
        press(*m_view, "Similar heads");
        auto& plane = *m_view->findChild<PointMapWidget*>();
        QTRY_VERIFY(plane.isVisible() && m_view->likeness());
        QTRY_VERIFY(m_view->isSettled());
        QCOMPARE(plane.content().points.size(), 4u);
        m_session->view().activateHead(1, 0);
        QTRY_COMPARE(plane.content().selected, 2);
        QCOMPARE(barsOnCard("alike").size(), 3u);
        const auto near = m_view->likeness()->nearest({1, 0}, 3);
        for (std::size_t row = 0; row < 3; ++row)
            QCOMPARE(barsOnCard("alike")[row].value, near[row].distance);
        const QPointF place = plane.layoutNow().at(3);
        QTest::mouseClick(&plane, Qt::LeftButton, {}, place.toPoint());
        const int hit = plane.layoutNow().pointAt(place.toPoint());
        QTRY_COMPARE(plane.content().selected, hit);
        QVERIFY(!m_view->figure().numbers.at(1).rows.isEmpty()); // the distances
    }

    void theWeightsSheetReadsSpectraAndEarlierHeads()
    {
        m_session->view().activateHead(1, 1);
        HeadsChoice choice = m_view->choice();
        QJsonObject options = toJson(choice);
        options.insert("sheet", 3);
        m_view->setOptions(options);
        QTRY_VERIFY(!spectrumOnCard("queryKey").empty());
        const std::vector<double>& queryKey = spectrumOnCard("queryKey");
        QVERIFY(std::is_sorted(queryKey.begin(), queryKey.end(), std::greater<>()));
        QVERIFY(!spectrumOnCard("outputValue").empty());
        QCOMPARE(barsOnCard("readings").size(), 6u); // two earlier heads, three ways each
        surveyed();
        QVERIFY(textOnCard("copying").contains(
            number(m_view->measured().survey->at(1, 1, HeadScore::Copying), 3)));
        QCOMPARE(m_view->options().value("sheet").toInt(), 3);
    }

    void nothingOnTheCardsSheetsIsCut()
    {
        openStories();
        m_view->resize(1182, 560); // sheets have to be scrolled
        for (int stepView = 0; stepView < 4; ++stepView) {
            QJsonObject options = toJson(m_view->choice());
            options.insert("sheet", stepView);
            m_view->setOptions(options);
            QTRY_VERIFY(stepView < 3 || !spectrumOnCard("queryKey").empty());
            for (const BarsWidget* bars : card().findChildren<BarsWidget*>())
                if (bars->isVisible())
                    QTRY_VERIFY2(bars->height() >= bars->sizeHint().height(),
                                 qPrintable(QString("%1 of %2 on sheet %3")
                                                .arg(bars->height())
                                                .arg(bars->sizeHint().height())
                                                .arg(stepView)));
        }
    }

    void typingIsScoredWhileTheModelIsSurveyed()
    {
        m_session->document().replaceText("a cat and a cat");
        QTRY_VERIFY(m_view->measured().text && m_view->isSettled());
        QVERIFY(survey());
    }

    void aRowIsTheSelectedHeadAndEnterOpensIt()
    {
        m_session->view().activateHead(0, 0);
        QTRY_COMPARE(currentName(), QString("0.0"));
        const int before = table().currentRow();
        QTest::keyClick(&table(), before > 0 ? Qt::Key_Up : Qt::Key_Down);
        const Selection& now = m_session->selection();
        QVERIFY(now.layer != 0 || now.head != 0);
        QCOMPARE(currentName(), QString("%1.%2").arg(now.layer).arg(now.head));
        QTRY_COMPARE(textOnCard("title"), QString("Head %1.%2").arg(now.layer).arg(now.head));
        QSignalSpy wanted(m_view.get(), &Page::pageWanted);
        QTest::keyClick(&table(), Qt::Key_Return);
        QCOMPARE(wanted.size(), 1);
        QCOMPARE(wanted.at(0).at(0).toString(), QString("head"));
    }

    void theCardSaysHowFarBackTheHeadLooks()
    {
        m_session->view().activateHead(1, 0);
        QTRY_COMPARE(textOnCard("title"), QString("Head 1.0"));
        const auto pattern = m_session->traceA()->find({Site::Pattern, 1});
        const auto tokens = static_cast<int>(m_session->traceA()->tokens().size());
        double here = 0.0;
        double before = 0.0;
        for (int query = 0; query < tokens; ++query) {
            here += double{pattern->view()(0, query, query)};
            before += query > 0 ? double{pattern->view()(0, query, query - 1)} : 0.0;
        }
        const std::vector<Bar>& bars = barsOnCard("distances");
        QVERIFY(std::abs(bars[0].value - here / tokens) < 1e-6);
        QVERIFY(std::abs(bars[1].value - before / tokens) < 1e-6);
        double all = 0.0;
        for (const Bar& bar : bars)
            all += bar.value;
        QVERIFY(std::abs(all - 1.0) < 1e-5);
    }

    void theMapColoursWhatTheTableSays()
    {
        chooseScore(*m_view, HeadScore::FirstToken);
        const HeadScoreTable& scores = *m_view->measured().text;
        for (int layer = 0; layer < 2; ++layer) {
            for (int head = 0; head < 2; ++head) {
                const double value = scores.at(layer, head, HeadScore::FirstToken);
                const ThumbnailPtr square = grid().content().at({layer, head});
                QCOMPARE(static_cast<int>(square->levels.at(0)),
                         static_cast<int>(std::lround(value * 254.0)));
            }
        }
    }

    void theSurveyIsKept()
    {
        surveyed();
        const HeadSurveyPtr before = survey();
        press(*m_view, "Random repeats");
        QCOMPARE(table().sortedColumn(), 1);
        const std::vector<double> values = column(1);
        QVERIFY(std::is_sorted(values.begin(), values.end(), std::greater<>()));
        press(*m_view, "This text");
        press(*m_view, "Random repeats");
        QCOMPARE(survey(), before);
    }

    void aSurveyCanBeStoppedAndAskedForAgain()
    {
        HeadScorer scorer;
        QSignalSpy failed(&scorer, &HeadScorer::surveyFailed);
        QSignalSpy done(&scorer, &HeadScorer::surveyed);
        scorer.survey(openTiny("tiny"));
        scorer.cancelSurvey();
        QCOMPARE(failed.size(), 1);
        QVERIFY(failed.at(0).at(0).toString().isEmpty());
        const LoadedModel model = openTiny("tiny");
        scorer.survey(model);
        QTRY_COMPARE(done.size(), 1);
        scorer.survey(model); // known
        QCOMPARE(done.size(), 2);
    }

    void aTextWithoutRepeatsSaysWhyThereIsNoInduction()
    {
        chooseScore(*m_view, HeadScore::InductionStripe);
        m_session->document().replaceText("xyz");
        QTRY_COMPARE(m_session->traceA()->tokens().size(), 3u);
        QTRY_VERIFY(m_view->isSettled());
        const HeadsColumn text = headsColumns(m_view->measured(), HeadScore::InductionStripe)[0];
        QVERIFY(std::isnan(text.at({0, 0})));
        QVERIFY(whyUndefined(text).contains("random repeats"));
        QCOMPARE(textOnCard("figure"), QString("\u2013"));
        QVERIFY(textOnCard("rank").contains("not defined"));
        const HeadsColumn entropy = headsColumns(m_view->measured(), HeadScore::Entropy)[0];
        QVERIFY(whyUndefined(entropy).isEmpty());
    }

    void aTextWithoutRepeatsBeginsWithAScoreThatItHas()
    {
        QCOMPARE(m_view->choice().score, HeadScore::InductionStripe);
        m_session->document().replaceText("xyz");
        QTRY_COMPARE(m_view->choice().score, HeadScore::PreviousToken);
        chooseScore(*m_view, HeadScore::InductionStripe); // who asks for it sees why there is none
        m_session->document().replaceText("zyx");
        QTRY_VERIFY(m_view->isSettled());
        QCOMPARE(m_view->choice().score, HeadScore::InductionStripe);
    }

    /// Scores and labels by the text alone; what weights would say says why it is missing.
    void aCapturedTextHasScoresAndLabelsOfItsOwn()
    {
        m_session->models().openTrace(HEADSCOPE_TEST_DATA "/captured/gpt2.safetensors");
        QTRY_VERIFY(m_session->isCaptured() && m_session->traceA());
        QTRY_VERIFY(m_view->measured().text && m_view->isSettled());
        QVERIFY(!m_view->measured().repeats && !m_view->measured().survey);
        QVERIFY(m_view->measured().labels);
        QVERIFY(m_view->measured().labels->notMeasured.contains(HeadLabelKind::Copying));
        chooseScore(*m_view, HeadScore::Entropy);
        QVERIFY(!std::isnan(column(0).front()));
        QVERIFY(std::isnan(column(1).front()));
        QJsonObject options = toJson(m_view->choice());
        options.insert("sheet", 3);
        m_view->setOptions(options);
        QVERIFY(textOnCard("weightsNote").contains("no weights"));
        QVERIFY(spectrumOnCard("queryKey").empty());
    }

    void oneTokenHasFewScores()
    {
        m_session->document().replaceText("x");
        QTRY_COMPARE(m_session->traceA()->tokens().size(), 1u);
        QTRY_VERIFY(m_view->isSettled());
        QVERIFY(m_view->measured().text->why(HeadScore::PreviousToken).find("single token") !=
                std::string::npos);
        for (const ScoreRow& row : table().rows())
            QCOMPARE(row.values.size(), table().columns().size());
    }

    void aDifferenceIsWhatBHasMoreThanA()
    {
        m_session->document().setHeadOff(0, 0, true);
        QTRY_VERIFY(m_session->traceB() && m_view->isSettled());
        press(*m_view, QString::fromUtf8("B\u2212A"));
        QTRY_VERIFY(m_view->measured().isDifference && m_view->isSettled());
        chooseScore(*m_view, HeadScore::PreviousToken);
        const auto a = scoreTrace(*m_session->traceA());
        const auto b = scoreTrace(*m_session->traceB());
        const HeadsColumn column = headsColumns(m_view->measured(), HeadScore::PreviousToken)[0];
        for (const HeadId head : {HeadId{0, 1}, HeadId{1, 0}, HeadId{1, 1}})
            QCOMPARE(column.at(head), b.at({}).at(head, HeadScore::PreviousToken) -
                                          a.at({}).at(head, HeadScore::PreviousToken));
        QVERIFY(grid().content().map == MapName::Balance);
        QVERIFY(column.title.contains(QString::fromUtf8("B\u2212A")));
        press(*m_view, "A");
        QTRY_VERIFY(!m_view->measured().isDifference && m_view->isSettled());
    }

    void oldOptionsAreStillRead()
    {
        const HeadsChoice choice =
            headsChoice({{"sort", "induction"}, {"rising", true}, {"measured", "repeats"}});
        QCOMPARE(choice.score, HeadScore::InductionStripe);
        QVERIFY(choice.rising && choice.onProbe && !choice.similar && choice.top == 0);
        QCOMPARE(headsChoice({{"sort", "first"}}).score, HeadScore::FirstToken);
        QCOMPARE(headsChoice({{"sort", "nonsense"}, {"top", -3}}).top, 0);
    }

    void withoutATextThePageOffersOne()
    {
        m_session->document().replaceText({});
        QTRY_VERIFY(!table().isVisible() && !card().isVisible());
        QPushButton* sample = nullptr;
        for (QPushButton* button : m_view->findChildren<QPushButton*>())
            if (button->isVisible())
                sample = button;
        QVERIFY(sample);
        QTest::mouseClick(sample, Qt::LeftButton);
        QVERIFY(!m_session->text().isEmpty());
        QTRY_VERIFY(table().isVisible() && card().isVisible());
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
        chooseScore(*m_view, HeadScore::Entropy);
        const Figure figure = m_view->figure();
        const NumberTable& numbers = figure.numbers.at(0);
        QCOMPARE(numbers.rows.size(), 4);
        QCOMPARE(numbers.columns.size(), std::ssize(headScoreInfos()));
        const int entropy = static_cast<int>(HeadScore::Entropy);
        QCOMPARE(numbers.values.at({3, entropy}),
                 static_cast<float>(m_view->measured().text->at(1, 1, HeadScore::Entropy)));
        QVERIFY(figure.title.contains("entropy"));
    }

private:
    ScoreTable& table() const { return childOf<ScoreTable>(*m_view); }

    HeadGridWidget& grid() const { return childOf<HeadGridWidget>(*m_view); }

    const HeadSurveyPtr& survey() const { return childOf<HeadMeasurement>(*m_view).survey(); }

    HeadCard& card() const { return childOf<HeadCard>(*m_view); }

    const std::vector<Bar>& barsOnCard(const QString& name) const
    {
        return childOf<BarsWidget>(card(), name).bars();
    }

    QString textOnCard(const QString& name) const
    {
        return childOf<TextLabel>(card(), name).text();
    }

    const std::vector<double>& spectrumOnCard(const QString& name) const
    {
        return childOf<SpectrumWidget>(card(), name).values();
    }

    void openStories()
    {
        m_session->models().open("stories");
        QTRY_COMPARE(m_session->model().name, std::string("stories"));
        QTRY_VERIFY_WITH_TIMEOUT(m_view->measured().labels && m_view->isSettled(), 60000);
        QTRY_COMPARE(table().rows().size(), 32u);
    }

    static HeadId headOfKind(const HeadLabelTable& labels, HeadLabelKind kind)
    {
        for (int layer = 0; layer < labels.layers; ++layer)
            for (int head = 0; head < labels.heads; ++head)
                if (labels.find({layer, head}, kind))
                    return {layer, head};
        return {-1, -1};
    }

    void surveyed() { QTRY_VERIFY_WITH_TIMEOUT(survey() && m_view->isSettled(), 60000); }

    std::vector<double> column(std::size_t index) const
    {
        std::vector<double> values;
        for (const ScoreRow& row : table().rows())
            values.push_back(row.values[index]);
        return values;
    }

    static HeadId headOf(const ScoreRow& row)
    {
        return {row.name.section('.', 0, 0).toInt(), row.name.section('.', 1, 1).toInt()};
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
    std::unique_ptr<HeadsPage> m_view;
};

HEADSCOPE_WINDOW_TEST(TstHeads)
#include "tst_heads.moc"
