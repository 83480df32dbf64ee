#include "ui/pages/qk/qk_content.h"

#include "core/analysis/derivation/pair_explanation.h"
#include "core/base/error.h"
#include "ui/pages/qk/qk_formulas.h"
#include "ui/pages/shared/figures/number_rows.h"
#include "ui/pages/shared/maps/shown_pattern.h"
#include "ui/widgets/attention/qk_paint.h"
#include "ui/widgets/tr.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace headscope::ui {

namespace {

constexpr double kMinusInfinity = -std::numeric_limits<double>::infinity();

std::optional<RowExplanation> rowOf(const ViewSnapshot& view, Variant variant, int query)
{
    const TracePtr& trace = view.trace(variant);
    if (!trace || query < 0)
        return std::nullopt;
    const Selection& selection = view.selection;
    const AttentionCell cell{selection.layer,
                             selection.head,
                             query,
                             0,
                             stackOf(selection.part),
                             selection.part == AttentionKind::Cross};
    try {
        return explainRow(*trace, cell, view.model(variant).model.get());
    } catch (const Error&) { // a selection that this trace does not have
        return std::nullopt;
    }
}

/// Stages between product and weight.
struct Stages
{
    bool capped = false;
    ScoreRule::Bias bias = ScoreRule::Bias::None;
    bool scaled = true;
    std::size_t size = 1; ///< d_k
};

Stages stagesOf(const RowExplanation& row)
{
    return {row.rule.softCap > 0.0, row.rule.bias, row.rule.scaled, row.query.size()};
}

Stages both(Stages a, const Stages& b)
{
    a.capped = a.capped || b.capped;
    a.bias = a.bias == ScoreRule::Bias::None ? b.bias : a.bias;
    a.scaled = a.scaled || b.scaled;
    return a;
}

std::vector<QkStage> titlesOf(const Stages& stages)
{
    std::vector<QkStage> titles{{tr("q\u00B7k"), 3}};
    titles.push_back({stages.scaled ? tr("\u00F7 \u221A%1").arg(stages.size) : tr("\u00D7 1"), 3});
    if (stages.capped)
        titles.push_back({tr("soft cap"), 3});
    if (stages.bias != ScoreRule::Bias::None)
        titles.push_back({stages.bias == ScoreRule::Bias::Alibi ? tr("+ ALiBi") : tr("+ bias"), 3});
    titles.push_back({tr("masked"), 3});
    titles.push_back({tr("exp"), 3});
    titles.push_back({tr("softmax"), 3});
    return titles;
}

std::vector<double> numbersOf(const ScoreSteps& steps, const Stages& stages)
{
    std::vector<double> numbers{steps.dot, steps.scaled};
    if (stages.capped)
        numbers.push_back(steps.capped);
    if (stages.bias != ScoreRule::Bias::None)
        numbers.push_back(steps.score);
    numbers.push_back(steps.masked ? kMinusInfinity : steps.score);
    numbers.push_back(steps.exponential);
    numbers.push_back(steps.weight);
    return numbers;
}

HeatmapMatrix matrixOf(const std::vector<std::vector<float>>& rows, const std::vector<int>& order)
{
    std::vector<float> values;
    for (const std::vector<float>& row : rows)
        for (const int channel : order)
            values.push_back(row[static_cast<std::size_t>(channel)]);
    return HeatmapMatrix::copyOf(std::move(values), static_cast<int>(rows.size()),
                                 static_cast<int>(order.size()));
}

float largestOf(const std::vector<std::vector<float>>& rows)
{
    float largest = 0.0F;
    for (const std::vector<float>& row : rows)
        for (const float value : row)
            largest = std::max(largest, std::abs(value));
    return largest;
}

std::vector<int> channelOrder(const std::vector<float>& products, bool largestFirst)
{
    std::vector<int> order(products.size());
    std::iota(order.begin(), order.end(), 0);
    if (largestFirst)
        std::stable_sort(order.begin(), order.end(), [&products](int a, int b) {
            return std::abs(products[static_cast<std::size_t>(a)]) >
                   std::abs(products[static_cast<std::size_t>(b)]);
        });
    return order;
}

/// One variant, or the difference of two, before sorting.
struct Numbers
{
    std::vector<float> query;
    std::vector<std::vector<float>> keys;
    std::vector<std::vector<float>> products;
    std::vector<std::vector<double>> steps; ///< [keys][stages]
    std::vector<double> weights;
    std::vector<bool> masked;
};

Numbers numbersOf(const RowExplanation& row, const Stages& stages)
{
    Numbers numbers{row.query, row.keys, {}, {}, {}, {}};
    for (std::size_t key = 0; key < row.keys.size(); ++key) {
        std::vector<float> products(row.query.size());
        std::transform(row.query.begin(), row.query.end(), row.keys[key].begin(), products.begin(),
                       std::multiplies<>());
        numbers.products.push_back(std::move(products));
        numbers.steps.push_back(numbersOf(row.steps[key], stages));
        numbers.weights.push_back(row.steps[key].weight);
        numbers.masked.push_back(row.steps[key].masked);
    }
    return numbers;
}

template<class Number>
void subtract(std::vector<Number>& from, const std::vector<Number>& what)
{
    std::transform(from.begin(), from.end(), what.begin(), from.begin(), std::minus<>());
}

Numbers differenceOf(const Numbers& a, Numbers b)
{
    subtract(b.query, a.query);
    subtract(b.weights, a.weights);
    for (std::size_t key = 0; key < b.keys.size(); ++key) {
        subtract(b.keys[key], a.keys[key]);
        subtract(b.products[key], a.products[key]);
        subtract(b.steps[key], a.steps[key]);
        b.masked[key] = b.masked[key] && a.masked[key];
    }
    return b;
}

void fill(QkContent& content, const Numbers& numbers, const QkOptions& options)
{
    const auto chosen = static_cast<std::size_t>(content.key);
    content.channels = channelOrder(numbers.products[chosen], options.largestFirst);
    content.queryVector = matrixOf({numbers.query}, content.channels);
    content.keyVectors = matrixOf(numbers.keys, content.channels);
    content.products = matrixOf(numbers.products, content.channels);
    constexpr float kLeast = 1e-6F;
    content.vectorRange = std::max({largestOf({numbers.query}), largestOf(numbers.keys), kLeast});
    content.productRange = std::max(largestOf(numbers.products), kLeast);
    for (std::size_t key = 0; key < numbers.keys.size(); ++key) {
        QkKey& row = content.keys[key];
        row.numbers = numbers.steps[key];
        row.weight = numbers.weights[key];
        row.masked = numbers.masked[key];
    }
    const auto pinned = options.channel ? std::find(content.channels.begin(),
                                                    content.channels.end(), *options.channel)
                                        : content.channels.end();
    if (pinned != content.channels.end())
        content.column = static_cast<int>(pinned - content.channels.begin());
}

void nameTokens(QkContent& content, const ViewSnapshot& view, TokenPair pair)
{
    const AttentionKind part = view.selection.part;
    const TracePtr& trace = view.trace();
    content.query = labelsOf(trace->queryTokens(part), view.model()).value(pair.query);
    content.queryPosition = pair.query;
    content.key = pair.key;
    content.stale = view.stale;
    const QStringList labels = labelsOf(trace->keyTokens(part), view.model());
    for (int key = 0; key < labels.size(); ++key)
        content.keys.push_back({labels.at(key), key, {}, 0.0, false});
}

bool sameShape(const RowExplanation& a, const RowExplanation& b)
{
    return a.query.size() == b.query.size() && a.keys.size() == b.keys.size();
}

/// The keys with the largest weights, in order, for figures of long texts.
QkContent strongest(QkContent content, std::size_t wanted)
{
    if (content.keys.size() <= wanted)
        return content;
    std::vector<int> order(content.keys.size());
    std::iota(order.begin(), order.end(), 0);
    const auto size = [&content](int key) {
        return key == content.key ? std::numeric_limits<double>::infinity()
                                  : std::abs(content.keys[static_cast<std::size_t>(key)].weight);
    };
    std::stable_sort(order.begin(), order.end(), [&](int a, int b) { return size(a) > size(b); });
    order.resize(wanted);
    std::sort(order.begin(), order.end());
    const auto pick = [&order](const HeatmapMatrix& whole) {
        std::vector<float> values;
        for (const int row : order)
            for (int column = 0; column < whole.columns; ++column)
                values.push_back(whole.at({row, column}));
        return HeatmapMatrix::copyOf(std::move(values), static_cast<int>(order.size()),
                                     whole.columns);
    };
    content.keyVectors = pick(content.keyVectors);
    content.products = pick(content.products);
    std::vector<QkKey> keys;
    for (const int key : order)
        keys.push_back(content.keys[static_cast<std::size_t>(key)]);
    content.key =
        static_cast<int>(std::find(order.begin(), order.end(), content.key) - order.begin());
    content.keys = std::move(keys);
    return content;
}

std::vector<NumberTable> numbersOf(const QkContent& content)
{
    QStringList keys, stages, channels;
    NumberRows steps;
    for (const QkKey& key : content.keys) {
        keys << key.label;
        steps.add(key.label, key.numbers);
    }
    for (const QkStage& stage : content.stages)
        stages << stage.title;
    for (const int channel : content.channels)
        channels << QString::number(channel);
    return {steps.table("steps", stages),
            {"query", {content.query}, channels, content.queryVector},
            {"keys", keys, channels, content.keyVectors},
            {"products", keys, channels, content.products}};
}

} // namespace

QkOptions QkOptions::fromJson(const QJsonObject& json)
{
    QkOptions options;
    options.largestFirst = json.value("largestFirst").toBool();
    if (json.contains("channel"))
        options.channel = json.value("channel").toInt();
    return options;
}

QJsonObject QkOptions::toJson() const
{
    QJsonObject json{{"largestFirst", largestFirst}};
    if (channel)
        json.insert("channel", *channel);
    return json;
}

QkContent qkContent(const ViewSnapshot& view, const QkOptions& options)
{
    const TokenPair pair = pairOf(view);
    if (pair.query < 0 || pair.key < 0)
        return {};
    QkContent content;
    content.isDifference = view.shown == Variant::Difference;
    const auto row = rowOf(view, view.shown, pair.query);
    const auto before = content.isDifference && view.isComparable()
                            ? rowOf(view, Variant::A, pair.query)
                            : std::nullopt;
    if (!row || (content.isDifference && (!before || !sameShape(*row, *before))) ||
        pair.key >= static_cast<int>(row->keys.size()))
        return {};
    nameTokens(content, view, pair);
    const Stages stages = before ? both(stagesOf(*before), stagesOf(*row)) : stagesOf(*row);
    content.stages = titlesOf(stages);
    Numbers numbers = numbersOf(*row, stages);
    if (before) {
        numbers = differenceOf(numbersOf(*before, stages), std::move(numbers));
        content.formulas = {
            differenceFormula(explainPair(*before, pair.key), explainPair(*row, pair.key))};
    } else {
        const PairExplanation explained = explainPair(*row, pair.key);
        content.formulas = {qkScoreFormula(explained, pair), qkWeightFormula(explained)};
    }
    fill(content, numbers, options);
    return content;
}

QString qkProblem(const ViewSnapshot& view)
{
    if (view.shown == Variant::Difference && !view.isComparable())
        return tr("A and B have different tokens, so their numbers cannot be subtracted.");
    if (view.trace() && pairOf(view).query >= 0 && !rowOf(view, view.shown, 0))
        return tr("This trace holds no query and key vectors of this layer.");
    if (qkContent(view, {}).isEmpty())
        return tr("There is no head to look at.");
    return {};
}

Figure qkFigure(const ViewSnapshot& view, const QJsonObject& options)
{
    constexpr std::size_t kShown = 64;
    const QkContent whole = qkContent(view, QkOptions::fromJson(options));
    Figure figure = figureOf(view, headTitle(view.selection));
    if (whole.isEmpty())
        return figure;
    const QkContent content = strongest(whole, kShown);
    const QkKey& key = content.keys[static_cast<std::size_t>(content.key)];
    figure.caption = tr("The query \u201C%1\u201D against its keys, channel by channel (%2 numbers "
                        "each), and the steps from q\u00B7k to the weight; \u201C%3\u201D is "
                        "chosen. Colours of q and k from \u2212%4 to +%4, of products from "
                        "\u2212%5 to +%5.")
                         .arg(content.query)
                         .arg(content.columns())
                         .arg(key.label, number(static_cast<double>(content.vectorRange), 2),
                              number(static_cast<double>(content.productRange), 2));
    if (content.keys.size() < whole.keys.size())
        figure.caption += QLatin1Char(' ') + tr("Shown are the %1 of %2 keys with most weight.")
                                                 .arg(content.keys.size())
                                                 .arg(whole.keys.size());
    figure.size = [content](const Theme& theme) {
        return QSizeF(960.0 * theme.scale(), qkHeight(content, theme));
    };
    figure.paint = [content](QPainter& painter, const QRectF& area, const Theme& theme,
                             const FigureTarget& target) {
        const QkLayout layout(area, content, theme);
        QkImages images = qkImages(content, theme, layout, target.pixelRatio);
        images.asShapes = target.vectors;
        paintQk(painter, layout, content, images, theme);
    };
    figure.numbers = numbersOf(whole);
    return figure;
}

} // namespace headscope::ui
