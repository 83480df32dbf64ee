#pragma once

#include "ui/pages/positions/positions_content.h"

#include <QWidget>

class QLabel;
class QPushButton;

namespace headscope::ui {

class NamedSlider;

/// The sliders of a table of positions, the buttons that slide p and begin again, and what to see.
class TableControls : public QWidget
{
    Q_OBJECT

public:
    explicit TableControls(QWidget* parent = nullptr);

    void setRanges(int lastPosition, int lastOffset);
    void setNumbers(const PositionsContent& content); ///< emits nothing
    void setSliding(bool sliding);

    /// HTML; and which sliders the scheme has.
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
