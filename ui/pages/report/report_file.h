#pragma once

#include "core/analysis/report/model_report.h"
#include "ui/widgets/text/document.h"

#include <QBuffer>
#include <QPdfWriter>

#include <filesystem>
#include <functional>
#include <memory>

class QImage;

namespace headscope::ui {

/// A report on A4 pages, in the light theme. Needs a QGuiApplication, on its thread.
class ReportSheets
{
public:
    explicit ReportSheets(const ModelReport& report);

    int count() const { return static_cast<int>(m_pages.size()); }

    QSizeF size() const; ///< of a page, logical pixels

    void paint(QPainter& painter, int page) const;
    QImage image(int page, double scale) const; ///< as it looks, for tests and eyes

    const std::vector<std::vector<PlacedPiece>>& pages() const { return m_pages; }

    QRectF room() const; ///< of a page, within its margins

private:
    QString m_title;
    Document m_document;
    std::vector<std::vector<PlacedPiece>> m_pages;
};

/// Makes the PDF a page at a time, so that whoever waits can do something else in between.
class ReportPdf
{
public:
    explicit ReportPdf(const ModelReport& report);
    ~ReportPdf();

    int pages() const { return m_sheets.count(); }

    int done() const { return m_done; }

    bool addPage();    ///< false when all are there
    QByteArray take(); ///< once all are: the file

private:
    ReportSheets m_sheets;
    QByteArray m_bytes;
    QBuffer m_buffer;
    std::unique_ptr<QPdfWriter> m_writer;
    std::unique_ptr<QPainter> m_painter;
    int m_done = 0;
};

/// Which of the two a path asks for, by its ending. Throws Error for any other.
enum class ReportFormat { Pdf, Json };
ReportFormat reportFormat(const std::filesystem::path& path);

/// Writes atomically. PDF needs a QGuiApplication. Throws Error.
void saveReport(const ModelReport& report, const std::filesystem::path& path);

} // namespace headscope::ui
