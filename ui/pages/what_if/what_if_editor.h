#pragma once

#include "ui/pages/shared/changes/mask_brush.h"
#include "ui/session/session.h"

#include <QObject>

namespace headscope::ui {

class HeatmapWidget;
class InlineEditor;

/// Edits of B on its map: strokes on its mask, and a weight or token typed beside the current cell.
/// Each becomes one change of the session.
class WhatIfEditor : public QObject
{
    Q_OBJECT

public:
    WhatIfEditor(Session& session, HeatmapWidget& mapB, QWidget* page);

    void refresh(const ViewSnapshot& view);

    void setBrush(MaskBrush::Mode mode) { m_brush->setMode(mode); }

    void editWeight();
    void swapToken();
    bool escape(); ///< Returns false when neither a stroke nor the field was open.

private:
    QPoint besideCurrentCell() const;

    Session& m_session;
    HeatmapWidget& m_map;
    QWidget* m_page;
    MaskBrush* m_brush;
    InlineEditor* m_field;
};

} // namespace headscope::ui
