#include "ui/widgets/controls/segments.h"

#include "ui/widgets/readable.h"

#include <QButtonGroup>
#include <QHBoxLayout>
#include <QToolButton>

namespace headscope::ui {

SegmentBar::SegmentBar(QWidget* parent) : QWidget(parent), m_buttons(new QButtonGroup(this))
{
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(0);
    m_buttons->setExclusive(true);
    makeReadable(*this, QAccessible::Grouping);
    setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Fixed);
    connect(m_buttons, &QButtonGroup::idClicked, this, &SegmentBar::currentChanged);
}

void SegmentBar::setSegments(const std::vector<Segment>& segments)
{
    const int kept = current();
    qDeleteAll(m_buttons->buttons());
    const auto last = static_cast<int>(segments.size()) - 1;
    for (int index = 0; index <= last; ++index) {
        const Segment& segment = segments[static_cast<std::size_t>(index)];
        auto* button = new QToolButton(this);
        button->setText(segment.text);
        button->setToolTip(segment.toolTip);
        button->setEnabled(segment.enabled);
        button->setCheckable(true);
        button->setAutoExclusive(true); // exclusive for screen readers, too
        button->setFocusPolicy(Qt::StrongFocus);
        button->setProperty("segment", last == 0       ? "only"
                                       : index == 0    ? "first"
                                       : index == last ? "last"
                                                       : "middle");
        m_buttons->addButton(button, index);
        layout()->addWidget(button);
    }
    setCurrent(kept >= 0 && kept <= last ? kept : 0);
}

void SegmentBar::setSegmentEnabled(int index, bool enabled, const QString& toolTip)
{
    if (auto* button = m_buttons->button(index)) {
        button->setEnabled(enabled);
        button->setToolTip(toolTip);
    }
}

void SegmentBar::setCurrent(int index)
{
    if (auto* button = m_buttons->button(index))
        button->setChecked(true);
}

int SegmentBar::current() const
{
    return m_buttons->checkedId();
}

} // namespace headscope::ui
