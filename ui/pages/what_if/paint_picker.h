#pragma once

#include "ui/pages/shared/changes/mask_brush.h"

#include <QWidget>

namespace headscope::ui {

class SegmentBar;

/// Action of a drag on B's map: select a cell, block cells, or allow them.
class PaintPicker : public QWidget
{
    Q_OBJECT

public:
    explicit PaintPicker(QWidget* parent = nullptr);

    void refresh(bool paintable); ///< False: the mask of this part cannot be changed in B.

    MaskBrush::Mode mode() const;
    void setMode(MaskBrush::Mode mode); ///< Emits modeChosen().

signals:
    void modeChosen(headscope::ui::MaskBrush::Mode mode);

private:
    SegmentBar* m_modes;
};

} // namespace headscope::ui
