#include "ui/pages/shared/page_frame.h"

#include "ui/widgets/labels.h"

#include <algorithm>

namespace headscope::ui {

namespace {

constexpr int kHeaderMargin = 8; // below the title of the page, which is above this frame

} // namespace

PageFrame::PageFrame(QWidget& page, PlacedList rows, int spacing, QMargins margins)
    : QVBoxLayout(&page)
{
    page.setProperty("role", "page");
    page.setAttribute(Qt::WA_StyledBackground);
    margins.setTop(std::max(margins.top() - kHeaderMargin, 0));
    setContentsMargins(margins);
    setSpacing(spacing);
    for (const Placed& row : rows)
        row.addTo(*this);
}

QHBoxLayout* topRow(TextLabel* heading, PlacedList controls, TextLabel* note)
{
    auto* row =
        rowOf(12, {note ? Placed(columnOf(0, {heading, note})) : Placed(heading), Placed::space()});
    for (const Placed& control : controls)
        control.addTo(*row);
    return row;
}

} // namespace headscope::ui
