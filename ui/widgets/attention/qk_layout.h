#pragma once

#include "ui/widgets/attention/qk.h"
#include "ui/widgets/style/theme.h"

#include <QRectF>

#include <optional>

namespace headscope::ui {

/// Layout of query and keys: strips of the selected pair at the top, formulas at the bottom,
/// scrolling keys between them.
class QkLayout
{
public:
    QkLayout() = default;
    QkLayout(QRectF area, const QkContent& content, const Theme& theme, double scroll = 0.0);

    /// Strip of the selected pair: q, k or product.
    QRectF pairStrip(int strip) const;
    QRectF pairCell(int strip, int column) const;

    QRectF readout() const { return m_readout; }

    QRectF legend(int which) const; ///< Legend; 0: vectors, 1: products.

    QRectF heading() const { return m_heading; }

    QRectF rows() const { return m_rows; } ///< Scrolling area of the keys.

    QRectF row(int key) const;
    QRectF keyStrip(int key) const;
    QRectF productStrip(int key) const;
    QRectF number(int key, int stage) const;
    QRectF bar(int key) const;

    QRectF formulas() const { return m_formulas; }

    double rowHeight() const { return m_rowHeight; }

    double labelWidth() const { return m_label; }

    std::optional<int> keyAt(QPointF position) const;
    std::optional<int> columnAt(QPointF position) const;

private:
    double stageX(int stage) const;

    QRectF m_area, m_readout, m_heading, m_rows, m_formulas;
    double m_scroll = 0.0;
    double m_scale = 1.0;
    double m_label = 0.0;
    double m_rowHeight = 0.0;
    double m_pairRow = 0.0;
    double m_pairWidth = 0.0;
    double m_strip = 0.0;
    double m_number = 0.0;
    double m_bar = 0.0;
    int m_keys = 0;
    int m_columns = 0;
    int m_stages = 0;
};

/// Height that shows all keys.
double qkHeight(const QkContent& content, const Theme& theme);

} // namespace headscope::ui
