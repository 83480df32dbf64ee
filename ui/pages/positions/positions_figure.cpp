#include "ui/pages/positions/positions_figure.h"

#include "core/model/model.h"
#include "core/model/positions/position_encodings.h"
#include "ui/pages/positions/positions_clocks.h"
#include "ui/pages/positions/positions_formulas.h"
#include "ui/pages/positions/positions_paint.h"
#include "ui/pages/positions/positions_relative.h"
#include "ui/pages/positions/positions_relative_paint.h"
#include "ui/pages/positions/section_heading.h"
#include "ui/pages/shared/figures/number_rows.h"
#include "ui/pages/shared/position_titles.h"
#include "ui/widgets/tr.h"

#include <QPainter>

#include <algorithm>

namespace headscope::ui {

namespace {

constexpr int kPositions = 64;
constexpr int kLargestOffset = 32;
constexpr int kLongestLearned = 256; ///< Number of rows shown of a learned matrix.
constexpr QSizeF kPlotSize{1072, 700};

Positions schemeNamed(const QString& option, Positions otherwise)
{
    for (const PositionTitle& known : positionTitles())
        if (known.option == option)
            return known.kind;
    return otherwise;
}

int intOption(const QJsonObject& options, const QString& key, int otherwise, int low, int high)
{
    return std::clamp(options.value(key).toInt(otherwise), low, std::max(low, high));
}

NumberTable column(const QString& name, const QString& value, const std::vector<double>& values)
{
    NumberRows rows;
    for (std::size_t row = 0; row < values.size(); ++row)
        rows.add(QString::number(row), {values[row]});
    return rows.table(name, {value});
}

std::vector<NumberTable> relativeNumbers(const RelativeContent& content)
{
    if (content.scheme == Positions::Rope) {
        std::vector<double> scores;
        for (int distance = 0; distance < kDistances; ++distance)
            scores.push_back(content.rope.score(distance, 0));
        return {column("frequencies", "radians_per_token", content.rope.frequencies),
                column("scores", "score", scores)};
    }
    if (content.scheme == Positions::Alibi)
        return {
            column("slopes", "slope", {content.alibi.slopes.begin(), content.alibi.slopes.end()})};
    std::vector<double> buckets;
    for (int distance = 0; distance < bucketDistances(content.buckets.buckets); ++distance)
        buckets.push_back(static_cast<double>(content.buckets.buckets.bucketOf(-distance)));
    std::vector<NumberTable> tables{column("buckets", "bucket", buckets)};
    for (std::size_t head = 0; head < content.buckets.biases.size(); ++head)
        tables.push_back(
            column(QStringLiteral("bias-%1").arg(head), "bias", content.buckets.biases[head]));
    return tables;
}

Figure relativeFigure(const ViewSnapshot& viewed, Positions scheme, const QJsonObject& options)
{
    const RelativeContent content = relativeContent(viewed, scheme, RelativeOptions::from(options));
    Figure figure = figureOf(viewed, positionTitle(scheme).image);
    figure.caption = relativeText(content);
    figure.size = [](const Theme& theme) { return QSizeF(1072, 600) * theme.scale(); };
    figure.paint = [content](QPainter& painter, const QRectF& area, const Theme& theme,
                             const FigureTarget&) { paintRelative(painter, area, content, theme); };
    figure.numbers = relativeNumbers(content);
    return figure;
}

NumberTable numbersOf(const PositionTable& table)
{
    NumberTable numbers;
    numbers.name = QStringLiteral("positions");
    for (int position = 0; position < table.positions; ++position)
        numbers.rows << QString::number(position);
    for (int dimension = 0; dimension < table.dimensions; ++dimension)
        numbers.columns << QString::number(dimension);
    numbers.values = HeatmapMatrix::copyOf({table.values.begin(), table.values.end()},
                                           table.positions, table.dimensions);
    return numbers;
}

void paintRotations(QPainter& painter, QRectF column, const PositionsContent& content,
                    const Theme& theme)
{
    paintSectionHeading(painter, column.topLeft(), tr("An offset is a rotation"), {}, theme);
    paintClocks(painter, column.adjusted(0, 40.0 * theme.scale(), 0, -64.0 * theme.scale()),
                content, theme);
    const double error = largestRotationError(content.table, content.offset, content.base);
    painter.setFont(theme.bold(TextRole::Body));
    painter.setPen(theme.ok);
    painter.drawText(QRectF(column.x(), column.bottom() - 28.0, column.width(), 24.0),
                     Qt::AlignLeft | Qt::AlignVCenter,
                     tr("largest error of the rotation %1").arg(rotationErrorText(error)));
}

void paintTablePage(QPainter& painter, const QRectF& area, const PositionsContent& content,
                    const Theme& theme, const FigureTarget& target)
{
    const bool rotates = content.scheme == Positions::Sinusoidal && area.width() > 800.0;
    const double side = rotates ? 280.0 * theme.scale() : 0.0;
    const QRectF plot = area.adjusted(0, 0, rotates ? -side - 32.0 : 0.0, 0);
    paintPositions(painter, PositionsLayout(plot, content, theme, target.pixelRatio), content,
                   theme);
    if (rotates)
        paintRotations(painter, QRectF(area.right() - side, area.y(), side, area.height()), content,
                       theme);
}

QString captionOf(const PositionsContent& content)
{
    switch (content.scheme) {
    case Positions::Learned:
        return tr("The learned position embeddings, and their similarity to position %1 (dot "
                  "product).")
            .arg(content.position);
    case Positions::None:
        return tr("Without position encoding all positions look the same.");
    default:
        break;
    }
    return tr("Sinusoidal position encodings of %1 dimensions with base %2 on the fixed scale "
              "−1 to 1, and their similarity to position %3 (dot product).")
        .arg(content.table.dimensions)
        .arg(number(content.base, 0))
        .arg(content.position);
}

} // namespace

std::string learnedTableName(const LoadedModel& model)
{
    const bool twoStacks = model.model && model.model->config().isEncoderDecoder();
    return twoStacks ? "dec.pos_emb.weight" : "pos_emb.weight";
}

PositionTable tableOf(Positions scheme, int dimensions, double base, const PositionTable& learned)
{
    if (scheme == Positions::Sinusoidal)
        return sinusoidalTable(kPositions, dimensions, base);
    if (scheme == Positions::Learned)
        return learned;
    PositionTable table{kPositions, dimensions,
                        std::vector<double>(static_cast<std::size_t>(kPositions) * dimensions)};
    ModelConfig config;
    config.dModel = dimensions;
    const Tensor vectors = encodingOf(scheme).vectors(config, kPositions, base);
    std::copy_n(vectors.data(), vectors.size(), table.values.begin());
    return table;
}

PositionTable learnedTable(const LoadedModel& model)
{
    if (!model.model || model.model->config().positions != Positions::Learned)
        return {};
    const TensorView view = model.model->parameters().view(learnedTableName(model));
    PositionTable table{static_cast<int>(std::min<std::int64_t>(view.shape[0], kLongestLearned)),
                        static_cast<int>(view.shape[1]),
                        {}};
    table.values.reserve(static_cast<std::size_t>(table.positions) * table.dimensions);
    for (int position = 0; position < table.positions; ++position)
        for (int dimension = 0; dimension < table.dimensions; ++dimension)
            table.values.push_back(view(position, dimension));
    return table;
}

PositionsContent positionsContent(const LoadedModel& model, const QJsonObject& options)
{
    PositionsContent content;
    content.scheme = schemeNamed(options.value("scheme").toString(), Positions::Sinusoidal);
    if (content.scheme == Positions::Learned && learnedTable(model).isEmpty())
        content.scheme = Positions::Sinusoidal;
    content.base = std::clamp(options.value("base").toDouble(10000.0), 100.0, 100000.0);
    content.table = tableOf(content.scheme, intOption(options, "dimensions", 64, 4, 512) / 2 * 2,
                            content.base, learnedTable(model));
    const int last = content.table.positions - 1;
    content.position = intOption(options, "position", 12, 0, last);
    content.offset = intOption(options, "offset", 5, 0, std::min(kLargestOffset, last));
    return content;
}

QJsonObject positionsOptions(const PositionsContent& content)
{
    return {{"scheme", positionTitle(content.scheme).option},
            {"position", content.position},
            {"offset", content.offset},
            {"dimensions", content.table.dimensions},
            {"base", content.base}};
}

Figure positionsFigure(const ViewSnapshot& viewed, const QJsonObject& options)
{
    const PositionsContent content = positionsContent(viewed.model(), options);
    if (isRelative(content.scheme))
        return relativeFigure(viewed, content.scheme, options);
    Figure figure = figureOf(viewed, positionTitle(content.scheme).image);
    figure.caption = captionOf(content);
    figure.size = [](const Theme& theme) { return kPlotSize * theme.scale(); };
    figure.paint = [content](QPainter& painter, const QRectF& area, const Theme& theme,
                             const FigureTarget& target) {
        paintTablePage(painter, area, content, theme, target);
    };
    figure.numbers.push_back(numbersOf(content.table));
    return figure;
}

} // namespace headscope::ui
