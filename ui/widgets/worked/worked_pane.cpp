#include "ui/widgets/worked/worked_pane.h"

#include "ui/widgets/charts/bars/fraction_bar.h"
#include "ui/widgets/worked/worked_overview.h"
#include "ui/widgets/worked/worked_widget.h"

#include <QEvent>

#include <algorithm>
#include <cmath>

namespace headscope::ui {

namespace {

constexpr int kGap = 10;

} // namespace

WorkedPane::WorkedPane(QWidget* parent)
    : QWidget(parent)
    , m_matrices(new WorkedWidget(this))
    , m_overview(new WorkedOverview(this))
{
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Expanding);
    setFocusProxy(m_matrices);
    m_overview->hide();
}

void WorkedPane::setDiagram(WorkedDiagram diagram)
{
    m_diagram = std::move(diagram);
    arrange();
}

/// Steps of the current stage that differ in what they need below the matrices, one of each kind.
std::vector<WorkedPane::StepKind> WorkedPane::stepKinds() const
{
    const Theme theme = Theme::of(*this);
    const double room = WorkedWidget::layoutArea(QSizeF(width(), height())).width();
    const WorkedStage& stage =
        m_diagram.example->stages[static_cast<std::size_t>(m_diagram.stage())];
    std::vector<StepKind> kinds;
    WorkedDiagram each = m_diagram;
    each.isAsking = false;
    for (std::size_t i = 0; i < stage.steps; ++i) {
        each.done = stage.firstStep + i + 1;
        const double equation = WorkedEquation(each, room, theme).height();
        if (std::ranges::find(kinds, equation, &StepKind::equation) == kinds.end())
            kinds.push_back({each.done, equation});
    }
    return kinds;
}

/// Height that the tallest step of the current stage needs at this width, in large type.
int WorkedPane::stepHeight(const std::vector<StepKind>& kinds) const
{
    constexpr double kEndless = 1e4;
    const QRectF area = WorkedWidget::layoutArea(QSizeF(width(), kEndless));
    const WorkedLayout layout(area, m_diagram, Theme::of(*this));
    double equation = 0.0;
    for (const StepKind& kind : kinds)
        equation = std::max(equation, kind.equation);
    const double height = layout.height() + std::max(0.0, equation - layout.equation().height());
    return static_cast<int>(std::ceil(height + kEndless - area.height()));
}

/// Whether the steps of the stage fit with all their parts in type that is easy to read.
bool WorkedPane::isReadableIn(int available, const std::vector<StepKind>& kinds) const
{
    constexpr double kReadable = 15.0;
    const Theme theme = Theme::of(*this);
    const QRectF area = WorkedWidget::layoutArea(QSizeF(width(), available));
    WorkedDiagram each = m_diagram;
    each.isAsking = false;
    return std::ranges::all_of(kinds, [&](const StepKind& kind) {
        each.done = kind.done;
        const WorkedLayout layout(area, each, theme);
        const bool isWhole =
            layout.fits() && hasFractionBar(each) == !layout.fractionBar().isEmpty();
        return isWhole && !layout.large().empty() && layout.large().front().pixels >= kReadable;
    });
}

void WorkedPane::measure()
{
    using Shows = WorkedOverview::Shows;
    const Measured now{m_diagram.example, m_diagram.stage(), m_diagram.isExact, size(),
                       Theme::of(*this).scale()};
    if (now == m_measured)
        return;
    m_measured = now;
    m_diagram.showsEarlier = false;
    const std::vector<StepKind> kinds = stepKinds();
    const int preferred = stepHeight(kinds);
    // Height of the step above an overview of that height; 0: the step needs the whole pane.
    const auto heightBeside = [&](Shows shows) {
        const int available = height() - kGap - m_overview->smallestHeight(shows);
        const bool fits = preferred <= available || isReadableIn(available, kinds);
        return fits ? std::min(preferred, available) : 0;
    };
    m_stepHeight = heightBeside(Shows::FormulaAndMatrices);
    m_hasMatrices = m_stepHeight > 0;
    if (!m_hasMatrices && heightBeside(Shows::Formula) > 0) // the rest is for the earlier results
        m_stepHeight = height() - kGap - m_overview->smallestHeight(Shows::Formula);
}

void WorkedPane::arrange()
{
    using Shows = WorkedOverview::Shows;
    const bool isEmpty = m_diagram.isEmpty() || m_diagram.example->stages.empty() || height() <= 0;
    if (!isEmpty)
        measure();
    const int step = isEmpty ? 0 : m_stepHeight;
    m_diagram.showsEarlier = step == 0 || !m_hasMatrices;
    m_overview->setVisible(step > 0);
    m_matrices->setGeometry(0, 0, width(), step > 0 ? step : height());
    m_matrices->setDiagram(m_diagram);
    if (step == 0)
        return;
    m_overview->setGeometry(0, step + kGap, width(), height() - step - kGap);
    m_overview->setDiagram(m_diagram, m_hasMatrices ? Shows::FormulaAndMatrices : Shows::Formula);
}

QSize WorkedPane::sizeHint() const
{
    return m_matrices->sizeHint();
}

QSize WorkedPane::minimumSizeHint() const
{
    return m_matrices->minimumSizeHint();
}

bool WorkedPane::event(QEvent* event)
{
    const bool isHandled = QWidget::event(event);
    if (event->type() == QEvent::ApplicationFontChange || event->type() == QEvent::FontChange)
        arrange();
    return isHandled;
}

void WorkedPane::resizeEvent(QResizeEvent* event)
{
    QWidget::resizeEvent(event);
    arrange();
}

} // namespace headscope::ui
