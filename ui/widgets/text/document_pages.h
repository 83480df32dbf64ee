#pragma once

#include <QRectF>
#include <QSizeF>

#include <functional>
#include <memory>
#include <vector>

class QPainter;

namespace headscope::ui {

/// What pages are set from and what is never cut: a line of text, a row of a table, a picture.
struct DocumentPiece
{
    double before = 0.0; ///< room above it, but not at the top of a page
    double height = 0.0;
    bool keepsNext = false; ///< stands on the page of what follows: a heading, the head of a table
    std::function<void(QPainter&, const QRectF& area)> paint;
    std::shared_ptr<const DocumentPiece> head; ///< drawn again above it where it begins a page
};

struct PlacedPiece
{
    const DocumentPiece* piece = nullptr; ///< of the document, or the head of one of its pieces
    QRectF area;
};

/// One list a page. Pieces higher than a page are shrunk to fit. `pieces` must outlive the result.
std::vector<std::vector<PlacedPiece>> placePieces(const std::vector<DocumentPiece>& pieces,
                                                  QSizeF page);

} // namespace headscope::ui
