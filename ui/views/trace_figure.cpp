#include "ui/views/trace_figure.h"

#include "core/base/error.h"
#include "core/base/file.h"
#include "ui/views/trace_figure_content.h"

#include <QBuffer>
#include <QGuiApplication>
#include <QImageWriter>
#include <QPageSize>
#include <QPainter>
#include <QPdfWriter>
#include <QSvgGenerator>

#include <algorithm>
#include <cmath>

namespace headscope::ui {
namespace {

constexpr int kDotsPerInch = 96;
constexpr double kPointsPerPixel = 0.75;

QString program()
{
    return (QStringLiteral("Headscope ") + QCoreApplication::applicationVersion()).trimmed();
}

QString longTitle(const FigureContent& content)
{
    QStringList parts{content.title};
    if (!content.model.isEmpty())
        parts.append(content.model);
    if (!content.sentence.isEmpty())
        parts.append(QStringLiteral("“%1”").arg(content.sentence.left(400)));
    return parts.join(QStringLiteral(" – "));
}

QImage pixels(const FigureContent& content, const Theme& theme, double scale)
{
    QImage image((QSizeF(content.size) * scale).toSize(), QImage::Format_RGB32);
    if (image.isNull())
        throw Error("there is no memory for a picture of this size", "renderFigure",
                    "Ask for a smaller one");
    const int dotsPerMetre = static_cast<int>(std::lround(kDotsPerInch / 0.0254));
    image.setDotsPerMeterX(dotsPerMetre);
    image.setDotsPerMeterY(dotsPerMetre);
    image.setDevicePixelRatio(scale);
    image.fill(theme.surface);
    QPainter painter(&image);
    painter.setRenderHint(QPainter::TextAntialiasing);
    paintFigure(painter, content, theme, FigureTarget::Pixels, scale);
    return image;
}

QByteArray asPng(const FigureContent& content, const Theme& theme, double scale)
{
    QImage image = pixels(content, theme, scale);
    image.setText(QStringLiteral("Title"), content.title);
    image.setText(QStringLiteral("Model"), content.model);
    image.setText(QStringLiteral("Sentence"), content.sentence);
    image.setText(QStringLiteral("Software"), program());
    QByteArray bytes;
    QBuffer buffer(&bytes);
    QImageWriter writer(&buffer, "png");
    if (!writer.write(image))
        throw Error("PNG: " + writer.errorString().toStdString(), "renderFigure");
    return bytes;
}

QByteArray asSvg(const FigureContent& content, const Theme& theme)
{
    QByteArray bytes;
    QBuffer buffer(&bytes);
    QSvgGenerator generator;
    generator.setOutputDevice(&buffer);
    generator.setResolution(kDotsPerInch);
    generator.setSize(content.size);
    generator.setViewBox(QRect(QPoint(0, 0), content.size));
    generator.setTitle(longTitle(content).toHtmlEscaped()); // Qt 6.4 writes it as it is
    generator.setDescription(program().toHtmlEscaped());
    QPainter painter(&generator);
    paintFigure(painter, content, theme, FigureTarget::Vectors, 1.0);
    painter.end();
    return bytes;
}

QByteArray asPdf(const FigureContent& content, const Theme& theme)
{
    QByteArray bytes;
    QBuffer buffer(&bytes);
    buffer.open(QIODevice::WriteOnly);
    QPdfWriter writer(&buffer);
    writer.setResolution(kDotsPerInch);
    const QPageSize page(QSizeF(content.size) * kPointsPerPixel, QPageSize::Point, {},
                         QPageSize::ExactMatch);
    writer.setPageSize(page);
    writer.setPageMargins(QMarginsF(0, 0, 0, 0));
    writer.setTitle(longTitle(content));
    writer.setCreator(program());
    QPainter painter(&writer);
    paintFigure(painter, content, theme, FigureTarget::Vectors, 1.0);
    painter.end();
    return bytes;
}

Theme themeOf(const FigureRequest& request)
{
    if (qobject_cast<QGuiApplication*>(QCoreApplication::instance()) == nullptr)
        throw Error("pictures need a QGuiApplication", "renderFigure");
    return Theme::named(request.dark, bodyFont());
}

} // namespace

QImage figureImage(const FigureRequest& request)
{
    const Theme theme = themeOf(request);
    return pixels(figureContent(request, theme), theme, request.scale);
}

void renderFigure(const FigureRequest& request, const std::filesystem::path& path)
{
    std::string ending = path.extension().string();
    std::transform(ending.begin(), ending.end(), ending.begin(),
                   [](unsigned char letter) { return static_cast<char>(std::tolower(letter)); });
    if (ending != ".png" && ending != ".svg" && ending != ".pdf")
        throw Error("cannot tell the picture's format", path.string(),
                    "End the name in .png, .svg or .pdf");
    const Theme theme = themeOf(request);
    const FigureContent content = figureContent(request, theme);
    const QByteArray bytes = ending == ".png"   ? asPng(content, theme, request.scale)
                             : ending == ".svg" ? asSvg(content, theme)
                                                : asPdf(content, theme);
    writeAtomically(path,
                    std::string_view(bytes.constData(), static_cast<std::size_t>(bytes.size())));
}

} // namespace headscope::ui
