#include "ui/widgets/text/document_pages.h"

#include <algorithm>
#include <cstddef>

namespace headscope::ui {

namespace {

/// Number of pieces from `first` on that must share a page.
std::size_t groupFrom(const std::vector<DocumentPiece>& pieces, std::size_t first)
{
    std::size_t count = 1;
    while (first + count < pieces.size() && pieces[first + count - 1].keepsNext)
        ++count;
    return count;
}

double heightOfGroup(const std::vector<DocumentPiece>& pieces, std::size_t first, std::size_t count)
{
    double height = 0.0;
    for (std::size_t index = first; index < first + count; ++index)
        height += (index > first ? pieces[index].before : 0.0) + pieces[index].height;
    return height;
}

} // namespace

std::vector<std::vector<PlacedPiece>> placePieces(const std::vector<DocumentPiece>& pieces,
                                                  QSizeF page)
{
    std::vector<std::vector<PlacedPiece>> pages(1);
    double y = 0.0;
    const auto place = [&](const DocumentPiece& piece, double before) {
        const double height = std::min(piece.height, page.height());
        y += before;
        pages.back().push_back({&piece, QRectF(0.0, y, page.width(), height)});
        y += height;
    };
    for (std::size_t index = 0; index < pieces.size();) {
        const std::size_t count = groupFrom(pieces, index);
        const double wanted = heightOfGroup(pieces, index, count);
        const bool begins = pages.back().empty();
        const double room = page.height() - y - (begins ? 0.0 : pieces[index].before);
        // A group larger than a page is split between pieces.
        const bool fits = wanted <= room;
        const std::size_t taken = fits || wanted <= page.height() ? count : 1;
        if (!begins && !fits && (taken == count || pieces[index].height > room)) {
            pages.emplace_back();
            y = 0.0;
            if (pieces[index].head)
                place(*pieces[index].head, 0.0);
        }
        for (std::size_t end = index + taken; index < end; ++index)
            place(pieces[index], y > 0.0 ? pieces[index].before : 0.0);
    }
    return pages;
}

} // namespace headscope::ui
