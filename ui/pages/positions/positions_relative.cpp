#include "ui/pages/positions/positions_relative.h"

#include "core/base/random.h"
#include "core/model/model.h"
#include "core/model/positions/position_encodings.h"
#include "ui/pages/positions/positions_formulas.h"
#include "ui/pages/shared/maps/shown_pattern.h"
#include "ui/widgets/tr.h"

#include <algorithm>
#include <cmath>

namespace headscope::ui {

namespace {

/// A fixed example where no model supplies vectors.
std::vector<float> exampleVector(int dimensions, std::uint64_t stream)
{
    Random random(7, stream);
    std::vector<float> values;
    for (int channel = 0; channel < dimensions; ++channel)
        values.push_back(static_cast<float>(random.normal() / 2.0));
    return values;
}

/// q and k of the selected pair in the active head, before rotation.
bool takeModelVectors(const ViewSnapshot& view, RopeContent& rope, int dimensions)
{
    const TracePtr& trace = view.trace();
    const Selection& active = view.selection;
    if (!trace || active.part == AttentionKind::Cross)
        return false;
    const Stack stack = stackOf(active.part);
    const TraceKey queryKey{Site::Query, active.layer, stack};
    const TraceKey keyKey{Site::Key, active.layer, stack};
    const auto queries = trace->shapeOf(queryKey);
    const auto keys = trace->shapeOf(keyKey);
    const TokenPair pair = pairOf(view);
    if (!queries || !keys || pair.query < 0 || pair.key < 0 || (*queries)[2] < dimensions ||
        active.head >= (*queries)[1])
        return false;
    const std::int64_t keyHead = active.head * (*keys)[1] / (*queries)[1];
    const ActivationRows queryRow = trace->findRows(queryKey, pair.query);
    const ActivationRows keyRow = trace->findRows(keyKey, pair.key);
    const float* q = queryRow.view[0][active.head].data;
    const float* k = keyRow.view[0][keyHead].data;
    rope.query.assign(q, q + dimensions);
    rope.key.assign(k, k + dimensions);
    const QStringList labels = labelsOf(trace->queryTokens(active.part), view.model());
    rope.source = tr("q of \u201C%1\u201D and k of \u201C%2\u201D, %3")
                      .arg(labels.value(pair.query), labels.value(pair.key), headTitle(active));
    return true;
}

RopeContent ropeContent(const ViewSnapshot& view, RelativeOptions& options)
{
    RopeContent rope;
    const Model* model = view.model().model.get();
    rope.ofModel =
        model && model->config().positions == Positions::Rope && !model->config().isLatent();
    rope.tokens = kDistances;
    if (rope.ofModel) {
        const ModelConfig& config = model->config();
        const LayerSettings layer = config.layer(std::clamp<std::int64_t>(
            view.selection.layer, 0, std::max<std::int64_t>(config.layers - 1, 0)));
        rope.settings = layer.rope;
        if (rope.settings.originalMaxLen == 0)
            rope.settings.originalMaxLen = config.maxLen;
        options.dimensions = static_cast<int>(config.ropeDimensions());
        options.theta = layer.rope.theta;
        if (const TracePtr& trace = view.trace())
            rope.tokens = static_cast<std::int64_t>(trace->tokens().size());
    } else {
        rope.settings.theta = options.theta;
    }
    RopeSettings plain;
    plain.theta = rope.settings.theta;
    rope.plain = ropeInverseFrequencies(plain, options.dimensions, rope.tokens);
    rope.frequencies = ropeInverseFrequencies(rope.settings, options.dimensions, rope.tokens);
    if (!rope.ofModel || !takeModelVectors(view, rope, options.dimensions)) {
        rope.query = exampleVector(options.dimensions, 0);
        rope.key = exampleVector(options.dimensions, 1);
        rope.source = tr("an example of %1 channels").arg(options.dimensions);
    }
    return rope;
}

AlibiContent alibiContent(const ViewSnapshot& view, RelativeOptions& options)
{
    AlibiContent alibi;
    const Model* model = view.model().model.get();
    alibi.ofModel = model && model->config().positions == Positions::Alibi;
    if (alibi.ofModel)
        options.heads = static_cast<int>(model->config().heads);
    alibi.slopes = alibiSlopes(options.heads);
    if (alibi.ofModel) {
        const Tensor slopes = encodingOf(Positions::Alibi).slopes(model->config());
        alibi.slopes.assign(slopes.values().begin(), slopes.values().end());
    }
    options.head = std::clamp(options.head, 0, options.heads - 1);
    return alibi;
}

BucketsContent bucketsContent(const ViewSnapshot& view, RelativeOptions& options)
{
    BucketsContent content;
    const Model* model = view.model().model.get();
    content.ofModel = model && model->config().positions == Positions::RelativeBuckets;
    if (content.ofModel) {
        const ModelConfig& config = model->config();
        const bool encoder = view.selection.part == AttentionKind::EncoderSelf ||
                             config.architecture == Architecture::Encoder;
        options.buckets = static_cast<int>(config.relativeBuckets);
        options.maxDistance = static_cast<int>(config.relativeMaxDistance);
        options.bidirectional = encoder || !config.causal;
        options.heads = static_cast<int>(config.heads);
    }
    content.buckets = {options.buckets, options.maxDistance, options.bidirectional};
    options.head = std::clamp(options.head, 0, options.heads - 1);
    if (!content.ofModel)
        return content;
    const bool twoStacks = model->config().isEncoderDecoder();
    const char* name = !twoStacks                                          ? "rel_bias.weight"
                       : view.selection.part == AttentionKind::EncoderSelf ? "enc.rel_bias.weight"
                                                                           : "dec.rel_bias.weight";
    const std::int64_t keys = bucketDistances(content.buckets);
    Tensor bias(Shape{options.heads, 1, keys});
    relativeBias(content.buckets, model->parameters().view(name), keys - 1, bias.view());
    for (int head = 0; head < options.heads; ++head) {
        std::vector<double> byDistance;
        for (std::int64_t distance = 0; distance < keys; ++distance)
            byDistance.push_back(double{bias.view()(head, 0, keys - 1 - distance)});
        content.biases.push_back(std::move(byDistance));
    }
    return content;
}

/// A row rotated to a position, by the ops that models use.
std::vector<float> turned(std::vector<float> row, const RopeTable& table, int position)
{
    const auto dimensions = static_cast<std::int64_t>(row.size());
    RopeRows rows;
    rows.data = row.data();
    rows.rows = 1;
    rows.rowStride = dimensions;
    rows.heads = 1;
    rows.headStride = dimensions;
    rows.firstPosition = position;
    rope(table, rows);
    return row;
}

double dot(const std::vector<float>& a, const std::vector<float>& b)
{
    double sum = 0.0;
    for (std::size_t index = 0; index < a.size(); ++index)
        sum += double{a[index]} * double{b[index]};
    return sum;
}

RopeTable tableOf(const RopeContent& rope)
{
    return RopeTable(rope.settings, static_cast<std::int64_t>(rope.query.size()), 2 * kDistances,
                     rope.tokens);
}

} // namespace

RelativeOptions RelativeOptions::from(const QJsonObject& json)
{
    RelativeOptions o;
    const auto whole = [&json](const char* key, int otherwise, int low, int high) {
        return std::clamp(json.value(QLatin1String(key)).toInt(otherwise), low, high);
    };
    o.key = whole("key", o.key, 0, kDistances - 1);
    o.distance = whole("distance", o.distance, 0, 4 * kDistances - 1);
    o.theta = std::clamp(json.value("theta").toDouble(o.theta), 100.0, 1e6);
    o.dimensions = whole("channels", o.dimensions, 4, 256) / 2 * 2;
    o.heads = whole("heads", o.heads, 1, 64);
    o.head = whole("head", o.head, 0, 255);
    o.buckets = whole("buckets", o.buckets, 4, 64) / 2 * 2;
    o.maxDistance = whole("max_distance", o.maxDistance, 2 * o.buckets, 512);
    o.bidirectional = json.value("both_directions").toBool(o.bidirectional);
    return o;
}

QJsonObject RelativeOptions::json() const
{
    return {{"key", key},
            {"distance", distance},
            {"theta", theta},
            {"channels", dimensions},
            {"heads", heads},
            {"head", head},
            {"buckets", buckets},
            {"max_distance", maxDistance},
            {"both_directions", bidirectional}};
}

double RopeContent::score(int m, int n) const
{
    const RopeTable table = tableOf(*this);
    return dot(turned(query, table, m), turned(key, table, n));
}

double RopeContent::shift(int distance) const
{
    const RopeTable table = tableOf(*this);
    double low = 0.0;
    double high = 0.0;
    for (int n = 0; n < kDistances; ++n) {
        const double value = dot(turned(query, table, n + distance), turned(key, table, n));
        low = n == 0 ? value : std::min(low, value);
        high = n == 0 ? value : std::max(high, value);
    }
    return high - low;
}

std::pair<std::size_t, std::size_t> RopeContent::channels(int pair) const
{
    const auto index = static_cast<std::size_t>(pair);
    if (settings.layout == RopeSettings::Layout::Interleaved)
        return {2 * index, 2 * index + 1};
    return {index, index + query.size() / 2};
}

double RopeContent::part(int pair, int distance) const
{
    const auto [first, second] = channels(pair);
    const double angle = distance * frequencies[static_cast<std::size_t>(pair)];
    const double a =
        double{query[first]} * double{key[first]} + double{query[second]} * double{key[second]};
    const double b =
        double{query[first]} * double{key[second]} - double{query[second]} * double{key[first]};
    const double factor = ropeAttentionFactor(settings);
    return (a * std::cos(angle) + b * std::sin(angle)) * factor * factor;
}

int bucketDistances(const RelativeBuckets& buckets)
{
    return static_cast<int>(std::min<std::int64_t>(buckets.maxDistance * 5 / 4, 512));
}

RelativeContent relativeContent(const ViewSnapshot& view, Positions scheme, RelativeOptions options)
{
    RelativeContent content;
    content.scheme = scheme;
    if (scheme == Positions::Rope)
        content.rope = ropeContent(view, options);
    else if (scheme == Positions::Alibi)
        content.alibi = alibiContent(view, options);
    else
        content.buckets = bucketsContent(view, options);
    const int longest = scheme == Positions::RelativeBuckets
                            ? bucketDistances(content.buckets.buckets)
                            : kDistances;
    options.distance = std::clamp(options.distance, 0, longest - 1);
    content.options = options;
    return content;
}

QString relativeText(const RelativeContent& content)
{
    const RelativeOptions& o = content.options;
    switch (content.scheme) {
    case Positions::Rope:
        return tr("Query at m = %1, key at n = %2: q\u00B7k = %3. Shifting both changes it by "
                  "at most %4.")
            .arg(o.key + o.distance)
            .arg(o.key)
            .arg(number(content.rope.score(o.key + o.distance, o.key), 4),
                 rotationErrorText(content.rope.shift(o.distance)));
    case Positions::Alibi:
        return tr("Head %1 subtracts %2 from the score per token of distance: %3 at distance %4.")
            .arg(o.head)
            .arg(number(double{content.alibi.slopes[static_cast<std::size_t>(o.head)]}, 4),
                 number(double{content.alibi.slopes[static_cast<std::size_t>(o.head)]} * o.distance,
                        4))
            .arg(o.distance);
    default:
        break;
    }
    const QString bucket = tr("A key %1 tokens back is in bucket %2 of %3.")
                               .arg(o.distance)
                               .arg(content.buckets.buckets.bucketOf(-o.distance))
                               .arg(o.buckets);
    if (content.buckets.biases.empty())
        return bucket;
    return bucket + tr(" Head %1 adds %2 to its score.")
                        .arg(o.head)
                        .arg(signedNumber(content.buckets.biases[static_cast<std::size_t>(
                                              o.head)][static_cast<std::size_t>(o.distance)],
                                          4));
}

} // namespace headscope::ui
