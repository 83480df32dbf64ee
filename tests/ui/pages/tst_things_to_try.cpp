#include "tests/support/test_program.h"
#include "tests/support/tiny_model.h"
#include "tests/ui/child.h"
#include "ui/pages/overview/things_to_try_bar.h"
#include "ui/pages/overview/things_to_try_content.h"
#include "ui/session/samples.h"
#include "ui/session/session.h"
#include "ui/widgets/style/theme.h"

#include <QApplication>
#include <QPushButton>
#include <QtTest>

using namespace headscope;
using namespace headscope::ui;
using headscope::ui::test::childOf;

namespace {

/// The tiny model with room for the whole sentence.
LoadedModel openLong(const std::string& name)
{
    LoadedModel model = headscope::test::tinyModel();
    ModelConfig config = model.model->config();
    config.maxLen = 128;
    model.model =
        std::make_shared<const Model>(Model::initialised(config, name == "other" ? 7 : 1));
    model.name = name;
    return model;
}

/// The bar on the sample sentence, as at the first start.
struct ThingsFixture
{
    ThingsFixture() : session({}, openLong), things(thingsToTryOf(session)), bar(session)
    {
        applyTheme(*qApp, Theme::named(false, bodyFont()));
        session.computation().setDevice("cpu");
        session.document().replaceText(sampleSentence({}));
        session.document().undoStack().clear();
        session.models().open("tiny");
        things.selectAtFirst();
        bar.show();
    }

    bool isCurrent() const
    {
        return session.traceA() &&
               session.computation().shownTicket() == session.computation().postedTicket();
    }

    bool isReady() const { return isCurrent() && things.reference(); }

    Session session;
    ThingsToTry& things;
    ThingsToTryBar bar;
};

class TstThingsToTry : public QObject
{
    Q_OBJECT

private slots:
    void theSentenceIsThatOfTheSelectedHead();
    void anotherModelShowsItsOwnHead();
    void eachThingIsOneUndoStep_data();
    void eachThingIsOneUndoStep();
    void twoThingsAreEnough();
    void aTypedTextHidesThem();
    void narrowButtonsStandBelowEachOther();
};

void TstThingsToTry::theSentenceIsThatOfTheSelectedHead()
{
    ThingsFixture fixture;
    QTRY_VERIFY(fixture.isReady());
    const auto reference = strongestReference(*fixture.session.traceA());
    QVERIFY(fixture.things.reference() == reference);
    QVERIFY(fixture.session.selection().headId() == reference->head);
    QCOMPARE(fixture.session.pair().query, reference->query);
    QCOMPARE(fixture.session.pair().key, reference->key);
    const QString text = referenceText(*reference, fixture.session.viewSnapshot());
    QVERIFY(text.startsWith("Head " + headName(reference->head) + ": "));
    QVERIFY(text.endsWith(QString(" (%1).").arg(double{reference->weight}, 0, 'f', 2)));
    auto& sentence = childOf<QPushButton>(fixture.bar, "reference");
    QTRY_COMPARE(sentence.text(), text);
    fixture.session.view().activateHead(0, 0);
    sentence.click();
    QVERIFY(fixture.session.selection().headId() == reference->head);
}

void TstThingsToTry::anotherModelShowsItsOwnHead()
{
    ThingsFixture fixture;
    QTRY_VERIFY(fixture.isReady());
    const auto first = fixture.things.reference();
    fixture.session.models().open("other");
    QTRY_VERIFY(fixture.session.model().name == "other" && fixture.isReady());
    QVERIFY(fixture.things.reference()->head != first->head); // or the next line proves nothing
    QVERIFY(fixture.session.selection().headId() == fixture.things.reference()->head);
    QCOMPARE(fixture.session.selection().query, fixture.things.reference()->query);
}

void TstThingsToTry::eachThingIsOneUndoStep_data()
{
    QTest::addColumn<ThingToTry>("thing");
    QTest::newRow("change a word") << ThingToTry::ChangeWord;
    QTest::newRow("ablate the head") << ThingToTry::AblateHead;
}

void TstThingsToTry::eachThingIsOneUndoStep()
{
    QFETCH(ThingToTry, thing);
    ThingsFixture fixture;
    QTRY_VERIFY(fixture.isReady());
    const Session& session = fixture.session;
    QTRY_VERIFY(fixture.bar.button(thing).isEnabled());
    fixture.bar.button(thing).click();
    QCOMPARE(fixture.session.document().undoStack().count(), 1);
    if (thing == ThingToTry::ChangeWord) {
        QCOMPARE(session.text(), changedSampleSentence());
    } else {
        QVERIFY(session.changes().isOff(session.view().activeHead()));
        QCOMPARE(session.view().shownVariant(), Variant::Difference);
    }
    QTRY_VERIFY(!fixture.bar.button(thing).isEnabled());
    fixture.session.document().undoStack().undo();
    QCOMPARE(session.text(), sampleSentence({}));
    QVERIFY(session.changes().empty());
    QCOMPARE(session.view().shownVariant(), Variant::A);
    QTRY_VERIFY(fixture.bar.button(thing).isEnabled());
}

void TstThingsToTry::twoThingsAreEnough()
{
    ThingsFixture fixture;
    QTRY_VERIFY(fixture.isReady());
    const auto isOffered = [&] {
        return fixture.bar.button(ThingToTry::TrainModel).isVisibleTo(&fixture.bar);
    };
    QTRY_VERIFY(isOffered());
    fixture.things.take(ThingToTry::AblateHead);
    QTRY_VERIFY(isOffered());
    fixture.things.take(ThingToTry::ChangeWord);
    QTRY_VERIFY(!isOffered());
    fixture.things.offerAgain();
    QTRY_VERIFY(isOffered());
}

void TstThingsToTry::aTypedTextHidesThem()
{
    ThingsFixture fixture;
    QTRY_VERIFY(fixture.isReady());
    QVERIFY(fixture.session.selection().pinned);
    fixture.session.document().setText("the cat sat");
    QVERIFY(!fixture.bar.isVisible());
    QVERIFY(!fixture.session.selection().pinned); // the query follows the typing
    QTRY_VERIFY(fixture.isCurrent());
    QVERIFY(!fixture.things.reference());
    fixture.things.offerAgain();
    QCOMPARE(fixture.session.text(), sampleSentence({}));
    QVERIFY(fixture.bar.isVisible());
    QTRY_VERIFY(fixture.session.selection().pinned);
}

void TstThingsToTry::narrowButtonsStandBelowEachOther()
{
    QWidget page; // a window of its own would not become narrower than the row
    ThingsFixture fixture;
    fixture.bar.setParent(&page);
    page.show();
    fixture.bar.show();
    QTRY_VERIFY(fixture.isReady());
    const QPushButton& first = fixture.bar.button(ThingToTry::ChangeWord);
    const QPushButton& last = fixture.bar.button(ThingToTry::TrainModel);
    fixture.bar.resize(1200, 80);
    QTRY_COMPARE(first.y(), last.y());
    fixture.bar.resize(fixture.bar.minimumSizeHint().width(), 200);
    QTRY_VERIFY(first.y() < last.y());
}

} // namespace

HEADSCOPE_WINDOW_TEST(TstThingsToTry)
#include "tst_things_to_try.moc"
