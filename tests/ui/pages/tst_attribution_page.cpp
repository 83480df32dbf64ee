#include "tests/support/small_models.h"
#include "tests/support/test_program.h"
#include "tests/ui/child.h"
#include "tests/ui/pages/session_fixture.h"
#include "ui/pages/attribution/attribution_map_panel.h"
#include "ui/pages/attribution/attribution_page.h"
#include "ui/widgets/charts/bars/bars.h"
#include "ui/widgets/charts/lines/line_chart.h"
#include "ui/widgets/heatmap/heatmap_widget.h"
#include "ui/widgets/labels.h"

#include <QAccessible>
#include <QComboBox>
#include <QJsonArray>
#include <QLineEdit>
#include <QSignalSpy>

#include <cmath>
#include <numeric>

using namespace headscope;
using namespace headscope::ui;
using namespace headscope::ui::test;

namespace {

struct Fixture : SessionFixture
{
    explicit Fixture(const QString& text = "the cat sat on a mat") : SessionFixture(text)
    {
        view = std::make_unique<AttributionPage>(session);
        view->resize(1180, 620);
        view->show();
        settle();
    }

    void settle()
    {
        if (!QTest::qWaitFor([this] {
                QCoreApplication::processEvents();
                return isCurrent() && view->isSettled() && !parts().empty();
            }))
            qFatal("no attribution");
        QCoreApplication::processEvents();
    }

    BarsWidget& bars() const { return childOf<BarsWidget>(*view, "parts"); }

    const std::vector<Bar>& parts() const { return bars().bars(); }

    const std::vector<Bar>& sources() const { return childOf<BarsWidget>(*view, "sources").bars(); }

    HeatmapWidget& inputs() const { return childOf<HeatmapWidget>(*view, "inputs"); }

    QString title() const { return childOf<TextLabel>(*view, "title").text(); }

    double valueOf(LogitPartKind kind, int layer = -1, int head = -1) const
    {
        for (const Bar& bar : parts())
            if (bar.label == nameOf({kind, layer, head}))
                return bar.value;
        qFatal("no such part");
        return 0.0;
    }

    /// The head whose source tokens are shown; empty without one.
    QString chosenHead() const
    {
        for (const Bar& bar : parts())
            if (bar.subject)
                return bar.label;
        return {};
    }

    QString sumText() const { return childOf<TextLabel>(*view, "sum").text(); }

    HeatmapWidget& map() const { return childOf<AttributionMapPanel>(*view).map(); }

    bool saysLogit(double logit) const
    {
        return sumText().endsWith("logit is " + number(logit, 4) + ".");
    }

    double logitOf(TokenId id, headscope::ui::Variant variant = headscope::ui::Variant::A) const
    {
        const TracePtr trace =
            variant == headscope::ui::Variant::A ? session.traceA() : session.traceB();
        const TensorView logits = trace->find({Site::Logits, 0})->view();
        return double{logits(logits.shape[0] - 1, id)};
    }

    std::unique_ptr<AttributionPage> view;
};

bool isNear(double a, double b, double tolerance = 1e-4)
{
    return std::abs(a - b) <= tolerance;
}

double sumOf(const std::vector<Bar>& bars)
{
    return std::accumulate(bars.begin(), bars.end(), 0.0,
                           [](double sum, const Bar& bar) { return sum + bar.value; });
}

} // namespace

class TstAttributionView : public QObject
{
    Q_OBJECT

private slots:

    void partsAddUpToTheLogitOfTheLikeliestToken()
    {
        Fixture fixture;
        const std::vector<Bar>& parts = fixture.parts();
        const Tensor& logits = *fixture.session.traceA()->find({Site::Logits, 0});
        const auto last = logits.values().last(static_cast<std::size_t>(logits.shape()[1]));
        const double logit{*std::max_element(last.begin(), last.end())};
        QVERIFY(fixture.saysLogit(logit));
        QVERIFY(isNear(sumOf(parts), logit));
        QVERIFY(fixture.sumText().contains("sum to " + number(sumOf(parts), 4)));
        for (std::size_t row = 1; row < parts.size(); ++row)
            QVERIFY(std::abs(parts[row - 1].value) >= std::abs(parts[row].value));
        const HeatmapMatrix& map = fixture.map().content().matrix;
        QCOMPARE(map.rows, 3); // two heads and the MLP
        QCOMPARE(map.columns, 2);
        QCOMPARE(map.at({1, 0}), static_cast<float>(fixture.valueOf(LogitPartKind::Head, 0, 1)));
        QCOMPARE(map.at({2, 1}), static_cast<float>(fixture.valueOf(LogitPartKind::Mlp, 1)));
        const auto& course = childOf<LineChart>(*fixture.view).content().curves.front().points;
        QCOMPARE(course.size(), std::size_t{4}); // embeddings, two layers, the end
        QVERIFY(isNear(course.back().y(), logit));
    }

    void theModelsOrderIsThatOfItsLayers()
    {
        Fixture fixture;
        fixture.view->setOptions({{"sorted", false}});
        const auto computed = attributionParts(fixture.session.viewSnapshot(), {});
        const std::vector<LogitPart>& parts = computed.a->logit.parts;
        QCOMPARE(fixture.parts().size(), parts.size());
        for (std::size_t row = 0; row < parts.size(); ++row)
            QCOMPARE(fixture.parts()[row].label, nameOf(parts[row]));
        QVERIFY(parts.front().kind == LogitPartKind::TokenEmbedding);
        for (std::size_t row = 1; row + 1 < parts.size(); ++row)
            QVERIFY(parts[row].layer <= parts[row + 1].layer || parts[row + 1].layer < 0);
    }

    void tokensHiddenByTheMaskAreNoSources()
    {
        Fixture fixture;
        fixture.session.view().selectPair(1, 0);
        fixture.settle();
        QTRY_COMPARE(fixture.sources().size(), std::size_t{2});
        for (const Bar& bar : fixture.sources())
            QVERIFY(*bar.position <= 1);
        const HeatmapContent& inputs = fixture.inputs().content();
        QTRY_VERIFY(!inputs.matrix.isEmpty());
        for (int column = 0; column < inputs.matrix.columns; ++column)
            QCOMPARE(inputs.isHidden({0, column}), column > 1);
    }

    void aHeadIsTakenApartByItsSourceTokens()
    {
        Fixture fixture;
        HeatmapWidget& map = fixture.map();
        QTest::mouseClick(&map, Qt::LeftButton, {}, map.cellRect({1, 0}).center().toPoint());
        fixture.settle();
        QCOMPARE(fixture.chosenHead(), QString("head 0.1"));
        QCOMPARE(fixture.sources().size(), fixture.session.traceA()->tokens().size());
        QVERIFY(isNear(sumOf(fixture.sources()), fixture.valueOf(LogitPartKind::Head, 0, 1)));
        const std::vector<Bar>& parts = fixture.parts();
        const auto other = std::find_if(parts.begin(), parts.end(), [](const Bar& bar) {
            return bar.label.startsWith("head 1.");
        });
        const QString wanted = other->label;
        emit fixture.bars().barActivated(static_cast<int>(other - parts.begin()));
        fixture.settle();
        QCOMPARE(fixture.chosenHead(), wanted);
        QVERIFY(fixture.view->escape()); // back to the strongest
        fixture.settle();
        QVERIFY(!fixture.view->escape());
        QSignalSpy page(fixture.view.get(), &AttributionPage::pageWanted);
        fixture.view->focusMain();
        QTest::keyClick(&map, Qt::Key_Return);
        QCOMPARE(page.size(), 1);
    }

    void twoTokensAreComparedAsTheyAreTyped()
    {
        Fixture fixture;
        auto* typed = fixture.view->findChild<QLineEdit*>();
        typed->setText("x - y");
        QTest::keyClick(typed, Qt::Key_Return);
        fixture.settle();
        const Tokenizer& tokenizer = *fixture.session.model().tokenizer;
        const TokenId x = tokenizer.encode("x", false).tokens[0].id;
        const TokenId y = tokenizer.encode("y", false).tokens[0].id;
        const double expected = fixture.logitOf(x) - fixture.logitOf(y);
        QVERIFY(fixture.saysLogit(expected));
        QVERIFY(isNear(sumOf(fixture.parts()), expected));
        QVERIFY(fixture.title().contains("minus that of"));
        QVERIFY(!fixture.view->numberAt({}));
        QVERIFY(fixture.view->escape());
        fixture.settle();
        QVERIFY(fixture.saysLogit(fixture.logitOf(x)));
        QVERIFY(fixture.view->numberAt({}));
        QSignalSpy message(fixture.view.get(), &AttributionPage::messageWanted);
        typed->setText("quite a lot of words");
        QTest::keyClick(typed, Qt::Key_Return);
        QCOMPARE(message.size(), 1);
    }

    void theQueryTokenIsWhereTheLogitStands()
    {
        Fixture fixture;
        fixture.session.view().selectPair(2, -1);
        fixture.settle();
        QVERIFY(QTest::qWaitFor([&] { return fixture.title().contains("(2)"); }));
        fixture.settle();
        const TracePtr trace = fixture.session.traceA();
        const TensorView logits = trace->find({Site::Logits, 0})->view();
        const TokenId token = attributionTarget(fixture.session.viewSnapshot(), {})->token;
        const double logit{logits(2, token)};
        QVERIFY(fixture.saysLogit(logit));
        QVERIFY(isNear(sumOf(fixture.parts()), logit));
        const HeatmapMatrix& inputs = fixture.inputs().content().matrix;
        for (int later = 3; later < inputs.columns; ++later)
            QCOMPARE(inputs.at({0, later}), 0.0F); // not seen from there
    }

    void inputTokensHaveTheirPart()
    {
        Fixture fixture;
        const HeatmapMatrix& inputs = fixture.inputs().content().matrix;
        QCOMPARE(inputs.rows, 2);
        QCOMPARE(inputs.columns, static_cast<int>(fixture.session.traceA()->tokens().size()));
        const QString note = childOf<TextLabel>(*fixture.view, "inputsNote").text();
        QVERIFY2(note.contains("sum to"), qPrintable(note));
        const std::vector<TokenId> ids = fixture.session.traceA()->tokens().ids();
        CpuAttention backend;
        GradientTarget target;
        target.token = attributionTarget(fixture.session.viewSnapshot(), {})->token;
        const InputAttribution expected =
            gradientTimesInput({*fixture.session.model().model, backend, {ids}, target});
        for (std::size_t token = 0; token < ids.size(); ++token)
            QVERIFY(isNear(double{inputs.at({0, static_cast<int>(token)})}, expected.tokens[token],
                           1e-5));
    }

    void aChangeIsTakenApartToo()
    {
        Fixture fixture;
        const double before = fixture.valueOf(LogitPartKind::Head, 1, 1);
        const TokenId token = attributionTarget(fixture.session.viewSnapshot(), {})->token;
        const double logit = fixture.logitOf(token);
        QVERIFY(fixture.saysLogit(logit));
        fixture.session.document().setHeadOff(1, 1, true);
        QVERIFY(QTest::qWaitFor([&] { return fixture.isCurrent(); }));
        fixture.session.view().setShownVariant(headscope::ui::Variant::B);
        const auto changed = [&] { return fixture.logitOf(token, headscope::ui::Variant::B); };
        QVERIFY(QTest::qWaitFor(
            [&] { return fixture.view->isSettled() && fixture.saysLogit(changed()); }));
        QCOMPARE(fixture.valueOf(LogitPartKind::Head, 1, 1), 0.0);
        QVERIFY(isNear(sumOf(fixture.parts()), changed()));
        fixture.session.view().setShownVariant(headscope::ui::Variant::Difference);
        QVERIFY(QTest::qWaitFor([&] {
            return fixture.view->isSettled() &&
                   isNear(fixture.valueOf(LogitPartKind::Head, 1, 1), -before);
        }));
        fixture.settle();
        QVERIFY(isNear(fixture.valueOf(LogitPartKind::Head, 1, 1), -before));
        QVERIFY(isNear(sumOf(fixture.parts()), changed() - logit));
        QVERIFY(!fixture.inputs().content().matrix.isEmpty());
    }

    void optionsComeBack()
    {
        Fixture fixture;
        AttributionOptions options;
        options.token = 70;
        options.other = 71;
        options.sorted = false;
        options.head = LogitHead{1, 0, false};
        QVERIFY(AttributionOptions::fromJson(options.toJson()) == options);
        fixture.view->setOptions(options.toJson());
        fixture.settle();
        QCOMPARE(fixture.view->options(), options.toJson());
        QVERIFY(fixture.saysLogit(fixture.logitOf(70) - fixture.logitOf(71)));
        fixture.view->setOptions({{"token", 1000000}, {"head", QJsonArray{9, 9, false}}});
        fixture.settle(); // ids and heads that are not there: the mostLikely, the strongest
        QVERIFY(fixture.chosenHead().startsWith("head 0.") ||
                fixture.chosenHead().startsWith("head 1."));
    }

    void whatIsNotDefinedIsSaid()
    {
        SessionFixture empty(QString{});
        AttributionPage blank(empty.session);
        blank.resize(900, 600);
        blank.show();
        QVERIFY(QTest::qWaitFor([&] { return !empty.session.models().isBlank(); }));
        QCoreApplication::processEvents();
        QVERIFY(childOf<BarsWidget>(blank, "parts").bars().empty());

        ViewSnapshot headless = Fixture().session.viewSnapshot();
        ModelConfig config = headless.modelA.model->config();
        config.languageHead = false;
        config.tieEmbeddings = true;
        LoadedModel model = headless.modelA;
        model.model = std::make_shared<const Model>(Model::initialised(config, 1));
        headless.modelA = headless.modelB = model;
        const auto parts = attributionParts(headless, {});
        QVERIFY(parts.a->problem.contains("predicts no tokens"));
        QVERIFY(attributionInputs(headless, {}).a->problem.contains("predicts no tokens"));
        ViewSnapshot captured = headless;
        captured.modelA.model = captured.modelB.model = nullptr;
        QVERIFY(attributionParts(captured, {}).a->problem.contains("captured"));
        const AttributionContent content =
            attributionContent(captured, {}, attributionParts(captured, {}), {});
        QVERIFY(content.rows.empty() && !content.problem.isEmpty());
    }

    void theFigureHoldsTheNumbers()
    {
        Fixture fixture;
        const Figure figure = fixture.view->figure();
        QVERIFY(figure.paint);
        QCOMPARE(figure.numbers.size(), std::size_t{3});
        QCOMPARE(figure.numbers[0].rows.size(), static_cast<qsizetype>(fixture.parts().size()));
        QVERIFY(figure.caption.contains("sum to"));
    }

    void everythingHasANameAndKeysReachIt()
    {
        Fixture fixture;
        for (QWidget* widget : fixture.view->findChildren<QWidget*>()) {
            if (widget->focusPolicy() == Qt::NoFocus || !widget->isVisible() ||
                qobject_cast<QLineEdit*>(widget->parentWidget()))
                continue;
            QAccessibleInterface* const face = QAccessible::queryAccessibleInterface(widget);
            QVERIFY2(face && !face->text(QAccessible::Name).isEmpty(),
                     widget->metaObject()->className());
        }
        fixture.view->focusMain();
        HeatmapWidget& map = fixture.map();
        const QString before = fixture.chosenHead();
        QTest::keyClick(&map, before.startsWith("head 0.") ? Qt::Key_Right : Qt::Key_Left);
        fixture.settle();
        QVERIFY(fixture.chosenHead() != before);
        QTest::keyClick(&fixture.inputs(), Qt::Key_Right);
        QVERIFY(fixture.inputs().content().current);
    }
};

HEADSCOPE_WINDOW_TEST(TstAttributionView)
#include "tst_attribution_page.moc"
