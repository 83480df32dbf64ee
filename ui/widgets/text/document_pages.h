#pragma once

#include <QRectF>
#include <QSizeF>

#include <functional>
#include <memory>
#include <vector>

class QPainter;

namespace headscope::ui {

/// Unbreakable unit of a page: a line of text, a row of a table, a figure.
struct DocumentPiece
{
    double before = 0.0; ///< Space above, except at the top of a page.
    double height = 0.0;
    /// True for headings and table heads, which stay on the page of the next piece.
    bool keepsNext = false;
    std::function<void(QPainter&, const QRectF& area)> paint;
    /// Table head that is repeated above it at the start of a page.
    std::shared_ptr<const DocumentPiece> head;
};

struct PlacedPiece
{
    /// Piece of the document, or the head of one of its pieces.
    const DocumentPiece* piece = nullptr;
    QRectF area;
};

/// Pieces of each page, with their positions. Pieces taller than a page are scaled to fit. `pieces`
/// must outlive the result.
std::vector<std::vector<PlacedPiece>> placePieces(const std::vector<DocumentPiece>& pieces,
                                                  QSizeF page);

} // namespace headscope::ui
