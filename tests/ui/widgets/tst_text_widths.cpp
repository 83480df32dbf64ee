#include "tests/support/test_program.h"
#include "ui/widgets/style/text_widths.h"
#include "ui/widgets/style/theme.h"

#include <QTest>

#include <algorithm>

using namespace headscope::ui;

/// A remembered width is the one of its font.
class TstTextWidths : public QObject
{
    Q_OBJECT

private slots:

    void widthsAreThoseOfTheFontMetrics()
    {
        const Theme light = Theme::named(false, bodyFont());
        std::vector<double> sentence;
        for (const QFont& font : {light.font(TextRole::MapToken), light.bold(TextRole::MapToken),
                                  light.font(TextRole::Figure)}) {
            const QFontMetricsF metrics(font);
            for (const char* text : {"the", "", "\u00FCber", "a longer label", "the"})
                for (int again = 0; again < 2; ++again)
                    QCOMPARE(TextWidths(font).of(text), metrics.horizontalAdvance(text));
            sentence.push_back(TextWidths(font).of("a longer label"));
        }
        std::ranges::sort(sentence);
        QVERIFY(std::ranges::adjacent_find(sentence) == sentence.end()); // fonts are told apart
    }

    void manyTextsAreNotKeptForEver()
    {
        const TextWidths widths(Theme::named(false, bodyFont()).font(TextRole::Caption));
        const double width = widths.of("word");
        for (int text = 0; text < 60'000; ++text)
            widths.of(QString::number(text));
        QCOMPARE(TextWidths(Theme::named(false, bodyFont()).font(TextRole::Caption)).of("word"),
                 width);
    }
};

HEADSCOPE_WINDOW_TEST(TstTextWidths)
#include "tst_text_widths.moc"
