#pragma once

#include "ui/widgets/arcs/arcs.h"

namespace headscope::ui {

/// Geometry of the two token columns, their curves and bars, shared by painting, hit-testing and
/// tests.
class ArcsLayout
{
public:
    ArcsLayout() = default;

    /// Computes the layout; `scrolled` is the height in pixels of rows above the visible part.
    ArcsLayout(QRectF area, const ArcsContent& content, const Theme& theme, double scrolled = 0.0);

    double y(ArcEnd end) const;         ///< Vertical centre of a token's row.
    QRectF row(ArcEnd end) const;       ///< Row of a token, over the width of its column and bars.
    QRectF labelRect(ArcEnd end) const; ///< Area of a token's text.
    std::optional<ArcEnd> endAt(QPointF position) const;

    QRectF header() const { return m_header; }

    QRectF rows() const { return m_rows; } ///< Visible part of the rows, below the header.

    double left() const { return m_left; } ///< Left end of the curves, at the queries.

    double right() const { return m_right; }

    double pitch() const { return m_pitch; }

    double rowsHeight() const { return m_pitch * m_most; } ///< Height of all rows, visible or not.

    /// Area of the bars: beside the keys for a focused query, beside the queries for a focused key.
    QRectF bars(ArcSide focus) const { return focus == ArcSide::Query ? m_keyBars : m_queryBars; }

    TextRole tokenRole() const { return m_role; }

    /// Preferred height of a figure: comfortable rows and the header.
    static double wantedHeight(const ArcsContent& content, const Theme& theme);

private:
    QRectF m_header;
    QRectF m_rows;
    QRectF m_queryBars;
    QRectF m_keyBars;
    QRectF m_queryLabels;
    QRectF m_keyLabels;
    TextRole m_role = TextRole::ArcToken;
    double m_left = 0.0;
    double m_right = 0.0;
    double m_pitch = 1.0;
    double m_scrolled = 0.0;
    int m_queries = 0;
    int m_keys = 0;
    int m_most = 1; ///< Maximum number of tokens in a column.
};

} // namespace headscope::ui
