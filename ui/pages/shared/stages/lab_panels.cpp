#include "ui/pages/shared/stages/lab_panels.h"

#include "ui/widgets/labels.h"

#include <QEvent>
#include <QFontMetricsF>
#include <QPainter>
#include <QVBoxLayout>

#include <algorithm>

namespace headscope::ui {

namespace {

constexpr double kTitleHeight = 24.0;
constexpr double kCaptionHeight = 18.0;
constexpr int kGap = 4;
constexpr int kBetween = 24;
constexpr int kEdge = 6; ///< room for the frame of a highlighted panel

} // namespace

// ----------------------------------------------------------------------------------------- one

LabPanelBox::LabPanelBox(QWidget* parent)
    : QWidget(parent)
    , m_title(heading({}, this))
    , m_caption(caption({}, this))
{
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(kEdge, kEdge, kEdge, kEdge);
    column->setSpacing(kGap);
    column->addWidget(m_title);
    column->addWidget(m_caption);
    for (TextLabel* label : {m_title, m_caption})
        label->setMinimumWidth(1);
}

void LabPanelBox::setPanel(const LabPanel& panel)
{
    m_panel = panel;
    if (m_picture == nullptr || !m_picture->setPicture(panel.picture)) {
        delete m_picture;
        m_picture =
            LabPictureWidget::make(panel.picture, QString::fromStdString(panel.title)).release();
        m_picture->setParent(this);
        qobject_cast<QBoxLayout*>(layout())->addWidget(m_picture, 1);
        m_picture->setPicture(panel.picture);
        m_picture->show();
    }
    showWords();
}

/// As much of both as the width holds; the rest is in their tool tips.
void LabPanelBox::showWords()
{
    const auto show = [this](TextLabel* label, const std::string& words) {
        const QString text = QString::fromStdString(words);
        const double room = width() - 2.0 * kEdge - 2.0;
        const QString shown = QFontMetricsF(label->font()).elidedText(text, Qt::ElideRight, room);
        label->setText(shown);
        label->setToolTip(shown == text ? QString() : text);
        label->setAccessibleName(text);
        label->setVisible(!text.isEmpty());
    };
    show(m_title, m_panel.title);
    show(m_caption, m_panel.caption);
}

void LabPanelBox::setHighlighted(bool highlighted)
{
    m_highlighted = highlighted;
    setAccessibleDescription(highlighted ? tr("Look here") : QString());
    update();
}

RoomWish LabPanelBox::wish() const
{
    const Theme theme = Theme::of(*this);
    RoomWish wish = roomWish(m_panel.picture, theme);
    const double words = (m_panel.title.empty() ? 0.0 : kTitleHeight) +
                         (m_panel.caption.empty() ? 0.0 : kCaptionHeight);
    const QSizeF around(2.0 * kEdge, words * theme.scale() + 2.0 * kEdge + 2.0 * kGap);
    wish.least += around;
    wish.best += around;
    return wish;
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
    showWords();
}

// ----------------------------------------------------------------------------------------- all

void LabPanels::setPanels(const std::vector<LabPanel>& panels)
{
    m_isArranged = m_isArranged && m_boxes.size() == panels.size();
    while (m_boxes.size() > panels.size()) {
        m_boxes.back()->hide();
        m_boxes.back()->deleteLater();
        m_boxes.pop_back();
    }
    while (m_boxes.size() < panels.size()) {
        m_boxes.push_back(new LabPanelBox(this));
        m_boxes.back()->show();
    }
    bool isSame = m_isArranged;
    for (std::size_t index = 0; index < panels.size(); ++index) {
        isSame = isSame && m_boxes[index]->panel().picture.index() == panels[index].picture.index();
        m_boxes[index]->setPanel(panels[index]);
        const QSizeF least = m_boxes[index]->wish().least;
        isSame = isSame && m_boxes[index]->width() >= least.width() &&
                 m_boxes[index]->height() >= least.height();
    }
    highlight(m_highlighted);
    if (!isSame) // else nothing moves while a slider does
        arrange();
}

void LabPanels::highlight(const QStringList& titles)
{
    m_highlighted = titles;
    for (LabPanelBox* box : m_boxes)
        box->setHighlighted(titles.contains(QString::fromStdString(box->panel().title)));
}

double LabPanels::fit() const
{
    double least = 1.0;
    for (const LabPanelBox* box : m_boxes) {
        const QSizeF wish = box->wish().least;
        least = std::min({least, box->width() / std::max(wish.width(), 1.0),
                          box->height() / std::max(wish.height(), 1.0)});
    }
    return least;
}

std::vector<int> LabPanels::frames() const
{
    std::vector<int> all;
    for (const LabPanelBox* box : m_boxes)
        all.push_back(box->picture() != nullptr ? box->picture()->frame() : -1);
    return all;
}

void LabPanels::arrange()
{
    std::vector<RoomWish> wishes;
    for (const LabPanelBox* box : m_boxes)
        wishes.push_back(box->wish());
    const std::vector<QRectF> places = arranged(rect(), wishes, kBetween);
    for (std::size_t index = 0; index < m_boxes.size(); ++index)
        m_boxes[index]->setGeometry(places[index].toRect());
    m_isArranged = true;
}

void LabPanels::resizeEvent(QResizeEvent* event)
{
    QWidget::resizeEvent(event);
    arrange();
}

void LabPanels::changeEvent(QEvent* event)
{
    QWidget::changeEvent(event);
    if (event->type() == QEvent::FontChange || event->type() == QEvent::StyleChange)
        arrange();
}

} // namespace headscope::ui
