#include "tests/support/test_program.h"
#include "ui/widgets/style/colour_map.h"
#include "ui/widgets/style/control_style.h"
#include "ui/widgets/style/style_sheet.h"

#include <QPainter>
#include <QPushButton>
#include <QStyleOption>
#include <QtTest>

#include <cmath>

using namespace headscope::ui;

namespace {

/// Columns inside the border of a widget that are not its background.
int inkColumns(QWidget& widget)
{
    constexpr int kBorder = 4;
    const QImage image = widget.grab().toImage();
    const QColor background = image.pixelColor(kBorder, image.height() / 2);
    int columns = 0;
    for (int x = kBorder; x < image.width() - kBorder; ++x)
        for (int y = kBorder; y < image.height() - kBorder; ++y)
            if (image.pixelColor(x, y) != background) {
                ++columns;
                break;
            }
    return columns;
}

} // namespace

class TstTheme : public QObject
{
    Q_OBJECT

private slots:

    void initTestCase() { applyTheme(*qApp, Theme::light()); }

    void textIsReadableOnBothPlanes_data()
    {
        QTest::addColumn<bool>("dark");
        QTest::newRow("light") << false;
        QTest::newRow("dark") << true;
    }

    void textIsReadableOnBothPlanes()
    {
        QFETCH(bool, dark);
        const Theme theme = Theme::named(dark, bodyFont());
        for (const QColor& text :
             {theme.text, theme.text2, theme.text3, theme.accent, theme.key, theme.value, theme.ok,
              theme.warn, theme.error, theme.less, theme.more})
            for (const QColor& plane : {theme.window, theme.surface})
                QVERIFY2(contrastRatio(text.rgb(), plane.rgb()) >= 4.5,
                         qPrintable(text.name() + " on " + plane.name()));
        QVERIFY(contrastRatio(theme.onAccent.rgb(), theme.accent.rgb()) >= 4.5);
        QVERIFY(contrastRatio(theme.accent.rgb(), theme.soft.rgb()) >= 4.5);
        for (const QColor& mark : {theme.control, theme.bar})
            QVERIFY(contrastRatio(mark.rgb(), theme.surface.rgb()) >= 3.0);
        for (const QColor& hue : theme.heads)
            QVERIFY2(contrastRatio(hue.rgb(), theme.surface.rgb()) >= 2.95, qPrintable(hue.name()));
    }

    void textIsReadableOnWhatMarksIt_data() { textIsReadableOnBothPlanes_data(); }

    /// Rows that are chosen or under the pointer, masked cells, and the soft colour of each role.
    void textIsReadableOnWhatMarksIt()
    {
        QFETCH(bool, dark);
        const Theme theme = Theme::named(dark, bodyFont());
        const auto check = [](const QColor& plane, const std::vector<QColor>& texts) {
            for (const QColor& text : texts)
                QVERIFY2(contrastRatio(text.rgb(), plane.rgb()) >= 4.5,
                         qPrintable(text.name() + " on " + plane.name()));
        };
        for (const QColor& plane : {theme.hover, theme.masked, theme.soft})
            check(plane,
                  {theme.text, theme.text2, theme.text3, theme.accent, theme.less, theme.more});
        check(theme.track, {theme.text, theme.text2, theme.text3});
        check(theme.keySoft, {theme.text, theme.text2, theme.key});
        check(theme.valueSoft, {theme.text, theme.text2, theme.value});
        check(theme.warnSoft, {theme.text, theme.text2, theme.warn});
    }

    void paletteFollowsTheTheme()
    {
        const Theme dark = Theme::darkTheme();
        QCOMPARE(dark.palette().color(QPalette::Base), dark.surface);
        QCOMPARE(dark.palette().color(QPalette::Highlight), dark.accent);
        QCOMPARE(dark.palette().color(QPalette::Disabled, QPalette::Text), dark.text3);
        QWidget widget;
        QVERIFY(!Theme::of(widget).dark);
        applyTheme(*qApp, dark);
        QTRY_VERIFY(Theme::of(widget).dark);
        applyTheme(*qApp, Theme::light());
        QTRY_VERIFY(!Theme::of(widget).dark);
    }

    void aCheckedButtonShowsItsWholeText()
    {
        QPushButton button("As trained");
        button.setCheckable(true);
        button.setChecked(true);
        button.resize(button.sizeHint());
        button.show();
        const int columns = inkColumns(button);
        QVERIFY(columns > 20);
        button.resize(button.width() + 60, button.height());
        QVERIFY(std::abs(inkColumns(button) - columns) <= 2); // another fraction of a pixel
    }

    void aCheckBoxIsSeenOnBothPlanes_data() { textIsReadableOnBothPlanes_data(); }

    void aCheckBoxIsSeenOnBothPlanes()
    {
        QFETCH(bool, dark);
        const Theme theme = Theme::named(dark, bodyFont());
        QStyleOptionButton option;
        option.palette = theme.palette();
        option.rect = QRect(0, 0, 14, 14);
        option.state = QStyle::State_Enabled | QStyle::State_Off;
        QImage image(option.rect.size(), QImage::Format_RGB32);
        image.fill(theme.window);
        QPainter painter(&image);
        ControlStyle().drawPrimitive(QStyle::PE_IndicatorCheckBox, &option, &painter);
        painter.end();
        QVERIFY(contrastRatio(image.pixel(0, 7), theme.window.rgb()) >= 3.0);
    }

    void sizesArePointsOfTheTable()
    {
        const Theme theme = Theme::light();
        QCOMPARE(theme.scale(), 1.0);
        QCOMPARE(theme.font(TextRole::Figure).pointSizeF(), 24.0);
        QCOMPARE(theme.font(TextRole::Body).pointSizeF(), 9.75);
        QCOMPARE(theme.font(TextRole::Caption).pointSizeF(), 9.0);
        const Theme presenter = Theme::named(false, bodyFont(1.4));
        QCOMPARE(presenter.font(TextRole::Figure).pointSizeF(), 24.0 * 1.4);
    }

    void styleSheetHasNoPlaceholderLeft()
    {
        for (const Theme& theme : {Theme::light(), Theme::darkTheme()}) {
            QVERIFY(!styleSheetOf(theme).contains('@'));
            QVERIFY(!styleSheetOf(theme).contains("#pt"));
        }
    }

    void numbersAreWrittenForTheEye_data()
    {
        QTest::addColumn<QString>("got");
        QTest::addColumn<QString>("expected");
        QTest::newRow("weight") << readoutNumber(0.8104) << "0.810";
        QTest::newRow("cell") << cellNumber(0.814, false) << ".81";
        QTest::newRow("full cell") << cellNumber(0.999, false) << "1.00";
        QTest::newRow("signed cell") << cellNumber(-0.76, true) << QString(QChar(0x2212)) + ".76";
        QTest::newRow("minus sign") << number(-1.5, 1) << QString(QChar(0x2212)) + "1.5";
        QTest::newRow("no negative zero") << number(-0.0001, 2) << "0.00";
        QTest::newRow("plus") << signedNumber(0.537, 3) << "+0.537";
        QTest::newRow("signed zero") << signedNumber(0.0, 3) << "0.000";
        QTest::newRow("thousands") << count(1310) << QString("1") + QChar(0x202F) + "310";
        QTest::newRow("millions") << count(1234567)
                                  << QString("1") + QChar(0x202F) + "234" + QChar(0x202F) + "567";
        QTest::newRow("power of ten") << scientific(1e11, 2) << "10\u00B9\u00B9";
        QTest::newRow("large") << scientific(-2.04e9, 2) << "\u22122\u00D710\u2079";
        QTest::newRow("small") << scientific(4.25e-7, 3) << "4.25\u00D710\u207B\u2077";
        QTest::newRow("rounded up") << scientific(9.96e-5, 2) << "10\u207B\u2074";
        QTest::newRow("zero") << scientific(0.0, 2) << "0";
        QTest::newRow("nan") << number(std::nan(""), 2) << "not a number";
    }

    void numbersAreWrittenForTheEye()
    {
        QFETCH(QString, got);
        QFETCH(QString, expected);
        QCOMPARE(got, expected);
    }
};

HEADSCOPE_WINDOW_TEST(TstTheme)
#include "tst_theme.moc"
