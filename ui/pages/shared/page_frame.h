#pragma once

#include "ui/pages/shared/boxes.h"

#include <QMargins>

namespace headscope::ui {

class TextLabel;

/// Frame of every page: its background, its margins, and the spacing of its rows.
class PageFrame : public QVBoxLayout
{
    Q_OBJECT

public:
    PageFrame(QWidget& page, PlacedList rows, int spacing = 8, QMargins margins = {24, 16, 24, 16});
};

/// A row of a page: a heading, a note below it, and controls on the right.
QHBoxLayout* topRow(TextLabel* heading, PlacedList controls, TextLabel* note = nullptr);

} // namespace headscope::ui
