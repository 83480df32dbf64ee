#pragma once

#include "ui/session/selection.h"
#include "ui/widgets/controls/segments.h"

#include <vector>

namespace headscope::ui {

class Session;

/// "Encoder | Decoder | Cross" of the session's model: shows and sets the active part, and is hidden
/// for models of one stack.
class PartBar : public SegmentBar
{
    Q_OBJECT

public:
    explicit PartBar(Session& session, QWidget* parent = nullptr);

private:
    void refresh();

    Session& m_session;
    std::vector<AttentionKind> m_parts; ///< of the segments, in their order
};

} // namespace headscope::ui
