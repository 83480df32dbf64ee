#include "ui/pages/what_if/paint_picker.h"

#include "ui/pages/shared/boxes.h"
#include "ui/widgets/controls/segments.h"
#include "ui/widgets/labels.h"

namespace headscope::ui {

PaintPicker::PaintPicker(QWidget* parent) : QWidget(parent), m_modes(new SegmentBar(this))
{
    m_modes->setSegments({{tr("Select"), tr("Click in B's map to select a cell")},
                          {tr("Block"), tr("Drag to block cells, Shift to allow them")},
                          {tr("Allow"), tr("Drag to allow cells, Shift to block them")}});
    m_modes->setAccessibleName(tr("Paint on B's map"));
    rowOf(12, {new TextLabel(tr("Paint"), TextRole::Body, TextLabel::Tone::Text2, this), m_modes},
          this);
    connect(m_modes, &SegmentBar::currentChanged, this,
            [this](int index) { emit modeChosen(static_cast<MaskBrush::Mode>(index)); });
}

void PaintPicker::refresh(bool paintable)
{
    const QString why = paintable ? QString() : tr("The mask of this part cannot be changed in B");
    m_modes->setSegmentEnabled(1, paintable, why);
    m_modes->setSegmentEnabled(2, paintable, why);
}

MaskBrush::Mode PaintPicker::mode() const
{
    return static_cast<MaskBrush::Mode>(m_modes->current());
}

void PaintPicker::setMode(MaskBrush::Mode mode)
{
    m_modes->setCurrent(static_cast<int>(mode));
    emit modeChosen(mode);
}

} // namespace headscope::ui
