#include "ui/pages/architecture/architecture_page.h"

#include "ui/pages/architecture/architecture_figure.h"
#include "ui/pages/shared/empty_state.h"
#include "ui/widgets/readable.h"

#include <QAccessible>
#include <QHelpEvent>
#include <QKeyEvent>
#include <QPainter>
#include <QScrollArea>
#include <QToolTip>
#include <QVBoxLayout>

#include <cmath>

namespace headscope::ui {

namespace {

ReadableTable readableOf(const ArchitectureWidget& diagram)
{
    const ArchitectureContent& content = diagram.content();
    ReadableTable table;
    table.rows = static_cast<int>(content.parts.boxes.size());
    table.columns = 1;
    table.words = [&content](HeatmapCell cell) {
        return describeBox(content.parts.boxes[static_cast<std::size_t>(cell.row)]);
    };
    table.place = [&diagram](HeatmapCell cell) { return diagram.layoutNow().boxRect(cell.row); };
    if (content.current)
        table.current = {*content.current, 0};
    return table;
}

} // namespace

ArchitectureWidget::ArchitectureWidget(QWidget* parent) : QWidget(parent)
{
    setFocusPolicy(Qt::StrongFocus);
    setAttribute(Qt::WA_OpaquePaintEvent);
    setMouseTracking(true);
    setAccessibleName(tr("Data flow of the model"));
    makeReadableList(*this, [this] { return readableOf(*this); });
}

void ArchitectureWidget::setContent(ArchitectureContent content)
{
    const bool known =
        m_content.current && *m_content.current < static_cast<int>(content.parts.boxes.size());
    content.current = known ? m_content.current : std::nullopt;
    m_content = std::move(content);
    fitHeight();
    update();
}

ArchitectureLayout ArchitectureWidget::layoutNow() const
{
    return ArchitectureLayout(width(), m_content, Theme::of(*this));
}

/// The scroll area gives the width; the height follows from it.
void ArchitectureWidget::fitHeight()
{
    setMinimumHeight(static_cast<int>(std::ceil(layoutNow().height())));
}

void ArchitectureWidget::setCurrent(std::optional<int> box)
{
    if (box == m_content.current)
        return;
    m_content.current = box;
    setAccessibleDescription(
        box ? describeBox(m_content.parts.boxes[static_cast<std::size_t>(*box)]) : QString());
    QAccessibleEvent changed(this, QAccessible::DescriptionChanged);
    QAccessible::updateAccessibility(&changed);
    if (hasFocus())
        announceCurrent(*this);
    update();
}

bool ArchitectureWidget::event(QEvent* event)
{
    if (event->type() == QEvent::ToolTip) {
        const auto* help = static_cast<QHelpEvent*>(event);
        const auto box = layoutNow().boxAt(help->pos());
        QToolTip::showText(help->globalPos(),
                           box ? describeBox(m_content.parts.boxes[static_cast<std::size_t>(*box)])
                               : QString(),
                           this);
        return true;
    }
    if (event->type() == QEvent::ApplicationFontChange)
        fitHeight();
    return QWidget::event(event);
}

void ArchitectureWidget::paintEvent(QPaintEvent*)
{
    const Theme theme = Theme::of(*this);
    QPainter painter(this);
    painter.fillRect(rect(), theme.surface);
    paintArchitecture(painter, {}, layoutNow(), m_content, theme);
}

void ArchitectureWidget::resizeEvent(QResizeEvent* event)
{
    QWidget::resizeEvent(event);
    fitHeight();
}

void ArchitectureWidget::mousePressEvent(QMouseEvent* event)
{
    const auto box = layoutNow().boxAt(event->position());
    if (!box || event->button() != Qt::LeftButton)
        return QWidget::mousePressEvent(event);
    setCurrent(box);
    emit boxOpened(*box);
}

void ArchitectureWidget::mouseMoveEvent(QMouseEvent* event)
{
    const auto box = layoutNow().boxAt(event->position());
    const bool leads =
        box && (!m_content.parts.boxes[static_cast<std::size_t>(*box)].page.isEmpty() ||
                m_content.parts.boxes[static_cast<std::size_t>(*box)].layer >= 0);
    setCursor(leads ? Qt::PointingHandCursor : Qt::ArrowCursor);
}

void ArchitectureWidget::keyPressEvent(QKeyEvent* event)
{
    const int key = event->key();
    const bool arrow =
        key == Qt::Key_Left || key == Qt::Key_Right || key == Qt::Key_Up || key == Qt::Key_Down;
    if (m_content.parts.boxes.empty())
        return QWidget::keyPressEvent(event);
    if (arrow) {
        setCurrent(m_content.current ? layoutNow().neighbour(*m_content.current, key) : 0);
        emit boxMoved(*m_content.current);
    } else if (key == Qt::Key_Home || key == Qt::Key_End) {
        setCurrent(key == Qt::Key_Home ? 0 : static_cast<int>(m_content.parts.boxes.size()) - 1);
        emit boxMoved(*m_content.current);
    } else if ((key == Qt::Key_Return || key == Qt::Key_Enter) && m_content.current) {
        emit boxOpened(*m_content.current);
    } else {
        QWidget::keyPressEvent(event);
    }
}

// ---------------------------------------------------------------------------------------- the page

ArchitecturePage::ArchitecturePage(Session& session, QWidget* parent)
    : Page(session, parent)
    , m_scroll(new QScrollArea(this))
    , m_diagram(new ArchitectureWidget)
    , m_empty(new EmptyState(this))
{
    setProperty("role", "page");
    setAttribute(Qt::WA_StyledBackground);
    m_scroll->setWidget(m_diagram);
    m_scroll->setWidgetResizable(true);
    m_scroll->setFrameShape(QFrame::NoFrame);
    m_scroll->setFocusPolicy(Qt::NoFocus);
    m_scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(24, 16, 12, 8);
    column->addWidget(m_scroll);
    m_empty->setTexts(tr("No model is open"),
                      tr("Open a checkpoint, or take a built-in model from the Model menu."), {});
    connect(m_diagram, &ArchitectureWidget::boxOpened, this, &ArchitecturePage::open);
    connect(m_diagram, &ArchitectureWidget::boxMoved, this, [this](int box) {
        const QRect rect = m_diagram->layoutNow().boxRect(box).toAlignedRect();
        m_scroll->ensureVisible(rect.center().x(), rect.center().y(), 100, rect.height());
    });
}

void ArchitecturePage::refresh(ChangeSet)
{
    m_diagram->setContent(architectureContent(session().looking()));
    const bool empty = m_diagram->content().parts.boxes.empty();
    m_empty->setVisible(empty);
    m_scroll->setVisible(!empty);
}

void ArchitecturePage::open(int index)
{
    const ArchitectureBox box = m_diagram->content().parts.boxes[static_cast<std::size_t>(index)];
    if (box.layer >= 0) {
        if (box.part != session().selection().part)
            session().activatePart(box.part);
        session().activateHead(box.layer, session().selection().head);
    }
    if (!box.page.isEmpty())
        emit pageWanted(box.page);
}

Figure ArchitecturePage::figure() const
{
    return architectureFigure(session().looking(), options());
}

QString ArchitecturePage::hint() const
{
    return tr("Arrows go from box to box \u00B7 Enter opens what it is about \u00B7 PgUp PgDn "
              "change the block");
}

bool ArchitecturePage::escape()
{
    const bool had = m_diagram->content().current.has_value();
    m_diagram->setCurrent(std::nullopt);
    return had;
}

void ArchitecturePage::focusMain()
{
    m_diagram->setFocus(Qt::OtherFocusReason);
}

} // namespace headscope::ui
