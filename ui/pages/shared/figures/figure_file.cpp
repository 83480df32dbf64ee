#include "ui/pages/shared/figures/figure_file.h"

#include "core/base/atomic_write.h"
#include "core/base/error.h"
#include "core/base/file.h"
#include "ui/pages/shared/figures/html_session.h"
#include "ui/pages/shared/figures/png_text.h"

#include <QBuffer>
#include <QCoreApplication>
#include <QImageWriter>
#include <QPageSize>
#include <QPainter>
#include <QPdfWriter>
#include <QSvgGenerator>
#include <QXmlStreamReader>
#include <QXmlStreamWriter>

#include <algorithm>
#include <cctype>

namespace headscope::ui {

namespace {

constexpr int kDotsPerInch = 96;
constexpr double kPointsPerPixel = 0.75;
constexpr std::uint64_t kLargestFile = std::uint64_t{1} << 28;
const QString kSessionElement = QStringLiteral("session");
const QByteArray kPngKeyword = "Headscope session";
const QString kNamespace = QStringLiteral("urn:headscope:figure");

QString program()
{
    return (QStringLiteral("Headscope ") + QCoreApplication::applicationVersion()).trimmed();
}

QString longTitle(const Figure& figure)
{
    QStringList parts{figure.title};
    if (!figure.subtitle.isEmpty())
        parts.append(figure.subtitle);
    if (!figure.sentence.isEmpty())
        parts.append(QStringLiteral("\u201C%1\u201D").arg(figure.sentence.left(400)));
    return parts.join(QStringLiteral(" \u2013 "));
}

/// Metadata of a figure as names and texts, without empty ones.
std::vector<std::pair<QString, QString>> metadataOf(const Figure& figure)
{
    std::vector<std::pair<QString, QString>> all{
        {QStringLiteral("Title"), figure.title},
        {QStringLiteral("Model"), figure.subtitle},
        {QStringLiteral("Sentence"), figure.sentence},
        {QStringLiteral("Description"), figure.caption},
        {QStringLiteral("Software"), program()},
    };
    std::erase_if(all, [](const auto& entry) { return entry.second.isEmpty(); });
    return all;
}

QByteArray asPng(QImage image, const Figure& figure, const FigureStyle& style)
{
    for (const auto& [name, text] : metadataOf(figure))
        image.setText(name, text);
    QByteArray bytes;
    QBuffer buffer(&bytes);
    QImageWriter writer(&buffer, "png");
    if (!writer.write(image))
        throw Error("PNG: " + writer.errorString().toStdString(), "figure");
    return style.session.isEmpty() ? bytes : withPngText(bytes, kPngKeyword, style.session);
}

/// The same metadata as elements of Headscope's namespace: in an SVG's <metadata>, or a PDF's XMP
/// packet.
void writeFacts(QXmlStreamWriter& xml, const Figure& figure, const FigureStyle& style)
{
    for (const auto& [name, text] : metadataOf(figure))
        xml.writeTextElement(kNamespace, name.toLower(), text);
    if (!style.session.isEmpty())
        xml.writeTextElement(kNamespace, kSessionElement, QString::fromUtf8(style.session));
}

QByteArray svgMetadata(const Figure& figure, const FigureStyle& style)
{
    QByteArray bytes;
    QXmlStreamWriter xml(&bytes);
    xml.writeNamespace(kNamespace, QStringLiteral("headscope"));
    xml.writeStartElement(QStringLiteral("metadata"));
    writeFacts(xml, figure, style);
    xml.writeEndElement();
    return bytes;
}

QByteArray asSvg(const FigurePage& page, const FigureStyle& style)
{
    QByteArray bytes;
    QBuffer buffer(&bytes);
    QSvgGenerator generator;
    generator.setOutputDevice(&buffer);
    generator.setResolution(kDotsPerInch);
    generator.setSize(page.size());
    generator.setViewBox(QRect(QPoint(0, 0), page.size()));
    // Qt 6.4 writes both exactly like this.
    generator.setTitle(longTitle(page.figure()).toHtmlEscaped());
    generator.setDescription(program().toHtmlEscaped());
    QPainter painter(&generator);
    page.paint(painter, {true, 1.0});
    painter.end();
    const qsizetype place = bytes.indexOf("</desc>");
    if (place < 0)
        throw Error("SVG: the generator wrote no description", "figure");
    bytes.insert(place + qsizetype(sizeof("</desc>")) - 1,
                 "\n" + svgMetadata(page.figure(), style));
    // Black text, whose fill viewers would otherwise omit.
    bytes.replace(" fill=\"\"", " fill=\"#000000\"");
    return bytes;
}

/// XMP packet (https://developer.adobe.com/xmp), which programs locate by its two markers.
QByteArray xmpPacket(const Figure& figure, const FigureStyle& style)
{
    const QString rdf = QStringLiteral("http://www.w3.org/1999/02/22-rdf-syntax-ns#");
    QByteArray bytes;
    QXmlStreamWriter xml(&bytes);
    xml.writeProcessingInstruction(
        QStringLiteral("xpacket"),
        QStringLiteral("begin=\"\uFEFF\" id=\"W5M0MpCehiHzreSzNTczkc9d\""));
    xml.writeNamespace(QStringLiteral("adobe:ns:meta/"), QStringLiteral("x"));
    xml.writeStartElement(QStringLiteral("adobe:ns:meta/"), QStringLiteral("xmpmeta"));
    xml.writeNamespace(rdf, QStringLiteral("rdf"));
    xml.writeStartElement(rdf, QStringLiteral("RDF"));
    xml.writeNamespace(kNamespace, QStringLiteral("headscope"));
    xml.writeStartElement(rdf, QStringLiteral("Description"));
    xml.writeAttribute(rdf, QStringLiteral("about"), QString());
    writeFacts(xml, figure, style);
    xml.writeEndElement();
    xml.writeEndElement();
    xml.writeEndElement();
    xml.writeProcessingInstruction(QStringLiteral("xpacket"), QStringLiteral("end=\"r\""));
    return bytes;
}

QByteArray asPdf(const FigurePage& page, const FigureStyle& style)
{
    QByteArray bytes;
    QBuffer buffer(&bytes);
    buffer.open(QIODevice::WriteOnly);
    QPdfWriter writer(&buffer);
    writer.setResolution(kDotsPerInch);
    writer.setPageSize(QPageSize(QSizeF(page.size()) * kPointsPerPixel, QPageSize::Point, {},
                                 QPageSize::ExactMatch));
    writer.setPageMargins(QMarginsF(0, 0, 0, 0));
    writer.setTitle(longTitle(page.figure()));
    writer.setCreator(program());
    writer.setDocumentXmpMetadata(xmpPacket(page.figure(), style));
    QPainter painter(&writer);
    page.paint(painter, {true, 1.0});
    painter.end();
    return bytes;
}

void write(const QByteArray& bytes, const std::filesystem::path& path)
{
    writeAtomically(path,
                    std::string_view(bytes.constData(), static_cast<std::size_t>(bytes.size())));
}

/// Text of the first <session> element of Headscope's namespace; empty without one.
QByteArray sessionInXml(const QByteArray& bytes)
{
    QXmlStreamReader xml(bytes);
    while (!xml.atEnd()) {
        if (xml.readNext() != QXmlStreamReader::StartElement || xml.namespaceUri() != kNamespace ||
            xml.name() != kSessionElement)
            continue;
        const QString text = xml.readElementText(QXmlStreamReader::SkipChildElements);
        return xml.hasError() ? QByteArray() : text.toUtf8();
    }
    return {};
}

bool isHtml(const std::string& ending)
{
    return ending == ".html" || ending == ".htm";
}

QByteArray sessionInPdf(const QByteArray& bytes)
{
    const qsizetype begin = bytes.indexOf("<?xpacket begin");
    const qsizetype end = bytes.indexOf("<?xpacket end", std::max<qsizetype>(begin, 0));
    return begin < 0 || end < 0 ? QByteArray() : sessionInXml(bytes.mid(begin, end - begin));
}

} // namespace

std::string endingOf(const std::filesystem::path& path)
{
    std::string ending = path.extension().string();
    std::transform(ending.begin(), ending.end(), ending.begin(),
                   [](unsigned char letter) { return static_cast<char>(std::tolower(letter)); });
    return ending;
}

void saveFigure(const Figure& figure, const FigureStyle& style, const std::filesystem::path& path)
{
    const std::string ending = endingOf(path);
    if (ending != ".png" && ending != ".svg" && ending != ".pdf")
        throw Error("cannot determine the figure's format", path.string(),
                    "End the name in .png, .svg or .pdf");
    FigureStyle drawn = style;
    if (ending != ".png")
        drawn.scale = 1.0;
    const FigurePage page(figure, drawn);
    if (ending == ".png")
        return saveFigureImage(page.image(drawn.scale), figure, drawn, path);
    write(ending == ".svg" ? asSvg(page, drawn) : asPdf(page, drawn), path);
}

QByteArray figureSvg(const Figure& figure, const FigureStyle& style)
{
    return asSvg(FigurePage(figure, style), style);
}

void saveFigureImage(const QImage& image, const Figure& figure, const FigureStyle& style,
                     const std::filesystem::path& path)
{
    write(asPng(image, figure, style), path);
}

QByteArray figureSession(const std::filesystem::path& path)
{
    const std::string content = readFile(path, kLargestFile);
    const QByteArray bytes =
        QByteArray::fromRawData(content.data(), static_cast<qsizetype>(content.size()));
    if (bytes.startsWith("\x89PNG"))
        return pngText(bytes, kPngKeyword);
    if (isHtml(endingOf(path)))
        return sessionInHtml(bytes);
    return bytes.startsWith("%PDF-") ? sessionInPdf(bytes) : sessionInXml(bytes);
}

SessionState openSession(const std::filesystem::path& path)
{
    const std::string ending = endingOf(path);
    if (!isHtml(ending) && ending != ".png" && ending != ".svg" && ending != ".pdf")
        return loadSession(path);
    const QByteArray json = figureSession(path);
    if (json.isEmpty())
        throw FormatError(
            isHtml(ending) ? "this page contains no session" : "this figure contains no session",
            path.string(), std::nullopt, "Open one that Headscope wrote, or a .hscope file");
    return parseSession(json, path);
}

bool mayHoldSession(const std::filesystem::path& path)
{
    const std::string ending = endingOf(path);
    return isHtml(ending) || ending == ".hscope" || ending == ".png" || ending == ".svg" ||
           ending == ".pdf";
}

} // namespace headscope::ui
