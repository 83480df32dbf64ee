#pragma once

#include "ui/pages/shared/mode_page.h"

namespace headscope::ui {

/// All heads at once or, for the cross-attention of an encoder-decoder, the alignment of target and
/// source. Choosing the cross-attention shows the alignment, choosing another attention the heads.
class OverviewModes : public ModePage
{
    Q_OBJECT

public:
    OverviewModes(Session& session, const std::vector<PageDescriptor>& modes);

    static PageDescriptor descriptor();

    bool offersModes() const override;

private:
    void followAttention();

    AttentionKind m_attention; ///< State at the last selection
};

} // namespace headscope::ui
