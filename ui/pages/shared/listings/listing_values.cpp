#include "ui/pages/shared/listings/listing_values.h"

#include "ui/widgets/worked/worked_diagram.h"

#include <algorithm>

namespace headscope::ui {

namespace {

constexpr int kMostRows = 8;
constexpr int kMostColumns = 6;

QString cellText(const WorkedMatrix& matrix, int row, int column, std::size_t stepsDone)
{
    const std::size_t at = matrix.at(row, column);
    if (matrix.filledAfter[at] > stepsDone)
        return QStringLiteral("?");
    return workedNumber(matrix.values[at], 4, true);
}

QString tableCell(const QString& text, const char* tag)
{
    return QStringLiteral("<%1 align='right' style='padding: 1px 8px 1px 0'>%2</%1>")
        .arg(QLatin1String(tag), text.toHtmlEscaped());
}

} // namespace

QString listingValues(const WorkedMatrix& matrix, std::size_t stepsDone)
{
    const int rows = std::min(matrix.rows(), kMostRows);
    const int columns = std::min(matrix.columns(), kMostColumns);
    QString table = QStringLiteral("<table cellspacing='0'><tr>") + tableCell({}, "td");
    for (int column = 0; column < columns; ++column)
        table += tableCell(
            QString::fromStdString(matrix.columnLabels[static_cast<std::size_t>(column)]), "td");
    table += columns < matrix.columns() ? tableCell(QStringLiteral("…"), "td") : QString();
    table += QStringLiteral("</tr>");
    for (int row = 0; row < rows; ++row) {
        table += QStringLiteral("<tr>") +
                 tableCell(QString::fromStdString(matrix.rowLabels[static_cast<std::size_t>(row)]),
                           "td");
        for (int column = 0; column < columns; ++column)
            table += tableCell(cellText(matrix, row, column, stepsDone), "td");
        table += QStringLiteral("</tr>");
    }
    if (rows < matrix.rows())
        table +=
            QStringLiteral("<tr>") + tableCell(QStringLiteral("…"), "td") + QStringLiteral("</tr>");
    return table + QStringLiteral("</table>");
}

} // namespace headscope::ui
