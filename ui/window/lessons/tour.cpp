#include "ui/window/lessons/tour.h"

#include "ui/pages/inspector/inspector_page.h"
#include "ui/pages/overview/overview_page.h"
#include "ui/widgets/heads/head_grid_widget.h"
#include "ui/widgets/labels.h"
#include "ui/widgets/text/token_strip.h"
#include "ui/window/frame/main_window.h"
#include "ui/window/frame/sentence_field.h"
#include "ui/window/workspaces/rail.h"

#include <QAccessible>
#include <QHBoxLayout>
#include <QKeyEvent>
#include <QMenuBar>
#include <QPainter>
#include <QPainterPath>
#include <QPushButton>
#include <QVBoxLayout>

#include <algorithm>

namespace headscope::ui {

namespace {

constexpr int kArrow = 10;
constexpr int kWidth = 340;
constexpr int kEdge = 8; // distance to the window's edge

} // namespace

Tour::Tour(MainWindow& window)
    : QFrame(&window)
    , m_count(new TextLabel({}, TextRole::Caption, TextLabel::Tone::Text3, this))
    , m_title(new TextLabel({}, TextRole::Heading, TextLabel::Tone::Text, this))
    , m_text(new TextLabel({}, TextRole::Body, TextLabel::Tone::Text2, this))
    , m_skip(new QPushButton(tr("Skip"), this))
    , m_back(new QPushButton(tr("Back"), this))
    , m_next(new QPushButton(tr("Next"), this))
{
    setObjectName("tour");
    makeWidgets();
    makeSteps(window);
    window.installEventFilter(this);
    hide();
}

void Tour::makeWidgets()
{
    setAccessibleName(tr("Guided tour"));
    m_text->setWordWrap(true);
    m_next->setProperty("role", "primary");
    auto* top = new QHBoxLayout;
    top->addWidget(m_title, 1);
    top->addWidget(m_count);
    auto* bottom = new QHBoxLayout;
    bottom->setSpacing(8);
    bottom->addWidget(m_skip);
    bottom->addStretch(1);
    bottom->addWidget(m_back);
    bottom->addWidget(m_next);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(16 + kArrow, 16 + kArrow, 16 + kArrow, 16 + kArrow);
    column->setSpacing(8);
    column->addLayout(top);
    column->addWidget(m_text);
    column->addSpacing(8);
    column->addLayout(bottom);
    for (QPushButton* button : {m_skip, m_back, m_next})
        button->installEventFilter(this);
    connect(m_skip, &QPushButton::clicked, this, &Tour::end);
    connect(m_back, &QPushButton::clicked, this, [this] { show(m_step - 1); });
    connect(m_next, &QPushButton::clicked, this, [this] { show(m_step + 1); });
}

void Tour::makeSteps(MainWindow& window)
{
    m_steps = {
        {tr("Type a sentence"), tr("Attention updates with every key you press."),
         [&window] { return &window.sentence(); }},
        {tr("Tokens"),
         tr("The model splits the text into tokens. Click a token to make it the query, "
            "Shift-click to make it the key, double-click to edit it."),
         [&window] { return &window.strip(); }},
        {tr("All heads at a glance"),
         tr("Each small square is the attention pattern of one head. Select one to see it "
            "large, with its numbers in the inspector."),
         [&window]() -> QWidget* { return window.overview().findChild<HeadGridWidget*>(); }},
        {tr("Change and compare"),
         tr("On the What-if page remove the causal mask, or press Del to ablate a head (set its "
            "output to zero). A stays as trained, B shows your changes. Undo reverts them."),
         [&window]() -> QWidget* { return &window.rail(); }},
        {tr("Export and explore"),
         tr("Export any page as a figure (Ctrl+E) or as data from the File menu. Press "
            "Shift+F1, then click anything for an explanation."),
         [&window]() -> QWidget* { return window.menuBar(); }},
    };
}

void Tour::start()
{
    show(0);
}

QWidget* Tour::target() const
{
    return isRunning() ? m_steps[static_cast<std::size_t>(m_step)].target() : nullptr;
}

void Tour::show(int step)
{
    if (step >= stepCount())
        return end();
    m_step = std::max(step, 0);
    const Step& now = m_steps[static_cast<std::size_t>(m_step)];
    m_title->setText(now.title);
    m_text->setText(now.text);
    m_count->setText(tr("%1 of %2").arg(m_step + 1).arg(stepCount()));
    m_back->setEnabled(m_step > 0);
    m_next->setText(m_step + 1 == stepCount() ? tr("Done") : tr("Next"));
    setAccessibleDescription(now.title + QStringLiteral(". ") + now.text);
    place();
    QFrame::show();
    raise();
    m_next->setFocus();
    QAccessibleEvent event(this, QAccessible::DescriptionChanged);
    QAccessible::updateAccessibility(&event);
}

void Tour::end()
{
    if (!isRunning())
        return;
    m_step = -1;
    hide();
    parentWidget()->setFocus();
    emit ended();
}

/// Places the callout below its target where it fits, else to its right.
void Tour::place()
{
    const QWidget* beside = target();
    if (!beside)
        return;
    const int wanted = qRound(kWidth * Theme::of(*this).scale()) + 2 * kArrow;
    setFixedWidth(std::min(wanted, parentWidget()->width()));
    layout()->activate();
    resize(width(), layout()->heightForWidth(width()));
    const QRect there(beside->mapTo(parentWidget(), QPoint()), beside->size());
    const bool tall = there.height() > parentWidget()->height() / 3;
    const QPoint tip =
        tall ? QPoint(there.right() - kEdge, there.top() + 64)
             : QPoint(there.left() + std::min(there.width() / 2, 120), there.bottom());
    const QPoint corner = tall ? tip - QPoint(0, 40) : tip - QPoint(60, 0);
    const QPoint most(parentWidget()->width() - width() - kEdge,
                      parentWidget()->height() - height() - kEdge);
    const QPoint placed(std::clamp(corner.x(), kEdge, std::max(kEdge, most.x())),
                        std::clamp(corner.y(), kEdge, std::max(kEdge, most.y())));
    move(placed);
    m_tip = tip - placed;
    update();
}

bool Tour::eventFilter(QObject* watched, QEvent* event)
{
    if (event->type() == QEvent::Resize && watched == parent() && isRunning())
        place();
    auto* button = qobject_cast<QPushButton*>(watched);
    if (!button || event->type() != QEvent::KeyPress)
        return QFrame::eventFilter(watched, event);
    auto* key = static_cast<QKeyEvent*>(event);
    if (key->key() == Qt::Key_Return || key->key() == Qt::Key_Enter) {
        button->click();
        return true;
    }
    if (key->key() != Qt::Key_Left && key->key() != Qt::Key_Right)
        return false;
    keyPressEvent(key); // buttons would move the focus
    return true;
}

void Tour::keyPressEvent(QKeyEvent* event)
{
    switch (event->key()) {
    case Qt::Key_Escape:
        return end();
    case Qt::Key_Right:
        return show(m_step + 1);
    case Qt::Key_Left:
        return show(m_step - 1);
    default:
        QFrame::keyPressEvent(event);
    }
}

void Tour::paintEvent(QPaintEvent*)
{
    const Theme theme = Theme::of(*this);
    const QRectF box = QRectF(rect()).adjusted(kArrow, kArrow, -kArrow, -kArrow);
    QPainterPath path;
    path.addRoundedRect(box, 6, 6);
    const bool fromLeft = m_tip.x() <= box.left();
    QPainterPath arrow;
    const QPointF foot =
        fromLeft ? QPointF(box.left() + 1, m_tip.y())
                 : QPointF(std::clamp<double>(m_tip.x(), box.left() + 20, box.right() - 20),
                           box.top() + 1);
    const QPointF along = fromLeft ? QPointF(0, kArrow) : QPointF(kArrow, 0);
    const QPointF out = fromLeft ? QPointF(-kArrow, 0) : QPointF(0, -kArrow);
    arrow.addPolygon(QPolygonF({foot - along, foot + out, foot + along}));
    arrow.closeSubpath();
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(QPen(theme.accent, 1.5));
    painter.setBrush(theme.surface);
    painter.drawPath(path.united(arrow));
}

} // namespace headscope::ui
