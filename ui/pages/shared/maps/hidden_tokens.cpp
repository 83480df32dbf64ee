#include "ui/pages/shared/maps/hidden_tokens.h"

#include "ui/pages/shared/maps/shown_patterns.h"
#include "ui/widgets/tr.h"

#include <algorithm>

namespace headscope::ui {

namespace {

QString leastFraction()
{
    return number(100.0 * kLeastFractionLeft, 0);
}

bool hasSpecial(const TokenSequence& tokens)
{
    return std::any_of(tokens.tokens.begin(), tokens.tokens.end(),
                       [](const Token& token) { return token.special; });
}

bool hasTemplate(const TokenSequence& tokens)
{
    return std::any_of(tokens.tokens.begin(), tokens.tokens.end(),
                       [](const Token& token) { return token.turn == kTemplateTurn; });
}

/// Empty when a pattern is missing, or there are too many cells.
std::vector<ThumbnailPtr> madeThumbnails(const ViewSnapshot& view)
{
    const Trace& trace = *view.trace();
    const AttentionKind part = view.selection.part;
    std::vector<GridCell> heads;
    for (int layer = 0; layer < trace.layerCount(part); ++layer)
        for (int head = 0; head < trace.headCount(part); ++head)
            heads.push_back({layer, head});
    const std::size_t cells =
        heads.size() * trace.queryTokens(part).size() * trace.keyTokens(part).size();
    if (cells > static_cast<std::size_t>(HiddenThumbnails::kMostCells))
        return {};
    std::vector<ThumbnailPtr> thumbnails;
    for (const ShownPattern& shown : shownPatterns(view, view.shown, heads)) {
        if (shown.matrix.isEmpty())
            return {};
        thumbnails.push_back(std::make_shared<const HeadThumbnail>(makeThumbnail(
            shown.matrix, shown.mask, shown.isSigned, HeadThumbnail::kSide, shown.sink)));
    }
    return thumbnails;
}

} // namespace

QString hiddenTokenText(const ViewSnapshot& view)
{
    const TracePtr& trace = view.trace();
    const HiddenTokens hidden = view.display.hidden();
    if (!trace || !hidden.any())
        return {};
    const AttentionKind part = view.selection.part;
    const auto any = [&](bool (*is)(const TokenSequence&)) {
        return is(trace->queryTokens(part)) || is(trace->keyTokens(part));
    };
    const bool special = hidden.special && any(hasSpecial);
    const QString plain = special && hidden.first ? tr("special tokens and the first token")
                          : special               ? tr("special tokens")
                          : hidden.first          ? tr("the first token")
                                                  : QString();
    if (!hidden.chatTemplate || !any(hasTemplate))
        return plain;
    return plain.isEmpty() ? tr("the template\u2019s tokens")
                           : tr("%1 and the template\u2019s tokens").arg(plain);
}

namespace {

bool areRowsRenormalised(const ViewSnapshot& view)
{
    return renormalises(view.display, view.trace()->keyTokens(view.selection.part));
}

} // namespace

QString hiddenRowsText(const ViewSnapshot& view)
{
    return areRowsRenormalised(view) ? tr("rows renormalised") : tr("rows sum to less than 1");
}

QString renormalisedText(const ViewSnapshot& view, double hiddenMass, std::size_t faintRows)
{
    const QString hidden = hiddenTokenText(view);
    if (hidden.isEmpty())
        return {};
    const QString sentence =
        areRowsRenormalised(view)
            ? tr("Hidden: %1, %2 % of the attention; rows are renormalised.")
            : tr("Hidden: %1, %2 % of the attention; weights are as computed, so rows sum to "
                 "less than 1.");
    QString words = sentence.arg(hidden, number(100.0 * hiddenMass, 1));
    if (faintRows > 0)
        words +=
            QLatin1Char(' ') +
            tr("Rows that keep less than %1 % are empty: %2.").arg(leastFraction()).arg(faintRows);
    return words;
}

QString hiddenMassText(const ViewSnapshot& view, std::optional<double> hiddenMass)
{
    const QString hidden = hiddenTokenText(view);
    if (hidden.isEmpty())
        return {};
    return hiddenMass ? tr("%1 % hidden with %2, %3")
                            .arg(number(100.0 * *hiddenMass, 1), hidden, hiddenRowsText(view))
                      : tr("%1 hidden, %2").arg(hidden, hiddenRowsText(view));
}

QString withoutHidden(const QString& what, const ViewSnapshot& view)
{
    const QString hidden = hiddenTokenText(view);
    return hidden.isEmpty() ? what : tr("%1 without %2").arg(what, hidden);
}

QString orFaint(const QString& swatch)
{
    const QString faint = tr("less than %1 % left").arg(leastFraction());
    return swatch.isEmpty() ? faint : tr("%1, or %2").arg(swatch, faint);
}

const std::vector<ThumbnailPtr>* HiddenThumbnails::of(const ViewSnapshot& view)
{
    if (hiddenTokenText(view).isEmpty())
        return nullptr;
    ViewSnapshot single = view; // Words are not grouped in thumbnails.
    single.display.grouping = TokenDisplay::Grouping::Pieces;
    const bool same = m_a == view.a && m_b == view.b && m_shown == view.shown &&
                      m_part == view.selection.part && m_hidden == view.display.hidden();
    if (!same) {
        m_a = view.a;
        m_b = view.b;
        m_shown = view.shown;
        m_part = view.selection.part;
        m_hidden = view.display.hidden();
        m_thumbnails = madeThumbnails(single);
    }
    return m_thumbnails.empty() ? nullptr : &m_thumbnails;
}

} // namespace headscope::ui
