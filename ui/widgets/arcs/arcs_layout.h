#pragma once

#include "ui/widgets/arcs/arcs.h"

namespace headscope::ui {

/// Where two columns of tokens, the curves between them and the bars beside them lie. The only
/// geometry: painting, hit-testing and tests all use it.
class ArcsLayout
{
public:
    ArcsLayout() = default;

    /// `scrolled`: pixels of rows that are above the visible part.
    ArcsLayout(QRectF area, const ArcsContent& content, const Theme& theme, double scrolled = 0.0);

    double y(ArcEnd end) const;         ///< the middle of a token's row
    QRectF row(ArcEnd end) const;       ///< over the width of its column and its bars
    QRectF labelRect(ArcEnd end) const; ///< where the text stands
    std::optional<ArcEnd> endAt(QPointF position) const;

    QRectF header() const { return m_header; }

    QRectF rows() const { return m_rows; } ///< the visible part below the header

    double left() const { return m_left; } ///< where curves begin, at the queries

    double right() const { return m_right; }

    double pitch() const { return m_pitch; }

    double rowsHeight() const { return m_pitch * m_most; } ///< visible or not

    /// Bars of an outgoing token stand beside the keys, of an incoming one beside the queries.
    QRectF bars(ArcSide focus) const { return focus == ArcSide::Query ? m_keyBars : m_queryBars; }

    TextRole tokenRole() const { return m_role; }

    /// Height with comfortable rows, the header included: what a figure wants.
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
    int m_most = 1; ///< of both
};

} // namespace headscope::ui
