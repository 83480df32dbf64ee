#include "core/attention/cpu_attention.h"
#include "core/model/config/presets.h"
#include "core/model/config/size_report.h"
#include "core/model/weights/parameters.h"
#include "tests/support/model_kinds.h"
#include "tests/support/test_program.h"
#include "tests/support/tiny_model.h"
#include "ui/pages/architecture/architecture_figure.h"
#include "ui/pages/architecture/architecture_page.h"
#include "ui/pages/architecture/architecture_paint.h"
#include "ui/pages/architecture/architecture_widget.h"

#include <QPainter>
#include <QScrollArea>
#include <QSignalSpy>
#include <QTest>

#include <algorithm>
#include <set>

using namespace headscope;
using namespace headscope::ui;

namespace {

LoadedModel openModel(const std::string& name)
{
    LoadedModel model = headscope::test::tinyModel();
    model.name = name;
    if (name == "two stacks") {
        ModelConfig config = model.model->config();
        config.architecture = Architecture::EncoderDecoder;
        config.positions = Positions::RelativeBuckets;
        config.relativeBuckets = 8;
        config.relativeMaxDistance = 16;
        config.decoderLayers = 3;
        model.model = std::make_shared<const Model>(Model::initialised(config, 3));
    }
    return model;
}

std::vector<std::pair<std::string, ModelConfig>> everyConfig()
{
    auto configs = headscope::test::modelKinds();
    for (const std::string& name : presetNames()) {
        ModelConfig config = presetConfig(name);
        if (config.vocabularySize == 0)
            config.vocabularySize = 1000;
        configs.emplace_back(name, config);
    }
    return configs;
}

int boxNamed(const ModelParts& parts, const QString& name)
{
    for (std::size_t box = 0; box < parts.boxes.size(); ++box)
        if (parts.boxes[box].name == name)
            return static_cast<int>(box);
    return -1;
}

} // namespace

class TstArchitecture : public QObject
{
    Q_OBJECT

private slots:
    void everyParameterIsInOneBox_data();
    void everyParameterIsInOneBox();
    void boxesDoNotOverlap_data();
    void boxesDoNotOverlap();
    void everyBoxIsReachedByArrows_data();
    void everyBoxIsReachedByArrows();
    void normsStandWhereTheModelHasThem();
    void attentionMayReadTheStreamItself();
    void aTiedHeadHasNoWeightsOfItsOwn();
    void shapesFollowTheText();
    void clicksGoToThePageAboutABox();
    void aClickOnOtherBlocksOpensOne();
    void keysReachEveryBoxAndEnterOpens();
    void crossAttentionTakesFromTheEncoder();
    void withoutAModelThereIsAHint();
    void theFigureHoldsTheCounts();

private:
    void show(const QString& model);

    std::unique_ptr<Session> m_session;
    std::unique_ptr<ArchitecturePage> m_view;
    ArchitectureWidget* m_diagram = nullptr;

private slots:

    void cleanup()
    {
        m_view.reset();
        m_session.reset();
    }
};

void TstArchitecture::show(const QString& model)
{
    m_session = std::make_unique<Session>(BackendRegistry(), openModel);
    m_session->computation().setDevice("cpu");
    m_session->document().replaceText("the cat sat");
    m_view = std::make_unique<ArchitecturePage>(*m_session);
    m_view->resize(1280, 700);
    m_view->show();
    m_session->models().open(model);
    QTRY_VERIFY(m_session->traceA() &&
                m_session->computation().shownTicket() == m_session->computation().postedTicket());
    m_diagram = m_view->findChild<ArchitectureWidget*>();
    QTRY_VERIFY(!m_diagram->content().parts.boxes.empty());
    QCoreApplication::processEvents();
}

void TstArchitecture::everyParameterIsInOneBox_data()
{
    QTest::addColumn<int>("index");
    const auto configs = everyConfig();
    for (std::size_t index = 0; index < configs.size(); ++index)
        QTest::newRow(configs[index].first.c_str()) << static_cast<int>(index);
}

void TstArchitecture::everyParameterIsInOneBox()
{
    QFETCH(int, index);
    const ModelConfig config = everyConfig()[static_cast<std::size_t>(index)].second;
    for (const AttentionKind part : config.attentionKinds()) {
        for (const int layer : {0, static_cast<int>(config.layers) - 1}) {
            const ModelParts parts = architectureOf(config, {part, layer, 7, 5});
            QCOMPARE(parts.parameters(), parameterCount(config));
            QCOMPARE(parts.parameters(), sizeReport(config).total());
            std::set<int> placed;
            for (const ArchitectureStack& stack : parts.stacks)
                for (const ArchitectureRow& row : stack.rows)
                    for (const auto& column : row.columns)
                        for (const int box : column)
                            QVERIFY(placed.insert(box).second);
            QCOMPARE(placed.size(), parts.boxes.size());
        }
    }
}

void TstArchitecture::boxesDoNotOverlap_data()
{
    everyParameterIsInOneBox_data();
}

void TstArchitecture::boxesDoNotOverlap()
{
    QFETCH(int, index);
    const ModelConfig config = everyConfig()[static_cast<std::size_t>(index)].second;
    for (const AttentionKind part : config.attentionKinds()) {
        ArchitectureContent content;
        content.parts = architectureOf(config, {part, 1, 12, 9});
        const ArchitectureLayout layout(1160.0, content, Theme::light());
        const auto count = static_cast<int>(content.parts.boxes.size());
        for (int box = 0; box < count; ++box) {
            const QRectF rect = layout.boxRect(box);
            QVERIFY(rect.left() >= 0.0 && rect.bottom() <= layout.height());
            QVERIFY2(rect.right() <= layout.summary().left(),
                     qPrintable(content.parts.boxes[static_cast<std::size_t>(box)].name));
            QCOMPARE(layout.boxAt(rect.center()), box);
            for (int other = 0; other < box; ++other)
                QVERIFY2(!layout.boxRect(other).intersects(rect),
                         qPrintable(content.parts.boxes[static_cast<std::size_t>(box)].name));
        }
        QImage image(1160, 400, QImage::Format_RGB32);
        image.fill(Qt::white);
        QPainter painter(&image);
        paintArchitecture(painter, {}, layout, content, Theme::light());
    }
}

void TstArchitecture::everyBoxIsReachedByArrows_data()
{
    boxesDoNotOverlap_data();
}

/// From the first box on, by what the arrows lead to.
void TstArchitecture::everyBoxIsReachedByArrows()
{
    QFETCH(int, index);
    const ModelConfig config = everyConfig()[static_cast<std::size_t>(index)].second;
    for (const AttentionKind part : config.attentionKinds()) {
        ArchitectureContent content;
        content.parts = architectureOf(config, {part, 1, 12, 9});
        const ArchitectureLayout layout(1160.0, content, Theme::light());
        std::vector<int> reached{0};
        for (std::size_t next = 0; next < reached.size(); ++next) {
            for (const int key : {Qt::Key_Left, Qt::Key_Right, Qt::Key_Up, Qt::Key_Down}) {
                const int box = layout.neighbour(reached[next], key);
                if (std::find(reached.begin(), reached.end(), box) == reached.end())
                    reached.push_back(box);
            }
        }
        for (int box = 0; box < static_cast<int>(content.parts.boxes.size()); ++box)
            QVERIFY2(std::find(reached.begin(), reached.end(), box) != reached.end(),
                     qPrintable(content.parts.boxes[static_cast<std::size_t>(box)].name));
    }
}

void TstArchitecture::normsStandWhereTheModelHasThem()
{
    ModelConfig config = headscope::test::tinyModel().model->config();
    const auto kindsOf = [](const ModelParts& parts) {
        QStringList names;
        for (const ArchitectureRow& row : parts.stacks[0].rows) {
            QString name;
            for (const auto& column : row.columns)
                name += parts.boxes[static_cast<std::size_t>(column[0])].name + "|";
            names << name;
        }
        return names;
    };
    QStringList pre = kindsOf(architectureOf(config, {AttentionKind::Self, 0, 3, -1}));
    QCOMPARE(pre[2], QStringLiteral("Norm|q|q\u00B7k / \u221Ad|o|"));
    QCOMPARE(pre[3], QStringLiteral("Norm|fc1|GELU|fc2|"));
    QVERIFY(pre.contains("Final norm|"));
    config.normPosition = NormPosition::Post;
    QStringList post = kindsOf(architectureOf(config, {AttentionKind::Self, 0, 3, -1}));
    QCOMPARE(post[2], QStringLiteral("q|q\u00B7k / \u221Ad|o|"));
    QCOMPARE(post[3], QStringLiteral("Norm|"));
    QCOMPARE(post[4], QStringLiteral("fc1|GELU|fc2|"));
    QVERIFY(!post.contains("Final norm|"));
    config.normPosition = NormPosition::Pre;
    config.residual = Residual::Parallel;
    const ModelParts parallel = architectureOf(config, {AttentionKind::Self, 0, 3, -1});
    QVERIFY(!parallel.stacks[0].rows[2].parallel && !parallel.stacks[0].rows[2].replaces);
    QVERIFY(parallel.stacks[0].rows[3].parallel);
    config.residual = Residual::None;
    const ModelParts alone = architectureOf(config, {AttentionKind::Self, 0, 3, -1});
    QVERIFY(alone.stacks[0].rows[2].replaces && alone.stacks[0].rows[3].replaces);
    QVERIFY(!alone.stacks[0].rows[3].parallel);
}

void TstArchitecture::attentionMayReadTheStreamItself()
{
    ModelConfig config = headscope::test::tinyModel().model->config();
    config.layerSettings.assign(static_cast<std::size_t>(config.layers),
                                ModelConfig(config).layer(0));
    config.layerSettings.front().normsAttention = false;
    const auto rowOf = [&](int layer, std::size_t row) {
        const ModelParts parts = architectureOf(config, {AttentionKind::Self, layer, 3, -1});
        const ArchitectureRow& branch = parts.stacks[0].rows[row];
        const auto first = static_cast<std::size_t>(branch.columns[0][0]);
        return std::pair(parts.boxes[first].name, branch.title);
    };
    QCOMPARE(rowOf(0, 2).first, QStringLiteral("q"));
    QVERIFY(rowOf(0, 2).second.contains("no norm before it"));
    QCOMPARE(rowOf(0, 3).first, QStringLiteral("Norm"));
    QVERIFY(!rowOf(0, 3).second.contains("no norm"));
    QCOMPARE(rowOf(1, 3).first, QStringLiteral("Norm"));
    QVERIFY(!rowOf(1, 3).second.contains("no norm"));
}

void TstArchitecture::aTiedHeadHasNoWeightsOfItsOwn()
{
    ModelConfig config = headscope::test::tinyModel().model->config();
    ModelParts parts = architectureOf(config, {});
    QCOMPARE(parts.boxes[static_cast<std::size_t>(boxNamed(parts, "Head"))].parameters, 0);
    QCOMPARE(parts.boxes[static_cast<std::size_t>(boxNamed(parts, "Head"))].note,
             QStringLiteral("tied to the token embedding"));
    config.tieEmbeddings = false;
    parts = architectureOf(config, {});
    QCOMPARE(parts.boxes[static_cast<std::size_t>(boxNamed(parts, "Head"))].parameters,
             config.vocabularySize * config.dModel);
}

void TstArchitecture::shapesFollowTheText()
{
    show("tiny");
    const auto n = static_cast<int>(m_session->traceA()->tokens().size());
    const auto& boxes = m_diagram->content().parts.boxes;
    const int q = boxNamed(m_diagram->content().parts, "q");
    QCOMPARE(boxes[static_cast<std::size_t>(q)].shape, QStringLiteral("[%1, 2 \u00D7 4]").arg(n));
    QCOMPARE(boxes[static_cast<std::size_t>(q)].parameters, 8 * 8 + 8);
    const int scores = boxNamed(m_diagram->content().parts, "Causal mask");
    QCOMPARE(boxes[static_cast<std::size_t>(scores)].shape, QStringLiteral("[2, %1, %1]").arg(n));
    m_session->document().replaceText("the cat sat on the mat");
    QTRY_VERIFY(m_session->traceA()->tokens().size() > static_cast<std::size_t>(n) &&
                m_diagram->content().parts.boxes[static_cast<std::size_t>(q)].shape.startsWith(
                    QStringLiteral("[%1,").arg(m_session->traceA()->tokens().size())));
}

void TstArchitecture::clicksGoToThePageAboutABox()
{
    show("tiny");
    QSignalSpy pages(m_view.get(), &Page::pageWanted);
    const std::pair<const char*, const char*> expected[] = {{"q", "head"},
                                                            {"o", "head"},
                                                            {"Positions", "positions"},
                                                            {"Causal mask", "mask"},
                                                            {"Head", "next-token"}};
    for (const auto& [name, page] : expected) {
        const int box = boxNamed(m_diagram->content().parts, name);
        QVERIFY2(box >= 0, name);
        QTest::mouseClick(m_diagram, Qt::LeftButton, {},
                          m_diagram->layoutNow().boxRect(box).center().toPoint());
        QCOMPARE(pages.count(), 1);
        QCOMPARE(pages.takeFirst().at(0).toString(), QString(page));
    }
    const int fc1 = boxNamed(m_diagram->content().parts, "fc1");
    QTest::mouseClick(m_diagram, Qt::LeftButton, {},
                      m_diagram->layoutNow().boxRect(fc1).center().toPoint());
    QCOMPARE(pages.count(), 0);
    QCOMPARE(m_diagram->content().current, fc1);
    QVERIFY(m_view->escape());
    QVERIFY(!m_view->escape());
}

void TstArchitecture::aClickOnOtherBlocksOpensOne()
{
    show("tiny");
    QCOMPARE(m_session->selection().layer, 0);
    const int other = boxNamed(m_diagram->content().parts, "Block 1");
    QVERIFY(other >= 0);
    QTest::mouseClick(m_diagram, Qt::LeftButton, {},
                      m_diagram->layoutNow().boxRect(other).center().toPoint());
    QCOMPARE(m_session->selection().layer, 1);
    QTRY_VERIFY(boxNamed(m_diagram->content().parts, "Block 0") >= 0);
    QCOMPARE(boxNamed(m_diagram->content().parts, "Block 1"), -1);
}

void TstArchitecture::keysReachEveryBoxAndEnterOpens()
{
    show("tiny");
    m_view->focusMain();
    std::set<int> reached;
    const auto press = [&](int key) {
        QTest::keyClick(m_diagram, static_cast<Qt::Key>(key));
        reached.insert(*m_diagram->content().current);
    };
    press(Qt::Key_Down);
    QCOMPARE(m_diagram->content().current, 0);
    QVERIFY(m_diagram->accessibleDescription().startsWith("Token embedding"));
    const auto count = m_diagram->content().parts.boxes.size();
    for (int round = 0; round < 40 && reached.size() < count; ++round) {
        for (const int key :
             {Qt::Key_Right, Qt::Key_Right, Qt::Key_Right, Qt::Key_Down, Qt::Key_Down, Qt::Key_Left,
              Qt::Key_Up, Qt::Key_Left, Qt::Key_Left, Qt::Key_Down})
            press(key);
        if (round % 7 == 6)
            for (int back = 0; back < 12; ++back)
                press(Qt::Key_Up);
    }
    QVERIFY2(reached.size() + 1 >= count,
             qPrintable(QString("%1 of %2").arg(reached.size()).arg(count)));
    m_diagram->setCurrent(boxNamed(m_diagram->content().parts, "v"));
    QSignalSpy pages(m_view.get(), &Page::pageWanted);
    QTest::keyClick(m_diagram, Qt::Key_Return);
    QCOMPARE(pages.takeFirst().at(0).toString(), QStringLiteral("head"));
}

void TstArchitecture::crossAttentionTakesFromTheEncoder()
{
    show("two stacks");
    const ModelParts& parts = m_diagram->content().parts;
    QCOMPARE(parts.stacks.size(), 2U);
    m_session->view().activatePart(AttentionKind::DecoderSelf);
    QTRY_VERIFY(m_diagram->content().parts.stacks[1].expanded);
    QVERIFY(!m_diagram->content().parts.stacks[0].expanded);
    QVERIFY(boxNamed(m_diagram->content().parts, "Relative bias") >= 0);
    const auto m = static_cast<int>(m_session->traceA()->sourceTokens().size());
    int found = -1;
    for (const ArchitectureRow& row : m_diagram->content().parts.stacks[1].rows)
        if (row.cross)
            found = row.columns[1][1];
    QVERIFY(found >= 0);
    const ArchitectureBox key = m_diagram->content().parts.boxes[static_cast<std::size_t>(found)];
    QCOMPARE(key.shape, QStringLiteral("[%1, 2 \u00D7 4]").arg(m));
    QTest::mouseClick(m_diagram, Qt::LeftButton, {},
                      m_diagram->layoutNow().boxRect(found).center().toPoint());
    QVERIFY(m_session->selection().part == AttentionKind::Cross);
}

void TstArchitecture::withoutAModelThereIsAHint()
{
    Session session(BackendRegistry(), openModel);
    ArchitecturePage view(session);
    view.resize(900, 600);
    view.show();
    QCoreApplication::processEvents();
    QVERIFY(!view.findChild<QScrollArea*>()->isVisible());
    QVERIFY(view.figure().numbers.empty());
    QVERIFY(!view.grab().isNull());
}

void TstArchitecture::theFigureHoldsTheCounts()
{
    show("tiny");
    const Figure figure = m_view->figure();
    QCOMPARE(figure.numbers.size(), 1U);
    double sum = 0.0;
    for (int row = 0; row < figure.numbers[0].values.rows; ++row)
        sum += double{figure.numbers[0].values.at({row, 0})};
    QCOMPARE(sum, static_cast<double>(m_session->model().model->parameters().parameterCount()));
    QVERIFY(figure.size(Theme::light()).height() > 300.0);
}

HEADSCOPE_WINDOW_TEST(TstArchitecture)
#include "tst_architecture.moc"
