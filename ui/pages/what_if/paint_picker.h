#pragma once

#include "ui/pages/shared/changes/mask_brush.h"

#include <QWidget>

namespace headscope::ui {

class SegmentBar;

/// What a drag on B's map does: choose a cell, block cells, or allow them.
class PaintPicker : public QWidget
{
    Q_OBJECT

public:
    explicit PaintPicker(QWidget* parent = nullptr);

    void refresh(bool paintable); ///< false: the mask of this part is not B's to choose

    MaskBrush::Mode mode() const;
    void setMode(MaskBrush::Mode mode); ///< emits modeChosen()

signals:
    void modeChosen(headscope::ui::MaskBrush::Mode mode);

private:
    SegmentBar* m_modes;
};

} // namespace headscope::ui
