#include "ui/window/lessons/tour.h"

#include "ui/pages/inspector/inspector_page.h"
#include "ui/pages/overview/overview_page.h"
#include "ui/pages/shared/boxes.h"
#include "ui/widgets/heads/head_grid_widget.h"
#include "ui/widgets/heatmap/heatmap_widget.h"
#include "ui/widgets/labels.h"
#include "ui/widgets/text/token_strip.h"
#include "ui/window/frame/main_window.h"
#include "ui/window/frame/sentence_field.h"
#include "ui/window/frame/settling.h"
#include "ui/window/workspaces/rail.h"

#include <QAccessible>
#include <QKeyEvent>
#include <QMenuBar>
#include <QPainter>
#include <QPainterPath>
#include <QPushButton>

#include <algorithm>

namespace headscope::ui {

namespace {

constexpr int kArrow = 10;
constexpr int kWidth = 340;
constexpr int kEdge = kArrow; // distance to the window's edge

/// Arrow on an edge of the callout's box, towards the target.
QPainterPath arrowOf(const TourPlace& place, const QRectF& box)
{
    const bool upright = place.arrow == Qt::TopEdge || place.arrow == Qt::BottomEdge;
    const double length = upright ? box.width() : box.height();
    const double tip = std::clamp<double>(place.tip, 20.0, length - 20.0);
    const QPointF along = upright ? QPointF(kArrow, 0) : QPointF(0, kArrow);
    QPointF foot;
    QPointF out;
    if (place.arrow == Qt::TopEdge || place.arrow == Qt::LeftEdge) {
        out = upright ? QPointF(0, -kArrow) : QPointF(-kArrow, 0);
        foot = box.topLeft() - out / kArrow;
    } else {
        out = upright ? QPointF(0, kArrow) : QPointF(kArrow, 0);
        foot = (upright ? box.bottomLeft() : box.topRight()) - out / kArrow;
    }
    foot += along / kArrow * tip;
    QPainterPath arrow;
    arrow.addPolygon(QPolygonF({foot - along, foot + out, foot + along}));
    arrow.closeSubpath();
    return arrow;
}

} // namespace

Tour::Tour(MainWindow& window)
    : QFrame(&window)
    , m_window(window)
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
    m_count->setObjectName("count");
    m_text->setWordWrap(true);
    m_next->setProperty("role", "primary");
    auto* top = rowOf(kStyleSpacing, {{m_title, 1}, m_count});
    auto* bottom = rowOf(8, {m_skip, Placed::space(), m_back, m_next});
    auto* column = columnOf(8, {top, m_text, Placed::gap(8), bottom}, this);
    column->setContentsMargins(16 + kArrow, 16 + kArrow, 16 + kArrow, 16 + kArrow);
    for (QPushButton* button : {m_skip, m_back, m_next})
        button->installEventFilter(this);
    connect(m_skip, &QPushButton::clicked, this, &Tour::end);
    connect(m_back, &QPushButton::clicked, this, [this] { show(m_step - 1); });
    connect(m_next, &QPushButton::clicked, this, [this] { show(m_step + 1); });
}

void Tour::makeSteps(MainWindow& window)
{
    const auto onScreen = [](const QWidget& widget, const QRectF& area) {
        return area.toAlignedRect().translated(widget.mapToGlobal(QPoint()));
    };
    const auto largeMap = [&window, onScreen] {
        std::vector<QRect> areas;
        for (const HeatmapWidget* map : window.overview().findChildren<HeatmapWidget*>())
            if (map->isVisible())
                areas.push_back(onScreen(*map, map->layoutNow().viewport()));
        return areas;
    };
    m_steps = {
        {tr("Type a sentence"), tr("Attention updates with every key you press."),
         [&window] { return &window.sentence(); }, QStringLiteral("overview"),
         [&window] { return &window.sentence(); }, largeMap},
        {tr("Tokens"),
         tr("The model splits the text into tokens. Click a token to make it the query, "
            "Shift-click to make it the key, double-click to edit it."),
         [&window] { return &window.strip(); }},
        {tr("All heads at a glance"),
         tr("Each small square is the attention pattern of one head. Select one to see it "
            "large, with its numbers in the inspector."),
         [&window]() -> QWidget* { return window.overview().findChild<HeadGridWidget*>(); },
         QStringLiteral("overview"),
         {},
         largeMap},
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
    return isRunning() ? now().target() : nullptr;
}

void Tour::show(int step)
{
    if (step >= stepCount())
        return end();
    m_step = std::max(step, 0);
    const Step& shown = now();
    if (!shown.page.isEmpty() && m_window.page() != shown.page)
        m_window.showPage(shown.page);
    m_title->setText(shown.title);
    m_text->setText(shown.text);
    m_count->setText(tr("%1 of %2").arg(m_step + 1).arg(stepCount()));
    m_back->setEnabled(m_step > 0);
    m_next->setText(m_step + 1 == stepCount() ? tr("Done") : tr("Next"));
    setAccessibleDescription(shown.title + QStringLiteral(". ") + shown.text);
    follow(target());
    settleLayouts();
    place();
    raise();
    giveFocus(shown);
    QAccessibleEvent event(this, QAccessible::DescriptionChanged);
    QAccessible::updateAccessibility(&event);
}

void Tour::follow(QWidget* target)
{
    if (m_followed)
        m_followed->removeEventFilter(this);
    m_followed = target;
    if (target)
        target->installEventFilter(this);
}

void Tour::giveFocus(const Step& step)
{
    QWidget* wanted = step.typedInto ? step.typedInto() : m_next;
    wanted->setFocus();
}

void Tour::end()
{
    if (!isRunning())
        return;
    m_step = -1;
    follow(nullptr);
    hide();
    parentWidget()->setFocus();
    emit ended();
}

/// The part of the target that shows something, in the window's coordinates.
QRect Tour::areaOf(const QWidget& target) const
{
    QRect area = target.rect();
    if (const auto* grid = qobject_cast<const HeadGridWidget*>(&target)) {
        const QRect drawn({}, grid->layoutNow().size().toSize());
        if (!drawn.isEmpty())
            area &= drawn;
    }
    return area.translated(target.mapTo(parentWidget(), QPoint()));
}

/// Places the callout beside its target. While the target is hidden, so is the callout.
void Tour::place()
{
    const QWidget* beside = target();
    if (!beside)
        return;
    setVisible(beside->isVisible());
    const int wanted = qRound(kWidth * Theme::of(*this).scale()) + 2 * kArrow;
    setFixedWidth(std::min(wanted, parentWidget()->width()));
    layout()->activate();
    resize(width(), layout()->heightForWidth(width()));
    std::vector<QRect> mentioned = now().mentioned ? now().mentioned() : std::vector<QRect>();
    const QPoint origin = parentWidget()->mapToGlobal(QPoint());
    for (QRect& area : mentioned)
        area.translate(-origin);
    const QRect room = parentWidget()->rect().adjusted(kEdge, kEdge, -kEdge, -kEdge);
    const QRect there = areaOf(*beside);
    m_place = tourPlace(size() - QSize(2 * kArrow, 2 * kArrow), room,
                        there.adjusted(-kArrow, -kArrow, kArrow, kArrow), mentioned);
    move(m_place.corner - QPoint(kArrow, kArrow));
    update();
}

bool Tour::eventFilter(QObject* watched, QEvent* event)
{
    const QEvent::Type type = event->type();
    const bool moves = type == QEvent::Resize || type == QEvent::Move || type == QEvent::Show ||
                       type == QEvent::Hide;
    if (moves && isRunning() && (watched == m_followed || watched == parent()))
        QMetaObject::invokeMethod(this, &Tour::place, Qt::QueuedConnection);
    if (type == QEvent::KeyPress && isRunning() &&
        takesKey(*watched, *static_cast<QKeyEvent*>(event)))
        return true;
    return QFrame::eventFilter(watched, event);
}

/// Enter goes on, also from the field that is typed into; on the buttons, arrows move the step.
bool Tour::takesKey(QObject& watched, QKeyEvent& key)
{
    auto* button = qobject_cast<QPushButton*>(&watched);
    const bool isEnter = key.key() == Qt::Key_Return || key.key() == Qt::Key_Enter;
    const bool isTyped = now().typedInto && &watched == now().typedInto();
    if (button && isEnter) {
        button->click();
        return true;
    }
    if (isTyped && (isEnter || key.key() == Qt::Key_Escape)) {
        if (isEnter)
            show(m_step + 1);
        else
            end();
        return true;
    }
    if (!button || (key.key() != Qt::Key_Left && key.key() != Qt::Key_Right))
        return false;
    keyPressEvent(&key); // buttons would move the focus
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
    if (m_place.isBeside)
        path = path.united(arrowOf(m_place, box));
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(QPen(theme.accent, 1.5));
    painter.setBrush(theme.surface);
    painter.drawPath(path);
}

} // namespace headscope::ui
