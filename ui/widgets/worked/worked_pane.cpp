#include "ui/widgets/worked/worked_pane.h"

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

/// Height that the tallest step of the current stage needs at this width, in large type.
int WorkedPane::stepHeight() const
{
    constexpr double kEndless = 1e4;
    const Theme theme = Theme::of(*this);
    const QRectF area = WorkedWidget::layoutArea(QSizeF(width(), kEndless));
    const WorkedLayout layout(area, m_diagram, theme);
    const WorkedStage& stage =
        m_diagram.example->stages[static_cast<std::size_t>(m_diagram.stage())];
    double equation = 0.0;
    WorkedDiagram each = m_diagram;
    for (std::size_t i = 0; i < stage.steps; ++i) {
        each.done = stage.firstStep + i + 1;
        each.isAsking = false;
        equation = std::max(equation, WorkedEquation(each, area.width(), theme).height());
    }
    const double height = layout.height() + std::max(0.0, equation - layout.equation().height());
    return static_cast<int>(std::ceil(height + kEndless - area.height()));
}

void WorkedPane::arrange()
{
    bool hasOverview = false;
    int step = height();
    if (!m_diagram.isEmpty() && !m_diagram.example->stages.empty() && height() > 0) {
        m_diagram.showsEarlier = false;
        step = stepHeight();
        hasOverview = step + kGap + m_overview->smallestHeight() <= height();
    }
    m_diagram.showsEarlier = !hasOverview;
    m_overview->setVisible(hasOverview);
    m_matrices->setGeometry(0, 0, width(), hasOverview ? step : height());
    m_matrices->setDiagram(m_diagram);
    if (!hasOverview)
        return;
    m_overview->setGeometry(0, step + kGap, width(), height() - step - kGap);
    m_overview->setDiagram(m_diagram);
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
