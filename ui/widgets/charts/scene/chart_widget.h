#pragma once

#include "ui/widgets/readable.h"
#include "ui/widgets/style/theme.h"

#include <QWidget>

#include <memory>

namespace headscope::ui {

class ChartScene;
struct ChartPlot;

/// A chart with a cursor that reads its values, by pointer and by keys. Who derives says what is
/// drawn, what is read and where the cursor goes.
class ChartWidget : public QWidget
{
    Q_OBJECT

public:
    explicit ChartWidget(const QString& accessibleName, QWidget* parent = nullptr);
    ~ChartWidget() override;

protected:
    virtual ChartPlot plotOf(QSizeF size, const Theme& theme) const = 0;
    virtual QString description() const = 0; ///< the accessible one: what the cursor reads
    virtual ReadableTable readable() const = 0;

    QRectF area() const;   ///< of the chart, inside the ring of the focus
    void readoutChanged(); ///< tells a screen reader while the chart has the focus

    void paintEvent(QPaintEvent* event) override;

private:
    std::unique_ptr<ChartScene> m_scene; ///< made by the first paint
};

} // namespace headscope::ui
