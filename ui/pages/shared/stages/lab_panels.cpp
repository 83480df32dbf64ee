#include "ui/pages/shared/stages/lab_panels.h"

#include <QEvent>

#include <algorithm>
#include <cstddef>

namespace headscope::ui {

namespace {

constexpr int kBetween = 24;

} // namespace

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
        isSame = isSame && m_boxes[index]->panel().plot.index() == panels[index].plot.index();
        m_boxes[index]->setPanel(panels[index]);
        const QSizeF least = m_boxes[index]->request().least;
        isSame = isSame && m_boxes[index]->width() >= least.width() &&
                 m_boxes[index]->height() >= least.height();
    }
    highlight(m_highlighted);
    if (!isSame) // Otherwise nothing moves while a slider does.
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
        const QSizeF request = box->request().least;
        least = std::min({least, box->width() / std::max(request.width(), 1.0),
                          box->height() / std::max(request.height(), 1.0)});
    }
    return least;
}

std::vector<int> LabPanels::frames() const
{
    std::vector<int> all;
    for (const LabPanelBox* box : m_boxes)
        all.push_back(box->plot() != nullptr ? box->plot()->frame() : -1);
    return all;
}

void LabPanels::arrange()
{
    std::vector<RoomNeed> requests;
    for (const LabPanelBox* box : m_boxes)
        requests.push_back(box->request());
    const std::vector<QRectF> places = arranged(rect(), requests, kBetween);
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
