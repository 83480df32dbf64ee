#include "ui/pages/arcs/arcs_content.h"

#include "ui/pages/shared/maps/hidden_tokens.h"
#include "ui/pages/shared/maps/shown_patterns.h"
#include "ui/pages/shared/maps/sink_mass.h"
#include "ui/widgets/tr.h"

#include <QJsonArray>

#include <algorithm>

namespace headscope::ui {
namespace {

QString sideName(ArcSide side)
{
    return side == ArcSide::Key ? QStringLiteral("key") : QStringLiteral("query");
}

ArcSide sideNamed(const QString& name)
{
    return name == QLatin1String("key") ? ArcSide::Key : ArcSide::Query;
}

std::vector<int> firstTokens(const std::vector<std::vector<int>>& groups)
{
    std::vector<int> tokens;
    for (const auto& group : groups)
        tokens.push_back(group.front());
    return tokens;
}

/// The session's pinned pair, if it is shown.
void markPair(ArcsContent& content, const ViewSnapshot& view, const ShownPattern& shown,
              ArcSide side)
{
    if (!view.selection.pinned)
        return;
    const TokenPair pair = pairOf(view);
    const ArcEnd query{ArcSide::Query, shown.rowOf(pair.query)};
    const ArcEnd key{ArcSide::Key, shown.columnOf(pair.key)};
    const ArcEnd& focus = side == ArcSide::Query ? query : key;
    const ArcEnd& other = side == ArcSide::Query ? key : query;
    if (content.contains(focus))
        content.pinned = focus;
    if (content.contains(focus) && content.contains(other))
        content.pairedWith = other;
}

void collectSpecial(QStringList& names, const TokenSequence& tokens, const LoadedModel& model)
{
    const QStringList labels = labelsOf(tokens, model);
    for (std::size_t token = 0; token < tokens.tokens.size(); ++token) {
        const QString label = labels.value(static_cast<qsizetype>(token));
        if (tokens.tokens[token].special && !names.contains(label))
            names << label;
    }
}

} // namespace

ArcsOptions ArcsOptions::fromJson(const QJsonObject& json)
{
    ArcsOptions options;
    options.kind = mapKindNamed(json.value("attribution").toString());
    options.mass = std::clamp(json.value("mass").toDouble(options.mass), 0.0, 1.0);
    for (const QJsonValue& head : json.value("heads").toArray())
        options.headsBySlot.push_back(head.toInt(-1));
    options.side = sideNamed(json.value("side").toString());
    if (const QJsonObject hovered = json.value("hovered").toObject(); !hovered.isEmpty())
        options.hovered =
            ArcEnd{sideNamed(hovered.value("side").toString()), hovered.value("index").toInt(-1)};
    return options;
}

QJsonObject ArcsOptions::toJson() const
{
    QJsonArray heads;
    for (const int head : headsBySlot)
        heads.append(head);
    QJsonObject json{{"mass", mass},
                     {"heads", heads},
                     {"side", sideName(side)},
                     {"attribution", headscope::ui::toJson(kind)}};
    if (hovered)
        json["hovered"] = QJsonObject{{"side", sideName(hovered->side)}, {"index", hovered->index}};
    return json;
}

HeadChoice headChoice(const ViewSnapshot& view, const std::vector<int>& headsBySlot)
{
    HeadChoice choice(view.trace() ? view.trace()->headCount(view.selection.part) : 0);
    if (!headsBySlot.empty())
        choice.restore(headsBySlot);
    return choice;
}

ArcsContent arcsContent(const ViewSnapshot& given, const ArcsOptions& options,
                        const AttributedRuns& runs)
{
    const ViewSnapshot view = viewAt(given, runs, options.kind);
    ArcsContent content;
    const HeadChoice choice = headChoice(view, options.headsBySlot);
    double hidden = 0.0;
    std::vector<std::optional<double>> sinks;
    std::vector<GridCell> heads;
    for (const int head : choice.shown())
        heads.push_back({view.selection.layer, head});
    for (std::size_t index = 0;
         const ShownPattern& shown : shownPatterns(view, view.shown, heads)) {
        const int head = heads[index++].head;
        if (shown.matrix.isEmpty())
            return {};
        if (content.heads.empty()) {
            content.queries = shown.rowLabels;
            content.keys = shown.columnLabels;
            content.queryPositions = firstTokens(shown.rowTokens);
            content.keyPositions = firstTokens(shown.columnTokens);
            content.isSigned = shown.isSigned;
            markPair(content, view, shown, options.side);
        }
        content.heads.push_back({head, choice.slotOf(head), shown.matrix, shown.mask});
        hidden += shown.hiddenMass;
        sinks.push_back(meanSink(shown.sink));
    }
    if (content.isEmpty())
        return {};
    content.counts.hiddenMass = hidden / static_cast<double>(content.heads.size());
    content.stale = view.stale;
    content.isAttribution = isAttributed(options.kind);
    if (!content.isAttribution) // attributions are of keys
        content.counts.sinkMass = meanOf(sinks);
    content.isSigned = content.isSigned || isSigned(options.kind);
    if (options.hovered && content.contains(*options.hovered))
        content.hovered = options.hovered;
    keepStrongest(content, options.mass);
    return content;
}

QString specialTokenNames(const ViewSnapshot& view)
{
    QStringList names;
    if (const TracePtr& trace = view.trace()) {
        const AttentionKind part = view.selection.part;
        collectSpecial(names, trace->queryTokens(part), view.model());
        if (part == AttentionKind::Cross)
            collectSpecial(names, trace->keyTokens(part), view.model());
    }
    if (names.size() < 2)
        return names.value(0);
    const QString last = names.takeLast();
    return tr("%1 and %2").arg(names.join(QStringLiteral(", ")), last);
}

namespace {

bool hidesTemplate(const ViewSnapshot& view)
{
    if (!view.display.foldTemplate)
        return false;
    const TokenSequence& keys = view.trace()->keyTokens(view.selection.part);
    return std::ranges::any_of(keys.tokens,
                               [](const Token& token) { return token.turn == kTemplateTurn; });
}

} // namespace

QString hiddenTokenNames(const ViewSnapshot& view)
{
    const QString special = view.display.hideSpecial ? specialTokenNames(view) : QString();
    if (!view.trace())
        return special;
    QString names = special;
    if (view.display.hideFirst)
        names = names.isEmpty() ? tr("the first token") : tr("%1 and the first token").arg(names);
    if (hidesTemplate(view))
        names = names.isEmpty() ? tr("the template\u2019s tokens")
                                : tr("%1 and the template\u2019s tokens").arg(names);
    return names;
}

QString drawnText(const ArcsContent& content, const ViewSnapshot& view)
{
    const QString hidden = hiddenTokenNames(view);
    QString words = countText(content.counts);
    if (content.counts.sinkMass)
        words +=
            QStringLiteral(" \u00B7 ") + sinkNote(content.counts.sinkMass, content.isDifference());
    if (!hidden.isEmpty())
        words += tr(" · %1 of all attention hidden with %2, %3")
                     .arg(percent(content.counts.hiddenMass), hidden, hiddenRowsText(view));
    return words;
}

QString layerTitle(const Selection& selection)
{
    const QString pattern = selection.part == AttentionKind::EncoderSelf   ? tr("Encoder layer %1")
                            : selection.part == AttentionKind::DecoderSelf ? tr("Decoder layer %1")
                            : selection.part == AttentionKind::Cross       ? tr("Cross layer %1")
                                                                           : tr("Layer %1");
    return pattern.arg(selection.layer);
}

} // namespace headscope::ui
