#include "ui/views/trace_figure_content.h"

#include "core/base/error.h"
#include "core/model/mask_choice.h"
#include "ui/views/mask_picture.h"
#include "ui/widgets/token_strip.h"
#include "ui/workers/patterns.h"

#include <nlohmann/json.hpp>

#include <QFontMetricsF>

#include <algorithm>
#include <cmath>

namespace headscope::ui {
namespace {

constexpr double kMargin = 24.0;
constexpr double kHeader = 56.0;
constexpr double kLegend = 76.0;
constexpr double kLargestMap = 1200.0;
constexpr int kLargestSide = 16384;

const Trace& traceOf(const FigureRequest& request)
{
    if (!request.trace)
        throw Error("this view needs a trace", "renderFigure", "Run a text through a model first");
    return *request.trace;
}

QStringList labelsOf(const FigureRequest& request)
{
    const TokenSequence& tokens = traceOf(request).tokens();
    if (request.tokenizer)
        return tokenLabels(tokenChips(tokens, *request.tokenizer));
    QStringList labels;
    for (const Token& token : tokens.tokens) {
        const auto begin = std::min(token.bytes.begin, tokens.text.size());
        const auto end = std::clamp(token.bytes.end, begin, tokens.text.size());
        const QString text = QString::fromStdString(
            displayText(std::string_view(tokens.text).substr(begin, end - begin)));
        labels.append(text.isEmpty() ? QStringLiteral("#%1").arg(token.id) : text.trimmed());
    }
    return labels;
}

/// A mask painted by hand is not in the settings; what it hid has a weight of exactly 0 everywhere.
HeatmapMask maskOfZeros(const Trace& trace)
{
    const auto pattern = trace.find({Site::Pattern, 0});
    const HeatmapMatrix matrix = patternOf(pattern, 0);
    auto allowed = std::make_shared<std::vector<std::uint8_t>>();
    for (int index = 0; index < matrix.rows * matrix.columns; ++index)
        allowed->push_back(matrix.values.get()[index] != 0.0F ? 1 : 0);
    return {HeatmapMask::Kind::Cells, 0, std::move(allowed)};
}

HeatmapMask maskOf(const FigureRequest& request)
{
    if (request.mask)
        return *request.mask;
    const Trace& trace = traceOf(request);
    const auto settings =
        nlohmann::json::parse(trace.info().settings, nullptr, /*allow_exceptions=*/false);
    const auto mask = settings.is_object() ? settings.find("mask") : settings.end();
    const std::string name =
        mask != settings.end() && mask->is_string() ? mask->get<std::string>() : std::string();
    if (name == "causal")
        return HeatmapMask::causal();
    if (name == "painted")
        return maskOfZeros(trace);
    if (name.starts_with("window:")) {
        const MaskChoice choice = MaskChoice::parse(name);
        return {HeatmapMask::Kind::Window, static_cast<int>(choice.window), nullptr};
    }
    return {};
}

QString maskWords(const HeatmapMask& mask)
{
    switch (mask.kind) {
    case HeatmapMask::Kind::None:
        return {};
    case HeatmapMask::Kind::Causal:
        return QStringLiteral("hidden by the causal mask");
    case HeatmapMask::Kind::Window:
        return QStringLiteral("outside the window of %1 tokens").arg(mask.window);
    case HeatmapMask::Kind::Cells:
        break;
    }
    return QStringLiteral("hidden by the painted mask");
}

/// Room that a map of `tokens` cells wants, at most about 1200 logical pixels of cells.
QSize mapSize(const FigureContent& content, const Theme& theme)
{
    const int tokens = std::max({content.map.matrix.rows, content.map.matrix.columns, 1});
    const double cell = std::clamp(std::floor(kLargestMap / tokens), 1.0,
                                   content.mapOptions.largestCell * theme.scale());
    const QMarginsF margins = heatmapMargins(content.map, content.mapOptions, theme);
    const double side = std::min(cell * tokens, kLargestMap);
    const double width = std::max(side + margins.left() + margins.right(), 560.0 * theme.scale());
    const double height = side + margins.top() + margins.bottom();
    return QSizeF(std::ceil(width + 2.0 * kMargin),
                  std::ceil(height + (kHeader + kLegend) * theme.scale() + kMargin))
        .toSize();
}

int largestKey(const HeatmapContent& map, int row)
{
    int best = -1;
    for (int column = 0; column < map.matrix.columns; ++column)
        if (!map.isHidden({row, column}) &&
            (best < 0 || map.matrix.at({row, column}) > map.matrix.at({row, best})))
            best = column;
    return best;
}

void fillHead(FigureContent& content, const FigureRequest& request, const Theme& theme)
{
    const Trace& trace = traceOf(request);
    const auto pattern = trace.find({Site::Pattern, request.layer});
    content.map.matrix = patternOf(pattern, request.head);
    if (content.map.matrix.isEmpty())
        throw Error("the trace has no pattern of layer " + std::to_string(request.layer) +
                        ", head " + std::to_string(request.head),
                    "it has " + std::to_string(trace.layerCount()) + " layers of " +
                        std::to_string(trace.headCount()) + " heads",
                    "Count both from 0");
    content.title = QStringLiteral("Layer %1 · Head %2").arg(request.layer).arg(request.head);
    content.map.mask = maskOf(request);
    content.map.scale = {request.colourMap, 0.0F, 1.0F, 1.0};
    content.map.rowLabels = content.map.columnLabels = labelsOf(request);
    const int rows = content.map.matrix.rows;
    const int query = request.query >= 0 ? std::min(request.query, rows - 1) : rows - 1;
    const int key = request.key >= 0 ? std::min(request.key, content.map.matrix.columns - 1)
                                     : largestKey(content.map, query);
    content.map.queryRow = query;
    if (key >= 0)
        content.map.current = HeatmapCell{query, key};
    content.legend = {content.map.scale,
                      scaleTitle(QStringLiteral("Attention weight"), content.map.scale, false),
                      false,
                      maskWords(content.map.mask),
                      false,
                      false};
    content.size = mapSize(content, theme);
}

void fillMask(FigureContent& content, const FigureRequest& request, const Theme& theme)
{
    const HeatmapMask mask = maskOf(request);
    content.title = QStringLiteral("Mask");
    content.map = maskContent(labelsOf(request), mask);
    if (content.map.matrix.isEmpty())
        throw Error("the text has no tokens, so there is no mask to draw", "renderFigure");
    content.subtitle = describeMask(mask);
    content.mapOptions.numbers = false;
    content.size = mapSize(content, theme);
}

void fillGrid(FigureContent& content, const FigureRequest& request, const Theme& theme)
{
    const Trace& trace = traceOf(request);
    content.grid.layers = trace.layerCount();
    content.grid.heads = trace.headCount();
    if (content.grid.layers == 0 || content.grid.heads == 0)
        throw Error("the trace holds no patterns", "renderFigure",
                    "Ask for blocks.*.attn.hook_pattern");
    content.grid.map = request.colourMap;
    const HeatmapMask mask = maskOf(request);
    for (int layer = 0; layer < content.grid.layers; ++layer)
        for (int head = 0; head < content.grid.heads; ++head)
            content.grid.thumbnails.push_back(std::make_shared<const HeadThumbnail>(
                makeThumbnail(patternOf(trace.find({Site::Pattern, layer}), head), mask)));
    if (const auto keys = trace.find({Site::Key, 0}); keys && keys->shape().rank() == 3)
        content.grid.keyValueHeads = static_cast<int>(keys->shape()[1]);
    content.title = QStringLiteral("All heads");
    content.legend = {{request.colourMap, 0.0F, 1.0F, 1.0},
                      QStringLiteral("Attention weight, fixed scale 0 to 1"),
                      false,
                      maskWords(mask),
                      false,
                      false};
    const QSizeF grid = headGridSize(content.grid, theme, 32.0 * theme.scale());
    content.size = QSizeF(std::max(grid.width(), 540.0 * theme.scale()) + 2.0 * kMargin,
                          grid.height() + (kHeader + kLegend) * theme.scale() + kMargin)
                       .toSize();
}

void fillPositions(FigureContent& content, const FigureRequest& request)
{
    content.positions = request.positions;
    if (content.positions.table.isEmpty())
        content.positions.table = sinusoidalTable(64, 64, content.positions.base);
    content.title = QStringLiteral("Positions");
    content.size = {1120, 760};
}

} // namespace

FigureView figureViewNamed(std::string_view name)
{
    static constexpr std::pair<std::string_view, FigureView> kViews[] = {
        {"grid", FigureView::Grid},
        {"head", FigureView::Head},
        {"positions", FigureView::Positions},
        {"mask", FigureView::Mask},
    };
    for (const auto& [known, view] : kViews)
        if (known == name)
            return view;
    throw Error("unknown view \"" + std::string(name) + "\"", "--view",
                "Choose grid, head, positions or mask");
}

FigureContent figureContent(const FigureRequest& request, const Theme& theme)
{
    FigureContent content;
    content.view = request.view;
    if (request.trace) {
        content.model = QString::fromStdString(request.trace->info().model);
        content.sentence = QString::fromStdString(displayText(request.trace->tokens().text));
        content.subtitle = content.model;
    }
    switch (request.view) {
    case FigureView::Head:
        fillHead(content, request, theme);
        break;
    case FigureView::Mask:
        fillMask(content, request, theme);
        break;
    case FigureView::Grid:
        fillGrid(content, request, theme);
        break;
    case FigureView::Positions:
        fillPositions(content, request);
        break;
    }
    if (!request.size.isEmpty())
        content.size = request.size;
    const double largest =
        std::max(content.size.width(), content.size.height()) * std::max(request.scale, 1.0);
    if (!(request.scale > 0.0) || largest > kLargestSide)
        throw Error("a picture of " + std::to_string(content.size.width()) + " x " +
                        std::to_string(content.size.height()) + " pixels at scale " +
                        std::to_string(request.scale) + " is too large",
                    "renderFigure", "Keep both sides below 16384 pixels");
    return content;
}

} // namespace headscope::ui
