#include "ui/window/workspaces/page_header.h"

#include "ui/pages/shared/boxes.h"
#include "ui/pages/shared/mode_page.h"
#include "ui/widgets/controls/segments.h"
#include "ui/widgets/labels.h"
#include "ui/window/workspaces/pages.h"

namespace headscope::ui {

PageHeader::PageHeader(QWidget* parent)
    : QWidget(parent)
    , m_title(new TextLabel({}, TextRole::Title, TextLabel::Tone::Text, this))
    , m_question(new TextLabel({}, TextRole::Body, TextLabel::Tone::Text2, this))
    , m_modes(new SegmentBar(this))
{
    setProperty("role", "page");
    setAttribute(Qt::WA_StyledBackground);
    m_modes->setAccessibleName(tr("View of this page"));
    m_question->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    m_question->setObjectName("question");
    rowOf(12, {m_title, {m_question, 1}, m_modes}, this)->setContentsMargins(24, 8, 24, 0);
    connect(m_modes, &SegmentBar::currentChanged, this,
            [this](int index) { emit modeChosen(m_names.value(index)); });
}

void PageHeader::show(const PageDescriptor& shown, const Page& page)
{
    const PageDescriptor whole = pageNamed(page.objectName()).value_or(shown);
    const auto* modes = qobject_cast<const ModePage*>(&page);
    m_title->setText(whole.title);
    m_question->setText(shown.question);
    m_question->setToolTip(shown.question);
    m_modes->setVisible(modes && modes->offersModes());
    if (!modes)
        return;
    std::vector<Segment> segments;
    QStringList names;
    for (const PageDescriptor& mode : whole.modes) {
        segments.push_back({mode.mode, mode.question});
        names << mode.name;
    }
    if (names != m_names)
        m_modes->setSegments(segments);
    m_names = names;
    m_modes->setCurrent(modes->mode());
}

} // namespace headscope::ui
