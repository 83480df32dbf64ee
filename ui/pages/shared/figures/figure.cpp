#include "ui/pages/shared/figures/figure.h"

#include "core/text/display_text.h"

#include <QCoreApplication>

#include <algorithm>
#include <cmath>

namespace headscope::ui {

QImage crispImage(const QImage& image, const FigureTarget& target)
{
    constexpr int kEnlarged = 8;
    constexpr int kLargestSide = 2048;
    if (!target.vectors || image.isNull())
        return image;
    const int side = std::max(image.width(), image.height());
    const int factor = std::clamp(kLargestSide / side, 1, kEnlarged);
    return image.scaled(image.size() * factor, Qt::IgnoreAspectRatio, Qt::FastTransformation);
}

double figureCell(int longer, const Theme& theme)
{
    constexpr double kLargestMap = 1200.0;
    constexpr double kLargestCell = 38.0;
    const double fitting = kLargestMap / std::max(longer, 1);
    const double cell = std::clamp(std::floor(fitting), 1.0, kLargestCell * theme.scale());
    return std::min(cell, fitting);
}

NumberTable numbersOf(const QString& name, const HeatmapContent& map)
{
    NumberTable table{name, map.rowLabels, map.columnLabels, map.matrix};
    if (map.sink.empty())
        return table;
    std::vector<float> values;
    for (int row = 0; row < map.matrix.rows; ++row) {
        const float* begin =
            map.matrix.values.get() + static_cast<std::size_t>(row) * map.matrix.columns;
        values.insert(values.end(), begin, begin + map.matrix.columns);
        values.push_back(map.sink[static_cast<std::size_t>(row)]);
    }
    table.columns << QStringLiteral("(sink)");
    table.values =
        HeatmapMatrix::copyOf(std::move(values), map.matrix.rows, map.matrix.columns + 1);
    return table;
}

Figure figureOf(const ViewSnapshot& view, const QString& title)
{
    Figure figure;
    figure.title = title;
    const TracePtr& trace = view.trace();
    if (!trace)
        return figure;
    figure.subtitle = QString::fromStdString(trace->info().model);
    if (view.shown != Variant::A)
        figure.subtitle +=
            QCoreApplication::translate("Figure", ", %1: %2")
                .arg(view.shown == Variant::B ? QStringLiteral("B") : QStringLiteral("B−A"),
                     view.changes.describe());
    const std::string& text =
        trace->sourceTokens().tokens.empty() ? trace->tokens().text : trace->sourceTokens().text;
    figure.sentence = QString::fromStdString(displayText(text));
    return figure;
}

} // namespace headscope::ui
