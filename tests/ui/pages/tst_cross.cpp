#include "core/io/checkpoint.h"
#include "tests/support/test_program.h"
#include "tests/support/tiny_model.h"
#include "tests/ui/child.h"
#include "ui/pages/overview/cross_page.h"
#include "ui/pages/shared/figures/legend_map.h"
#include "ui/widgets/attention/alignment_widget.h"
#include "ui/widgets/labels.h"

#include <QPushButton>
#include <QTest>

#include <cmath>

using namespace headscope;
using namespace headscope::ui;
using headscope::ui::test::childOf;

namespace {

LoadedModel open(const std::string& name)
{
    if (name != "builtin:dates") {
        LoadedModel model = headscope::test::tinyModel();
        model.name = name;
        return model;
    }
    LoadedModel model = loadCheckpoint(std::filesystem::path(HEADSCOPE_SOURCE_DIR) /
                                       "resources/models/dates/model.safetensors");
    model.name = name;
    return model;
}

struct Fixture
{
    explicit Fixture(const QString& model = "builtin:dates") : session(BackendRegistry(), open)
    {
        applyTheme(*qApp, Theme::named(false, bodyFont()));
        session.computation().setDevice("cpu");
        session.document().replaceText("march 5, 1987");
        session.models().open(model);
        view = std::make_unique<CrossPage>(session);
        view->resize(1200, 800);
        view->show();
        if (!QTest::qWaitFor([this] { return isDone(); }))
            qFatal("no trace");
    }

    bool isDone()
    {
        if (!session.traceA() ||
            session.computation().shownTicket() != session.computation().postedTicket())
            return false;
        QCoreApplication::processEvents();
        return true;
    }

    /// What the sentence is made of.
    CrossContent content() const
    {
        return crossContent(session.viewSnapshot(), CrossOptions::fromJson(view->options()));
    }

    HeatmapWidget& map() const { return childOf<LegendMap>(*view).map(); }

    const HeatmapMatrix& matrix() const { return map().content().matrix; }

    float shownAt(int row, int column) const { return matrix().at({row, column}); }

    /// The tokens that the decoder writes.
    QStringList written() const { return childOf<AlignmentWidget>(*view).content().below; }

    Session session;
    std::unique_ptr<CrossPage> view;
};

double meanAt(const Trace& trace, int row, int column)
{
    const auto pattern = trace.find({Site::CrossPattern, 0, Stack::Decoder});
    double sum = 0.0;
    for (std::int64_t head = 0; head < pattern->shape()[0]; ++head)
        sum += double{pattern->view()(head, row, column)};
    return sum / static_cast<double>(pattern->shape()[0]);
}

bool isNear(double a, double b)
{
    return std::abs(a - b) < 1e-6;
}

} // namespace

class TstCross : public QObject
{
    Q_OBJECT

private slots:

    void anUntypedTargetIsTheModelsOwnAnswer()
    {
        Fixture fixture;
        QCOMPARE(fixture.written().join(QString()).left(10), QString("1987-03-05"));
        QVERIFY(fixture.session.document().target().isEmpty());
        fixture.session.document().setTarget("19");
        QTRY_COMPARE(fixture.written().size(), 3);
    }

    void theMapIsTheMeanOfTheHeadsAndNamesTheStrongest()
    {
        Fixture fixture;
        const Trace& trace = *fixture.session.traceA();
        const auto& bars = childOf<BarsWidget>(*fixture.view).bars();
        const int columns = fixture.matrix().columns;
        QCOMPARE(columns, static_cast<int>(trace.sourceTokens().size()));
        for (int row = 0; row < fixture.matrix().rows; ++row) {
            int best = 0;
            for (int column = 0; column < columns; ++column) {
                QVERIFY(isNear(double{fixture.shownAt(row, column)}, meanAt(trace, row, column)));
                if (meanAt(trace, row, column) > meanAt(trace, row, best))
                    best = column;
            }
            QCOMPARE(bars[static_cast<std::size_t>(row)].position, best);
        }
        QVERIFY(crossSentence(fixture.content(), 2).contains("position 11")); // 8 of 1987
    }

    void aHeadAloneIsItsPattern()
    {
        Fixture fixture;
        fixture.session.view().activateHead(0, 2);
        fixture.view->setOptions({{"of", "head"}});
        const auto pattern =
            fixture.session.traceA()->find({Site::CrossPattern, 0, Stack::Decoder});
        QTRY_COMPARE(fixture.shownAt(3, 12), pattern->view()(2, 3, 12));
        QVERIFY(childOf<TextLabel>(*fixture.view, "source").text().contains("2"));
    }

    void clicksAndKeysPinATargetTokenAndFreeIt()
    {
        Fixture fixture;
        auto* ribbons = fixture.view->findChild<AlignmentWidget*>();
        const auto click = [&](int row) {
            QTest::mouseClick(ribbons, Qt::LeftButton, {},
                              ribbons->layoutNow().column(row, false).center().toPoint());
        };
        click(3);
        QCOMPARE(fixture.session.pair().query, 3);
        QCOMPARE(fixture.session.pair().key, fixture.content().strongest[3]);
        QCOMPARE(ribbons->content().current, std::optional<int>(3));
        QCOMPARE(ribbons->accessibleDescription(), crossSentence(fixture.content(), 3));
        click(3);
        QVERIFY(!ribbons->content().current);
        QVERIFY(!fixture.session.selection().pinned);
        auto* bars = fixture.view->findChild<BarsWidget*>();
        emit bars->barActivated(2);
        QVERIFY(fixture.session.selection().pinned);
        emit bars->barActivated(2);
        QVERIFY(!fixture.session.selection().pinned);
        QTest::keyClick(ribbons, Qt::Key_Right);
        QTest::keyClick(ribbons, Qt::Key_Right);
        QCOMPARE(ribbons->content().current, std::optional<int>(1));
        QTest::keyClick(ribbons, Qt::Key_Escape);
        QVERIFY(!ribbons->content().current);
        HeatmapWidget& map = fixture.map();
        QTest::mouseClick(&map, Qt::LeftButton, {}, map.cellRect({4, 6}).center().toPoint());
        QCOMPARE(fixture.session.pair(), (TokenPair{4, 6}));
    }

    void theDifferenceIsBMinusA()
    {
        Fixture fixture;
        fixture.session.document().setHeadOff({AttentionKind::EncoderSelf, 0, 1}, true);
        QTRY_VERIFY(fixture.session.traceB());
        fixture.session.view().setShownVariant(ui::Variant::Difference);
        QTRY_VERIFY(childOf<AlignmentWidget>(*fixture.view).content().isSigned);
        QVERIFY(
            isNear(double{fixture.shownAt(2, 11)}, meanAt(*fixture.session.traceB(), 2, 11) -
                                                       meanAt(*fixture.session.traceA(), 2, 11)));
    }

    void ribbonsAreCounted()
    {
        Fixture fixture;
        const AlignmentContent& ribbons = fixture.view->findChild<AlignmentWidget*>()->content();
        std::size_t expected = 0;
        for (int row = 0; row < ribbons.matrix.rows; ++row)
            for (int column = 0; column < ribbons.matrix.columns; ++column)
                expected += fixture.shownAt(row, column) >= 0.15F ? 1 : 0;
        QCOMPARE(ribbonsOf(ribbons).size(), expected);
        QVERIFY(ribbonCountText(ribbons).startsWith(QString::number(expected) + " of"));
    }

    void oneStackSaysWhyAndOffersTheExample()
    {
        Fixture fixture("tiny");
        QVERIFY(fixture.matrix().isEmpty());
        auto* button = fixture.view->findChild<QPushButton*>();
        QVERIFY(button && button->isVisible());
        QTest::mouseClick(button, Qt::LeftButton);
        QTRY_VERIFY(!fixture.matrix().isEmpty());
        QCOMPARE(fixture.session.model().name, std::string("builtin:dates"));
        QVERIFY(!button->isVisible());
    }

    void nothingTypedIsSaid()
    {
        Fixture fixture;
        fixture.session.document().setText({});
        QTRY_VERIFY(fixture.matrix().isEmpty());
        fixture.session.document().setText("1.2.1990");
        QTRY_COMPARE(fixture.written().join(QString()).left(10), QString("1990-02-01"));
    }

    void theFigureHoldsTheNumbersOnScreen()
    {
        Fixture fixture;
        const Figure figure = fixture.view->figure();
        QCOMPARE(figure.numbers.size(), std::size_t{1});
        QCOMPARE(figure.numbers[0].values.at({2, 11}), fixture.shownAt(2, 11));
        QCOMPARE(figure.numbers[0].rows[1], QString("1 → 9"));
        QVERIFY(figure.caption.contains("mean over the 4 heads"));
    }
};

HEADSCOPE_WINDOW_TEST(TstCross)
#include "tst_cross.moc"
