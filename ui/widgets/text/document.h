#pragma once

#include "ui/widgets/style/theme.h"
#include "ui/widgets/text/document_pages.h"

#include <QSizeF>
#include <QString>

#include <functional>
#include <optional>
#include <utility>
#include <vector>

class QPainter;

namespace headscope::ui {

struct DocumentColumn
{
    enum class Kind { Text, Number, Bar, SignedBar };

    QString title;
    double width = 0.0; ///< Width at scale 1; 0: an equal part of the remaining width.
    Kind kind = Kind::Text;
    int decimals = 3;
    double full = 1.0; ///< Value of a full bar.
};

struct DocumentCell
{
    DocumentCell(const QString& words) : text(words) {}

    DocumentCell(double number) : value(number) {}

    QString text;
    std::optional<double> value; ///< Value of the bar; NaN: not defined, shown as a dash.
};

using DocumentRow = std::vector<DocumentCell>;

/// Builder of a document: texts, tables and figures in one column.
class Document
{
public:
    Document(const Theme& theme, double width) : m_theme(theme), m_width(width) {}

    const Theme& theme() const { return m_theme; }

    double width() const { return m_width; }

    void addTitle(const QString& text);
    void addHeading(const QString& text);
    void addSubheading(const QString& text);
    void addText(const QString& text);
    /// Adds a caption in small type, below what it explains.
    void addCaption(const QString& text);
    void addFacts(const std::vector<std::pair<QString, QString>>& facts);
    void addTable(const std::vector<DocumentColumn>& columns, const std::vector<DocumentRow>& rows);
    /// Adds a table in small type, line by line: for many rows.
    void addSmallTable(const std::vector<DocumentColumn>& columns,
                       const std::vector<DocumentRow>& rows);
    /// Adds a figure of this size in logical pixels, scaled down on narrower pages.
    void addImage(QSizeF size, std::function<void(QPainter&, const QRectF& area)> paint);

    const std::vector<DocumentPiece>& pieces() const { return m_pieces; }

private:
    void addLines(const QString& text, const QFont& font, const QColor& colour, double before,
                  bool keepsNext);
    std::vector<double> widthsOf(const std::vector<DocumentColumn>& columns) const;
    DocumentPiece headOf(const std::vector<DocumentColumn>& columns) const;
    DocumentPiece rowOf(const std::vector<DocumentColumn>& columns, const DocumentRow& row,
                        TextRole role) const;
    void addRows(const std::vector<DocumentColumn>& columns, const std::vector<DocumentRow>& rows,
                 TextRole role);

    Theme m_theme;
    double m_width;
    std::vector<DocumentPiece> m_pieces;
};

} // namespace headscope::ui
