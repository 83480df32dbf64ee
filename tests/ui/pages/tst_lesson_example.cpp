#include "tests/support/test_program.h"
#include "tests/ui/child.h"
#include "tests/ui/pages/lesson_fixture.h"
#include "ui/pages/lessons/lesson_example.h"
#include "ui/pages/shared/listings/listing_panel.h"
#include "ui/pages/shared/stages/example_stage.h"

#include <QPushButton>
#include <QtTest>

using namespace headscope;
using namespace headscope::ui;
using headscope::ui::test::childOf;
using headscope::ui::test::exampleStep;

namespace {

/// A step of a lesson, shown with room for its example and the program.
struct StepFixture
{
    StepFixture()
    {
        view.resize(1300, 700);
        view.showStep(exampleStep("Scores", "How well a query fits each key."));
        view.show();
        view.activateWindow();
        static_cast<void>(QTest::qWaitForWindowActive(&view));
    }

    ListingPanel& listing() const { return childOf<ListingPanel>(view); }

    QPushButton& codeButton() const { return childOf<QPushButton>(view, "show-code"); }

    LessonExample view;
};

} // namespace

class TstLessonExample : public QObject
{
    Q_OBJECT

private slots:

    void theCodeOfAnExampleIsShownBesideIt()
    {
        StepFixture f;
        QVERIFY(f.codeButton().isVisible());
        QVERIFY(!f.view.isCodeShown());
        f.codeButton().click();
        QVERIFY(f.listing().isVisible() && f.view.stage().isVisible());
        QVERIFY(f.listing().listing());
        QVERIFY(f.view.stage().geometry().right() < f.listing().geometry().left());
        QVERIFY(f.codeButton().isChecked());
    }

    void escapeClosesTheCode()
    {
        StepFixture f;
        f.codeButton().click();
        QVERIFY(f.listing().isAncestorOf(QApplication::focusWidget()));
        QTest::keyClick(QApplication::focusWidget(), Qt::Key_Escape);
        QVERIFY(!f.view.isCodeShown());
        QVERIFY(!f.codeButton().isChecked());
        QVERIFY(f.codeButton().hasFocus());
    }

    void aNarrowWindowShowsTheCodeAlone()
    {
        StepFixture f;
        f.codeButton().click();
        QVERIFY(f.view.minimumSizeHint().width() < 640);
        f.view.resize(640, 700);
        QTRY_VERIFY(!f.view.stage().isVisible() && f.listing().isVisible());
        f.view.resize(1300, 700);
        QTRY_VERIFY(f.view.stage().isVisible());
    }

    void theCodeFollowsTheStep()
    {
        StepFixture f;
        f.codeButton().click();
        const Listing* attention = f.listing().listing();
        LessonStep step = exampleStep("Norm", "Mean zero, variance one.");
        step.state.name = "layer-norm";
        f.view.showStep(step);
        QVERIFY(f.view.isCodeShown());
        QVERIFY(f.listing().listing() != attention);
    }
};

HEADSCOPE_WINDOW_TEST(TstLessonExample)
#include "tst_lesson_example.moc"
