#pragma once

#include "ui/pages/lens/lens_content.h"

#include <QWidget>

namespace headscope::ui {

class BarsWidget;
class TextLabel;

/// Most likely tokens and values of one lens cell, with the legend of the grid.
class LensCellPanel : public QWidget
{
    Q_OBJECT

public:
    explicit LensCellPanel(QWidget* parent = nullptr);

    /// At most `tokens` of the most probable ones.
    void showCell(const LensReadout& readout, HeatmapCell cell, const QString& token,
                  std::size_t tokens);
    void showNothing();

signals:
    /// Emitted with the index among the cell's most probable tokens, from 0.
    void tokenClicked(int place);

private:
    void showParts(bool shows);

    TextLabel* m_title;
    BarsWidget* m_bars;
    TextLabel* m_numbers;
    ColourBar* m_legend;
};

} // namespace headscope::ui
