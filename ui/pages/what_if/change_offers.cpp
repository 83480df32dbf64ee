#include "ui/pages/what_if/change_offers.h"

#include "ui/pages/shared/boxes.h"
#include "ui/pages/shared/column_scroll.h"
#include "ui/pages/what_if/change_list.h"
#include "ui/session/session.h"
#include "ui/widgets/labels.h"

namespace headscope::ui {

ChangeOffers::ChangeOffers(Session& session, QWidget* parent)
    : QWidget(parent)
    , m_session(session)
    , m_note(new TextLabel({}, TextRole::Lesson, TextLabel::Tone::Text2, this))
    , m_list(new ChangeList)
    , m_scroll(transparentScroll(m_list, this))
{
    m_note->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    columnOf(4, {rowOf(12, {heading(tr("Changes to try"), this), {m_note, 1}}), {m_scroll, 1}},
             this);
    connect(m_list, &ChangeList::chosen, this, &ChangeOffers::apply);
    connect(m_list, &ChangeList::currentMoved, this, &ChangeOffers::reveal);
    connect(&m_previews, &ChangePreviews::measured, this, &ChangeOffers::showPreviews);
}

void ChangeOffers::refresh(const ViewSnapshot& view)
{
    m_note->setText(tr("head %1 in B").arg(headName(view.selection.headId())));
    m_list->setChanges(possibleChanges(view));
    if (m_session.computation().isRunning())
        m_previews.waitWith(m_list->changes()); // typing comes first
    else
        m_previews.measure(view, m_list->changes());
    showPreviews();
}

void ChangeOffers::cancel()
{
    m_previews.cancel();
}

void ChangeOffers::showPreviews()
{
    m_list->setPreviews(m_previews.previews(), m_session.viewSnapshot());
}

void ChangeOffers::apply(int row)
{
    const PossibleChange change = m_list->changes().at(static_cast<std::size_t>(row));
    m_session.document().setChanges(change.changes, change.step);
    emit applied();
}

void ChangeOffers::reveal(int row)
{
    const QRectF area = m_list->rowRect(row);
    m_scroll->ensureVisible(0, static_cast<int>(area.center().y()), 0,
                            static_cast<int>(area.height() / 2.0));
}

} // namespace headscope::ui
