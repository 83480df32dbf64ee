#pragma once

#include "ui/widgets/readable.h"
#include "ui/widgets/style/theme.h"

#include <QWidget>

#include <memory>

namespace headscope::ui {

class ChartScene;
struct ChartPlot;

/// Base class of charts with a cursor, moved by pointer and keys, that reads their values. Derived
/// classes define the plot, the read-out and the cursor's movement.
class ChartWidget : public QWidget
{
    Q_OBJECT

public:
    explicit ChartWidget(const QString& accessibleName, QWidget* parent = nullptr);
    ~ChartWidget() override;

protected:
    virtual ChartPlot plotOf(QSizeF size, const Theme& theme) const = 0;
    virtual QString description() const = 0; ///< Accessible description: the values at the cursor.
    virtual ReadableTable readable() const = 0;

    QRectF area() const;   ///< Area of the chart, inside the focus ring.
    void readoutChanged(); ///< Informs a screen reader while the chart has the focus.

    void paintEvent(QPaintEvent* event) override;

private:
    std::unique_ptr<ChartScene> m_scene; ///< Created on the first paint.
};

} // namespace headscope::ui
