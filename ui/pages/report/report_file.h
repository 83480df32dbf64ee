#pragma once

#include "core/analysis/report/model_report.h"
#include "ui/widgets/text/document.h"

#include <QBuffer>
#include <QPdfWriter>

#include <filesystem>
#include <functional>
#include <memory>

namespace headscope::ui {

/// A report on A4 pages in the light theme. Needs a QGuiApplication, on its thread.
class ReportPages
{
public:
    explicit ReportPages(const ModelReport& report);

    int count() const { return static_cast<int>(m_pages.size()); }

    void paint(QPainter& painter, int page) const;
    QRectF room() const; ///< Area of a page within its margins.

private:
    QString m_title;
    Document m_document;
    std::vector<std::vector<PlacedPiece>> m_pages;
};

/// Makes the PDF page by page, so that the caller can process events in between.
class ReportPdf
{
public:
    explicit ReportPdf(const ModelReport& report);
    ~ReportPdf();

    int pages() const { return m_reportPages.count(); }

    int done() const { return m_done; }

    bool addPage();    ///< Returns false when all pages are complete.
    QByteArray take(); ///< Returns the file once all pages are complete.

private:
    ReportPages m_reportPages;
    QByteArray m_bytes;
    QBuffer m_buffer;
    std::unique_ptr<QPdfWriter> m_writer;
    std::unique_ptr<QPainter> m_painter;
    int m_done = 0;
};

/// Format of a path, by its extension. Throws Error for any other.
enum class ReportFormat { Pdf, Json };
ReportFormat reportFormat(const std::filesystem::path& path);

/// Writes atomically. PDF needs a QGuiApplication. Throws Error.
void saveReport(const ModelReport& report, const std::filesystem::path& path);

} // namespace headscope::ui
