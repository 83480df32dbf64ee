#pragma once

#include "ui/pages/shared/boxes.h"

#include <QMargins>

namespace headscope::ui {

class TextLabel;

/// What every page has around what it shows: its ground, its margins, and the space between its
/// rows.
class PageFrame : public QVBoxLayout
{
    Q_OBJECT

public:
    PageFrame(QWidget& page, PlacedList rows, int spacing = 8, QMargins margins = {24, 16, 24, 16});
};

/// A row of a page: a heading, a note under that, and controls at the right.
QHBoxLayout* topRow(TextLabel* heading, PlacedList controls, TextLabel* note = nullptr);

} // namespace headscope::ui
