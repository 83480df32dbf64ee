#include "ui/pages/qk/qk_number.h"

#include "ui/widgets/attention/qk_widget.h"
#include "ui/widgets/tr.h"

#include <algorithm>
#include <cmath>

namespace headscope::ui {

namespace {

/// Sites of the row's vectors: rotated where the model rotates them by position.
struct Vectors
{
    Variant variant = Variant::A;
    TraceKey queries, keys;
    int head = 0;
    int keyHead = 0;
    int query = 0;
    int width = 0;
};

std::optional<Vectors> vectorsOf(const ViewSnapshot& view)
{
    const Variant variant = variantOf(view);
    const TracePtr& trace = view.trace(variant);
    const Selection& at = view.selection;
    if (!trace)
        return std::nullopt;
    const bool cross = at.part == AttentionKind::Cross;
    const auto site = [&](Site turned, Site plain) {
        const TraceKey key{turned, at.layer, stackOf(at.part)};
        return !cross && trace->has(key) ? key : TraceKey{plain, at.layer, stackOf(at.part)};
    };
    Vectors vectors{variant, site(Site::RotatedQuery, cross ? Site::CrossQuery : Site::Query),
                    site(Site::RotatedKey, cross ? Site::CrossKey : Site::Key), at.head};
    const auto queries = trace->shapeOf(vectors.queries);
    const auto keys = trace->shapeOf(vectors.keys);
    vectors.query = resolve(at, *trace).query;
    if (!queries || !keys || vectors.query < 0)
        return std::nullopt;
    vectors.keyHead = static_cast<int>(at.head * (*keys)[1] / (*queries)[1]);
    vectors.width = static_cast<int>((*queries)[2]);
    return vectors;
}

NumberRef queryCell(const Vectors& at, int channel)
{
    return cellNumber(at.queries, {at.query, at.head, channel});
}

NumberRef keyCell(const Vectors& at, int key, int channel)
{
    return cellNumber(at.keys, {key, at.keyHead, channel});
}

NumberRef productCell(const Vectors& at, int key, int channel)
{
    return productNumber(tr("q[%1] k[%1]").arg(channel),
                         {queryCell(at, channel), keyCell(at, key, channel)});
}

NumberRef dotNumber(const ViewSnapshot& view, const Vectors& at, int key, bool scaled)
{
    std::vector<NumberRef> products;
    for (int channel = 0; channel < at.width; ++channel)
        products.push_back(productCell(at, key, channel));
    const auto& model = view.model(at.variant).model;
    const bool scales = scaled && (!model || model->config().scaleScores);
    return sumNumber(scaled ? tr("q\u00B7k, scaled") : tr("q\u00B7k"), std::move(products),
                     scales ? 1.0 / std::sqrt(static_cast<double>(at.width)) : 1.0);
}

bool contains(const QRectF& rect, std::optional<QPointF> point)
{
    return point && rect.contains(*point);
}

MaybeNumber numberInRow(const ViewSnapshot& view, const QkContent& content, const QkLayout& layout,
                        int key, QPointF place)
{
    for (int stage = 0; stage < static_cast<int>(content.stages.size()); ++stage)
        if (layout.number(key, stage).contains(place))
            return qkStageNumber(view, content, key, stage);
    const auto column = layout.columnAt(place);
    if (column && contains(layout.keyStrip(key), place))
        return qkChannelNumber(view, content, QkStrip::Key, key, *column);
    if (column && contains(layout.productStrip(key), place))
        return qkChannelNumber(view, content, QkStrip::Product, key, *column);
    return qkStageNumber(view, content, key, static_cast<int>(content.stages.size()) - 1);
}

} // namespace

MaybeNumber qkStageNumber(const ViewSnapshot& view, const QkContent& content, int key, int stage)
{
    const auto vectors = vectorsOf(view);
    const int stages = static_cast<int>(content.stages.size());
    if (!vectors || key < 0 || key >= static_cast<int>(content.keys.size()) || stage < 0 ||
        stage >= stages)
        return std::nullopt;
    const Selection& at = view.selection;
    const std::vector<std::int64_t> cell{at.head, vectors->query, key};
    if (stage < 2)
        return ShownNumber{dotNumber(view, *vectors, key, stage == 1), vectors->variant};
    if (stage == stages - 1)
        return ShownNumber{cellNumber(patternKey(at.part, at.layer), cell), vectors->variant};
    NumberRef score = cellNumber(scoresKey(at.part, at.layer), cell);
    if (stage == stages - 2)
        score.kind = NumberRef::Kind::Exponential;
    return ShownNumber{std::move(score), vectors->variant};
}

MaybeNumber qkChannelNumber(const ViewSnapshot& view, const QkContent& content, QkStrip strip,
                            int key, int column)
{
    const auto vectors = vectorsOf(view);
    if (!vectors || column < 0 || column >= content.columns() || key < 0 ||
        key >= static_cast<int>(content.keys.size()))
        return std::nullopt;
    const int channel = content.channels[static_cast<std::size_t>(column)];
    switch (strip) {
    case QkStrip::Query:
        return ShownNumber{queryCell(*vectors, channel), vectors->variant};
    case QkStrip::Key:
        return ShownNumber{keyCell(*vectors, key, channel), vectors->variant};
    case QkStrip::Product:
        break;
    }
    return ShownNumber{productCell(*vectors, key, channel), vectors->variant};
}

MaybeNumber qkNumberAt(const ViewSnapshot& view, const QkWidget& table, std::optional<QPoint> place)
{
    const QkContent& content = table.content();
    if (content.isEmpty())
        return std::nullopt;
    if (!place && table.pinnedChannel() && content.column)
        return qkChannelNumber(view, content, QkStrip::Product, content.key, *content.column);
    if (!place)
        return qkStageNumber(view, content, content.key,
                             static_cast<int>(content.stages.size()) - 1);
    const auto inside = within(*table.viewport(), place);
    if (!inside)
        return std::nullopt;
    const QkLayout layout = table.layoutNow();
    for (const QkStrip strip : {QkStrip::Query, QkStrip::Key, QkStrip::Product})
        if (layout.pairStrip(static_cast<int>(strip)).contains(*inside))
            if (const auto column = layout.columnAt(*inside))
                return qkChannelNumber(view, content, strip, content.key, *column);
    const auto key = layout.keyAt(*inside);
    return key ? numberInRow(view, content, layout, *key, *inside) : std::nullopt;
}

} // namespace headscope::ui
