#include "ui/pages/shared/sharing/shared_data.h"

#include "core/analysis/scores/head_table.h"
#include "ui/pages/shared/score_names.h"
#include "ui/widgets/tr.h"

#include <nlohmann/json.hpp>

#include <algorithm>

namespace headscope::ui {

namespace {

using Json = nlohmann::ordered_json;

Json jsonOf(const QStringList& texts)
{
    Json json = Json::array();
    for (const QString& text : texts)
        json.push_back(text.toStdString());
    return json;
}

Json textsOf(bool isSigned)
{
    const std::pair<const char*, QString> texts[] = {
        {"tokens", tr("Tokens: choose a query")},
        {"heads", tr("Heads: choose one")},
        {"kind", tr("Attention")},
        {"light", tr("Light theme")},
        {"dark", tr("Dark theme")},
        {"cell", isSigned ? tr("B\u2212A, query \u201C%1\u201D to key \u201C%2\u201D: %3")
                          : tr("Query \u201C%1\u201D attends to key \u201C%2\u201D: %3")},
        {"hiddenCell", tr("Key \u201C%2\u201D is masked for query \u201C%1\u201D")},
        {"rowOf", isSigned ? tr("B\u2212A by key, query \u201C%1\u201D")
                           : tr("Query \u201C%1\u201D attends to")},
        {"more", tr("and %1 more keys with less")},
        {"sink", tr("attention sink")},
        {"keys", tr("Arrow keys move the cell, Enter selects the largest weight, Page Up and Page "
                    "Down change the layer, with Shift the head.")},
    };
    Json json;
    for (const auto& [name, text] : texts)
        json[name] = text.toStdString();
    return json;
}

QString kindTitle(AttentionKind attention)
{
    switch (attention) {
    case AttentionKind::EncoderSelf:
        return tr("Encoder");
    case AttentionKind::DecoderSelf:
        return tr("Decoder");
    case AttentionKind::Cross:
        return tr("Cross");
    case AttentionKind::Self:
        break;
    }
    return tr("Self");
}

/// 255 levels and the colour of masked cells, six hexadecimal digits each.
std::string coloursOf(const ColourScale& scale, const Theme& theme)
{
    const ColourLookup lookup(scale, theme);
    QString digits;
    for (int level = 0; level <= 255; ++level)
        digits += QStringLiteral("%1").arg(
            lookup.level(static_cast<std::uint8_t>(level)) & 0xFFFFFF, 6, 16, QLatin1Char('0'));
    return digits.toStdString();
}

/// Scores that a text alone gives and that some head has.
std::vector<HeadScore> scoresShown(const HeadScoreTables& tables)
{
    std::vector<HeadScore> scores;
    for (const HeadScoreInfo& info : headScoreInfos()) {
        const bool isKnown = std::any_of(tables.begin(), tables.end(), [&](const auto& entry) {
            return entry.second.has(info.score);
        });
        if (isKnown && info.needs == HeadScoreNeeds::Text)
            scores.push_back(info.score);
    }
    return scores;
}

Json scoresOf(const SharedKind& kind, const HeadScoreTables& tables,
              const std::vector<HeadScore>& scores)
{
    Json heads = Json::array();
    const auto table = tables.find(kind.attention);
    if (table == tables.end())
        return heads;
    for (const GridCell head : kind.stored) {
        QStringList texts;
        for (const HeadScore score : scores)
            texts << scoreText(score, table->second.at(head.layer, head.head, score));
        heads.push_back(jsonOf(texts));
    }
    return heads;
}

Json jsonOf(const SharedKind& kind)
{
    Json stored = Json::array();
    for (const GridCell head : kind.stored) {
        const Selection selection{kind.attention, head.layer, head.head};
        stored.push_back({head.layer, head.head, headTitle(selection).toStdString()});
    }
    return {{"name", toString(kind.attention)},
            {"title", kindTitle(kind.attention).toStdString()},
            {"rows", jsonOf(kind.rows)},
            {"columns", jsonOf(kind.columns)},
            {"lengths", kind.lengths},
            {"layers", kind.layers},
            {"heads", kind.heads},
            {"sinks", kind.hasSinks},
            {"stored", stored}};
}

/// The selected pair, in rows and columns as they are shown.
Json startOf(const ViewSnapshot& view)
{
    const Selection& selection = view.selection;
    const ShownPattern shown = shownPattern(view, {selection.layer, selection.head});
    const TokenPair pair = pairOf(view);
    return {{"layer", selection.layer},
            {"head", selection.head},
            {"query", std::max(shown.rowOf(pair.query), 0)},
            {"key", std::max(shown.columnOf(pair.key), 0)}};
}

} // namespace

QByteArray sharedData(const ViewSnapshot& view, const SharedPatterns& patterns)
{
    const ColourScale scale = patterns.isSigned ? ColourScale::difference()
                                                : ColourScale{view.colourMap, 0.0F, 1.0F, 1.0};
    const bool isScored = !patterns.isSigned && patterns.isComplete();
    const HeadScoreTables tables = isScored ? scoreTrace(*view.trace()) : HeadScoreTables();
    const std::vector<HeadScore> scores = scoresShown(tables);
    QStringList titles;
    for (const HeadScore score : scores)
        titles << scoreTitle(score);
    Json json{{"texts", textsOf(patterns.isSigned)},
              {"signed", patterns.isSigned},
              {"bits", patterns.bits},
              {"decimals", patterns.bits == 16 ? 3 : 2},
              {"colours",
               {{"light", coloursOf(scale, Theme::light())},
                {"dark", coloursOf(scale, Theme::darkTheme())}}},
              {"scoreTitles", jsonOf(titles)},
              {"start", startOf(view)}};
    json["kinds"] = Json::array();
    for (const SharedKind& kind : patterns.kinds) {
        json["kinds"].push_back(jsonOf(kind));
        json["kinds"].back()["scores"] = scoresOf(kind, tables, scores);
    }
    json["patterns"] = patterns.levels.toBase64().toStdString();
    json["sinks"] = patterns.sinkLevels.toBase64().toStdString();
    constexpr bool kAscii = true;
    return QByteArray::fromStdString(json.dump(-1, ' ', kAscii, Json::error_handler_t::replace));
}

} // namespace headscope::ui
