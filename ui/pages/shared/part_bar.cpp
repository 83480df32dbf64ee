#include "ui/pages/shared/part_bar.h"

#include "ui/session/session.h"

#include <algorithm>

namespace headscope::ui {

namespace {

QString titleOf(AttentionKind part)
{
    switch (part) {
    case AttentionKind::EncoderSelf:
        return PartBar::tr("Encoder");
    case AttentionKind::DecoderSelf:
        return PartBar::tr("Decoder");
    case AttentionKind::Cross:
        return PartBar::tr("Cross");
    case AttentionKind::Self:
        break;
    }
    return PartBar::tr("Self");
}

std::vector<AttentionKind> partsShown(const Session& session)
{
    if (session.model().model)
        return session.model().model->config().attentionKinds();
    const TracePtr& trace = session.shownTrace();
    return trace ? trace->attentionKinds() : std::vector<AttentionKind>();
}

} // namespace

PartBar::PartBar(Session& session, QWidget* parent) : SegmentBar(parent), m_session(session)
{
    setAccessibleName(tr("Part of the model"));
    connect(this, &SegmentBar::currentChanged, &session.view(), [this](int index) {
        m_session.view().activatePart(m_parts[static_cast<std::size_t>(index)]);
    });
    for (const auto signal :
         {&Session::modelChanged, &Session::selectionChanged, &Session::traceChanged})
        connect(&session, signal, this, &PartBar::refresh);
    refresh();
}

void PartBar::refresh()
{
    const std::vector<AttentionKind> parts = partsShown(m_session);
    if (parts != m_parts) {
        m_parts = parts;
        std::vector<Segment> segments;
        for (const AttentionKind part : parts)
            segments.push_back({titleOf(part), {}});
        setSegments(segments);
    }
    setVisible(parts.size() > 1);
    const auto found = std::find(parts.begin(), parts.end(), m_session.selection().part);
    if (found != parts.end())
        setCurrent(static_cast<int>(found - parts.begin()));
}

} // namespace headscope::ui
