#include "core/attention/cpu_attention.h"
#include "core/base/error.h"
#include "tests/support/test_program.h"
#include "tests/ui/child.h"
#include "tests/ui/window/window_fixture.h"
#include "ui/widgets/heads/head_grid_widget.h"
#include "ui/widgets/heatmap/heatmap_widget.h"
#include "ui/widgets/text/token_strip.h"

#include <QClipboard>
#include <QElapsedTimer>
#include <QInputMethodEvent>

using namespace headscope;
using namespace headscope::ui;
using headscope::ui::test::childOf;
using headscope::ui::test::mapDifference;
using headscope::ui::test::WindowFixture;

namespace {

void commit(QWidget& field, const QString& text, const QString& preedit = {})
{
    QInputMethodEvent event(preedit, {});
    event.setCommitString(text);
    QCoreApplication::sendEvent(&field, &event);
}

} // namespace

class TstTyping : public QObject
{
    Q_OBJECT

private slots:
    void everyKeyShowsTheModelsOwnPatterns();
    void theMaskTakenAwayShowsTheModelsOwnPatternsWithoutMask();
    void nothingRunsOnPreedit();
    void emojiAndForeignTextArrive();
    void undoKeysBelongToTheSession();
    void aLongTextIsCutWhereTheModelEnds();
    void aMegabytePasteReturnsAtOnce();
    void theWarningOfACutTextEndsWithIt();
    void theErrorOfAForwardPassEndsWithTheNext();
};

void TstTyping::everyKeyShowsTheModelsOwnPatterns()
{
    WindowFixture fixture;
    QTRY_VERIFY(fixture.isPainted());
    fixture.session.document().replaceText({});
    QTRY_VERIFY(fixture.isPainted());
    const QString sentence = "The cat sat on the mat";
    SentenceField& field = fixture.window->sentence();
    const HeatmapWidget& map = childOf<HeatmapWidget>(fixture.window->overview());
    for (const QChar character : sentence) {
        QTest::keyClick(&field, character.toLatin1());
        QTRY_VERIFY(fixture.isPainted());
        QCOMPARE(fixture.session.text(), sentence.left(fixture.session.text().size()));
        const TracePtr own = fixture.ownTrace(fixture.session.text());
        const auto& thumbnails =
            childOf<HeadGridWidget>(fixture.window->overview()).content().thumbnails;
        for (int layer = 0; layer < own->layerCount(); ++layer) {
            for (int head = 0; head < own->headCount(); ++head) {
                fixture.session.view().activateHead(layer, head);
                QTRY_VERIFY(mapDifference(map.content().matrix, *own, layer, head) <= 1e-6);
                const auto& thumbnail =
                    thumbnails[static_cast<std::size_t>(layer * own->headCount() + head)];
                QCOMPARE(thumbnail->rows, static_cast<int>(own->tokens().size()));
            }
        }
    }
    QCOMPARE(fixture.session.text(), sentence);
    QCOMPARE(fixture.window->strip().chips().size(), fixture.session.document().tokens().size());
}

void TstTyping::theMaskTakenAwayShowsTheModelsOwnPatternsWithoutMask()
{
    WindowFixture fixture;
    QTRY_VERIFY(fixture.isPainted());
    fixture.session.document().replaceText("the cat sat");
    QTRY_VERIFY(fixture.isPainted());
    QTest::keyClick(fixture.window.get(), Qt::Key_M, Qt::ControlModifier);
    QTRY_VERIFY(fixture.isPainted() && fixture.session.traceB());
    Interventions none;
    none.mask = AttentionMask{};
    const TracePtr own = fixture.ownTrace("the cat sat", none);
    const HeatmapWidget& map = childOf<HeatmapWidget>(fixture.window->overview());
    for (int layer = 0; layer < own->layerCount(); ++layer) {
        fixture.session.view().activateHead(layer, 1);
        QTRY_VERIFY(mapDifference(map.content().matrix, *own, layer, 1) <= 1e-6);
    }
    const TracePtr causal = fixture.ownTrace("the cat sat");
    QVERIFY(mapDifference(map.content().matrix, *causal, 1, 1) > 1e-3);
    QCOMPARE(map.content().mask.kind, HeatmapMask::Kind::None);
    QTest::keyClick(fixture.window.get(), Qt::Key_M, Qt::ControlModifier);
    QTRY_VERIFY(mapDifference(map.content().matrix, *causal, 1, 1) <= 1e-6);
}

void TstTyping::nothingRunsOnPreedit()
{
    WindowFixture fixture;
    QTRY_VERIFY(fixture.isPainted());
    fixture.session.document().replaceText({});
    QTRY_VERIFY(fixture.isPainted());
    const quint64 before = fixture.session.computation().postedTicket();
    commit(fixture.window->sentence(), {}, QString::fromUtf8("\xE3\x81\xAD\xE3\x81\x93"));
    QCoreApplication::processEvents();
    QCOMPARE(fixture.session.computation().postedTicket(), before);
    QCOMPARE(fixture.session.text(), QString());
    commit(fixture.window->sentence(), QString::fromUtf8("\xE7\x8C\xAB"));
    QCOMPARE(fixture.session.computation().postedTicket(), before + 1);
    QCOMPARE(fixture.session.text(), QString::fromUtf8("\xE7\x8C\xAB"));
}

void TstTyping::emojiAndForeignTextArrive()
{
    WindowFixture fixture;
    QTRY_VERIFY(fixture.isPainted());
    fixture.session.document().replaceText({});
    const QString text = QString::fromUtf8("\xF0\x9F\x98\x80\xF0\x9F\x91\x8D \xC3\x9C\xD7\x90");
    commit(fixture.window->sentence(), text);
    QTRY_VERIFY(fixture.isPainted());
    QCOMPARE(fixture.session.traceA()->tokens().text, text.toStdString());
    const HeatmapWidget& map = childOf<HeatmapWidget>(fixture.window->overview());
    QTRY_VERIFY(mapDifference(map.content().matrix, *fixture.ownTrace(text), 0, 0) <= 1e-6);
    QTest::keyClick(&fixture.window->sentence(), Qt::Key_Home);
    QTest::keyClick(&fixture.window->sentence(), Qt::Key_Delete);
    QVERIFY(fixture.session.text().startsWith(QString::fromUtf8("\xF0\x9F\x91\x8D")));
}

void TstTyping::undoKeysBelongToTheSession()
{
    WindowFixture fixture;
    QTRY_VERIFY(fixture.isPainted());
    QVERIFY(QTest::qWaitForWindowActive(fixture.window.get()));
    fixture.session.document().replaceText("one");
    SentenceField& field = fixture.window->sentence();
    field.setFocus();
    field.end(false);
    QTest::keyClicks(&field, " two");
    QCOMPARE(fixture.session.text(), QString("one two"));
    QTest::keyClick(&field, Qt::Key_Z, Qt::ControlModifier);
    QCOMPARE(fixture.session.text(), QString("one"));
    QCOMPARE(field.text(), QString("one"));
    QTest::keyClick(&field, Qt::Key_Z, Qt::ControlModifier | Qt::ShiftModifier);
    QCOMPARE(field.text(), QString("one two"));
}

void TstTyping::aLongTextIsCutWhereTheModelEnds()
{
    WindowFixture fixture;
    QTRY_VERIFY(fixture.isPainted());
    fixture.session.document().replaceText(QString("the cat sat ").repeated(20));
    QTRY_VERIFY(fixture.isPainted());
    const int limit = fixture.session.models().longestText();
    QTRY_COMPARE(childOf<HeatmapWidget>(fixture.window->overview()).content().matrix.rows, limit);
    QVERIFY(fixture.session.textTokens() > limit);
    QVERIFY(fixture.window->strip().chips().size() > static_cast<std::size_t>(limit));
    QVERIFY(!fixture.window->messages().isVisible());
}

void TstTyping::aMegabytePasteReturnsAtOnce()
{
    WindowFixture fixture;
    QTRY_VERIFY(fixture.isPainted());
    const QString text = QString("the cat sat on the mat ").repeated(45'000); // over 1 MB
    QApplication::clipboard()->setText(text);
    fixture.window->sentence().setFocus();
    const quint64 before = fixture.session.computation().postedTicket();
    fixture.window->sentence().clear();
    fixture.window->sentence().paste();
    QVERIFY(fixture.session.computation().postedTicket() > before); // returned without any picture
    QVERIFY(!fixture.isPainted());
    QVERIFY(fixture.window->messages().isVisible()); // the field cannot hold it all, and says so
    QTRY_VERIFY_WITH_TIMEOUT(fixture.isPainted(), 60'000);
    fixture.session.document().replaceText(text); // as a dropped file: all of it
    QCOMPARE(fixture.session.textTokens(), -1);
    QTRY_VERIFY_WITH_TIMEOUT(fixture.isPainted(), 60'000);
    QVERIFY(fixture.session.textTokens() > 200'000);
}

void TstTyping::theWarningOfACutTextEndsWithIt()
{
    WindowFixture fixture;
    QTRY_VERIFY(fixture.isPainted());
    SentenceField& field = fixture.window->sentence();
    const MessageBar& messages = fixture.window->messages();
    field.setMaxLength(12);
    field.clear();
    QApplication::clipboard()->setText("the cat sat on the mat");
    field.paste();
    QVERIFY(messages.isVisible());
    QVERIFY2(messages.sentence().contains("12"), qPrintable(messages.sentence()));
    QTest::keyClick(&field, 'x'); // does not fit either
    QVERIFY(messages.isVisible());
    QTest::keyClick(&field, Qt::Key_Backspace);
    QVERIFY(!messages.isVisible());
}

void TstTyping::theErrorOfAForwardPassEndsWithTheNext()
{
    WindowFixture fixture;
    QTRY_VERIFY(fixture.isPainted());
    const MessageBar& messages = fixture.window->messages();
    Changes impossible;
    impossible.positions = PositionsChoice{Positions::RelativeBuckets};
    fixture.session.document().setChanges(impossible, "positions");
    QTRY_VERIFY(messages.isVisible());
    QCOMPARE(messages.kind(), MessageKind::Error);
    fixture.session.document().undoStack().undo();
    QTRY_VERIFY(!messages.isVisible());
}

HEADSCOPE_WINDOW_TEST(TstTyping)
#include "tst_typing.moc"
