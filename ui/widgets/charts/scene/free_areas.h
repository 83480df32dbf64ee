#pragma once

#include <QPointF>
#include <QRectF>
#include <QSizeF>

#include <vector>

namespace headscope::ui {

/// Places texts in a plot where they hide least of the curves and no other text.
class FreeAreas
{
public:
    FreeAreas(QRectF plot, std::vector<QRectF> taken);

    /// Adds a curve in pixels; a higher weight makes texts avoid it more.
    void addCurve(std::vector<QPointF> points, double weight);

    /// Takes a place beside the stretch from `left` to `right`; it is occupied from then on.
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
