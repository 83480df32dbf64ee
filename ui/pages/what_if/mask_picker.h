#pragma once

#include "ui/session/session.h"

#include <QWidget>

class QSpinBox;

namespace headscope::ui {

class SegmentBar;

/// Mask of B: as trained, causal, none, a window of some tokens, or painted by hand.
class MaskPicker : public QWidget
{
    Q_OBJECT

public:
    explicit MaskPicker(Session& session, QWidget* parent = nullptr);

    void refresh(const MaskChange& mask);

signals:
    void paintingWanted(); ///< Emitted by "Painted": there is no painted mask before a stroke.

private:
    void choose(int index);

    Session& m_session;
    SegmentBar* m_kinds;
    QSpinBox* m_window;
};

} // namespace headscope::ui
