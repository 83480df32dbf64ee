#include "tests/support/test_program.h"
#include "ui/pages/shared/reading_width.h"
#include "ui/widgets/labels.h"

#include <QtTest>

using namespace headscope::ui;

class TstReadingWidth : public QObject
{
    Q_OBJECT

private slots:

    void linesStopAtSeventyTwoCharacters()
    {
        applyTheme(*qApp, Theme::light());
        auto& label = *new TextLabel(QString("words and ").repeated(40), TextRole::Body);
        label.setWordWrap(true);
        QWidget room;
        room.setLayout(readableRow(&label));
        room.resize(2400, room.layout()->heightForWidth(2400));
        room.show();
        QVERIFY(label.height() >= label.heightForWidth(label.width()));
        const auto characters = [&label] {
            return label.maximumWidth() / QFontMetricsF(label.font()).averageCharWidth();
        };
        QVERIFY(std::abs(characters() - kReadableLine) < 1.0);
        QVERIFY(label.width() <= label.maximumWidth());
        const int before = label.maximumWidth();
        QFont larger = label.font();
        larger.setPointSizeF(2.0 * larger.pointSizeF());
        label.setFont(larger);
        QVERIFY(label.maximumWidth() > 3 * before / 2);
        QVERIFY(std::abs(characters() - kReadableLine) < 1.0);
    }
};

HEADSCOPE_WINDOW_TEST(TstReadingWidth)
#include "tst_reading_width.moc"
