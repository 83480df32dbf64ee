#include "ui/pages/overview/overview_modes.h"

#include "ui/pages/overview/cross_page.h"
#include "ui/pages/overview/overview_page.h"

#include <utility>

namespace headscope::ui {

namespace {

constexpr int kCross = 1;

} // namespace

OverviewModes::OverviewModes(Session& session, const std::vector<PageDescriptor>& modes)
    : ModePage(session, modes)
    , m_attention(session.selection().part)
{
    connect(&session, &Session::selectionChanged, this, &OverviewModes::followAttention);
}

/// The alignment can be left even where the model has none to show.
bool OverviewModes::offersModes() const
{
    return mode() == kCross || session().selection().part == AttentionKind::Cross;
}

void OverviewModes::followAttention()
{
    const AttentionKind now = session().selection().part;
    const AttentionKind before = std::exchange(m_attention, now);
    if (now == before)
        return;
    if (isVisible() && now == AttentionKind::Cross)
        setMode(QStringLiteral("cross"));
    else if (isVisible() && before == AttentionKind::Cross)
        setMode(QStringLiteral("overview"));
    emit modesOffered();
}

PageDescriptor OverviewModes::descriptor()
{
    return pageOfModes<OverviewModes>({OverviewPage::descriptor(), CrossPage::descriptor()});
}

} // namespace headscope::ui
