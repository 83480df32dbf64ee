#pragma once

#include <QWidget>

namespace headscope::ui {

class BarsWidget;
class TextLabel;
struct ViewSnapshot;

/// Most likely next tokens after the selected query, of A and of B.
class NextTokenBars : public QWidget
{
    Q_OBJECT

public:
    explicit NextTokenBars(QWidget* parent = nullptr);

    void refresh(const ViewSnapshot& view);

    const BarsWidget& bars() const { return *m_bars; }

    /// Height of all rows, which does not change with the text.
    QSize sizeHint() const override;

private:
    TextLabel* m_after;
    BarsWidget* m_bars;
};

} // namespace headscope::ui
