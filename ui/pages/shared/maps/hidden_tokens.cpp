#include "ui/pages/shared/maps/hidden_tokens.h"

#include "ui/pages/shared/maps/shown_patterns.h"

#include <QCoreApplication>

#include <algorithm>

namespace headscope::ui {

namespace {

QString tr(const char* text)
{
    return QCoreApplication::translate("Tokens", text);
}

QString leastShare()
{
    return number(100.0 * kLeastShareLeft, 0);
}

bool hasSpecial(const TokenSequence& tokens)
{
    return std::any_of(tokens.tokens.begin(), tokens.tokens.end(),
                       [](const Token& token) { return token.special; });
}

/// Empty when a pattern is missing, or there are too many cells.
std::vector<ThumbnailPtr> madeThumbnails(const Looking& looking)
{
    const Trace& trace = *looking.trace();
    const AttentionKind part = looking.selection.part;
    std::vector<GridCell> heads;
    for (int layer = 0; layer < trace.layerCount(part); ++layer)
        for (int head = 0; head < trace.headCount(part); ++head)
            heads.push_back({layer, head});
    const std::size_t cells =
        heads.size() * trace.queryTokens(part).size() * trace.keyTokens(part).size();
    if (cells > static_cast<std::size_t>(HiddenThumbnails::kMostCells))
        return {};
    std::vector<ThumbnailPtr> thumbnails;
    for (const ShownPattern& shown : shownPatterns(looking, looking.shown, heads)) {
        if (shown.matrix.isEmpty())
            return {};
        thumbnails.push_back(std::make_shared<const HeadThumbnail>(
            makeThumbnail(shown.matrix, shown.mask, shown.isSigned)));
    }
    return thumbnails;
}

} // namespace

QString hiddenTokenWords(const Looking& looking)
{
    const TracePtr& trace = looking.trace();
    const HiddenTokens hidden = looking.display.hidden();
    if (!trace || !hidden.any())
        return {};
    const AttentionKind part = looking.selection.part;
    const bool special = hidden.special && (hasSpecial(trace->queryTokens(part)) ||
                                            hasSpecial(trace->keyTokens(part)));
    if (special && hidden.first)
        return tr("special tokens and the first token");
    if (special)
        return tr("special tokens");
    return hidden.first ? tr("the first token") : QString();
}

QString renormalisedWords(const Looking& looking, double hiddenMass, std::size_t faintRows)
{
    const QString hidden = hiddenTokenWords(looking);
    if (hidden.isEmpty())
        return {};
    QString words = tr("Hidden: %1, %2 % of the attention; rows are renormalised.")
                        .arg(hidden, number(100.0 * hiddenMass, 1));
    if (faintRows > 0)
        words +=
            QLatin1Char(' ') +
            tr("Rows that keep less than %1 % are empty: %2.").arg(leastShare()).arg(faintRows);
    return words;
}

QString hiddenMassWords(const Looking& looking, std::optional<double> hiddenMass)
{
    const QString hidden = hiddenTokenWords(looking);
    if (hidden.isEmpty())
        return {};
    return hiddenMass ? tr("%1 % hidden with %2, rows renormalised")
                            .arg(number(100.0 * *hiddenMass, 1), hidden)
                      : tr("%1 hidden, rows renormalised").arg(hidden);
}

QString withoutHidden(const QString& what, const Looking& looking)
{
    const QString hidden = hiddenTokenWords(looking);
    return hidden.isEmpty() ? what : tr("%1 without %2").arg(what, hidden);
}

QString orFaint(const QString& swatch)
{
    const QString faint = tr("less than %1 % left").arg(leastShare());
    return swatch.isEmpty() ? faint : tr("%1, or %2").arg(swatch, faint);
}

const std::vector<ThumbnailPtr>* HiddenThumbnails::of(const Looking& looking)
{
    if (hiddenTokenWords(looking).isEmpty())
        return nullptr;
    Looking single = looking; // Words are not grouped in thumbnails.
    single.display.grouping = TokenDisplay::Grouping::Pieces;
    const bool same = m_a == looking.a && m_b == looking.b && m_shown == looking.shown &&
                      m_part == looking.selection.part && m_hidden == looking.display.hidden();
    if (!same) {
        m_a = looking.a;
        m_b = looking.b;
        m_shown = looking.shown;
        m_part = looking.selection.part;
        m_hidden = looking.display.hidden();
        m_thumbnails = madeThumbnails(single);
    }
    return m_thumbnails.empty() ? nullptr : &m_thumbnails;
}

} // namespace headscope::ui
