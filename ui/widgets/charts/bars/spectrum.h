#pragma once

#include "ui/widgets/style/theme.h"

#include <QWidget>

#include <vector>

class QPainter;

namespace headscope::ui {

/// Paints singular values as thin columns side by side, the largest as high as the area. Their
/// decay shows how many directions a matrix uses.
void paintSpectrum(QPainter& painter, const QRectF& area, const std::vector<double>& values,
                   const Theme& theme);

class SpectrumWidget : public QWidget
{
    Q_OBJECT

public:
    explicit SpectrumWidget(QWidget* parent = nullptr);

    void setValues(std::vector<double> values);

    const std::vector<double>& values() const { return m_values; }

    QSize sizeHint() const override;

    QSize minimumSizeHint() const override { return {80, 40}; }

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    std::vector<double> m_values;
};

} // namespace headscope::ui
