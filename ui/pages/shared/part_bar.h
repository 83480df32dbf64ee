#pragma once

#include "ui/session/selection.h"
#include "ui/widgets/controls/segments.h"

#include <vector>

namespace headscope::ui {

class Session;

/// Selector "Encoder | Decoder | Cross" for the session's model: shows and sets the active part;
/// hidden for models with one stack.
class PartBar : public SegmentBar
{
    Q_OBJECT

public:
    explicit PartBar(Session& session, QWidget* parent = nullptr);

private:
    void refresh();

    Session& m_session;
    std::vector<AttentionKind> m_parts; ///< Kinds of the segments, in order.
};

} // namespace headscope::ui
