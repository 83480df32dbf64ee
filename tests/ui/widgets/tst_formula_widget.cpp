#include "tests/support/test_program.h"
#include "ui/widgets/formula/formula.h"
#include "ui/widgets/formula/formula_widget.h"
#include "ui/widgets/style/theme.h"

#include <QtTest>

using namespace headscope::ui;

class TstFormulaWidget : public QObject
{
    Q_OBJECT

private slots:

    void initTestCase() { applyTheme(*qApp, Theme::light()); }

    void aNarrowFormulaIsSmallerNotCut()
    {
        const Math formula = math::row({math::text("-21.41 / 5.66 = "), math::strong("-3.785")});
        FormulaWidget widget;
        widget.setFormula(formula, 17.0);
        const QSize whole = widget.sizeHint();
        const int narrow = whole.width() * 2 / 3;
        widget.resize(narrow, whole.height());
        const QImage image = widget.grab().toImage();
        const double pixels = fittingPixels(formula, 17.0, narrow, Theme::light());
        QVERIFY(pixels < 17.0);
        QVERIFY(formulaSize(formula, pixels, Theme::light()).width() <= narrow);
        QCOMPARE(fittingPixels(formula, 17.0, whole.width(), Theme::light()), 17.0);
        const int end = static_cast<int>(formulaSize(formula, pixels, Theme::light()).width()) + 1;
        for (int x = end; x < image.width(); ++x)
            for (int y = 0; y < image.height(); ++y)
                QCOMPARE(image.pixel(x, y), image.pixel(image.width() - 1, 0));
    }
};

HEADSCOPE_WINDOW_TEST(TstFormulaWidget)
#include "tst_formula_widget.moc"
