#include "tests/support/test_program.h"
#include "ui/widgets/charts/bars/bars.h"
#include "ui/widgets/controls/message_bar.h"
#include "ui/widgets/controls/segments.h"
#include "ui/widgets/controls/slider.h"
#include "ui/widgets/formula/formula.h"
#include "ui/widgets/formula/formula_text.h"
#include "ui/widgets/formula/formula_widget.h"
#include "ui/widgets/labels.h"
#include "ui/widgets/style/colour_bar.h"

#include <QAccessible>
#include <QLineEdit>
#include <QPainter>
#include <QPushButton>
#include <QSignalSpy>
#include <QToolButton>
#include <QtTest>

using namespace headscope::ui;

class TstControls : public QObject
{
    Q_OBJECT

private slots:

    void initTestCase() { applyTheme(*qApp, Theme::light()); }

    void sliderScaleGoesThereAndBack()
    {
        const SliderScale base{100, 100000, 300, true, 1, 0};
        QCOMPARE(base.valueAt(0), 100.0);
        QCOMPARE(base.valueAt(300), 100000.0);
        QCOMPARE(base.valueAt(base.stepOf(10000)), 10000.0);
        for (int step = 0; step <= 300; ++step)
            QCOMPARE(base.stepOf(base.valueAt(step)), step);
        const SliderScale even{4, 512, 127, true, 2, 0};
        for (int step = 0; step <= 127; ++step)
            QCOMPARE(std::fmod(even.valueAt(step), 2.0), 0.0);
        QCOMPARE(SliderScale({5, 5, 0, false, 1, 0}).stepOf(5), 0);
    }

    void sliderKeepsTheExactNumber()
    {
        NamedSlider slider("Base", "N", Role::Plain);
        slider.setScale({100, 100000, 10, true, 1, 0});
        QSignalSpy changed(&slider, &NamedSlider::numberChanged);
        slider.setNumber(12345);
        QCOMPARE(slider.number(), 12345.0);
        QCOMPARE(changed.size(), 1);
        slider.setNumber(1e9);
        QCOMPARE(slider.number(), 100000.0);
    }

    void sliderFollowsKeysAndPointer()
    {
        NamedSlider slider("Position", "p", Role::Query);
        slider.resize(200, 70);
        slider.setScale({0, 63, 63, false, 1, 0});
        slider.setNumber(12);
        QTest::keyClick(&slider, Qt::Key_Right);
        QCOMPARE(slider.number(), 13.0);
        QTest::keyClick(&slider, Qt::Key_End);
        QCOMPARE(slider.number(), 63.0);
        QTest::mouseClick(&slider, Qt::LeftButton, {}, QPoint(9, 36));
        QCOMPARE(slider.number(), 0.0);
    }

    void sliderTakesATypedNumber()
    {
        NamedSlider slider("Dimensions", "d", Role::Plain);
        slider.resize(200, 70);
        slider.setScale({4, 512, 100, true, 2, 0});
        slider.show();
        QTest::keyClick(&slider, Qt::Key_F2);
        auto* editor = slider.findChild<QLineEdit*>();
        QVERIFY(editor && editor->isVisible());
        editor->setText("301");
        QTest::keyClick(editor, Qt::Key_Return);
        QCOMPARE(slider.number(), 302.0);
        QVERIFY(!editor->isVisible());
        QTest::keyClick(&slider, Qt::Key_F2);
        editor->setText("nonsense");
        QTest::keyClick(editor, Qt::Key_Return);
        QCOMPARE(slider.number(), 302.0);
        QTest::keyClick(&slider, Qt::Key_F2);
        editor->setText("100");
        QTest::keyClick(editor, Qt::Key_Escape);
        QCOMPARE(slider.number(), 302.0);
        QVERIFY(!editor->isVisible());
    }

    void sliderIsNamedAndHasAValue()
    {
        NamedSlider slider("Offset", "k", Role::Key);
        slider.setScale({0, 32, 32, false, 1, 0});
        slider.setNumber(5);
        QAccessibleInterface* face = QAccessible::queryAccessibleInterface(&slider);
        QVERIFY(face && face->valueInterface());
        QCOMPARE(face->role(), QAccessible::Slider);
        QCOMPARE(face->text(QAccessible::Name), QStringLiteral("Offset k"));
        QCOMPARE(face->valueInterface()->currentValue().toInt(), 5);
    }

    void segmentsAreExclusive()
    {
        SegmentBar bar;
        bar.setSegments({{"A", {}, true}, {"B", "why not", false}, {"C", {}, true}});
        QCOMPARE(bar.current(), 0);
        QSignalSpy changed(&bar, &SegmentBar::currentChanged);
        bar.setCurrent(2);
        QCOMPARE(changed.size(), 0);
        QCOMPARE(bar.current(), 2);
        const auto buttons = bar.findChildren<QToolButton*>();
        QCOMPARE(buttons.size(), 3);
        QVERIFY(!buttons[1]->isEnabled());
        QCOMPARE(buttons[1]->toolTip(), QStringLiteral("why not"));
        QTest::mouseClick(buttons[0], Qt::LeftButton);
        QCOMPARE(changed.size(), 1);
        QCOMPARE(changed[0][0].toInt(), 0);
        QVERIFY(!buttons[2]->isChecked());
    }

    void smallBarsStillGetAPixel()
    {
        const Theme theme = Theme::light();
        QImage image(400, 48, QImage::Format_RGB32);
        image.fill(theme.surface);
        QPainter painter(&image);
        BarsOptions options;
        options.labelWidth = 60;
        paintBars(painter, QRectF(0, 0, 400, 48),
                  {{"a", 1.0, {}, {}, Role::Key, {}, true}, {"b", 0.0001, {}, {}, Role::Plain, {}}},
                  options, theme);
        painter.end();
        QCOMPARE(image.pixel(100, 12), theme.key.rgb());
        QCOMPARE(image.pixel(70, 36), theme.bar.rgb());
        QCOMPARE(image.pixel(74, 36), theme.surface.rgb());
    }

    void barsOfNothingAreNotDrawn()
    {
        const Theme theme = Theme::light();
        QImage image(300, 24, QImage::Format_RGB32);
        image.fill(theme.surface);
        QPainter painter(&image);
        BarsOptions options;
        options.labelWidth = 40;
        paintBars(painter, QRectF(0, 0, 300, 24), {{"", 0.0, {}, {}, Role::Plain, {}}}, options,
                  theme);
        paintBars(painter, QRectF(0, 0, 300, 24), {}, options, theme);
        painter.end();
        QCOMPARE(image.pixel(52, 12), theme.surface.rgb());
    }

    void barsAreReadAloud()
    {
        BarsWidget bars;
        bars.setBars({{"Mary", 0.034, 0.923, {}, Role::Plain, {}},
                      {"John", 0.539, 0.002, {}, Role::Plain, {}}});
        QCOMPARE(bars.accessibleDescription(),
                 QStringLiteral("Mary 0.034, before 0.923; John 0.539, before 0.002"));
        QSignalSpy chosen(&bars, &BarsWidget::barActivated);
        bars.resize(300, 64);
        QTest::mouseClick(&bars, Qt::LeftButton, {}, QPoint(100, 40));
        QCOMPARE(chosen.last()[0].toInt(), 1);
        QTest::keyClick(&bars, Qt::Key_Up);
        QCOMPARE(chosen.last()[0].toInt(), 0);
    }

    void scaleTitlesNameTheirRange()
    {
        QCOMPARE(scaleTitle("Attention weight", ColourScale::weights(), false),
                 QStringLiteral("Attention weight, fixed scale 0 to 1"));
        QCOMPARE(scaleTitle("Attention weight", {MapName::Depth, 0.0F, 0.61F, 1.0}, true),
                 QStringLiteral("Attention weight, scaled to this head, 0 to 0.61"));
        QCOMPARE(scaleTitle("B−A", ColourScale::difference(), false),
                 QStringLiteral("B−A, fixed scale −1 to +1"));
    }

    void wordsBesideAScaleAreNeverCut()
    {
        const Theme theme = Theme::light();
        ColourBarContent content;
        content.swatch = "hidden by the causal mask";
        const double words =
            QFontMetricsF(theme.font(TextRole::Caption)).horizontalAdvance(content.swatch);
        const double least = colourBarLayout(1000, content, theme).least;
        for (double width = std::ceil(least); width < 700; width += 7) {
            const ColourBarLayout places = colourBarLayout(width, content, theme);
            QVERIFY(places.swatch + 16 + 8 + words <= width);
            QVERIFY(places.bar >= 100 && places.bar < places.swatch);
        }
        QCOMPARE(colourBarLayout(700, content, theme).bar, 280.0);
    }

    void messagesAreShownAndDismissed()
    {
        MessageBar bar;
        bar.resize(600, 40);
        QVERIFY(!bar.isVisible());
        bar.show(MessageKind::Error, "The file is cut off (model.safetensors). Download it again",
                 "Choose a file");
        QVERIFY(bar.isVisible());
        QCOMPARE(bar.accessibleDescription(), bar.sentence());
        QSignalSpy pressed(&bar, &MessageBar::buttonPressed);
        QSignalSpy dismissed(&bar, &MessageBar::dismissed);
        QTest::mouseClick(bar.findChild<QPushButton*>(), Qt::LeftButton);
        QCOMPARE(pressed.size(), 1);
        QTest::mouseClick(bar.findChild<QToolButton*>(), Qt::LeftButton);
        QCOMPARE(dismissed.size(), 1);
        QVERIFY(!bar.isVisible());
        bar.show(MessageKind::Note, "No button");
        QVERIFY(!bar.findChild<QPushButton*>()->isVisible());
    }

    void formulasAreSpokenAndCopied()
    {
        using namespace math;
        const Math formula = row({text("softmax("),
                                  fraction(row({variable("Q", Role::Query),
                                                scripts(variable("K", Role::Key), text("T"))}),
                                           root(scripts(variable("d"), nullptr, variable("k")))),
                                  text(")"), variable("V", Role::Value)});
        QCOMPARE(spokenText(formula), QStringLiteral("softmax of Q K transpose over root d k V"));
        QCOMPARE(latexText(formula),
                 QStringLiteral("\\operatorname{softmax}(\\frac{QK^{\\top}}{\\sqrt{d_{k}}})V"));
        FormulaWidget widget;
        widget.setFormula(formula);
        QCOMPARE(widget.accessibleName(), spokenText(formula));
        QVERIFY(!widget.grab().isNull());
    }

    void formulaBoxesGrowWithTheirParts()
    {
        using namespace math;
        const Theme theme = Theme::light();
        const Math x = variable("x");
        const QSizeF plain = formulaSize(x, 20, theme);
        QVERIFY(formulaSize(scripts(x, text("2")), 20, theme).height() > plain.height());
        QVERIFY(formulaSize(fraction(x, x), 20, theme).height() > 1.5 * plain.height());
        QVERIFY(formulaSize(root(x), 20, theme).width() > plain.width() + 8.0);
        QCOMPARE(formulaSize(row({x, x}), 20, theme).width(), 2.0 * plain.width());
        QCOMPARE(formulaSize(nullptr, 20, theme), QSizeF());
    }

    void labelsFollowTheTheme()
    {
        TextLabel label("words", TextRole::Caption, TextLabel::Tone::Key);
        QCOMPARE(label.palette().color(QPalette::WindowText), Theme::light().key);
        applyTheme(*qApp, Theme::darkTheme());
        QTRY_COMPARE(label.palette().color(QPalette::WindowText), Theme::darkTheme().key);
        applyTheme(*qApp, Theme::light());
        QTRY_COMPARE(label.palette().color(QPalette::WindowText), Theme::light().key);
    }
};

HEADSCOPE_WINDOW_TEST(TstControls)
#include "tst_controls.moc"
