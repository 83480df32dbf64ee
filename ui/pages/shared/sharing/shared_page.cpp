#include "ui/pages/shared/sharing/shared_page.h"

#include "core/base/atomic_write.h"
#include "core/base/builtin_text.h"
#include "core/base/error.h"
#include "ui/pages/shared/figures/figure_file.h"
#include "ui/pages/shared/figures/html_session.h"
#include "ui/pages/shared/sharing/shared_data.h"
#include "ui/widgets/tr.h"

#include <QBuffer>
#include <QCoreApplication>
#include <QCryptographicHash>

#include <map>

namespace headscope {

std::span<const BuiltinText> builtinShareTexts();

} // namespace headscope

namespace headscope::ui {

namespace {

constexpr qsizetype kLargestShapes =
    1'000'000;                           ///< Size of one theme's SVG: beyond it pixels are smaller
constexpr qsizetype kReserved = 500'000; ///< Room for labels and scores
constexpr double kPixelScale = 1.5;

using Parts = std::map<QByteArray, QByteArray>;

QByteArray escaped(const QString& text)
{
    return text.toHtmlEscaped().toUtf8();
}

QByteArray shareText(std::string_view name)
{
    const std::string_view text = builtinText(builtinShareTexts(), name);
    return {text.data(), static_cast<qsizetype>(text.size())};
}

/// The template with every {{name}} replaced once, so that nothing in a part is taken for a place.
QByteArray filled(const QByteArray& pattern, const Parts& parts)
{
    QByteArray page;
    qsizetype at = 0;
    for (qsizetype open; (open = pattern.indexOf("{{", at)) >= 0;) {
        const qsizetype close = pattern.indexOf("}}", open);
        page += pattern.mid(at, open - at) + parts.at(pattern.mid(open + 2, close - open - 2));
        at = close + 2;
    }
    return page + pattern.mid(at);
}

// -------------------------------------------------------------------------------------- the figure

/// Without the XML declaration, and without titles and metadata, which the page has itself. Ids are
/// prefixed, because two figures stand in one page.
QByteArray inlineSvg(QByteArray svg, const QByteArray& prefix)
{
    svg.remove(0, svg.indexOf("<svg"));
    for (const QByteArray name : {"title", "desc", "metadata"}) {
        const qsizetype begin = svg.indexOf('<' + name);
        const QByteArray end = "</" + name + '>';
        const qsizetype close = svg.indexOf(end, begin);
        if (begin >= 0 && close >= 0)
            svg.remove(begin, close + end.size() - begin);
    }
    svg.replace(" id=\"", " id=\"" + prefix);
    svg.replace("=\"url(#", "=\"url(#" + prefix);
    return svg;
}

QByteArray pixels(const Figure& figure, bool dark)
{
    QByteArray png;
    QBuffer buffer(&png);
    figureImage(figure, {dark, kPixelScale}).save(&buffer, "png");
    return "<img alt=\"\" src=\"data:image/png;base64," + png.toBase64() + "\">";
}

QByteArray figureOfTheme(const Figure& figure, bool dark)
{
    const QByteArray theme = dark ? "dark" : "light";
    const QByteArray svg = figureSvg(figure, {dark});
    return "<div class=\"figure " + theme + "\" role=\"img\" aria-label=\"" +
           escaped(figure.title) + "\">" +
           (svg.size() > kLargestShapes ? pixels(figure, dark) : inlineSvg(svg, theme + '-')) +
           "</div>\n";
}

QByteArray figureSection(const Figure& figure)
{
    if (!figure.paint)
        return {};
    return "<section aria-labelledby=\"figureName\">\n<h2 id=\"figureName\">" +
           escaped(tr("The page as it was shared")) + "</h2>\n" + figureOfTheme(figure, false) +
           figureOfTheme(figure, true) + "<p class=\"quiet\">" + escaped(figure.caption) +
           "</p>\n</section>";
}

// ------------------------------------------------------------------------------------ words, colours

QByteArray coloursOf(const Theme& theme)
{
    const std::pair<const char*, QColor> colours[] = {
        {"window", theme.window}, {"surface", theme.surface}, {"hover", theme.hover},
        {"line", theme.line},     {"control", theme.control}, {"text", theme.text},
        {"text2", theme.text2},   {"accent", theme.accent},   {"soft", theme.soft},
        {"key", theme.key},       {"bar", theme.bar},         {"less", theme.less},
    };
    QByteArray declarations;
    for (const auto& [name, colour] : colours)
        declarations += "--" + QByteArray(name) + ':' + colour.name().toLatin1() + ';';
    return declarations;
}

QString holdsText(const SharedPatterns& patterns, qsizetype largest)
{
    if (patterns.allHeads == 0)
        return tr("This text has no attention patterns to explore.");
    return tr("Contains %1 of %2 heads; weights are rounded to within %3. A shared page has at "
              "most %4 MB.")
        .arg(count(patterns.storedHeads), count(patterns.allHeads),
             number(patterns.rounding(), patterns.bits == 16 ? 5 : 3),
             QString::number(static_cast<double>(largest) / 1e6));
}

Parts partsOf(const SharedPage& page)
{
    const QByteArray script = shareText("script");
    const QByteArray hash = QCryptographicHash::hash(script, QCryptographicHash::Sha256);
    Figure named = page.figure;
    if (named.title.isEmpty())
        named = figureOf(page.view, page.title);
    return {
        {"language", escaped(tr("en"))},
        {"scriptHash", hash.toBase64()},
        {"script", script},
        {"program", escaped(QStringLiteral("Headscope ") + QCoreApplication::applicationVersion())},
        {"documentTitle", escaped(named.title + QStringLiteral(" \u2013 Headscope"))},
        {"title", escaped(named.title == page.title || page.title.isEmpty()
                              ? named.title
                              : tr("%1: %2").arg(page.title, named.title))},
        {"question", escaped(page.question)},
        {"model", escaped(named.subtitle)},
        {"lightColours", coloursOf(Theme::light())},
        {"darkColours", coloursOf(Theme::darkTheme())},
        {"needsScript", escaped(tr("The map to explore needs JavaScript; the figure does not."))},
        {"opens", page.session.isEmpty()
                      ? QByteArray()
                      : escaped(tr("Contains the session: open this file in Headscope to continue "
                                   "from here."))},
        {"session", sessionElement(page.session)},
        {"figure", figureSection(page.figure)},
    };
}

qsizetype sizeOf(const Parts& parts)
{
    qsizetype size = shareText("page").size();
    for (const auto& [name, part] : parts)
        size += part.size();
    return size;
}

} // namespace

QByteArray sharedPageHtml(const SharedPage& page, qsizetype largest)
{
    if (!page.view.trace())
        throw Error("there is nothing to share yet", "shared page", "Open a model and type a text");
    Parts parts = partsOf(page);
    const qsizetype rest = std::max<qsizetype>(largest - sizeOf(parts) - kReserved, 0);
    const SharedPatterns patterns = sharedPatterns(page.view, rest / 4 * 3); // base64
    parts["holds"] = escaped(holdsText(patterns, largest));
    parts["data"] = scriptJson(sharedData(page.view, patterns));
    QByteArray html = filled(shareText("page"), parts);
    if (html.size() > largest)
        throw Error("the page would be larger than 10 MB", "shared page",
                    "Shorten the text, or export the view as a figure");
    return html;
}

void saveSharedPage(const SharedPage& page, const std::filesystem::path& path)
{
    const QByteArray html = sharedPageHtml(page);
    writeAtomically(path,
                    std::string_view(html.constData(), static_cast<std::size_t>(html.size())));
}

} // namespace headscope::ui
