#pragma once

#include "ui/widgets/drawn_widget.h"
#include "ui/widgets/style/theme.h"

#include <optional>
#include <vector>

class QPainter;

namespace headscope::ui {

struct ScatterPoint
{
    QString name; ///< "2.3"
    double x = 0.0;
    double y = 0.0;
};

/// Two numbers of each of some things, one against the other. Points that are not finite are left
/// out.
struct ScatterContent
{
    QString xName;
    QString yName;
    std::vector<ScatterPoint> points;
    std::optional<int> current;
    int named = 3; ///< so many with the largest y are written out, besides the current one
};

class ScatterLayout
{
public:
    ScatterLayout(QRectF area, const ScatterContent& content, const Theme& theme);

    QRectF plot() const { return m_plot; }

    QPointF at(const ScatterPoint& point) const;

    double highX() const { return m_x.second; }

    double highY() const { return m_y.second; }

    double lowX() const { return m_x.first; }

    double lowY() const { return m_y.first; }

private:
    QRectF m_plot;
    std::pair<double, double> m_x, m_y;
};

void paintScatter(QPainter& painter, const ScatterLayout& layout, const ScatterContent& content,
                  const Theme& theme);

/// Left and Right walk along x, Up and Down along y; a click takes the nearest point.
class ScatterWidget : public DrawnWidget
{
    Q_OBJECT

public:
    explicit ScatterWidget(QWidget* parent = nullptr);

    void setContent(ScatterContent content);

    const ScatterContent& content() const { return m_content; }

    ScatterLayout layoutNow() const;

    QSize sizeHint() const override { return {320, 320}; }

    QSize minimumSizeHint() const override { return {220, 200}; }

signals:
    void pointActivated(int index);
    void pointOpened(int index); ///< Enter or double click

protected:
    int itemCount() const override { return static_cast<int>(m_byX.size()); }

    QRectF itemRect(int item) const override;
    QString itemWords(int item) const override;
    std::optional<int> itemAt(QPointF position) const override;
    std::optional<int> itemAfter(int key) const override;

    QString description() const override { return {}; }

    void goToItem(int item) override { emit pointActivated(indexOf(item)); }

    bool openItem(int item) override;
    void paintEvent(QPaintEvent* event) override;

private:
    int indexOf(int item) const { return m_byX[static_cast<std::size_t>(item)]; }

    const ScatterPoint& point(int item) const;

    ScatterContent m_content;
    std::vector<int> m_byX; ///< indices of the points that are drawn: the items
};

} // namespace headscope::ui
