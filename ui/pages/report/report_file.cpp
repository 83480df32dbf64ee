#include "ui/pages/report/report_file.h"

#include "core/analysis/report/model_report_file.h"
#include "core/base/atomic_write.h"
#include "core/base/error.h"
#include "ui/pages/report/report_document.h"
#include "ui/pages/shared/figures/figure_file.h"
#include "ui/widgets/tr.h"

#include <QPageSize>
#include <QPainter>

#include <nlohmann/json.hpp>

#include <algorithm>

namespace headscope::ui {

namespace {

constexpr int kDotsPerInch = 96;
constexpr double kPointsPerInch = 72.0;
constexpr double kSide = 64.0; ///< Margin in logical pixels.
constexpr double kTop = 56.0;
constexpr double kBottom = 72.0;
constexpr double kFooter = 36.0; ///< Height of its centre above the bottom edge.
/// Disables ligatures, so that "off" is found as typed.
constexpr double kNoLigatures = 1.0 / 64.0;

QSizeF paper()
{
    return QPageSize(QPageSize::A4).size(QPageSize::Point) * (kDotsPerInch / kPointsPerInch);
}

Theme printTheme()
{
    QFont font = bodyFont();
    font.setLetterSpacing(QFont::AbsoluteSpacing, kNoLigatures);
    return Theme::named(false, font);
}

} // namespace

ReportPages::ReportPages(const ModelReport& report)
    : m_title(tr("Headscope report on %1").arg(reportText(report.settings.model)))
    , m_document(printTheme(), paper().width() - 2.0 * kSide)
{
    setReport(m_document, report);
    m_pages = placePieces(m_document.pieces(), room().size());
}

QRectF ReportPages::room() const
{
    const QSizeF all = paper();
    return {kSide, kTop, all.width() - 2.0 * kSide, all.height() - kTop - kBottom};
}

void ReportPages::paint(QPainter& painter, int page) const
{
    const Theme& theme = m_document.theme();
    const QRectF place = room();
    for (const PlacedPiece& piece : m_pages.at(static_cast<std::size_t>(page))) {
        painter.save();
        piece.piece->paint(painter, piece.area.translated(place.topLeft()));
        painter.restore();
    }
    const QFont font = theme.font(TextRole::Caption);
    const QRectF footer(place.left(), paper().height() - kFooter - 10.0, place.width(), 20.0);
    painter.setFont(font);
    painter.setPen(theme.text2);
    const QString number = tr("%1 of %2").arg(page + 1).arg(count());
    const double room = footer.width() - QFontMetricsF(font).horizontalAdvance(number) - 24.0;
    painter.drawText(footer, Qt::AlignLeft | Qt::AlignVCenter,
                     QFontMetricsF(font).elidedText(m_title, Qt::ElideMiddle, room));
    painter.drawText(footer, Qt::AlignRight | Qt::AlignVCenter, number);
}

ReportPdf::ReportPdf(const ModelReport& report) : m_reportPages(report), m_buffer(&m_bytes)
{
    m_buffer.open(QIODevice::WriteOnly);
    m_writer = std::make_unique<QPdfWriter>(&m_buffer);
    m_writer->setResolution(kDotsPerInch);
    m_writer->setPageSize(QPageSize(QPageSize::A4));
    m_writer->setPageMargins(QMarginsF(0, 0, 0, 0));
    m_writer->setTitle(tr("Headscope report on %1").arg(reportText(report.settings.model)));
    m_writer->setCreator(reportText(report.settings.program));
}

ReportPdf::~ReportPdf() = default;

bool ReportPdf::addPage()
{
    if (m_done == m_reportPages.count())
        return false;
    if (!m_painter)
        m_painter = std::make_unique<QPainter>(m_writer.get());
    else
        m_writer->newPage();
    m_reportPages.paint(*m_painter, m_done++);
    return m_done < m_reportPages.count();
}

QByteArray ReportPdf::take()
{
    m_painter.reset(); // Finishes the document.
    m_writer.reset();
    m_buffer.close();
    return m_bytes;
}

ReportFormat reportFormat(const std::filesystem::path& path)
{
    const std::string ending = endingOf(path);
    if (ending == ".pdf")
        return ReportFormat::Pdf;
    if (ending == ".json")
        return ReportFormat::Json;
    throw Error("cannot determine the report's format", path.string(),
                "End the name in .pdf or .json");
}

void saveReport(const ModelReport& report, const std::filesystem::path& path)
{
    if (reportFormat(path) == ReportFormat::Json) {
        saveReportJson(report, path);
        return;
    }
    ReportPdf pdf(report);
    while (pdf.addPage()) {
    }
    const QByteArray bytes = pdf.take();
    writeAtomically(path,
                    std::string_view(bytes.constData(), static_cast<std::size_t>(bytes.size())));
}

} // namespace headscope::ui
