#pragma once

#include <QPointF>
#include <QRectF>
#include <QSizeF>

#include <vector>

namespace headscope::ui {

/// Finds room for texts in a plot, where they hide least of its curves and no other text.
class FreePlaces
{
public:
    FreePlaces(QRectF plot, std::vector<QRectF> taken);

    /// A curve in pixels; the more it weighs, the rather a text hides another one.
    void addCurve(std::vector<QPointF> points, double weight);

    /// Beside a stretch from `left` to `right`. The place is taken from then on.
    QRectF take(QSizeF size, double left, double right);

private:
    struct Curve
    {
        std::vector<QPointF> points;
        double weight;
    };

    double hiddenBy(const QRectF& place) const;
    QRectF best(QSizeF size, double left, double right) const;

    QRectF m_plot;
    std::vector<QRectF> m_taken;
    std::vector<Curve> m_curves;
};

} // namespace headscope::ui
