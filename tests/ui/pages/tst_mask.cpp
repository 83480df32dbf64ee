#include "tests/support/test_program.h"
#include "tests/support/tiny_model.h"
#include "tests/ui/child.h"
#include "ui/pages/mask/mask_as_trained.h"
#include "ui/pages/mask/mask_content.h"
#include "ui/pages/mask/mask_figure.h"
#include "ui/pages/mask/mask_page.h"
#include "ui/pages/mask/mask_plot.h"
#include "ui/widgets/charts/bars/bars.h"
#include "ui/widgets/labels.h"

#include <QAbstractButton>
#include <QPushButton>
#include <QSpinBox>
#include <QTest>

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

} // namespace

class TstMask : public QObject
{
    Q_OBJECT

private slots:
    void init();
    void cleanup();
    void causalRowsSeeOneMoreKeyEach();
    void keysAndCostStandInTheRoomOfB();
    void aButtonChangesB();
    void theWindowsWidthIsFollowed();
    void theEffectIsSummedFromTheActiveHead();
    void effectsOfRangesAreThoseOfTheirCells();
    void theCountsHaveRoomBesideATextOfAnyLength();
    void openedCellsGetBsWeight();
    void choosingACellSelectsThePair();
    void undoTakesTheMaskBack();
    void anEmptyTextIsSaid();
    void theFigureHoldsTheCells();

private:
    MaskMap& map(const QString& name) const { return childOf<MaskMap>(*m_view, name); }

    /// Numbers of visible keys beside the rows.
    std::vector<int> counts(const QString& name) const { return visibleKeys(map(name).content()); }

    QPushButton* button(const QString& text) const;
    bool isCurrent() const;

    std::unique_ptr<Session> m_session;
    std::unique_ptr<MaskPage> m_view;
};

void TstMask::init()
{
    m_session = std::make_unique<Session>(BackendRegistry(), openTiny);
    m_session->computation().setDevice("cpu");
    m_session->document().replaceText("the cat sat on the mat");
    m_view = std::make_unique<MaskPage>(*m_session);
    m_view->resize(1240, 640);
    m_view->show();
    m_session->models().open("tiny");
    QTRY_VERIFY(isCurrent() && !map("mapA").content().matrix.isEmpty());
}

void TstMask::cleanup()
{
    m_view.reset();
    m_session.reset();
}

bool TstMask::isCurrent() const
{
    return m_session->traceA() &&
           m_session->computation().shownTicket() == m_session->computation().postedTicket();
}

QPushButton* TstMask::button(const QString& text) const
{
    for (QPushButton* found : m_view->findChildren<QPushButton*>())
        if (found->text() == text)
            return found;
    return nullptr;
}

void TstMask::causalRowsSeeOneMoreKeyEach()
{
    const auto shown = counts("mapA");
    QCOMPARE(shown.size(), m_session->traceA()->tokens().size());
    for (std::size_t row = 0; row < shown.size(); ++row)
        QCOMPARE(shown[row], static_cast<int>(row) + 1);
    QVERIFY(map("mapB").content().matrix.isEmpty());
}

void TstMask::keysAndCostStandInTheRoomOfB()
{
    const auto& room = childOf<MaskAsTrained>(*m_view);
    const auto& cost = childOf<TextLabel>(room, "cost");
    const auto& loss = childOf<TextLabel>(room, "loss");
    QVERIFY(room.isVisible());
    const auto n = static_cast<int>(m_session->traceA()->tokens().size());
    const int step = (n + 15) / 16;
    const auto& bars = childOf<BarsWidget>(room).bars();
    QCOMPARE(static_cast<int>(bars.size()), (n + step - 1) / step);
    for (std::size_t bar = 0; bar < bars.size(); ++bar)
        QCOMPARE(bars[bar].value, static_cast<double>(bar) * step + 1.0);
    QCOMPARE(costText({91, 169}), QString("91 of 169 pairs: 54 % of the cost of full attention"));
    QVERIFY(cost.text().startsWith(QString("%1 of %2 pairs").arg(n * (n + 1) / 2).arg(n * n)));
    QVERIFY(loss.text().contains("A window of 4 hides "));
    m_view->findChild<QSpinBox*>()->setValue(2);
    QTRY_VERIFY(loss.text().contains("A window of 2 hides "));
    QTest::mouseClick(button("No mask"), Qt::LeftButton);
    QTRY_VERIFY(!room.isVisible() && map("mapB").isVisible());
}

void TstMask::aButtonChangesB()
{
    QTest::mouseClick(button("No mask"), Qt::LeftButton);
    QCOMPARE(m_session->changes().mask.kind, MaskChange::Kind::None);
    const auto n = static_cast<int>(m_session->traceA()->tokens().size());
    QTRY_VERIFY(!counts("mapB").empty());
    for (const int visible : counts("mapB"))
        QCOMPARE(visible, n);
    QVERIFY(button("No mask")->isChecked());
    button("As trained")->setFocus();
    QTest::keyClick(button("As trained"), Qt::Key_Space);
    QVERIFY(m_session->changes().empty());
    QTRY_VERIFY(map("mapB").content().matrix.isEmpty());
}

void TstMask::theWindowsWidthIsFollowed()
{
    auto* window = m_view->findChild<QSpinBox*>();
    window->setValue(2);
    QTest::mouseClick(button("Window of"), Qt::LeftButton);
    QTRY_VERIFY(counts("mapB").size() > 3 && counts("mapB")[3] == 2);
    QCOMPARE(counts("mapB")[0], 1);
    QTest::keyClick(window, Qt::Key_Up);
    QCOMPARE(m_session->changes().mask.window, 3);
    QTRY_COMPARE(counts("mapB")[3], 3);
}

void TstMask::theEffectIsSummedFromTheActiveHead()
{
    m_session->view().activateHead(1, 1);
    const auto pattern = m_session->traceA()->find({Site::Pattern, 1});
    const auto n = static_cast<int>(pattern->shape()[1]);
    const HeatmapMask window{HeatmapMask::Kind::Window, 2, nullptr};
    const MaskEffect effect = maskEffect(patternOf(pattern, 1), HeatmapMask::causal(), window);
    double removed = 0.0;
    double most = 0.0;
    long long closed = 0;
    for (int row = 0; row < n; ++row) {
        double sum = 0.0;
        for (int column = 0; column + 1 < row; ++column) {
            sum += double{pattern->view()[1](row, column)};
            ++closed;
        }
        removed += sum / n;
        most = std::max(most, sum);
    }
    QCOMPARE(effect.closed, closed);
    QCOMPARE(effect.opened, 0LL);
    QVERIFY(std::abs(effect.removed - removed) < 1e-9);
    QVERIFY(std::abs(effect.most - most) < 1e-9);
    QVERIFY(!effect.gained);
    QVERIFY(effectText(effect, {}).contains(number(removed, 3)));
}

/// Ranges of columns are subtracted as wholes: the same as cell by cell.
void TstMask::effectsOfRangesAreThoseOfTheirCells()
{
    constexpr int kSize = 9;
    std::vector<float> values;
    for (int cell = 0; cell < kSize * kSize; ++cell)
        values.push_back(static_cast<float>((cell * 37) % 11) / 64.0F);
    const HeatmapMatrix matrix = HeatmapMatrix::copyOf(values, kSize, kSize);
    const HeatmapMask masks[] = {{},
                                 HeatmapMask::causal(),
                                 {HeatmapMask::Kind::Window, 2, nullptr},
                                 {HeatmapMask::Kind::Window, 5, nullptr}};
    const auto asCells = [&matrix](const HeatmapMask& mask) {
        auto allowed = std::make_shared<std::vector<std::uint8_t>>();
        for (int row = 0; row < kSize; ++row)
            for (int column = 0; column < kSize; ++column)
                allowed->push_back(mask.hides({row, column}, matrix) ? 0 : 1);
        return HeatmapMask{HeatmapMask::Kind::Cells, 0, allowed};
    };
    for (const HeatmapMask& own : masks) {
        for (const HeatmapMask& other : masks) {
            const MaskEffect fast = maskEffect(matrix, own, other, matrix);
            const MaskEffect slow = maskEffect(matrix, asCells(own), asCells(other), matrix);
            QCOMPARE(fast.closed, slow.closed);
            QCOMPARE(fast.opened, slow.opened);
            QCOMPARE(fast.removed, slow.removed);
            QCOMPARE(fast.gained, slow.gained);
            QCOMPARE(fast.mostRow, slow.mostRow);
        }
        HeatmapContent content;
        content.matrix = matrix;
        content.mask = own;
        const std::vector<int> counts = visibleKeys(content);
        content.mask = asCells(own);
        QCOMPARE(visibleKeys(content), counts);
    }
}

void TstMask::theCountsHaveRoomBesideATextOfAnyLength()
{
    constexpr double kDigits = 46.0; // pixels of a number and the space before it
    for (const int tokens : {12, 40, 128, 160, 300, 1100, 5000}) {
        MaskMap map;
        map.resize(388, 500);
        map.showMask(maskContent(QStringList(tokens, "token"), HeatmapMask::causal()));
        const QRectF cells = map.layoutNow().cells();
        QVERIFY2(cells.right() + kDigits <= map.width(), qPrintable(QString::number(tokens)));
        QVERIFY2(cells.width() > 100.0, qPrintable(QString::number(tokens)));
    }
}

void TstMask::openedCellsGetBsWeight()
{
    m_session->document().setMask({MaskChange::Kind::None, 4, {}, 0});
    QTRY_VERIFY(isCurrent() && m_session->traceB());
    const auto a = m_session->traceA()->find({Site::Pattern, 0});
    const auto b = m_session->traceB()->find({Site::Pattern, 0});
    const auto n = static_cast<int>(b->shape()[1]);
    const MaskEffect effect =
        maskEffect(patternOf(a, 0), HeatmapMask::causal(), {}, patternOf(b, 0));
    double gained = 0.0;
    for (int row = 0; row < n; ++row)
        for (int column = row + 1; column < n; ++column)
            gained += double{b->view()[0](row, column)} / n;
    QCOMPARE(effect.opened, static_cast<long long>(n) * (n - 1) / 2);
    QVERIFY(effect.gained && std::abs(*effect.gained - gained) < 1e-9);
    QVERIFY(gained > 0.01);
    QCOMPARE(effect.closed, 0LL);
}

void TstMask::choosingACellSelectsThePair()
{
    MaskMap& shown = map("mapA");
    QTest::mouseClick(&shown, Qt::LeftButton, {}, shown.cellRect({4, 2}).center().toPoint());
    QCOMPARE(m_session->pair().query, 4);
    QCOMPARE(m_session->pair().key, 2);
}

void TstMask::undoTakesTheMaskBack()
{
    QTest::mouseClick(button("No mask"), Qt::LeftButton);
    m_session->document().undoStack().undo();
    QVERIFY(m_session->changes().empty());
    QTRY_VERIFY(!button("No mask")->isChecked());
}

void TstMask::anEmptyTextIsSaid()
{
    m_session->document().replaceText({});
    QTRY_VERIFY(map("mapA").content().matrix.isEmpty());
    QVERIFY(!m_view->grab().isNull());
}

void TstMask::theFigureHoldsTheCells()
{
    const Figure figure = m_view->figure();
    QCOMPARE(figure.numbers.size(), 1U);
    const HeatmapMatrix& cells = figure.numbers[0].values;
    for (int row = 0; row < cells.rows; ++row)
        for (int column = 0; column < cells.columns; ++column)
            QCOMPARE(cells.at({row, column}), column <= row ? 1.0F : 0.0F);
    QVERIFY(figure.caption.contains("itself and to earlier tokens"));
}

HEADSCOPE_WINDOW_TEST(TstMask)
#include "tst_mask.moc"
