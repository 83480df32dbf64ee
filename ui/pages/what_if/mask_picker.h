#pragma once

#include "ui/session/session.h"

#include <QWidget>

class QSpinBox;

namespace headscope::ui {

class SegmentBar;

/// The mask of B: as trained, causal, none, a window of so many tokens, or painted by hand.
class MaskPicker : public QWidget
{
    Q_OBJECT

public:
    explicit MaskPicker(Session& session, QWidget* parent = nullptr);

    void refresh(const MaskChange& mask);

signals:
    void paintingWanted(); ///< "Painted" was pressed: there is no mask of that kind before a stroke

private:
    void choose(int index);

    Session& m_session;
    SegmentBar* m_kinds;
    QSpinBox* m_window;
};

} // namespace headscope::ui
