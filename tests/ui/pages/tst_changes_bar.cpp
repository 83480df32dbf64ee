#include "core/analysis/lens/next_token.h"
#include "core/text/tokenizers/id_tokenizer.h"
#include "tests/support/test_program.h"
#include "tests/ui/child.h"
#include "tests/ui/pages/session_fixture.h"
#include "ui/pages/shared/changes/changes_bar.h"
#include "ui/pages/shared/maps/readings.h"
#include "ui/pages/shared/maps/shown_pattern.h"
#include "ui/pages/shared/variant_bar.h"
#include "ui/widgets/controls/chip_row.h"
#include "ui/widgets/controls/segments.h"

#include <QAccessible>
#include <QLabel>
#include <QPushButton>
#include <QSignalSpy>
#include <QTextDocumentFragment>
#include <QToolButton>

#include <cmath>

using namespace headscope;
using namespace headscope::ui;
using headscope::ui::test::childOf;
using headscope::ui::test::SessionFixture;

namespace {

Changes threeChanges()
{
    Changes changes;
    changes.mask.kind = MaskChange::Kind::None;
    changes.headsOff = {{{0, 1}}, {{1, 0}}};
    return changes;
}

double lossOf(const Trace& trace)
{
    double sum = 0.0;
    const auto ids = trace.tokens().ids();
    for (std::size_t i = 0; i + 1 < ids.size(); ++i)
        sum -= std::log(probabilityOf(trace, static_cast<int>(i), ids[i + 1]));
    return sum / static_cast<double>(ids.size() - 1);
}

/// What a label of the bar shows, without its markup.
QString wordsOf(const ChangesBar& bar, const QString& label)
{
    return QTextDocumentFragment::fromHtml(bar.findChild<QLabel*>(label)->text()).toPlainText();
}

struct BarFixture : SessionFixture
{
    BarFixture() : bar(session) { bar.resize(1200, 90); }

    void change(const Changes& changes)
    {
        session.document().setChanges(changes, "changes");
        bar.show(); // a window of its own shows itself
    }

    bool isMeasured() const { return isCurrent() && bar.effect().next.has_value(); }

    ChipRow& chips() const { return childOf<ChipRow>(bar); }

    ChangesBar bar;
};

} // namespace

class TstChangesBar : public QObject
{
    Q_OBJECT

private slots:
    void itIsThereWhileSomethingIsChanged();
    void chipsSayWhatIsDifferent();
    void deleteTakesTheCurrentChipAway();
    void theCrossTakesItsChipAway();
    void theEyeSwitchesAChangeOffAndOn();
    void aSwapSaysItsToken();
    void whatHasNoRoomIsCounted();
    void theSwitchShowsARun();
    void theEffectIsThatOfTheTraces();
    void theHeadThatMovedMostCanBeOpened();
    void textsOfOtherLengthsHaveNoDifference();
    void theEffectKeepsItsTokenUnderANewModel();
    void anUnknownTokenIsNamedByItsNumber();
};

void TstChangesBar::itIsThereWhileSomethingIsChanged()
{
    BarFixture fixture;
    QTRY_VERIFY(fixture.isCurrent());
    QVERIFY(fixture.bar.isHidden());
    fixture.session.document().setChanges(threeChanges(), "changes");
    QVERIFY(!fixture.bar.isHidden());
    fixture.session.document().undoStack().undo();
    QVERIFY(fixture.bar.isHidden());
}

void TstChangesBar::chipsSayWhatIsDifferent()
{
    BarFixture fixture;
    QTRY_VERIFY(fixture.isCurrent());
    fixture.change(threeChanges());
    QTRY_COMPARE(fixture.chips().chips().size(), std::size_t(3));
    const std::vector<Chip>& chips = fixture.chips().chips();
    QCOMPARE(chips[0].what, QString("Mask"));
    QCOMPARE(chips[0].scope, QString("no mask"));
    QCOMPARE(chips[2].what, QString("Head 1.0"));
    QVERIFY(fixture.chips().accessibleDescription().contains("no mask"));
    QVERIFY(fixture.chips().accessibleDescription().contains("1 of 3"));
}

void TstChangesBar::deleteTakesTheCurrentChipAway()
{
    BarFixture fixture;
    QTRY_VERIFY(fixture.isCurrent());
    fixture.change(threeChanges());
    QTRY_COMPARE(fixture.chips().chips().size(), std::size_t(3));
    QTest::keyClick(&fixture.chips(), Qt::Key_Right);
    QVERIFY(fixture.chips().accessibleDescription().contains("Head 0.1"));
    QTest::keyClick(&fixture.chips(), Qt::Key_Delete);
    QVERIFY(!fixture.session.changes().isOff({0, 1}));
    QVERIFY(fixture.session.changes().isOff({1, 0}));
    QTRY_COMPARE(fixture.chips().chips().size(), std::size_t(2));
    fixture.session.document().undoStack().undo();
    QVERIFY(fixture.session.changes().isOff({0, 1}));
}

void TstChangesBar::theCrossTakesItsChipAway()
{
    BarFixture fixture;
    QTRY_VERIFY(fixture.isCurrent());
    fixture.change(threeChanges());
    QTRY_COMPARE(fixture.chips().chips().size(), std::size_t(3));
    QTRY_VERIFY(fixture.chips().crossRect(2));
    QTest::mouseClick(&fixture.chips(), Qt::LeftButton, {},
                      fixture.chips().crossRect(2)->center().toPoint());
    QVERIFY(!fixture.session.changes().isOff({1, 0}));
    QVERIFY(fixture.session.changes().isOff({0, 1}));
    QTest::mouseClick(&fixture.chips(), Qt::LeftButton, {}, // beside the x: only chosen
                      fixture.chips().chipRect(0)->center().toPoint() - QPoint(30, 0));
    QCOMPARE(fixture.session.changes().texts().size(), std::size_t(2));
}

void TstChangesBar::whatHasNoRoomIsCounted()
{
    ChipRow row;
    std::vector<Chip> chips;
    for (int index = 0; index < 9; ++index)
        chips.push_back({ChipSign::Crossed, QString("Head 0.%1").arg(index), "off"});
    row.resize(420, row.sizeHint().height());
    row.setChips(chips);
    row.show();
    const int hidden = row.hiddenCount();
    QVERIFY(hidden > 0 && hidden < 9);
    const QRect read = QAccessible::queryAccessibleInterface(&row)->child(8)->rect();
    const QRect more(row.mapFromGlobal(read.topLeft()), read.size()); // where a hidden chip is
    QVERIFY(!more.isEmpty());
    QVERIFY(row.rect().contains(more));
    QTest::mouseClick(&row, Qt::LeftButton, {}, more.center());
    QCOMPARE(row.current(), 9 - hidden);
    QVERIFY(row.chipRect(row.current()));
    QTest::keyClick(&row, Qt::Key_End);
    QCOMPARE(row.current(), 8);
    QVERIFY(row.chipRect(8) && !row.chipRect(0));
    QTest::keyClick(&row, Qt::Key_Home);
    QVERIFY(row.chipRect(0) && !row.chipRect(8));
}

void TstChangesBar::theSwitchShowsARun()
{
    BarFixture fixture;
    QTRY_VERIFY(fixture.isCurrent());
    fixture.change(threeChanges());
    QTRY_VERIFY(fixture.isMeasured());
    const auto buttons = fixture.bar.findChild<VariantBar*>()->findChildren<QToolButton*>();
    for (const ui::Variant variant : {ui::Variant::B, ui::Variant::Difference, ui::Variant::A}) {
        QTest::mouseClick(buttons[static_cast<int>(variant)], Qt::LeftButton);
        QCOMPARE(fixture.session.view().shownVariant(), variant);
    }
}

void TstChangesBar::theEffectIsThatOfTheTraces()
{
    BarFixture fixture;
    QTRY_VERIFY(fixture.isCurrent());
    fixture.change(threeChanges());
    QTRY_VERIFY(fixture.isMeasured());
    const Trace& a = *fixture.session.traceA();
    const Trace& b = *fixture.session.traceB();
    const int last = static_cast<int>(a.tokens().size()) - 1;
    const NextTokenChange& next = *fixture.bar.effect().next;
    const double change = probabilityOf(b, last, next.id) - probabilityOf(a, last, next.id);
    for (TokenId id = 0; id < 270; ++id)
        QVERIFY(std::abs(probabilityOf(b, last, id) - probabilityOf(a, last, id)) <=
                std::abs(change) + 1e-7);
    const double logitA = double{a.find({Site::Logits, 0})->view()(last, next.id)};
    const double logitB = double{b.find({Site::Logits, 0})->view()(last, next.id)};
    const QString nextText = wordsOf(fixture.bar, "next");
    QVERIFY(nextText.contains(signedNumber(logitB - logitA, 2)));
    QVERIFY(nextText.contains(signedNumber(change, 3)));
    QVERIFY(nextText.contains(labelOf(next.id, fixture.session.model())));
    QVERIFY(std::abs(*fixture.bar.effect().lossA - lossOf(a)) < 1e-5);
    QVERIFY(std::abs(*fixture.bar.effect().lossB - lossOf(b)) < 1e-5);
    QVERIFY(wordsOf(fixture.bar, "loss").contains(number(lossOf(b), 3)));
}

void TstChangesBar::theHeadThatMovedMostCanBeOpened()
{
    BarFixture fixture;
    QTRY_VERIFY(fixture.isCurrent());
    fixture.change(threeChanges());
    QTRY_VERIFY(fixture.isMeasured());
    const GridCell most = *fixture.bar.effect().mostMoved();
    double largest = 0.0;
    for (int layer = 0; layer < 2; ++layer) {
        for (int head = 0; head < 2; ++head) {
            const TraceKey key{Site::Pattern, layer};
            const TensorView a = fixture.session.traceA()->find(key)->view()[head];
            const TensorView b = fixture.session.traceB()->find(key)->view()[head];
            double moved = 0.0;
            for (std::int64_t cell = 0; cell < a.shape.elementCount(); ++cell)
                moved += std::abs(double{b.data[cell]} - double{a.data[cell]}) / 2.0;
            moved /= static_cast<double>(a.shape[0]);
            QVERIFY(std::abs(fixture.bar.effect().movedIn({layer, head}) - moved) < 1e-6);
            largest = std::max(largest, moved);
        }
    }
    QVERIFY(std::abs(fixture.bar.effect().movedIn(most) - largest) < 1e-6);
    fixture.session.view().activateHead(1 - most.layer, 1 - most.head);
    const auto buttons = fixture.bar.findChildren<QPushButton*>();
    const auto link = std::find_if(buttons.begin(), buttons.end(), [](const QPushButton* button) {
        return button->property("role") == "link";
    });
    QTest::mouseClick(*link, Qt::LeftButton);
    QCOMPARE(fixture.session.selection().layer, most.layer);
    QCOMPARE(fixture.session.selection().head, most.head);
}

void TstChangesBar::textsOfOtherLengthsHaveNoDifference()
{
    BarFixture fixture;
    QTRY_VERIFY(fixture.isCurrent());
    Changes changes;
    changes.text = "a mat";
    fixture.change(changes);
    QTRY_VERIFY(fixture.isMeasured());
    QVERIFY(!fixture.bar.effect().mostMoved());
    QVERIFY(std::abs(*fixture.bar.effect().lossB - lossOf(*fixture.run("a mat"))) < 1e-5);
    const auto buttons = fixture.bar.findChild<VariantBar*>()->findChildren<QToolButton*>();
    QVERIFY(!buttons[2]->isEnabled());
    QVERIFY(!buttons[2]->toolTip().isEmpty());
}

void TstChangesBar::theEffectKeepsItsTokenUnderANewModel()
{
    applyTheme(*qApp, Theme::named(false, bodyFont()));
    Session session({}, [](const std::string& name) {
        LoadedModel model = headscope::test::tinyModel();
        if (name == "ids")
            model.tokenizer = std::make_shared<IdTokenizer>(2);
        model.name = name;
        return model;
    });
    session.computation().setDevice("cpu");
    session.document().replaceText("the cat sat on a mat");
    session.models().open("tiny");
    QTRY_VERIFY(session.traceA());
    ChangesBar bar(session);
    bar.resize(1200, 90);
    session.document().setChanges(threeChanges(), "changes");
    bar.show();
    QTRY_VERIFY(bar.effect().next);
    const QString token = labelOf(bar.effect().next->id, session.model());
    QString shown;
    connect(&session, &Session::modelChanged, &bar, [&bar, &shown] {
        bar.resize(1000, 90); // as when the window shows another workspace
        shown = wordsOf(bar, "next");
    });
    session.models().open("ids");
    QTRY_VERIFY(!shown.isEmpty());
    QVERIFY2(shown.contains(token), qPrintable(shown));
}

void TstChangesBar::anUnknownTokenIsNamedByItsNumber()
{
    SessionFixture fixture;
    QTRY_VERIFY(fixture.isCurrent());
    const auto size = fixture.session.model().tokenizer->vocabularySize();
    QCOMPARE(labelOf(static_cast<TokenId>(size), fixture.session.model()),
             QString("#%1").arg(size));
    QCOMPARE(labelOf(-1, fixture.session.model()), QString("#-1"));
}

void TstChangesBar::theEyeSwitchesAChangeOffAndOn()
{
    BarFixture fixture;
    QTRY_VERIFY(fixture.isCurrent());
    fixture.change(threeChanges());
    ChipRow& chips = fixture.chips();
    QTRY_VERIFY(chips.eyeRect(0));
    QTest::mouseClick(&chips, Qt::LeftButton, {}, chips.eyeRect(0)->center().toPoint());
    QVERIFY(fixture.session.changes().mask == MaskChange());
    QTRY_VERIFY(chips.chips().at(0).off);
    QCOMPARE(chips.chips().size(), std::size_t(3));
    QVERIFY(chips.accessibleDescription().contains("disabled"));
    Interventions heads;
    heads.ablatedHeads = {{0, 1}, {1, 0}};
    QTRY_VERIFY(fixture.isMeasured());
    const TracePtr own = fixture.run(fixture.session.text(), heads);
    QTRY_COMPARE(fixture.session.traceB()->find({Site::Logits, 0})->values()[3],
                 own->find({Site::Logits, 0})->values()[3]);
    chips.setFocus();
    QTest::keyClick(&chips, Qt::Key_Space); // the same chip, by the keyboard
    QVERIFY(fixture.session.changes() == threeChanges());
    fixture.session.document().undoStack().undo();
    QVERIFY(fixture.session.changes().texts()[0].aside);
    fixture.session.document().undoStack().undo();
    QVERIFY(fixture.session.changes() == threeChanges());
}

void TstChangesBar::aSwapSaysItsToken()
{
    BarFixture fixture;
    QTRY_VERIFY(fixture.isCurrent());
    const TokenId id = fixture.session.document().tokens().tokens.at(1).id;
    Changes changes;
    changes.swaps = {{0, id}};
    fixture.change(changes);
    QTRY_COMPARE(fixture.chips().chips().size(), std::size_t(1));
    const Chip& chip = fixture.chips().chips().front();
    QVERIFY(chip.scope.contains(labelOf(id, fixture.session.model())));
    QVERIFY(!chip.scope.contains("id"));
}

HEADSCOPE_WINDOW_TEST(TstChangesBar)
#include "tst_changes_bar.moc"
