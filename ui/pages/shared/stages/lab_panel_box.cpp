#include "ui/pages/shared/stages/lab_panel_box.h"

#include "ui/pages/shared/boxes.h"
#include "ui/pages/shared/stages/lab_plot.h"
#include "ui/widgets/labels.h"

#include <QFontMetricsF>
#include <QPainter>

namespace headscope::ui {

namespace {

constexpr double kTitleHeight = 24.0;
constexpr double kCaptionHeight = 18.0;
constexpr int kGap = 4;
constexpr int kEdge = 6; ///< Room for the frame of a highlighted panel.

} // namespace

LabPanelBox::LabPanelBox(QWidget* parent)
    : QWidget(parent)
    , m_title(heading({}, this))
    , m_caption(caption({}, this))
{
    auto* column = columnOf(kGap, {m_title, m_caption}, this);
    column->setContentsMargins(kEdge, kEdge, kEdge, kEdge);
    m_caption->setWordWrap(true);
    for (TextLabel* label : {m_title, m_caption})
        label->setMinimumWidth(1);
}

void LabPanelBox::setPanel(const LabPanel& panel)
{
    m_panel = panel;
    if (m_plot == nullptr || !m_plot->setDiagram(panel.plot)) {
        delete m_plot;
        m_plot = LabPlotWidget::make(panel.plot, QString::fromStdString(panel.title)).release();
        m_plot->setParent(this);
        qobject_cast<QBoxLayout*>(layout())->addWidget(m_plot, 1);
        m_plot->setDiagram(panel.plot);
        m_plot->show();
    }
    showText();
}

/// Elides the title to one line and the caption to two; the full text is in their tooltips.
void LabPanelBox::showText()
{
    const auto show = [this](TextLabel* label, const std::string& words, double lines) {
        const QString text = QString::fromStdString(words);
        const double room = lines * (width() - 2.0 * kEdge - 2.0);
        const QString shown = QFontMetricsF(label->font()).elidedText(text, Qt::ElideRight, room);
        label->setText(shown);
        label->setToolTip(shown == text ? QString() : text);
        label->setAccessibleName(text);
        label->setVisible(!text.isEmpty());
    };
    constexpr double kTwoLines = 1.8; // the first ends at a word
    show(m_title, m_panel.title, 1.0);
    show(m_caption, m_panel.caption, kTwoLines);
}

void LabPanelBox::setHighlighted(bool highlighted)
{
    m_highlighted = highlighted;
    setAccessibleDescription(highlighted ? tr("Highlighted") : QString());
    update();
}

RoomNeed LabPanelBox::request() const
{
    const Theme theme = Theme::of(*this);
    RoomNeed request = roomNeed(m_panel.plot, theme);
    const double words = (m_panel.title.empty() ? 0.0 : kTitleHeight) +
                         (m_panel.caption.empty() ? 0.0 : kCaptionHeight);
    const QSizeF around(2.0 * kEdge, words * theme.scale() + 2.0 * kEdge + 2.0 * kGap);
    request.least += around;
    request.best += around;
    return request;
}

void LabPanelBox::paintEvent(QPaintEvent*)
{
    if (!m_highlighted)
        return;
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(QPen(Theme::of(*this).accent, 2.0));
    painter.drawRoundedRect(QRectF(rect()).adjusted(1, 1, -1, -1), 6, 6);
}

void LabPanelBox::resizeEvent(QResizeEvent* event)
{
    QWidget::resizeEvent(event);
    showText();
}

} // namespace headscope::ui
