#include "core/analysis/flow/attention_rollout.h"
#include "core/analysis/flow/contributions.h"
#include "tests/support/test_program.h"
#include "tests/support/tiny_model.h"
#include "tests/ui/child.h"
#include "ui/pages/flow/flow_figure.h"
#include "ui/pages/flow/flow_page.h"
#include "ui/pages/shared/maps/attributed_maps.h"
#include "ui/widgets/charts/bars/bars.h"
#include "ui/widgets/flow/flow_widget.h"
#include "ui/widgets/labels.h"

#include <QAccessible>
#include <QJsonArray>
#include <QTest>

#include <algorithm>
#include <cmath>
#include <numeric>

using namespace headscope;
using namespace headscope::ui;
using headscope::ui::test::childOf;

namespace {

/// The page on a tiny model of two layers with two heads.
struct Fixture
{
    explicit Fixture(const QString& text = "the cat sat", bool hasResidual = true)
        : session(BackendRegistry(), [hasResidual](const std::string& name) {
            LoadedModel model = headscope::test::tinyModel();
            if (!hasResidual) {
                ModelConfig config = model.model->config();
                config.residual = Residual::None;
                model.model = std::make_shared<const Model>(Model::initialised(config, 1));
            }
            model.name = name;
            return model;
        })
    {
        applyTheme(*qApp, Theme::named(false, bodyFont()));
        session.computation().setDevice("cpu");
        session.document().replaceText(text);
        session.models().open("tiny");
        view = std::make_unique<FlowPage>(session);
        view->resize(1100, 700);
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

    FlowWidget& graph() const { return childOf<FlowWidget>(*view); }

    const FlowGraphContent& content() const { return graph().content(); }

    int tokens() const { return content().tokens(); }

    QString countLabel() const { return childOf<TextLabel>(*view, "count").text(); }

    double rolloutAt(std::size_t layer, int to, int from) const
    {
        return double{attentionRollout(*session.traceA())[layer].view()(to, from)};
    }

    /// Half the mean of the heads, half the token itself.
    double edgeAt(const Trace& trace, int layer, int to, int from) const
    {
        const auto pattern = trace.find({Site::Pattern, layer});
        double sum = 0.0;
        for (std::int64_t head = 0; head < pattern->shape()[0]; ++head)
            sum += double{pattern->view()(head, to, from)};
        return 0.5 * sum / static_cast<double>(pattern->shape()[0]) + (to == from ? 0.5 : 0.0);
    }

    void click(FlowNode node)
    {
        QTest::mouseClick(&graph(), Qt::LeftButton, {}, graph().layoutNow().place(node).toPoint());
    }

    Session session;
    std::unique_ptr<FlowPage> view;
};

double inputSum(const HeatmapMatrix& edges, int from)
{
    double sum = 0.0;
    for (int to = 0; to < edges.rows; ++to)
        sum += double{edges.at({to, from})};
    return sum;
}

bool isNear(double a, double b)
{
    return std::abs(a - b) < 1e-5;
}

} // namespace

class TstFlow : public QObject
{
    Q_OBJECT

private slots:
    void aSessionsPinOutlivesTheOpeningOfItsModel();

    /// 40,000 tokens would need 6 GiB a layer.
    void edgesThatNeedTooMuchMemoryAreRefused()
    {
        TokenSequence tokens;
        tokens.tokens.resize(40'000);
        ViewSnapshot view;
        view.a = std::make_shared<const Trace>(
            tokens,
            Trace::Activations{
                {{Site::Pattern, 0}, std::make_shared<const Tensor>(Shape{1, 1, 1})}},
            TraceInfo{});
        const FlowMixingPtr mixing = flowMixing(view, Variant::A, {});
        QVERIFY(mixing->layers.empty());
        QVERIFY2(mixing->problem.contains(count(40'000)) && mixing->problem.contains("6.0 GiB"),
                 qPrintable(mixing->problem));
        QVERIFY(!mixing->problem.contains("1 layers"));
    }

    void edgesAreHalfAttentionHalfResidual()
    {
        const Fixture fixture;
        QCOMPARE(fixture.content().levels, 3);
        for (int layer = 0; layer < 2; ++layer)
            for (int to = 0; to < fixture.tokens(); ++to)
                for (int from = 0; from < fixture.tokens(); ++from)
                    QVERIFY(isNear(double{fixture.content().fractionOf({layer, to, from, 0.0F})},
                                   fixture.edgeAt(*fixture.session.traceA(), layer, to, from)));
    }

    /// Without residual connections a stream after a layer is what attention gathers.
    void withoutResidualConnectionsEdgesAreAttentionAlone()
    {
        const Fixture fixture("the cat sat", false);
        const auto pattern = fixture.session.traceA()->find({Site::Pattern, 1});
        for (int to = 0; to < fixture.tokens(); ++to)
            for (int from = 0; from < fixture.tokens(); ++from) {
                const double mean =
                    (double{pattern->view()(0, to, from)} + double{pattern->view()(1, to, from)}) /
                    2.0;
                QVERIFY(isNear(double{fixture.content().fractionOf({1, to, from, 0.0F})}, mean));
            }
        QVERIFY(fixture.countLabel().contains("no residual connections"));
        const QString caption = fixture.view->figure().caption;
        QVERIFY(caption.contains("no residual connections") && !caption.contains("half"));
        QVERIFY(!Fixture().view->figure().caption.contains("no residual connections"));
        const AttributedRuns runs =
            attributedRuns(fixture.session.viewSnapshot(), {MapKind::Rollout, {}});
        const Tensor rolled =
            attentionRollout(*fixture.session.traceA(), Stack::Blocks, {HeadReduction::Mean, 0.0})
                .back();
        const auto shown = runs.a->trace->find({Site::Pattern, 1});
        const int last = fixture.tokens() - 1;
        for (int from = 0; from <= last; ++from)
            QVERIFY(
                isNear(double{shown->view()(0, last, from)}, double{rolled.view()(last, from)}));
    }

    void aClickFollowsTheRolloutIntoANodeAndASecondFreesIt()
    {
        Fixture fixture;
        const int token = fixture.tokens() - 2;
        fixture.click({2, token});
        QCOMPARE(fixture.content().pinned, (FlowNode{2, token}));
        QCOMPARE(fixture.session.pair().query, token);
        QVERIFY(fixture.session.selection().pinned);
        for (int from = 0; from < fixture.tokens(); ++from) {
            const double expected = fixture.rolloutAt(1, token, from);
            QVERIFY(isNear(inputSum(fixture.content().layers[0], from), expected));
            QVERIFY(isNear(double{fixture.content().nodes[0][static_cast<std::size_t>(from)]},
                           expected));
        }
        const auto& bars = fixture.view->findChildren<BarsWidget*>().front()->bars();
        QVERIFY(isNear(bars.front().value,
                       fixture.rolloutAt(1, token, bars.front().position.value_or(-1))));
        fixture.click({2, token});
        QVERIFY(!fixture.content().pinned);
        QVERIFY(!fixture.session.selection().pinned);
    }

    void keysPinStepThroughEdgesAndFree()
    {
        Fixture fixture;
        FlowWidget& graph = fixture.graph();
        fixture.view->focusMain();
        graph.setCursorNode({2, fixture.tokens() - 1});
        QTest::keyClick(&graph, Qt::Key_Up);
        QTest::keyClick(&graph, Qt::Key_Left);
        const FlowNode node{1, fixture.tokens() - 2};
        QCOMPARE(graph.content().cursor, node);
        QTest::keyClick(&graph, Qt::Key_Return);
        QCOMPARE(fixture.content().pinned, node);
        QVERIFY(graph.accessibleDescription().contains("pinned"));
        QTest::keyClick(&graph, Qt::Key_E);
        const auto edges = edgesInto(graph.drawn(), node);
        QVERIFY(fixture.content().edge && edges.front().joins(*fixture.content().edge));
        QTest::keyClick(&graph, Qt::Key_E);
        QVERIFY(edges[1 % edges.size()].joins(*fixture.content().edge));
        QTest::keyClick(&graph, Qt::Key_Escape);
        QVERIFY(!fixture.content().edge && fixture.content().pinned);
        QTest::keyClick(&graph, Qt::Key_Escape);
        QVERIFY(!fixture.content().pinned);
        QVERIFY(!fixture.view->escape());
    }

    void ofVeryManyEdgesTheStrongestAreDrawnAndTheOthersCounted()
    {
        constexpr int kTokens = 60;
        FlowGraphContent graph;
        graph.levels = 2;
        graph.threshold = 0.0F;
        std::vector<float> fractions;
        for (int to = 0; to < kTokens; ++to) {
            graph.labels << QString::number(to);
            for (int from = 0; from < kTokens; ++from) // many are equal
                fractions.push_back(
                    to == from ? 0.001F : 0.1F + 0.01F * static_cast<float>((to * from) % 7));
        }
        graph.layers.push_back(HeatmapMatrix::copyOf(fractions, kTokens, kTokens));
        const std::vector<FlowEdge> drawn = drawnEdges(graph);
        std::vector<float> crossing;
        for (int cell = 0; cell < kTokens * kTokens; ++cell)
            if (cell / kTokens != cell % kTokens)
                crossing.push_back(fractions[static_cast<std::size_t>(cell)]);
        std::sort(crossing.rbegin(), crossing.rend());
        crossing.resize(static_cast<std::size_t>(mostCrossingEdges(kTokens)));
        std::vector<float> kept;
        int own = 0;
        for (const FlowEdge& edge : drawn) {
            if (edge.to == edge.from)
                ++own;
            else
                kept.push_back(edge.fraction);
        }
        std::sort(kept.rbegin(), kept.rend());
        QCOMPARE(own, kTokens);
        QCOMPARE(kept, crossing);
        const FlowCount count = countOf(graph, drawn);
        QCOMPARE(count.total, 1LL * kTokens * kTokens);
        QCOMPARE(count.drawn, 1LL * mostCrossingEdges(kTokens) + kTokens);
        QVERIFY(count.drawnFraction < 1.0);
    }

    void screenReadersFindATableOfNodes()
    {
        Fixture fixture;
        FlowWidget& graph = fixture.graph();
        QAccessibleInterface* table = QAccessible::queryAccessibleInterface(&graph);
        QVERIFY(table && table->role() == QAccessible::Table);
        QCOMPARE(table->tableInterface()->rowCount(), fixture.tokens());
        QCOMPARE(table->tableInterface()->columnCount(), 3);
        QCOMPARE(table->tableInterface()->columnDescription(0), QStringLiteral("input"));
        QCOMPARE(table->tableInterface()->rowDescription(1), graph.content().labels[1]);
        const FlowNode node{2, fixture.tokens() - 1};
        QAccessibleInterface* cell = table->tableInterface()->cellAt(node.token, node.level);
        const QString words = cell->text(QAccessible::Name);
        QVERIFY2(words.startsWith(describeNode(graph.content(), node)), qPrintable(words));
        const TracePtr& trace = fixture.session.traceA();
        for (int from = 0; from < fixture.tokens(); ++from) {
            const double fraction = fixture.edgeAt(*trace, 1, node.token, from);
            const QString name = from == node.token
                                     ? QStringLiteral("itself")
                                     : QStringLiteral("“%1”").arg(graph.content().labels[from]);
            const QString reported =
                QStringLiteral("from %1 %2").arg(name, readoutNumber(fraction));
            QVERIFY2(cell->text(QAccessible::Value).contains(reported) == (fraction >= 0.05),
                     qPrintable(reported + " in " + words));
        }
        graph.setCursorNode({1, 0});
        QCOMPARE(table->focusChild()->text(QAccessible::Name),
                 table->tableInterface()->cellAt(0, 1)->text(QAccessible::Name));
        QVERIFY(table->tableInterface()->cellAt(0, 0)->text(QAccessible::Value).isEmpty());
    }

    void anEdgeListsItsHeads()
    {
        Fixture fixture;
        const FlowEdge edge = fixture.graph().drawn().front();
        const FlowLayout layout = fixture.graph().layoutNow();
        const QPointF middle =
            (layout.place({edge.layer, edge.from}) + layout.place({edge.layer + 1, edge.to})) / 2.0;
        QTest::mouseClick(&fixture.graph(), Qt::LeftButton, {}, middle.toPoint());
        QVERIFY(fixture.content().edge);
        const FlowEdge chosen = *fixture.content().edge;
        auto* bars = fixture.view->findChildren<BarsWidget*>().back();
        QCOMPARE(bars->bars().size(), std::size_t{2});
        const auto pattern = fixture.session.traceA()->find({Site::Pattern, chosen.layer});
        for (const Bar& bar : bars->bars()) {
            const int head = bar.label.section('.', 1).toInt();
            QVERIFY(isNear(bar.value, double{pattern->view()(head, chosen.to, chosen.from)}));
        }
        QVERIFY(bars->bars()[0].value >= bars->bars()[1].value);
        QTest::mouseClick(bars, Qt::LeftButton, {}, QPoint(20, 36));
        QCOMPARE(fixture.session.selection().head, bars->bars()[1].label.section('.', 1).toInt());
    }

    void whatIsHiddenIsCounted()
    {
        Fixture fixture;
        fixture.view->setOptions({{"threshold", 0.3}});
        long long drawn = 0;
        long long total = 0;
        double sum = 0.0;
        for (int layer = 0; layer < 2; ++layer)
            for (int to = 0; to < fixture.tokens(); ++to)
                for (int from = 0; from < fixture.tokens(); ++from) {
                    const double fraction =
                        fixture.edgeAt(*fixture.session.traceA(), layer, to, from);
                    total += fraction > 0.0 ? 1 : 0;
                    drawn += fraction >= 0.3 ? 1 : 0;
                    sum += fraction >= 0.3 ? fraction : 0.0;
                }
        const FlowCount counted = countOf(fixture.content(), fixture.graph().drawn());
        QCOMPARE(counted.drawn, drawn);
        QCOMPARE(counted.total, total);
        QVERIFY(drawn < total);
        QVERIFY(isNear(counted.drawnFraction, sum / (2.0 * fixture.tokens())));
        QVERIFY2(
            fixture.countLabel().contains(QString("%1 of %2 edges drawn").arg(drawn).arg(total)),
            qPrintable(fixture.countLabel()));
    }

    void whatIsLeftOutCanBeSharedOut()
    {
        Fixture fixture;
        fixture.view->setOptions({{"threshold", 0.3}, {"renormalise", true}});
        for (const HeatmapMatrix& layer : fixture.content().layers)
            for (int to = 0; to < layer.rows; ++to) {
                double sum = 0.0;
                for (int from = 0; from < layer.columns; ++from)
                    sum += double{layer.at({to, from})};
                QVERIFY(isNear(sum, 1.0));
            }
        const FlowCount counted = countOf(fixture.content(), fixture.graph().drawn());
        QVERIFY(isNear(counted.drawnFraction, 1.0));
        QVERIFY(fixture.countLabel().contains("100 % of the total weight"));
    }

    void contributionsAreThoseOfTheValueVectors()
    {
        Fixture fixture;
        for (const auto& [name, measure] : {std::pair("length", ContributionMeasure::Length),
                                            std::pair("distance", ContributionMeasure::Distance)}) {
            fixture.view->setOptions({{"mode", "contribution"}, {"measure", name}});
            const SublayerContributions fractions =
                sublayerContributions(*fixture.session.traceA(), *fixture.session.model().model,
                                      {Stack::Blocks, 1, false}, measure);
            for (int to = 0; to < fixture.tokens(); ++to)
                for (int from = 0; from < fixture.tokens(); ++from)
                    QVERIFY(isNear(double{fixture.content().fractionOf({1, to, from, 0.0F})},
                                   double{fractions.tokens.view()(to, from)} +
                                       (to == from ? double{fractions.residual.view()(to)} : 0.0)));
        }
    }

    void theDifferenceIsBMinusA()
    {
        Fixture fixture;
        fixture.session.document().setMask({MaskChange::Kind::None, 4, {}, 0});
        QTRY_VERIFY(fixture.session.traceB());
        fixture.session.view().setShownVariant(ui::Variant::Difference);
        QTRY_VERIFY(fixture.content().isSigned);
        for (int to = 0; to < fixture.tokens(); ++to)
            for (int from = 0; from < fixture.tokens(); ++from)
                QVERIFY(isNear(double{fixture.content().fractionOf({0, to, from, 0.0F})},
                               fixture.edgeAt(*fixture.session.traceB(), 0, to, from) -
                                   fixture.edgeAt(*fixture.session.traceA(), 0, to, from)));
    }

    void anotherLengthHasNoDifference()
    {
        Fixture fixture;
        Changes changes;
        changes.text = "the cat sat on the mat";
        fixture.session.document().setChanges(changes, "another text");
        QTRY_VERIFY(fixture.session.traceB());
        fixture.session.view().setShownVariant(ui::Variant::Difference);
        const auto& problem = childOf<TextLabel>(*fixture.view, "emptySentence");
        QTRY_VERIFY(problem.isVisible() && problem.text().contains("different numbers"));
        QCOMPARE(fixture.tokens(), 0);
        fixture.session.view().setShownVariant(ui::Variant::B);
        QTRY_COMPARE(fixture.tokens(), static_cast<int>(fixture.session.traceB()->tokens().size()));
    }

    void longTextsAreComputedBesideTheWindow()
    {
        QString text;
        for (int word = 0; word < 40; ++word)
            text += "cat ";
        Fixture fixture(text);
        QCOMPARE(fixture.tokens(), 32);
        QVERIFY(fixture.graph().minimumSizeHint().height() >= 32 * 20);
        QVERIFY(flowCost(fixture.session.viewSnapshot(), {}) > 0.0);
    }

    void nothingTypedIsSaid()
    {
        Fixture fixture;
        fixture.session.document().setText({});
        QTRY_COMPARE(fixture.tokens(), 0);
        fixture.session.document().setText("a");
        QTRY_VERIFY(fixture.tokens() >= 1);
    }

    void theFigureHoldsTheNumbersOnScreen()
    {
        Fixture fixture;
        fixture.click({1, 1});
        const Figure figure = fixture.view->figure();
        QCOMPARE(figure.numbers.size(), std::size_t{1});
        QCOMPARE(figure.numbers[0].rows, fixture.content().labels);
        QCOMPARE(figure.numbers[0].values.at({1, 0}), fixture.content().layers[0].at({1, 0}));
        QVERIFY(figure.caption.contains("Only paths into"));
        const Figure again = flowFigure(fixture.session.viewSnapshot(), fixture.view->options());
        QCOMPARE(again.caption, figure.caption);
        QCOMPARE(again.numbers[0].values.at({1, 1}), figure.numbers[0].values.at({1, 1}));
    }
};

void TstFlow::aSessionsPinOutlivesTheOpeningOfItsModel()
{
    Fixture fixture;
    const auto restored = QObject::connect(&fixture.session, &Session::modelChanged, [&fixture] {
        fixture.session.view().selectPair(2, 0);
        fixture.view->setOptions({{"pinned", QJsonArray{1, 2}}});
    });
    fixture.session.models().open("another");
    QTRY_COMPARE(fixture.session.model().name, std::string("another"));
    QObject::disconnect(restored);
    QTRY_VERIFY(fixture.isDone());
    QTRY_VERIFY(fixture.content().pinned == (FlowNode{1, 2}));
    fixture.session.models().open("a third"); // of which the session said nothing
    QTRY_COMPARE(fixture.session.model().name, std::string("a third"));
    QTRY_VERIFY(!fixture.content().pinned);
}

HEADSCOPE_WINDOW_TEST(TstFlow)
#include "tst_flow.moc"
