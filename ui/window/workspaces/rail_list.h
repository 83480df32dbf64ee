#pragma once

#include "ui/widgets/drawn_widget.h"

#include <QString>

#include <vector>

namespace headscope::ui {

/// One line below the pages of the rail.
struct RailRow
{
    QString title;
    QString detail;            ///< at the end of the line: "3 / 7"
    QString words;             ///< tooltip, and for screen readers
    double fraction = -1.0;    ///< done, 0 to 1; negative: no bar
    std::vector<double> curve; ///< drawn as a line of 100 × 16 px; may be empty
};

/// Short rows with a progress bar or a curve. Rows that do not fit are left out.
class RailList : public DrawnWidget
{
    Q_OBJECT

public:
    explicit RailList(const QString& accessibleName, QWidget* parent = nullptr);

    void setRows(std::vector<RailRow> rows);

    const std::vector<RailRow>& rows() const { return m_rows; }

    QSize sizeHint() const override;

    QSize minimumSizeHint() const override { return {0, 0}; }

signals:
    void opened(int row);

protected:
    int itemCount() const override;
    QRectF itemRect(int item) const override;

    QString itemText(int item) const override
    {
        return m_rows[static_cast<std::size_t>(item)].words;
    }

    void clickItem(int item) override;
    bool openItem(int item) override;
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    std::vector<RailRow> m_rows;
};

} // namespace headscope::ui
