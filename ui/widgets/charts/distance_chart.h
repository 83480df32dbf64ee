#pragma once

#include "ui/widgets/readable.h"
#include "ui/widgets/style/theme.h"

#include <QRectF>
#include <QWidget>

#include <optional>
#include <vector>

class QPainter;

namespace headscope::ui {

/// Distances that share one point of a curve; positive looks back.
struct DistanceBin
{
    int first = 0;
    int last = 0;

    bool isSingle() const { return first == last; }

    friend bool operator==(const DistanceBin&, const DistanceBin&) = default;
};

struct DistanceCurve
{
    int head = 0;
    int slot = 0;               ///< of the hue; from 8 on dashed
    std::vector<double> values; ///< one a bin
};

struct DistanceContent
{
    std::vector<DistanceBin> bins;
    std::vector<DistanceCurve> curves;
    int subject = -1;          ///< head drawn strongest
    std::optional<int> bin;    ///< read out
    bool isDifference = false; ///< B - A
    bool words = false;        ///< distances in words, not tokens
    bool stale = false;

    bool isEmpty() const { return bins.empty() || curves.empty(); }

    bool isTwoSided() const { return !bins.empty() && bins.front().first < 0; }

    bool isBinned() const; ///< some bins hold several distances
};

/// Where the chart lies: distances across, mean weight up.
class DistanceLayout
{
public:
    DistanceLayout() = default;
    DistanceLayout(QRectF area, const DistanceContent& content, const Theme& theme);

    QRectF plot() const { return m_plot; }

    QRectF readout() const { return m_readout; }

    double low() const { return m_low; }

    double high() const { return m_high; }

    double step() const { return m_step; } ///< between two lines of the grid

    double x(int bin) const;
    double y(double value) const;
    std::optional<int> binAt(QPointF position) const;

private:
    QRectF m_plot, m_readout;
    double m_low = 0.0;
    double m_high = 1.0;
    double m_step = 0.2;
    std::vector<double> m_places; ///< 0 to 1 by bin
};

void paintDistance(QPainter& painter, const DistanceLayout& layout, const DistanceContent& content,
                   const Theme& theme);

QString distanceWords(const DistanceContent& content, int bin); ///< "5 tokens back"
QString binLabel(DistanceBin bin);                              ///< "5", "4\u20137"

/// "5 tokens back: head 3 0.120, head 1 0.080", the subject first.
QString describeBin(const DistanceContent& content, int bin);

/// Curves of heads. Left and right move over distances, up and down over heads; a click chooses the
/// nearest head and pins its distance, a second one or Esc lets it go.
class DistanceChart : public QWidget
{
    Q_OBJECT

public:
    explicit DistanceChart(QWidget* parent = nullptr);

    void setContent(DistanceContent content);

    const DistanceContent& content() const { return m_content; }

    DistanceLayout layoutNow() const;

    std::optional<int> pinned() const { return m_pinned; } ///< a distance

    void pinDistance(std::optional<int> distance); ///< emits nothing

    int headAt(QPointF position) const; ///< of the nearest curve there; -1 without curves

    QSize sizeHint() const override { return {640, 480}; }

    QSize minimumSizeHint() const override { return {320, 220}; }

signals:
    void headChosen(int head);
    void distancePinned();
    void binOpened(); ///< Enter on a distance

protected:
    void paintEvent(QPaintEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void leaveEvent(QEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void focusInEvent(QFocusEvent* event) override;
    void focusOutEvent(QFocusEvent* event) override;

private:
    void refreshBin();
    void moveBin(int bin);
    void moveHead(int step);
    void describe();
    ReadableTable readable() const;

    DistanceContent m_content;
    std::optional<int> m_hovered; ///< bin
    std::optional<int> m_pinned;  ///< distance
};

} // namespace headscope::ui
