#pragma once

#include "ui/pages/positions/positions_content.h"

#include <QWidget>

class QLabel;
class QPushButton;

namespace headscope::ui {

class NamedSlider;

/// Sliders of a position matrix, the buttons that animate p and reset, and an explanation.
class TableControls : public QWidget
{
    Q_OBJECT

public:
    explicit TableControls(QWidget* parent = nullptr);

    void setRanges(int lastPosition, int lastOffset);
    void setNumbers(const PositionsContent& content); ///< Emits no signal.
    void setSliding(bool sliding);

    /// Explanation as HTML, and the sliders of the scheme.
    void setScheme(Positions scheme, const QString& model);

signals:
    void positionChosen(int position);
    void offsetChosen(int offset);
    void dimensionsChosen(int dimensions);
    void baseChosen(double base);
    void slideToggled();
    void resetPressed();

private:
    void connectControls(QPushButton* again);

    NamedSlider* m_position;
    NamedSlider* m_offset;
    NamedSlider* m_dimensions;
    NamedSlider* m_base;
    QPushButton* m_play;
    QLabel* m_words;
};

} // namespace headscope::ui
