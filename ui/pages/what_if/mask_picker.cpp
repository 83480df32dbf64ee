#include "ui/pages/what_if/mask_picker.h"

#include "ui/pages/shared/boxes.h"
#include "ui/widgets/controls/segments.h"
#include "ui/widgets/labels.h"

#include <QLineEdit>
#include <QSignalBlocker>
#include <QSpinBox>

namespace headscope::ui {

MaskPicker::MaskPicker(Session& session, QWidget* parent)
    : QWidget(parent)
    , m_session(session)
    , m_kinds(new SegmentBar(this))
    , m_window(new QSpinBox(this))
{
    m_kinds->setSegments({{tr("As trained"), tr("The mask that the model was trained with")},
                          {tr("Causal"), tr("Each token attends to itself and to earlier tokens")},
                          {tr("None"), tr("Each token attends to the whole text")},
                          {tr("Window"), tr("Each token attends to itself and a few tokens "
                                            "before it")},
                          {tr("Painted"), tr("Drag over B's map to paint cells by hand")}});
    m_kinds->setAccessibleName(tr("Mask of B"));
    m_window->setRange(1, 999);
    m_window->setAccessibleName(tr("Window size"));
    m_window->findChild<QLineEdit*>()->setAccessibleName(m_window->accessibleName());
    m_window->setToolTip(tr("Window size in tokens, including the query"));
    m_window->setFixedHeight(32);
    rowOf(12,
          {new TextLabel(tr("Mask"), TextRole::Body, TextLabel::Tone::Text2, this), m_kinds,
           m_window},
          this);
    connect(m_kinds, &SegmentBar::currentChanged, this, &MaskPicker::choose);
    connect(m_window, &QSpinBox::valueChanged, this, [this](int tokens) {
        if (m_session.changes().mask.kind == MaskChange::Kind::Window)
            m_session.document().setMask({MaskChange::Kind::Window, tokens, {}, 0});
    });
}

void MaskPicker::refresh(const MaskChange& mask)
{
    m_kinds->setCurrent(static_cast<int>(mask.kind));
    m_window->setVisible(mask.kind == MaskChange::Kind::Window);
    const QSignalBlocker quiet(m_window);
    m_window->setValue(mask.window);
}

void MaskPicker::choose(int index)
{
    const auto kind = static_cast<MaskChange::Kind>(index);
    if (kind != MaskChange::Kind::Painted) {
        m_session.document().setMask({kind, m_window->value(), {}, 0});
        return;
    }
    m_kinds->setCurrent(static_cast<int>(m_session.changes().mask.kind));
    emit paintingWanted();
}

} // namespace headscope::ui
