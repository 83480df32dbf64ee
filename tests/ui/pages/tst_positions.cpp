#include "core/base/error.h"
#include "core/model/positions/position_encodings.h"
#include "core/ops/relative_bias.h"
#include "tests/support/test_program.h"
#include "tests/ui/child.h"
#include "ui/pages/positions/positions_formulas.h"
#include "ui/pages/positions/positions_page.h"
#include "ui/pages/positions/positions_paint.h"
#include "ui/pages/positions/positions_plot.h"
#include "ui/pages/positions/positions_relative_panel.h"
#include "ui/pages/positions/relative_plot.h"
#include "ui/widgets/controls/segments.h"
#include "ui/widgets/labels.h"

#include <QPushButton>
#include <QSignalSpy>
#include <QToolButton>
#include <QtTest>

#include <complex>
#include <numbers>

using namespace headscope;
using namespace headscope::ui;
using headscope::ui::test::childOf;

namespace {

void compareRow(const PositionTable& table, int position, const std::vector<double>& expected,
                double tolerance)
{
    for (std::size_t dimension = 0; dimension < expected.size(); ++dimension)
        QVERIFY2(
            std::abs(table.at(position, static_cast<int>(dimension)) - expected[dimension]) <=
                tolerance,
            qPrintable(QString::number(table.at(position, static_cast<int>(dimension)), 'f', 9)));
}

LoadedModel smallModel(Positions positions)
{
    ModelConfig config;
    config.vocabularySize = 11;
    config.dModel = 8;
    config.heads = 2;
    config.layers = 1;
    config.dFf = 16;
    config.maxLen = 20;
    config.positions = positions;
    return {"small", std::make_shared<const Model>(Model::initialised(config, 7)), nullptr};
}

bool isSliding(const PositionsPage& page)
{
    return page.findChild<QPushButton*>("slide")->text().contains("Pause");
}

RelativePanel& relativeOf(const PositionsPage& page)
{
    return childOf<RelativePanel>(page);
}

} // namespace

class TstPositions : public QObject
{
    Q_OBJECT

private slots:

    void initTestCase() { applyTheme(*qApp, Theme::light()); }

    void sinusoidsAreThoseOfThePaper()
    {
        const PositionTable wide = sinusoidalTable(4, 4, 10000.0);
        compareRow(wide, 1, {0.841471, 0.540302, 0.010000, 0.999950}, 1e-6);
        compareRow(wide, 2, {0.909297, -0.416147, 0.019999, 0.999800}, 1e-6);
        const PositionTable table = sinusoidalTable(4, 4, 100.0);
        compareRow(table, 0, {0, 1, 0, 1}, 0.0);
        compareRow(table, 1, {0.84147098, 0.54030231, 0.09983342, 0.99500417}, 1e-8);
        compareRow(table, 2, {0.90929743, -0.41614684, 0.19866933, 0.98006658}, 1e-8);
        compareRow(table, 3, {0.14112001, -0.9899925, 0.29552021, 0.95533649}, 1e-8);
    }

    void wavelengthsRunFromTwoPiToBaseTimesTwoPi()
    {
        QCOMPARE(2.0 * std::numbers::pi / anglePerPosition(0, 64, 10000.0), 2.0 * std::numbers::pi);
        QVERIFY(anglePerPosition(31, 64, 10000.0) > 1.0 / 10000.0);
        QVERIFY(std::abs(anglePerPosition(32, 64, 10000.0) - 1.0 / 10000.0) < 1e-12);
    }

    void aMoveIsARotation()
    {
        for (double base : {100.0, 10000.0, 100000.0})
            for (int dimensions : {4, 64, 512})
                for (int offset : {0, 1, 5, 32})
                    QVERIFY(largestRotationError(sinusoidalTable(64, dimensions, base), offset,
                                                 base) < 1e-12);
        PositionTable broken = sinusoidalTable(8, 4, 100.0);
        broken.values[5] += 0.25;
        QVERIFY(largestRotationError(broken, 1, 100.0) > 0.1);
    }

    void similarityIsTheDotProduct()
    {
        const PositionTable table = sinusoidalTable(64, 64, 10000.0);
        const auto values = similarityTo(table, 12);
        QVERIFY(std::abs(values[12] - 32.0) < 1e-9);      // d/2 pairs of sin^2 + cos^2
        QVERIFY(std::abs(values[17] - values[7]) < 1e-9); // depends on the distance only
        QVERIFY(std::abs(values[17] - 23.50) < 0.005);
        QCOMPARE(similarityTo(table, 99).front(), 0.0);
    }

    void tablesOfImpossibleSizeThrow()
    {
        QVERIFY_THROWS_EXCEPTION(ShapeError, sinusoidalTable(4, 3, 100.0));
        QVERIFY_THROWS_EXCEPTION(ShapeError, sinusoidalTable(4, 0, 100.0));
    }

    void wavesAndClocksFitEverySize()
    {
        QCOMPARE(waveDimensions(64), (std::vector<int>{0, 4, 8, 12, 20, 32}));
        QCOMPARE(clockPairs(64), (std::vector<int>{0, 3, 6, 9, 12, 20}));
        for (int dimensions = 4; dimensions <= 512; dimensions += 2) {
            for (int dimension : waveDimensions(dimensions))
                QVERIFY(dimension % 2 == 0 && dimension < dimensions);
            for (int pair : clockPairs(dimensions))
                QVERIFY(pair < dimensions / 2);
        }
    }

    void slidersAndKeysMoveThePage()
    {
        Session session({}, [](const std::string&) { return LoadedModel(); });
        PositionsPage view(session);
        view.resize(1200, 700);
        view.show();
        QTest::keyClick(&view, Qt::Key_Right);
        QCOMPARE(view.content().position, 13);
        QTest::keyClick(&view, Qt::Key_Left, Qt::ShiftModifier);
        QCOMPARE(view.content().offset, 4);
        view.setDimensions(512);
        QCOMPARE(view.content().table.dimensions, 512);
        const PositionsContent& shown = view.content();
        const double error = largestRotationError(shown.table, shown.offset, shown.base);
        QVERIFY(error < 1e-6);
        QVERIFY(childOf<TextLabel>(view, "error").text().endsWith(rotationErrorText(error)));
        view.setBase(1e9);
        QCOMPARE(view.content().base, 100000.0);
        view.setPosition(1000);
        QCOMPARE(view.content().position, 63);
        QVERIFY(!view.content().hasOffsetPosition());
        QVERIFY(!view.grab().isNull());
        view.reset();
        QCOMPARE(view.content().table.dimensions, 64);
        QCOMPARE(view.content().position, 12);
    }

    void draggingChoosesP()
    {
        Session session({}, [](const std::string&) { return LoadedModel(); });
        PositionsPage view(session);
        view.resize(1200, 700);
        view.show();
        auto* plot = view.findChild<PositionsPlot*>();
        QVERIFY(plot);
        const PositionsLayout layout = plot->layoutNow();
        for (int position : {0, 31, 63}) {
            QCOMPARE(layout.positionAt(layout.columnCentre(position)), position);
            QTest::mouseClick(plot, Qt::LeftButton, {}, layout.column(position).center().toPoint());
            QCOMPARE(view.content().position, position);
        }
        QVERIFY(!layout.positionAt(0.0));
    }

    void slidingEndsAtTheLastPosition()
    {
        Session session({}, [](const std::string&) { return LoadedModel(); });
        PositionsPage view(session);
        view.show();
        view.setPosition(61);
        QTest::keyClick(&view, Qt::Key_Space);
        QVERIFY(isSliding(view));
        QTRY_COMPARE(view.content().position, 63);
        QTRY_VERIFY(!isSliding(view));
        QTest::keyClick(&view, Qt::Key_Space); // starts again from the beginning
        QCOMPARE(view.content().position, 0);
        view.hide();
        QVERIFY(!isSliding(view));
    }

    void learnedTableShowsTheModelsNumbers()
    {
        Session session({}, [](const std::string&) { return LoadedModel(); });
        PositionsPage view(session);
        const LoadedModel model = smallModel(Positions::Learned);
        view.setModel(model);
        view.setScheme(Positions::Learned);
        const PositionTable& table = view.content().table;
        QCOMPARE(table.positions, 20);
        QCOMPARE(table.dimensions, 8);
        const TensorView expected = model.model->parameters().view("pos_emb.weight");
        for (int position = 0; position < 20; ++position)
            for (int dimension = 0; dimension < 8; ++dimension)
                QCOMPARE(table.at(position, dimension),
                         static_cast<double>(expected(position, dimension)));
        view.resize(1200, 700);
        QVERIFY(!view.grab().isNull());
        view.setModel(smallModel(Positions::Sinusoidal));
        QCOMPARE(view.content().scheme, Positions::Sinusoidal);
    }

    void thePageOpensOnTheModelsOwnPositionsUntilAPersonChooses()
    {
        Session session({}, [](const std::string&) { return LoadedModel(); });
        PositionsPage view(session);
        for (const PositionEncoding* encoding : positionEncodings()) {
            view.setModel(smallModel(encoding->traits().kind));
            QCOMPARE(view.content().scheme, encoding->traits().kind);
        }
        const auto buttons = view.findChild<SegmentBar*>()->findChildren<QToolButton*>();
        buttons[2]->click();
        view.setModel(smallModel(Positions::Alibi));
        QCOMPARE(view.content().scheme, Positions::Rope);
    }

    void whatCannotBeShownSaysWhy()
    {
        Session session({}, [](const std::string&) { return LoadedModel(); });
        PositionsPage view(session);
        view.setModel(smallModel(Positions::Sinusoidal));
        view.setScheme(Positions::Learned);
        QCOMPARE(view.content().scheme, Positions::Sinusoidal);
        const auto buttons = view.findChild<SegmentBar*>()->findChildren<QToolButton*>();
        QCOMPARE(buttons.size(), 6);
        for (int index : {1}) {
            QVERIFY(!buttons[index]->isEnabled());
            QVERIFY(!buttons[index]->toolTip().isEmpty());
        }
    }

    void withoutPositionsEveryPlaceIsTheSame()
    {
        Session session({}, [](const std::string&) { return LoadedModel(); });
        PositionsPage view(session);
        view.setScheme(Positions::None);
        QCOMPARE(largestMagnitude(view.content().table), 0.0);
        view.resize(1000, 600);
        QVERIFY(!view.grab().isNull());
    }

    void pColumnsAreFramedInBothThemes()
    {
        for (const bool dark : {false, true}) {
            const Theme theme = Theme::named(dark, bodyFont());
            PositionsContent content;
            content.table = sinusoidalTable(64, 64, 10000.0);
            for (double ratio : {1.0, 2.0}) {
                QImage image(QSize(720, 640) * ratio, QImage::Format_RGB32);
                image.setDevicePixelRatio(ratio);
                image.fill(theme.surface);
                QPainter painter(&image);
                const PositionsLayout layout(QRectF(0, 0, 720, 640), content, theme, ratio);
                paintPositions(painter, layout, content, theme);
                painter.end();
                const QRectF column = layout.column(content.position);
                const auto left = [&](const QRectF& rect) {
                    return image.pixel(
                        (QPointF(rect.left() - 1.0, rect.center().y()) * ratio).toPoint());
                };
                QCOMPARE(left(column), theme.accent.rgb());
                QCOMPARE(left(layout.column(17)), theme.key.rgb());
            }
        }
    }

    void optionsBringThePageBack()
    {
        Session session({}, [](const std::string&) { return LoadedModel(); });
        PositionsPage view(session);
        view.setDimensions(32);
        view.setBase(500.0);
        view.setPosition(40);
        view.setOffset(3);
        PositionsPage other(session);
        other.setOptions(view.options());
        QCOMPARE(other.content().table.values, view.content().table.values);
        QCOMPARE(other.content().position, 40);
        QCOMPARE(other.content().offset, 3);
        const Figure figure = other.figure();
        QCOMPARE(figure.numbers.size(), 1U);
        QCOMPARE(figure.numbers[0].values.at({40, 5}),
                 static_cast<float>(sinusoid(40.0, 5, 32, 500.0)));
        other.setOptions({{"scheme", "learned"}, {"position", 1e9}, {"base", "nonsense"}});
        QCOMPARE(other.content().scheme, Positions::Sinusoidal);
        QCOMPARE(other.content().base, 10000.0);
    }

    void rotaryScoresDependOnTheDistanceAlone()
    {
        const RelativeContent content = relativeContent({}, Positions::Rope, {});
        const RopeContent& rope = content.rope;
        QCOMPARE(rope.frequencies.size(), 16U);
        for (std::size_t pair = 0; pair < 16; ++pair)
            QVERIFY(std::abs(rope.frequencies[pair] -
                             std::pow(10000.0, -2.0 * static_cast<double>(pair) / 32.0)) < 1e-15);
        for (const int distance : {0, 1, 7, 40}) {
            double byHand = 0.0; // turned by complex multiplication
            double byParts = 0.0;
            for (int pair = 0; pair < 16; ++pair) {
                const auto [a, b] = rope.channels(pair);
                const double theta = rope.frequencies[static_cast<std::size_t>(pair)];
                const std::complex<double> q =
                    std::complex<double>(double{rope.query[a]}, double{rope.query[b]}) *
                    std::polar(1.0, (distance + 11) * theta);
                const std::complex<double> k =
                    std::complex<double>(double{rope.key[a]}, double{rope.key[b]}) *
                    std::polar(1.0, 11 * theta);
                byHand += (q * std::conj(k)).real();
                byParts += rope.part(pair, distance);
            }
            QVERIFY(std::abs(rope.score(distance + 11, 11) - byHand) < 1e-5);
            QVERIFY(std::abs(byParts - byHand) < 1e-9);
            QVERIFY(rope.shift(distance) < 1e-5);
        }
        QVERIFY(std::abs(rope.score(9, 3) - rope.score(10, 3)) > 1e-3);
    }

    void aRotaryModelShowsItsOwnScaling()
    {
        ModelConfig config = smallModel(Positions::Rope).model->config();
        config.rope.scaling = RopeSettings::Scaling::Linear;
        config.rope.factor = 4.0;
        ViewSnapshot viewed;
        viewed.modelA = {"rotary", std::make_shared<const Model>(Model::initialised(config, 7)),
                         nullptr};
        viewed.modelB = viewed.modelA;
        const RopeContent rope = relativeContent(viewed, Positions::Rope, {}).rope;
        QVERIFY(rope.ofModel);
        QCOMPARE(rope.frequencies.size(), 2U); // d_k is 4
        for (std::size_t pair = 0; pair < 2; ++pair)
            QCOMPARE(rope.frequencies[pair], rope.plain[pair] / 4.0);
    }

    void alibiTakesTheSlopeForEachToken()
    {
        RelativeOptions options;
        options.heads = 8;
        options.head = 2;
        options.distance = 5;
        const RelativeContent content = relativeContent({}, Positions::Alibi, options);
        QCOMPARE(content.alibi.slopes.size(), 8U);
        for (std::size_t head = 0; head < 8; ++head)
            QCOMPARE(content.alibi.slopes[head],
                     static_cast<float>(std::pow(2.0, -(static_cast<double>(head) + 1.0))));
        QVERIFY(relativeText(content).contains(number(5.0 / 8.0, 4)));
    }

    void bucketsAreThoseOfT5()
    {
        const RelativeContent content = relativeContent({}, Positions::RelativeBuckets, {});
        const RelativeBuckets& buckets = content.buckets.buckets;
        for (int distance = 0; distance < 16; ++distance)
            QCOMPARE(buckets.bucketOf(-distance), std::int64_t{distance});
        QCOMPARE(buckets.bucketOf(-500), std::int64_t{31});
        QVERIFY(content.buckets.biases.empty());
    }

    void aModelWithBucketsShowsItsBiases()
    {
        ViewSnapshot viewed;
        viewed.modelA = smallModel(Positions::RelativeBuckets);
        viewed.modelB = viewed.modelA;
        const BucketsContent content =
            relativeContent(viewed, Positions::RelativeBuckets, {}).buckets;
        const TensorView table = viewed.modelA.model->parameters().view("rel_bias.weight");
        QCOMPARE(content.biases.size(), 2U);
        for (std::size_t head = 0; head < 2; ++head)
            for (std::size_t distance = 0; distance < content.biases[head].size(); ++distance)
                QCOMPARE(content.biases[head][distance],
                         double{table(content.buckets.bucketOf(-static_cast<int>(distance)),
                                      static_cast<int>(head))});
    }

    void keysMoveDistanceAndKey()
    {
        Session session({}, [](const std::string&) { return LoadedModel(); });
        PositionsPage view(session);
        view.resize(1240, 700);
        view.show();
        QTest::mouseClick(view.findChild<SegmentBar*>()->findChildren<QToolButton*>()[2],
                          Qt::LeftButton);
        QCOMPARE(view.content().scheme, Positions::Rope);
        view.focusMain();
        RelativePlot& plot = relativeOf(view).plot();
        const auto rope = [&] {
            const RelativeOptions& options = relativeOf(view).options();
            return relativeContent(session.viewSnapshot(), Positions::Rope, options).rope;
        };
        const auto& score = childOf<TextLabel>(relativeOf(view), "number");
        const double before = rope().score(8, 3);
        QCOMPARE(score.text(), number(before, 3));
        QTest::keyClick(&plot, Qt::Key_Right, Qt::ShiftModifier);
        QCOMPARE(relativeOf(view).options().key, 4);
        QVERIFY(std::abs(rope().score(9, 4) - before) < 1e-5);
        QCOMPARE(score.text(), number(rope().score(9, 4), 3));
        QTest::keyClick(&plot, Qt::Key_Right);
        QCOMPARE(relativeOf(view).options().distance, 6);
        for (const Positions scheme :
             {Positions::Rope, Positions::Alibi, Positions::RelativeBuckets}) {
            view.setScheme(scheme);
            QVERIFY(!plot.accessibleDescription().isEmpty());
            QVERIFY(!view.grab().isNull());
            const Figure figure = view.figure();
            QVERIFY(!figure.numbers.empty() && !figure.caption.isEmpty());
            PositionsPage other(session);
            other.setOptions(view.options());
            QCOMPARE(other.content().scheme, scheme);
            QCOMPARE(relativeOf(other).options(), relativeOf(view).options());
        }
    }

    void errorsAreWrittenAsPowers()
    {
        QCOMPARE(rotationErrorText(7.0e-15), QStringLiteral("7.0·10⁻¹⁵"));
        QCOMPARE(rotationErrorText(0.0), QStringLiteral("0"));
    }
};

HEADSCOPE_WINDOW_TEST(TstPositions)
#include "tst_positions.moc"
