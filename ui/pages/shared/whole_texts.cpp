#include "ui/pages/shared/whole_texts.h"

#include <QEvent>
#include <QLabel>

#include <algorithm>

namespace headscope::ui {

WholeTexts::WholeTexts(QWidget& parent) : QObject(&parent), m_parent(parent)
{
    parent.installEventFilter(this);
}

void WholeTexts::fit(QLabel& label) const
{
    if (label.wordWrap())
        label.setMinimumHeight(std::max(0, label.heightForWidth(label.width()))); // -1: no text
}

void WholeTexts::fitAll()
{
    for (QLabel* label : m_parent.findChildren<QLabel*>(QString(), Qt::FindDirectChildrenOnly)) {
        label->installEventFilter(this); // again is the same as once
        fit(*label);
    }
}

bool WholeTexts::eventFilter(QObject* watched, QEvent* event)
{
    if (watched == &m_parent && event->type() == QEvent::LayoutRequest)
        fitAll();
    else if (auto* label = qobject_cast<QLabel*>(watched);
             label && watched != &m_parent && event->type() == QEvent::Resize)
        fit(*label);
    return QObject::eventFilter(watched, event);
}

} // namespace headscope::ui
