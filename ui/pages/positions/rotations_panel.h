#pragma once

#include "ui/pages/positions/positions_content.h"

#include <QWidget>

namespace headscope::ui {

class ClocksWidget;
class TextLabel;

/// An offset of k positions rotates every pair of dimensions: as clock hands, as a formula, and
/// with the numerical error.
class RotationsPanel : public QWidget
{
    Q_OBJECT

public:
    explicit RotationsPanel(QWidget* parent = nullptr);

    void setContent(const PositionsContent& content);

private:
    ClocksWidget* m_clocks;
    TextLabel* m_error;
};

} // namespace headscope::ui
