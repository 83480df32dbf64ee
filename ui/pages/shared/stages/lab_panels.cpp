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
    const int visible = parentWidget() != nullptr ? parentWidget()->height() : height();
    double least = std::min(1.0, static_cast<double>(visible) / std::max(height(), 1));
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

std::vector<RoomNeed> LabPanels::requests() const
{
    std::vector<RoomNeed> requests;
    for (const LabPanelBox* box : m_boxes)
        requests.push_back(box->request());
    return requests;
}

/// Smallest height from `visible` on at which every panel can be read, or, where this width never
/// allows it, at which none is too low.
int LabPanels::neededHeight(int visible) const
{
    constexpr int kStep = 24;
    constexpr int kTallest = 1600;
    const std::vector<RoomNeed> wanted = requests();
    const auto fits = [&](int height, bool wide) {
        const auto places = arranged(QRectF(0, 0, width(), height), wanted, kBetween);
        return std::ranges::equal(places, wanted,
                                  [wide](const QRectF& place, const RoomNeed& need) {
                                      return place.height() >= need.least.height() - 0.5 &&
                                             (!wide || place.width() >= need.least.width() - 0.5);
                                  });
    };
    for (const bool wide : {true, false})
        for (int height = visible; height < kTallest; height += kStep)
            if (fits(height, wide))
                return height;
    return visible;
}

void LabPanels::arrange()
{
    const int visible = parentWidget() != nullptr ? parentWidget()->height() : height();
    const int needed = neededHeight(visible);
    setMinimumHeight(needed > visible ? needed : 0);
    const std::vector<QRectF> places = arranged(rect(), requests(), kBetween);
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
