#include "ui/pages/weights/weights_content.h"

#include "core/analysis/weights/singular_values.h"
#include "ui/pages/shared/maps/shown_pattern.h"
#include "ui/widgets/tr.h"

#include <algorithm>
#include <cmath>

namespace headscope::ui {

namespace {

using Axis = WeightMatrix::Axis;

constexpr std::int64_t kMostCells = 1024; ///< Rows and columns of a map.
constexpr std::int64_t kNearRows = 48;
constexpr std::int64_t kMostNearColumns = 1 << 16;

struct MatrixMeaning
{
    const char* suffix;
    const char* meaning;
};

/// By the end of the name; the first that fits counts.
constexpr MatrixMeaning kMeanings[] = {
    {"W_Q", QT_TR_NOOP("queries")},
    {"W_K", QT_TR_NOOP("keys")},
    {"W_V", QT_TR_NOOP("values")},
    {"W_O", QT_TR_NOOP("attention output")},
    {"W_Q_down", QT_TR_NOOP("queries, compressed")},
    {"W_Q_up", QT_TR_NOOP("queries, expanded")},
    {"W_KV_down", QT_TR_NOOP("keys and values, compressed")},
    {"W_KV_up", QT_TR_NOOP("keys and values, expanded")},
    {"W_in", QT_TR_NOOP("MLP, in")},
    {"W_gate", QT_TR_NOOP("MLP, gate")},
    {"W_out", QT_TR_NOOP("MLP, out")},
    {"W_router", QT_TR_NOOP("router")},
    {"W_E", QT_TR_NOOP("token embeddings")},
    {"W_pos", QT_TR_NOOP("position embeddings")},
    {"W_type", QT_TR_NOOP("segment embeddings")},
    {"W_rel", QT_TR_NOOP("position biases")},
    {"W_U", QT_TR_NOOP("unembedding")},
    {"W_pool", QT_TR_NOOP("pooler")},
    {"W_next", QT_TR_NOOP("next-sentence head")},
    {"W_dense", QT_TR_NOOP("dense layer of the head")},
    {".w", QT_TR_NOOP("gain of a norm")},
    {".b", QT_TR_NOOP("bias of a norm")},
};

QString meaningOf(const std::string& name)
{
    for (const MatrixMeaning& one : kMeanings)
        if (name.ends_with(one.suffix))
            return tr(one.meaning);
    return tr("bias");
}

/// The name without its part: "attn.W_Q" of "blocks.0.attn.W_Q".
std::string withoutPart(const std::string& name)
{
    for (const char* stack : {"blocks.", "encoder.", "decoder."}) {
        if (!name.starts_with(stack))
            continue;
        const std::string rest = name.substr(std::string_view(stack).size());
        const std::size_t end = rest.find_first_not_of("0123456789");
        return end != 0 && end != std::string::npos ? rest.substr(end + 1) : rest;
    }
    return name;
}

bool isEmbedding(const std::string& rest)
{
    return rest == "W_E" || rest == "W_pos" || rest == "W_type" || rest == "W_rel" ||
           rest.starts_with("ln_emb");
}

/// Label of `count` rows or columns from `first` on.
QString cellLabel(const WeightMatrix& matrix, Axis axis, std::int64_t first, std::int64_t count,
                  const LoadedModel& model)
{
    const std::int64_t last =
        std::min(first + count, axis == Axis::Rows ? matrix.rows : matrix.columns) - 1;
    if (last > first)
        return QStringLiteral("%1\u2013%2").arg(first).arg(last);
    if (matrix.tokenAxis == axis && model.tokenizer)
        return labelOf(static_cast<TokenId>(first), model);
    return QString::number(first);
}

QStringList labels(const WeightMatrix& matrix, Axis axis, const WeightMap& map,
                   const LoadedModel& model)
{
    const bool isRows = axis == Axis::Rows;
    const std::int64_t perCell = isRows ? map.rowsPerCell : map.columnsPerCell;
    const std::int64_t first = isRows ? map.firstRow : 0;
    QStringList all;
    for (int cell = 0; cell < (isRows ? map.rows : map.columns); ++cell)
        all << cellLabel(matrix, axis, first + cell * perCell, perCell, model);
    return all;
}

QString rangeText(float largest)
{
    return tr("\u2212%1 to +%1").arg(number(double{largest}, 3));
}

} // namespace

WeightSubject weightSubject(const ViewSnapshot& view, WeightsOptions& options)
{
    WeightSubject subject;
    const std::shared_ptr<const Model>& model = view.model().model;
    if (!model)
        return subject;
    const std::vector<WeightMatrix> matrices = weightMatrices(model->config());
    const std::string wanted = options.matrix.toStdString();
    auto found = std::ranges::find(matrices, wanted, &WeightMatrix::name);
    if (found == matrices.end())
        found = matrices.begin();
    subject.model = model;
    subject.matrix = *found;
    options.matrix = QString::fromStdString(found->name);
    options.row = std::clamp<qint64>(options.row, 0, found->rows - 1);
    options.column = std::clamp<qint64>(options.column, 0, found->columns - 1);
    const bool isComparable = view.modelA.model->config() == model->config();
    if (view.shown == Variant::Difference && isComparable)
        subject.minus = view.modelA.model;
    return subject;
}

WeightMapRequest mapRequest(const WeightMatrix& matrix, const WeightsOptions& options)
{
    WeightMapRequest request;
    request.mostRows = request.mostColumns = kMostCells;
    if (!options.isNear)
        return request;
    request.mostColumns = kMostNearColumns;
    if (matrix.rows <= kNearRows)
        return request;
    request.rowCount = kNearRows;
    request.firstRow =
        std::clamp<std::int64_t>(options.row - kNearRows / 2, 0, matrix.rows - kNearRows);
    return request;
}

bool isTokenLine(const WeightMatrix& matrix, bool isColumn)
{
    return matrix.tokenAxis == (isColumn ? Axis::Columns : Axis::Rows);
}

QString partTitle(const std::string& name)
{
    const std::string rest = withoutPart(name);
    const std::string start = name.substr(0, name.size() - rest.size());
    const QString layer = QString::fromStdString(start).section(QLatin1Char('.'), 1, 1);
    if (!layer.isEmpty() && start.starts_with("encoder."))
        return tr("Encoder layer %1").arg(layer);
    if (!layer.isEmpty() && start.starts_with("decoder."))
        return tr("Decoder layer %1").arg(layer);
    if (!layer.isEmpty())
        return tr("Layer %1").arg(layer);
    return isEmbedding(rest) ? tr("Embeddings") : tr("Output");
}

QString matrixTitle(const std::string& name)
{
    std::string rest = withoutPart(name);
    for (const char* stack : {"encoder.", "decoder."}) // without a layer the stack remains
        if (name.starts_with(stack) && name.size() == rest.size() + std::string_view(stack).size())
            rest = name;
    return tr("%1 \u00B7 %2").arg(QString::fromStdString(rest), meaningOf(name));
}

MapWithLegend weightsMap(const WeightSubject& subject, const WeightMap& map,
                         const WeightsOptions& options, const LoadedModel& model)
{
    MapWithLegend shown;
    HeatmapContent& content = shown.map;
    content.matrix = HeatmapMatrix::copyOf(map.cells, map.rows, map.columns);
    const float range = map.largest > 0.0F ? map.largest : 1.0F;
    content.scale = ColourScale::difference(range);
    content.rowLabels = labels(subject.matrix, Axis::Rows, map, model);
    content.columnLabels = labels(subject.matrix, Axis::Columns, map, model);
    content.rowsName = tr("row");
    content.columnsName = tr("column");
    content.valueName = subject.minus ? tr("difference") : tr("weight");
    const HeatmapCell current{static_cast<int>((options.row - map.firstRow) / map.rowsPerCell),
                              static_cast<int>(options.column / map.columnsPerCell)};
    if (options.row >= map.firstRow && content.matrix.contains(current))
        content.current = current;
    shown.legend.scale = content.scale;
    const QString what = subject.minus ? tr("Weight of B minus A") : tr("Weight");
    shown.legend.title = map.isExact() ? tr("%1, %2").arg(what, rangeText(range))
                                       : tr("%1, largest of each %2 \u00D7 %3 block, %4")
                                             .arg(what)
                                             .arg(map.rowsPerCell)
                                             .arg(map.columnsPerCell)
                                             .arg(rangeText(range));
    return shown;
}

QString lineName(const WeightMatrix& matrix, bool isColumn, std::int64_t index,
                 const LoadedModel& model)
{
    const QString place = (isColumn ? tr("Column %1") : tr("Row %1")).arg(index);
    if (!isTokenLine(matrix, isColumn) || !model.tokenizer)
        return place;
    return tr("%1 \u00B7 \u201C%2\u201D").arg(place, labelOf(static_cast<TokenId>(index), model));
}

QString matrixText(const WeightSubject& subject, const WeightMap* map, const LoadedModel& model)
{
    const WeightMatrix& matrix = subject.matrix;
    QStringList parts;
    parts << tr("%1, %2 \u00D7 %3")
                 .arg(QString::fromStdString(matrix.name))
                 .arg(matrix.rows)
                 .arg(matrix.columns);
    if (matrix.headAxis != Axis::None)
        parts << tr("%1 heads of %2 %3")
                     .arg(matrix.heads)
                     .arg(matrix.headSize())
                     .arg(matrix.headAxis == Axis::Rows ? tr("rows") : tr("columns"));
    const QString format =
        model.model ? QString::fromStdString(storageFormat(*model.model, matrix)) : QString();
    if (!format.isEmpty())
        parts << tr("stored as %1: an edited copy has 32-bit floats (%2 MB)")
                     .arg(format,
                          number(4e-6 * static_cast<double>(matrix.rows * matrix.columns), 1));
    if (map && !map->isExact())
        parts << tr("\u201CNear the row\u201D shows every weight");
    return parts.join(QStringLiteral(" \u00B7 "));
}

QString lineText(const WeightLine& line)
{
    double squares = 0.0;
    double sum = 0.0;
    std::size_t largest = 0;
    for (std::size_t i = 0; i < line.values.size(); ++i) {
        squares += double{line.values[i]} * double{line.values[i]};
        sum += double{line.values[i]};
        if (std::abs(line.values[i]) > std::abs(line.values[largest]))
            largest = i;
    }
    if (line.values.empty())
        return {};
    const auto count = static_cast<double>(line.values.size());
    return (line.isColumn ? tr("Length %1, mean %2; largest %3 in row %4.")
                          : tr("Length %1, mean %2; largest %3 in column %4."))
        .arg(number(std::sqrt(squares), 3), signedNumber(sum / count, 4),
             signedNumber(double{line.values[largest]}, 3))
        .arg(largest);
}

std::vector<Bar> nearBars(const WeightLine& line, const LoadedModel& model)
{
    std::vector<Bar> bars;
    for (const NearRow& near : line.near) {
        Bar bar;
        bar.label = labelOf(static_cast<TokenId>(near.row), model);
        bar.value = near.cosine;
        bars.push_back(bar);
    }
    return bars;
}

QString spectrumText(const std::vector<double>& values)
{
    if (values.empty())
        return {};
    constexpr double kMost = 0.9;
    return tr("Largest %1, smallest %2. %3 of %4 hold 90 % of the sum of squares.")
        .arg(number(values.front(), 3), number(values.back(), 3))
        .arg(valuesHolding(values, kMost))
        .arg(values.size());
}

} // namespace headscope::ui
