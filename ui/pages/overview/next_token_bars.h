#pragma once

#include "ui/widgets/charts/bars/bars.h"

#include <QWidget>

#include <vector>

namespace headscope::ui {

class TextLabel;
struct ViewSnapshot;

/// Most likely next tokens after the selected query, of A and of B; an encoder's at the query itself.
class NextTokenBars : public QWidget
{
    Q_OBJECT

public:
    explicit NextTokenBars(QWidget* parent = nullptr);

    void refresh(const ViewSnapshot& view);

    /// Height of the fewest rows, which does not change with the text; a taller widget lists more.
    QSize sizeHint() const override;

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    void showFitting();

    std::vector<Bar> m_all;
    TextLabel* m_title;
    TextLabel* m_after;
    BarsWidget* m_bars;
};

} // namespace headscope::ui
