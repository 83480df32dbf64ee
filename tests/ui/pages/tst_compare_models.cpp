#include "tests/ui/child.h"
#include "tests/ui/pages/session_fixture.h"
#include "ui/pages/compare/compare_page.h"
#include "ui/pages/compare/difference_panel.h"
#include "ui/pages/compare/model_of_b.h"
#include "ui/pages/compare/ranked_table.h"
#include "ui/pages/compare/ranked_texts.h"
#include "ui/widgets/labels.h"

#include "tests/support/test_program.h"

#include <QFile>
#include <QFileInfo>
#include <QJsonObject>
#include <QSignalSpy>
#include <QTemporaryDir>

#include <cmath>

using namespace headscope;
using namespace headscope::ui;
using headscope::ui::test::childOf;
using headscope::ui::test::SessionFixture;

namespace {

/// The page in one section, at first without changes.
struct SectionFixture : SessionFixture
{
    explicit SectionFixture(ComparePage::Section section) : page(session)
    {
        page.resize(1240, 760);
        page.setSection(section);
        page.show();
    }

    DifferencePanel& moved() const { return childOf<DifferencePanel>(page); }

    RankedTexts& texts() const { return childOf<RankedTexts>(page); }

    bool isMeasured() const
    {
        return session.traceB() && moved().subject().b == session.traceB() && page.isSettled() &&
               moved().differences().weights;
    }

    ComparePage page;
};

QString noteOf(const RankedTable& table)
{
    return childOf<TextLabel>(table, "note").text();
}

/// The same with another model as B.
struct ModelsFixture : SectionFixture
{
    explicit ModelsFixture(ComparePage::Section section) : SectionFixture(section)
    {
        static_cast<void>(QTest::qWaitFor([this] { return session.traceA() != nullptr; }));
        Changes changes;
        changes.model = "other";
        session.document().setChanges(changes, "model");
    }
};

} // namespace

class TstCompareModels : public QObject
{
    Q_OBJECT

private slots:
    void movedHeadsAreRanked();
    void aMovedHeadIsSelectedAndOpened();
    void aMovedTokenIsSelected();
    void onlyChangedMatricesMove();
    void titlesSortTheRanking();
    void otherTokensHaveNoRanking();
    void theRankingIsExported();
    void sectionsAreRestored();
    void textsAreRankedAndOpened();
    void linesOfAFileAreRanked();
    void aRankingOfTextsIsCancelled();
    void oneModelHasNoTextsToRank();
    void adaptersAreChangesOfB();
};

void TstCompareModels::movedHeadsAreRanked()
{
    ModelsFixture fixture(ComparePage::Section::Moved);
    QTRY_VERIFY(fixture.isMeasured());
    const TraceDifference own =
        traceDifference(*fixture.session.traceA(), *fixture.session.traceB());
    const std::vector<HeadDifference> expected = ranked(own.heads);
    const ScoreTable& heads = fixture.moved().heads().table();
    QCOMPARE(heads.rows().size(), expected.size());
    for (std::size_t row = 0; row < expected.size(); ++row) {
        QCOMPARE(heads.rows()[row].name, headName(expected[row].head));
        QCOMPARE(heads.rows()[row].values[0], expected[row].divergence);
    }
    QVERIFY(expected.front().divergence > 0.0);
    QCOMPARE(heads.columns()[0].full, expected.front().divergence);
    const QAbstractItemModel& model = *heads.model();
    QCOMPARE(model.data(model.index(0, 0), Qt::AccessibleTextRole).toString(),
             headName(expected.front().head));
}

void TstCompareModels::aMovedHeadIsSelectedAndOpened()
{
    ModelsFixture fixture(ComparePage::Section::Moved);
    QTRY_VERIFY(fixture.isMeasured());
    QSignalSpy opened(&fixture.page, &Page::pageWanted);
    ScoreTable& heads = fixture.moved().heads().table();
    heads.setFocus();
    heads.setCurrentRow(0);
    QTest::keyClick(&heads, Qt::Key_Down);
    const int row = fixture.moved().heads().order()[1];
    const HeadId head =
        fixture.moved().differences().traces.heads[static_cast<std::size_t>(row)].head;
    QVERIFY(fixture.session.selection().headId() == head);
    QTRY_COMPARE(heads.currentRow(), 1);
    QTest::keyClick(&heads, Qt::Key_Return);
    QCOMPARE(opened.size(), 1);
    QCOMPARE(opened.front().front().toString(), QString("head"));
    QCOMPARE(fixture.session.view().shownVariant(), Variant::Difference);
}

void TstCompareModels::aMovedTokenIsSelected()
{
    ModelsFixture fixture(ComparePage::Section::Moved);
    QTRY_VERIFY(fixture.isMeasured());
    auto& tokens = childOf<RankedTable>(fixture.page, "movedTokens");
    QCOMPARE(tokens.table().rows().size(), fixture.session.traceA()->tokens().size());
    tokens.table().setFocus();
    tokens.table().setCurrentRow(0);
    QTest::keyClick(&tokens.table(), Qt::Key_Down);
    QCOMPARE(fixture.session.selection().query, tokens.order()[1]);
    QVERIFY(fixture.session.selection().pinned);
}

void TstCompareModels::onlyChangedMatricesMove()
{
    SectionFixture fixture(ComparePage::Section::Moved);
    QTRY_VERIFY(fixture.isCurrent() && fixture.page.isSettled());
    const auto& ranking = childOf<RankedTable>(fixture.page, "movedMatrices");
    QTRY_COMPARE(noteOf(ranking), QString("A and B have the same weights"));
    Changes changes;
    changes.weights.push_back(parseWeightEdit("blocks.1.attn.W_V*=3"));
    fixture.session.document().setChanges(changes, "edit");
    const Differences& shown = fixture.moved().differences();
    QTRY_VERIFY(shown.weights);
    const ScoreTable& matrices = ranking.table();
    QCOMPARE(matrices.rows()[0].name, QString("blocks.1.attn.W_V"));
    QVERIFY(std::abs(matrices.rows()[0].values[0] - 2.0) < 1e-6);
    QCOMPARE(matrices.rows()[1].values[0], 0.0);
}

void TstCompareModels::titlesSortTheRanking()
{
    ModelsFixture fixture(ComparePage::Section::Moved);
    QTRY_VERIFY(fixture.isMeasured());
    ScoreTable& heads = fixture.moved().heads().table();
    heads.setFocus();
    QTest::keyClick(&heads, Qt::Key_Right);
    QCOMPARE(heads.sortedColumn(), 1);
    for (std::size_t row = 1; row < heads.rows().size(); ++row)
        QVERIFY(heads.rows()[row - 1].values[1] >= heads.rows()[row].values[1]);
    QTest::keyClick(&heads, Qt::Key_Space);
    QVERIFY(heads.isRising());
    for (std::size_t row = 1; row < heads.rows().size(); ++row)
        QVERIFY(heads.rows()[row - 1].values[1] <= heads.rows()[row].values[1]);
}

void TstCompareModels::otherTokensHaveNoRanking()
{
    SectionFixture fixture(ComparePage::Section::Moved);
    QTRY_VERIFY(fixture.isCurrent());
    Changes changes;
    changes.text = "the dog sat";
    fixture.session.document().setChanges(changes, "text");
    const DifferencePanel& moved = fixture.moved();
    QTRY_VERIFY(fixture.session.traceB() && moved.subject().b == fixture.session.traceB());
    QVERIFY(moved.heads().table().rows().empty());
    QCOMPARE(noteOf(moved.heads()), QString("A and B read different tokens"));
}

void TstCompareModels::theRankingIsExported()
{
    ModelsFixture fixture(ComparePage::Section::Moved);
    QTRY_VERIFY(fixture.isMeasured());
    const Figure figure = fixture.page.figure();
    QCOMPARE(figure.numbers.size(), std::size_t{3});
    QCOMPARE(figure.numbers[0].name, QString("heads"));
    QCOMPARE(figure.numbers[0].values.rows, 4);
    QCOMPARE(figure.numbers[1].columns.front(), QString("kl_bits"));
    QCOMPARE(figure.numbers[2].rows.size(),
             static_cast<int>(fixture.moved().differences().weights->matrices.size()));
    const Figure alone = compareFigure(fixture.session.viewSnapshot(), {{"section", "moved"}});
    QCOMPARE(alone.numbers.size(), std::size_t{3});
    for (int head = 0; head < 4; ++head)
        QCOMPARE(alone.numbers[0].values.at({head, 0}), figure.numbers[0].values.at({head, 0}));
    QVERIFY(figure.paint && figure.size(Theme::named(false, bodyFont())).width() > 300.0);
}

void TstCompareModels::sectionsAreRestored()
{
    SectionFixture fixture(ComparePage::Section::Layers);
    QCOMPARE(fixture.page.section(), ComparePage::Section::Layers);
    fixture.page.setOptions({{"section", "texts"}});
    QCOMPARE(fixture.page.section(), ComparePage::Section::Texts);
    QCOMPARE(fixture.page.options().value("section").toString(), QString("texts"));
    fixture.page.setOptions({{"section", "nothing"}});
    QCOMPARE(fixture.page.section(), ComparePage::Section::Texts);
}

void TstCompareModels::textsAreRankedAndOpened()
{
    ModelsFixture fixture(ComparePage::Section::Texts);
    QTRY_VERIFY(fixture.session.traceB());
    RankedTexts& texts = fixture.texts();
    texts.rankBuiltin();
    QVERIFY(texts.isRanking());
    QTRY_VERIFY(!texts.isRanking());
    const std::vector<ScoreRow>& rows = texts.table().table().rows();
    QCOMPARE(rows.size(), builtinTexts().size());
    for (std::size_t row = 1; row < rows.size(); ++row)
        QVERIFY(rows[row - 1].values[0] >= rows[row].values[0]);
    const ScoreRow first = rows.front();
    QTest::keyClick(&texts.table().table(), Qt::Key_Return);
    QCOMPARE(fixture.session.text(), first.words);
    QCOMPARE(fixture.page.section(), ComparePage::Section::Moved);
    QTRY_VERIFY(fixture.isCurrent() && fixture.isMeasured() &&
                fixture.moved().subject().a == fixture.session.traceA());
    QVERIFY(std::abs(fixture.moved().differences().traces.meanBits() - first.values[0]) < 1e-4);
    fixture.session.document().undoStack().undo();
    QCOMPARE(fixture.session.text(), QString("the cat sat on a mat"));
}

void TstCompareModels::linesOfAFileAreRanked()
{
    ModelsFixture fixture(ComparePage::Section::Texts);
    QTRY_VERIFY(fixture.session.traceB());
    QTemporaryDir folder;
    QFile file(folder.filePath("lines.txt"));
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write("the cat sat\r\n\n  \non a mat\n");
    file.close();
    RankedTexts& texts = fixture.texts();
    texts.rankFile(file.fileName());
    const std::vector<ScoreRow>& rows = texts.table().table().rows();
    QTRY_COMPARE(rows.size(), std::size_t{2});
    QStringList read;
    for (const ScoreRow& row : rows)
        read << row.words;
    read.sort();
    QCOMPARE(read, (QStringList{"on a mat", "the cat sat"}));
    texts.rankFile(folder.filePath("none.txt"));
    QTRY_VERIFY(!texts.isRanking());
    QVERIFY2(texts.state().contains("none.txt"), qPrintable(texts.state()));
    QVERIFY(rows.empty());
}

void TstCompareModels::aRankingOfTextsIsCancelled()
{
    ModelsFixture fixture(ComparePage::Section::Texts);
    QTRY_VERIFY(fixture.session.traceB());
    RankedTexts& texts = fixture.texts();
    texts.rankBuiltin();
    QVERIFY(fixture.page.escape());
    QVERIFY(!texts.isRanking());
    QCOMPARE(texts.state(), QString("Cancelled."));
    QVERIFY(texts.table().table().rows().empty());
    QVERIFY(!fixture.page.escape());
}

void TstCompareModels::oneModelHasNoTextsToRank()
{
    SectionFixture fixture(ComparePage::Section::Texts);
    QTRY_VERIFY(fixture.isCurrent() && fixture.page.isSettled());
    QVERIFY(fixture.texts().state().startsWith("Choose another model"));
}

void TstCompareModels::adaptersAreChangesOfB()
{
    SectionFixture fixture(ComparePage::Section::Layers);
    QTRY_VERIFY(fixture.isCurrent() && fixture.page.isSettled());
    QTemporaryDir folder;
    QFile config(folder.filePath("adapter_config.json"));
    QVERIFY(config.open(QIODevice::WriteOnly));
    config.close();
    QSignalSpy errors(&fixture.session, &Session::errorRaised);
    fixture.page.findChild<ModelOfB*>()->addAdapter(config.fileName());
    const std::vector<WeightEdit>& weights = fixture.session.changes().weights;
    QCOMPARE(weights.size(), std::size_t{1});
    QCOMPARE(weights.front().checkpoint, folder.path().toStdString());
    const ChangeText text = fixture.session.changes().texts().front();
    QCOMPARE(text.what, QString("LoRA"));
    QCOMPARE(text.scope, QFileInfo(folder.path()).fileName());
    QTRY_COMPARE(errors.size(), 1); // the empty file is no adapter
    fixture.session.document().undoStack().undo();
    QVERIFY(fixture.session.changes().empty());
}

HEADSCOPE_WINDOW_TEST(TstCompareModels)
#include "tst_compare_models.moc"
