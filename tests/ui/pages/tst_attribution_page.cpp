#include "tests/support/small_models.h"
#include "tests/support/test_program.h"
#include "tests/ui/pages/session_fixture.h"
#include "ui/pages/attribution/attribution_page.h"
#include "ui/widgets/charts/bars/bars.h"
#include "ui/widgets/charts/lines/line_chart.h"
#include "ui/widgets/heatmap/heatmap_widget.h"

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
                return isCurrent() && view->isSettled() && !view->content().rows.empty();
            }))
            qFatal("no attribution");
        QCoreApplication::processEvents();
    }

    const AttributionContent& content() const { return view->content(); }

    const AttributionRow& rowOf(LogitPartKind kind, int layer = -1, int head = -1) const
    {
        for (const AttributionRow& row : content().rows)
            if (row.part.kind == kind && row.part.layer == layer && row.part.head == head)
                return row;
        qFatal("no such part");
        return content().rows.front();
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
        const auto& content = fixture.content();
        QVERIFY(isNear(content.sum, content.logit));
        const Tensor& logits = *fixture.session.traceA()->find({Site::Logits, 0});
        const auto last = logits.values().last(static_cast<std::size_t>(logits.shape()[1]));
        QCOMPARE(content.logit, double{*std::max_element(last.begin(), last.end())});
        QCOMPARE(fixture.view->bars().bars().size(), content.rows.size());
        QVERIFY(isNear(sumOf(fixture.view->bars().bars()), content.logit));
        QVERIFY(fixture.view->sumText().contains(number(content.logit, 4)));
        for (std::size_t row = 1; row < content.rows.size(); ++row)
            QVERIFY(std::abs(content.rows[row - 1].value) >= std::abs(content.rows[row].value));
        QCOMPARE(content.map.matrix.rows, 3); // two heads and the MLP
        QCOMPARE(content.map.matrix.columns, 2);
        QCOMPARE(content.map.matrix.at({1, 0}),
                 static_cast<float>(fixture.rowOf(LogitPartKind::Head, 0, 1).value));
        QCOMPARE(content.map.matrix.at({2, 1}),
                 static_cast<float>(fixture.rowOf(LogitPartKind::Mlp, 1).value));
        const auto& course = content.course.curves.front().points;
        QCOMPARE(course.size(), std::size_t{4}); // embeddings, two layers, the end
        QVERIFY(isNear(course.back().y(), content.logit));
    }

    void theModelsOrderIsThatOfItsLayers()
    {
        Fixture fixture;
        fixture.view->setOptions({{"sorted", false}});
        const auto& rows = fixture.content().rows;
        QVERIFY(rows.front().part.kind == LogitPartKind::TokenEmbedding);
        for (std::size_t row = 1; row + 1 < rows.size(); ++row)
            QVERIFY(rows[row].part.layer <= rows[row + 1].part.layer ||
                    rows[row + 1].part.layer < 0);
    }

    void tokensHiddenByTheMaskAreNoSources()
    {
        Fixture fixture;
        fixture.session.view().selectPair(1, 0);
        fixture.settle();
        QTRY_COMPARE(fixture.content().sources.size(), std::size_t{2});
        for (const Bar& bar : fixture.content().sources)
            QVERIFY(*bar.position <= 1);
        const HeatmapContent& inputs = fixture.content().inputs;
        QTRY_VERIFY(!inputs.matrix.isEmpty());
        for (int column = 0; column < inputs.matrix.columns; ++column)
            QCOMPARE(inputs.isHidden({0, column}), column > 1);
    }

    void aHeadIsTakenApartByItsSourceTokens()
    {
        Fixture fixture;
        HeatmapWidget& map = fixture.view->map();
        QTest::mouseClick(&map, Qt::LeftButton, {}, map.cellRect({1, 0}).center().toPoint());
        fixture.settle();
        QVERIFY((fixture.content().head == LogitHead{0, 1, false}));
        const auto& sources = *fixture.view->findChild<BarsWidget*>("sources");
        QCOMPARE(sources.bars().size(), fixture.session.traceA()->tokens().size());
        QVERIFY(isNear(sumOf(sources.bars()), fixture.rowOf(LogitPartKind::Head, 0, 1).value));
        const auto& rows = fixture.content().rows;
        const auto other = std::find_if(rows.begin(), rows.end(), [](const AttributionRow& row) {
            return row.part.kind == LogitPartKind::Head && row.part.layer == 1;
        });
        emit fixture.view->bars().barActivated(static_cast<int>(other - rows.begin()));
        const LogitHead wanted{1, other->part.head, false};
        fixture.settle();
        QVERIFY(fixture.content().head == wanted);
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
        QVERIFY(isNear(fixture.content().logit, expected));
        QVERIFY(isNear(fixture.content().sum, expected));
        QVERIFY(fixture.content().target.contains("minus that of"));
        QVERIFY(!fixture.view->numberAt({}));
        QVERIFY(fixture.view->escape());
        fixture.settle();
        QVERIFY(isNear(fixture.content().logit, fixture.logitOf(x)));
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
        QVERIFY(QTest::qWaitFor([&] { return fixture.content().target.contains("(2)"); }));
        fixture.settle();
        QVERIFY(isNear(fixture.content().sum, fixture.content().logit));
        const HeatmapMatrix inputs = fixture.content().inputs.matrix;
        for (int later = 3; later < inputs.columns; ++later)
            QCOMPARE(inputs.at({0, later}), 0.0F); // not seen from there
    }

    void inputTokensHaveTheirPart()
    {
        Fixture fixture;
        const auto& content = fixture.content();
        QCOMPARE(content.inputs.matrix.rows, 2);
        QCOMPARE(content.inputs.matrix.columns,
                 static_cast<int>(fixture.session.traceA()->tokens().size()));
        QVERIFY2(content.inputsNote.contains("sum to"), qPrintable(content.inputsNote));
        const std::vector<TokenId> ids = fixture.session.traceA()->tokens().ids();
        CpuAttention backend;
        GradientTarget target;
        target.token = attributionTarget(fixture.session.viewSnapshot(), {})->token;
        const InputAttribution expected =
            gradientTimesInput({*fixture.session.model().model, backend, {ids}, target});
        for (std::size_t token = 0; token < ids.size(); ++token)
            QVERIFY(isNear(double{content.inputs.matrix.at({0, static_cast<int>(token)})},
                           expected.tokens[token], 1e-5));
    }

    void aChangeIsTakenApartToo()
    {
        Fixture fixture;
        const double before = fixture.rowOf(LogitPartKind::Head, 1, 1).value;
        const double logit = fixture.content().logit;
        const TokenId token = attributionTarget(fixture.session.viewSnapshot(), {})->token;
        fixture.session.document().setHeadOff(1, 1, true);
        QVERIFY(QTest::qWaitFor([&] { return fixture.isCurrent(); }));
        fixture.session.view().setShownVariant(headscope::ui::Variant::B);
        QVERIFY(QTest::qWaitFor([&] {
            return fixture.view->isSettled() &&
                   isNear(fixture.content().logit,
                          fixture.logitOf(token, headscope::ui::Variant::B), 1e-6);
        }));
        QCOMPARE(fixture.rowOf(LogitPartKind::Head, 1, 1).value, 0.0);
        QVERIFY(isNear(fixture.content().sum, fixture.content().logit));
        fixture.session.view().setShownVariant(headscope::ui::Variant::Difference);
        QVERIFY(QTest::qWaitFor(
            [&] { return fixture.content().isSigned && fixture.view->isSettled(); }));
        fixture.settle();
        QVERIFY(isNear(fixture.rowOf(LogitPartKind::Head, 1, 1).value, -before));
        QVERIFY(isNear(fixture.content().sum,
                       fixture.logitOf(token, headscope::ui::Variant::B) - logit));
        QVERIFY(!fixture.content().inputs.matrix.isEmpty());
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
        QVERIFY(isNear(fixture.content().logit, fixture.logitOf(70) - fixture.logitOf(71)));
        fixture.view->setOptions({{"token", 1000000}, {"head", QJsonArray{9, 9, false}}});
        fixture.settle(); // ids and heads that are not there: the mostLikely, the strongest
        QVERIFY(fixture.content().head.layer < 2);
    }

    void whatIsNotDefinedIsSaid()
    {
        SessionFixture empty(QString{});
        AttributionPage blank(empty.session);
        blank.resize(900, 600);
        blank.show();
        QVERIFY(QTest::qWaitFor([&] { return !empty.session.models().isBlank(); }));
        QCoreApplication::processEvents();
        QVERIFY(blank.content().rows.empty());

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
        QCOMPARE(figure.numbers[0].rows.size(),
                 static_cast<qsizetype>(fixture.content().rows.size()));
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
        HeatmapWidget& map = fixture.view->map();
        const LogitHead before = fixture.content().head;
        QTest::keyClick(&map, before.layer == 0 ? Qt::Key_Right : Qt::Key_Left);
        fixture.settle();
        QVERIFY(fixture.content().head != before);
        QTest::keyClick(&fixture.view->inputs(), Qt::Key_Right);
        QVERIFY(fixture.view->inputs().content().current);
    }
};

HEADSCOPE_WINDOW_TEST(TstAttributionView)
#include "tst_attribution_page.moc"
