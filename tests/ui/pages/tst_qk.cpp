#include "core/attention/cpu_attention.h"
#include "tests/support/test_program.h"
#include "tests/support/tiny_model.h"
#include "tests/support/traced_kinds.h"
#include "tests/ui/child.h"
#include "ui/pages/qk/qk_page.h"
#include "ui/widgets/attention/qk_widget.h"

#include <QAccessible>
#include <QMouseEvent>
#include <QPainter>
#include <QtTest>

#include <cmath>

using namespace headscope;
using namespace headscope::ui;
using headscope::ui::test::childOf;

namespace {

LoadedModel openTiny(const std::string& name)
{
    LoadedModel model = headscope::test::tinyModel();
    model.name = name;
    return model;
}

/// The page on a tiny model, shown.
struct QkFixture
{
    QkFixture() : session({}, openTiny), view(session)
    {
        session.computation().setDevice("cpu");
        session.document().replaceText("the cat sat on the mat");
        session.models().open("tiny");
        view.resize(960, 640);
        view.show();
    }

    bool isReady() const
    {
        return session.traceA() &&
               session.computation().shownTicket() == session.computation().postedTicket() &&
               !content().isEmpty();
    }

    const QkContent& content() const { return table().content(); }

    QkWidget& table() const { return childOf<QkWidget>(view); }

    Session session;
    QkPage view;
};

/// q or k of one token of one head, straight from the trace.
std::vector<double> vectorOf(const Trace& trace, Site site, int layer, int token, int head)
{
    const TensorView row = trace.find({site, layer})->view()[token][head];
    return {row.data, row.data + row.shape[0]};
}

double dotOf(const Trace& trace, int layer, int head, int query, int key)
{
    const auto q = vectorOf(trace, Site::Query, layer, query, head);
    const auto k = vectorOf(trace, Site::Key, layer, key, head);
    double sum = 0.0;
    for (std::size_t i = 0; i < q.size(); ++i)
        sum += q[i] * k[i];
    return sum;
}

void moveMouse(QWidget& widget, QPointF position)
{
    QMouseEvent move(QEvent::MouseMove, position, widget.mapToGlobal(position), Qt::NoButton,
                     Qt::NoButton, Qt::NoModifier);
    QCoreApplication::sendEvent(&widget, &move);
}

bool isClose(double got, double expected, double allowed = 1e-5)
{
    return std::abs(got - expected) <= allowed;
}

} // namespace

class TstQk : public QObject
{
    Q_OBJECT

private slots:

    void initTestCase() { applyTheme(*qApp, Theme::light()); }

    void everyStageIsThatOfTheTrace();
    void arrowsMoveOverKeysDimensionsAndQueries();
    void thePointerReadsADimensionOut();
    void aClickPinsAndASecondLetsGo();
    void dimensionsCanBeSortedBySize();
    void differencesAreThoseOfTheNumbers();
    void crossAttentionAndExtraTermsAreShown();
    void screenReadersFindATable();
    void aFigureHoldsTheSameNumbers();
    void emptyTextsAndLongOnesAreTaken();
};

void TstQk::everyStageIsThatOfTheTrace()
{
    QkFixture page;
    QTRY_VERIFY(page.isReady());
    page.session.view().activateHead(1, 1);
    page.session.view().selectPair(4, 2);
    QTRY_COMPARE(page.content().queryPosition, 4);
    QTRY_COMPARE(page.content().key, 2);
    const Trace& trace = *page.session.traceA();
    const TensorView pattern = trace.find({Site::Pattern, 1})->view()[1];
    const QkContent& content = page.content();
    QCOMPARE(content.stages.size(), std::size_t{5});
    QCOMPARE(static_cast<std::int64_t>(content.keys.size()), pattern.shape[1]);
    for (int key = 0; key < static_cast<int>(content.keys.size()); ++key) {
        const QkKey& row = content.keys[static_cast<std::size_t>(key)];
        const double dot = dotOf(trace, 1, 1, 4, key);
        QVERIFY(isClose(row.numbers[0], dot));
        QVERIFY(isClose(row.numbers[1], dot / 2.0)); // d_k is 4
        QCOMPARE(row.masked, key > 4);
        QCOMPARE(std::isinf(row.numbers[2]), key > 4);
        QVERIFY(isClose(row.numbers[4], static_cast<double>(pattern(4, key))));
        QVERIFY(isClose(row.weight, row.numbers[4], 0.0));
        const auto q = vectorOf(trace, Site::Query, 1, 4, 1);
        const auto k = vectorOf(trace, Site::Key, 1, key, 1);
        for (int channel = 0; channel < 4; ++channel)
            QVERIFY(isClose(static_cast<double>(content.products.at({key, channel})),
                            q[static_cast<std::size_t>(channel)] *
                                k[static_cast<std::size_t>(channel)]));
    }
}

void TstQk::arrowsMoveOverKeysDimensionsAndQueries()
{
    QkFixture page;
    QTRY_VERIFY(page.isReady());
    page.session.view().selectPair(5, 3);
    QTRY_COMPARE(page.content().key, 3);
    QTest::keyClick(&page.table(), Qt::Key_Up);
    QCOMPARE(page.session.pair(), (TokenPair{5, 2}));
    QTRY_COMPARE(page.content().key, 2);
    QTest::keyClick(&page.table(), Qt::Key_Down, Qt::ShiftModifier);
    QCOMPARE(page.session.pair().query, 6);
    QTest::keyClick(&page.table(), Qt::Key_Up, Qt::ShiftModifier);
    QCOMPARE(page.session.pair().query, 5);
    QTRY_COMPARE(page.content().queryPosition, 5);
    QTest::keyClick(&page.table(), Qt::Key_Right);
    QTest::keyClick(&page.table(), Qt::Key_Right);
    QCOMPARE(page.table().pinnedChannel(), std::optional(1));
    QCOMPARE(page.view.options().value("channel").toInt(), 1);
    QVERIFY(page.table().accessibleDescription().contains("dimension 1: q "));
    QTest::keyClick(&page.table(), Qt::Key_End);
    QCOMPARE(page.table().pinnedChannel(), std::optional(3));
    QTest::keyClick(&page.table(), Qt::Key_Escape);
    QVERIFY(!page.table().pinnedChannel());
    QVERIFY(!page.view.escape());
}

void TstQk::thePointerReadsADimensionOut()
{
    QkFixture page;
    QTRY_VERIFY(page.isReady());
    page.session.view().selectPair(5, 3);
    QTRY_COMPARE(page.content().key, 3);
    const auto q = vectorOf(*page.session.traceA(), Site::Query, 0, 5, 0);
    const auto k = vectorOf(*page.session.traceA(), Site::Key, 0, 3, 0);
    for (std::size_t channel = 0; channel < 4; ++channel) {
        moveMouse(*page.table().viewport(),
                  page.table().layoutNow().pairCell(2, static_cast<int>(channel)).center());
        QCOMPARE(page.content().column, std::optional(static_cast<int>(channel)));
        const QString text = describeColumn(page.content(), static_cast<int>(channel));
        const QString expected = QStringLiteral("q %1 \u00D7 k %2 = %3")
                                     .arg(signedNumber(q[channel], 3), signedNumber(k[channel], 3),
                                          signedNumber(q[channel] * k[channel], 3));
        QVERIFY2(text.contains(expected), qPrintable(text + " / " + expected));
        QVERIFY(text.contains(q[channel] * k[channel] < 0.0 ? "negative" : "positive"));
    }
    QEvent leave(QEvent::Leave);
    QCoreApplication::sendEvent(page.table().viewport(), &leave);
    QVERIFY(!page.content().column);
}

void TstQk::aClickPinsAndASecondLetsGo()
{
    QkFixture page;
    QTRY_VERIFY(page.isReady());
    const QPoint cell = page.table().layoutNow().pairCell(0, 2).center().toPoint();
    QTest::mouseClick(page.table().viewport(), Qt::LeftButton, {}, cell);
    QCOMPARE(page.table().pinnedChannel(), std::optional(2));
    QTest::mouseClick(page.table().viewport(), Qt::LeftButton, {}, cell);
    QVERIFY(!page.table().pinnedChannel());
    const int other = page.content().key == 1 ? 2 : 1;
    QTest::mouseClick(page.table().viewport(), Qt::LeftButton, {},
                      page.table().layoutNow().bar(other).center().toPoint());
    QCOMPARE(page.session.pair().key, other);
}

void TstQk::dimensionsCanBeSortedBySize()
{
    QkFixture page;
    QTRY_VERIFY(page.isReady());
    page.view.setOptions({{"largestFirst", true}});
    QTRY_VERIFY(page.content().products.columns == 4 && page.content().channels.front() >= 0 &&
                page.view.options().value("largestFirst").toBool());
    const auto magnitude = [&page](int column) {
        return std::abs(page.content().products.at({page.content().key, column}));
    };
    QTRY_VERIFY(magnitude(0) >= magnitude(1) && magnitude(1) >= magnitude(2) &&
                magnitude(2) >= magnitude(3));
    const Trace& trace = *page.session.traceA();
    const TokenPair pair = page.session.pair();
    const auto q = vectorOf(trace, Site::Query, 0, pair.query, 0);
    for (int column = 0; column < 4; ++column) // values stay with their channel
        QVERIFY(isClose(static_cast<double>(page.content().queryVector.at({0, column})),
                        q[static_cast<std::size_t>(
                            page.content().channels[static_cast<std::size_t>(column)])]));
}

void TstQk::differencesAreThoseOfTheNumbers()
{
    QkFixture page;
    QTRY_VERIFY(page.isReady());
    page.session.view().activateHead(1, 0);
    page.session.document().setHeadOff(0, 1, true);
    QTRY_VERIFY(page.session.traceB() != nullptr);
    page.session.view().setShownVariant(ui::Variant::Difference);
    QTRY_VERIFY(page.content().isDifference);
    page.session.view().selectPair(6, 2);
    QTRY_COMPARE(page.content().queryPosition, 6);
    const Trace& a = *page.session.traceA();
    const Trace& b = *page.session.traceB();
    const auto patternOf = [](const Trace& trace, int key) {
        return static_cast<double>(trace.find({Site::Pattern, 1})->view()(0, 6, key));
    };
    double moved = 0.0;
    for (int key = 0; key <= 6; ++key) {
        const QkKey& row = page.content().keys[static_cast<std::size_t>(key)];
        QVERIFY(isClose(row.numbers[0], dotOf(b, 1, 0, 6, key) - dotOf(a, 1, 0, 6, key)));
        QVERIFY(isClose(row.weight, patternOf(b, key) - patternOf(a, key)));
        moved += std::abs(row.weight);
    }
    QVERIFY(moved > 1e-3);
}

void TstQk::crossAttentionAndExtraTermsAreShown()
{
    for (const auto& [name, config] : headscope::test::tracedKinds()) {
        if (config.layers == 0)
            continue;
        ViewSnapshot viewed;
        viewed.modelA = viewed.modelB = headscope::test::kindModel(config);
        viewed.a =
            headscope::test::freshTrace(viewed.modelA, headscope::test::randomTexts(config, 3, 11));
        for (const AttentionKind part : viewed.a->attentionKinds()) {
            viewed.selection.part = part;
            viewed.selection.layer = viewed.a->layerCount(part) - 1;
            viewed.selection.head = viewed.a->headCount(part) - 1;
            const QkContent content = qkContent(viewed, {});
            const auto pattern = viewed.a->find(patternKey(part, viewed.selection.layer));
            QVERIFY2(!content.isEmpty(), name.c_str());
            QCOMPARE(static_cast<std::int64_t>(content.keys.size()), pattern->shape()[2]);
            for (const QkKey& key : content.keys)
                QVERIFY(isClose(key.weight,
                                static_cast<double>(pattern->view()(
                                    viewed.selection.head, content.queryPosition, key.position)),
                                5e-6));
            const bool biased =
                part != AttentionKind::Cross && (config.positions == Positions::Alibi ||
                                                 config.positions == Positions::RelativeBuckets);
            QCOMPARE(content.stages.size(),
                     std::size_t{5} + (biased ? 1U : 0U) + (config.softCap > 0.0 ? 1U : 0U));
        }
    }
}

void TstQk::screenReadersFindATable()
{
    QkFixture page;
    QTRY_VERIFY(page.isReady());
    page.session.view().selectPair(5, 3);
    QTRY_COMPARE(page.content().key, 3);
    QAccessibleInterface* interface = QAccessible::queryAccessibleInterface(&page.table());
    QVERIFY(interface && interface->role() == QAccessible::Table);
    auto* table = interface->tableInterface();
    QCOMPARE(table->rowCount(), static_cast<int>(page.content().keys.size()));
    QCOMPARE(table->columnCount(), 5);
    QCOMPARE(table->rowDescription(3), page.content().keys[3].label);
    const auto weight =
        static_cast<double>(page.session.traceA()->find({Site::Pattern, 0})->view()(0, 5, 3));
    QCOMPARE(table->cellAt(3, 4)->text(QAccessible::Value), number(weight, 3));
    const QString sentence = table->cellAt(3, 4)->text(QAccessible::Name);
    QVERIFY2(sentence.endsWith("softmax " + number(weight, 3)), qPrintable(sentence));
    QVERIFY(table->cellAt(6, 2)->text(QAccessible::Name).endsWith("hidden by the mask"));
    QCOMPARE(table->selectedRows(), QList<int>{3});
}

void TstQk::aFigureHoldsTheSameNumbers()
{
    QkFixture page;
    QTRY_VERIFY(page.isReady());
    const Figure figure = page.view.figure();
    QCOMPARE(figure.numbers.size(), std::size_t{4});
    const NumberTable& steps = figure.numbers.front();
    QCOMPARE(steps.name, QStringLiteral("steps"));
    QCOMPARE(steps.values.rows, static_cast<int>(page.content().keys.size()));
    for (int key = 0; key < steps.values.rows; ++key)
        QCOMPARE(steps.values.at({key, 0}),
                 static_cast<float>(page.content().keys[static_cast<std::size_t>(key)].numbers[0]));
    const Theme theme = Theme::light();
    QImage drawn(figure.size(theme).toSize(), QImage::Format_RGB32);
    drawn.fill(theme.surface);
    const QImage blank = drawn;
    for (const bool vectors : {false, true}) {
        QPainter painter(&drawn);
        figure.paint(painter, drawn.rect(), theme, {vectors, 1.0});
        painter.end();
        QVERIFY(drawn != blank);
        drawn = blank;
    }
    QVERIFY(!figure.caption.isEmpty());
}

void TstQk::emptyTextsAndLongOnesAreTaken()
{
    QVERIFY(qkContent({}, {}).isEmpty());
    QVERIFY(qkFigure({}, {}).numbers.empty());
    QVERIFY(!qkProblem({}).isEmpty());
    QkFixture page;
    QTRY_VERIFY(page.isReady());
    page.session.document().replaceText("");
    QTRY_VERIFY(page.content().isEmpty());
    page.session.document().replaceText(
        QString("the cat sat on ").repeated(20)); // cut at 32 tokens
    QTRY_VERIFY(page.content().keys.size() == 32);
    page.session.view().selectPair(31, 30);
    QTRY_COMPARE(page.content().key, 30);
    const QkLayout layout = page.table().layoutNow();
    QVERIFY(layout.rows().intersects(layout.row(30))); // scrolled to it
    page.session.document().replaceText("t");
    QTRY_VERIFY(page.content().keys.size() == 1);
    QCOMPARE(page.content().keys.front().weight, 1.0);
}

HEADSCOPE_WINDOW_TEST(TstQk)
#include "tst_qk.moc"
