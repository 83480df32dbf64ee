#include "ui/widgets/text/token_line.h"

#include <QFontMetricsF>

#include <algorithm>
#include <cmath>

namespace headscope::ui {
namespace {

constexpr double kPadding = 8.0;
constexpr double kChipGap = 5.0;
constexpr double kNoteGap = 5.0;
constexpr double kNarrowestChip = 24.0;
constexpr double kFoldedChip = 5.0;
constexpr double kFoldedGap = 3.0;
constexpr double kLongestText = 220.0;
constexpr double kAroundCutMark = 24.0;

} // namespace

TokenLine::TokenLine(const std::vector<TokenChip>& chips, const QStringList& notes, int shown,
                     const QString& cutMark, const Theme& theme)
{
    if (chips.empty())
        return;
    const QFontMetricsF text(theme.font(TextRole::StripToken));
    const QFontMetricsF note(theme.font(TextRole::Caption));
    m_cutWidth = cutMark.isEmpty() ? 0.0 : note.horizontalAdvance(cutMark) + kAroundCutMark;
    const double longest = kLongestText * theme.scale();
    const auto cut = static_cast<std::size_t>(shown);
    double x = 0.0;
    for (std::size_t index = 0; index < chips.size(); ++index) {
        if (index == cut) {
            m_cutX = x;
            x += m_cutWidth;
        }
        const TokenChip& chip = chips[index];
        const double word = std::min(text.horizontalAdvance(chip.text), longest);
        const double digits = note.horizontalAdvance(notes[static_cast<qsizetype>(index)]);
        const double gap = chip.text.isEmpty() ? 0.0 : kNoteGap;
        const bool isFolded = notes[static_cast<qsizetype>(index)].isEmpty();
        const double width =
            isFolded ? kFoldedChip
                     : std::max(std::ceil(2.0 * kPadding + word + digits + gap), kNarrowestChip);
        m_chips.push_back({x, width});
        m_width = x + width;
        const bool joined = index + 1 < chips.size() && chips[index + 1].joinsPrevious;
        x += width + (joined ? 0.0 : isFolded ? kFoldedGap : kChipGap);
    }
    if (cut == chips.size())
        m_cutX = x;
    if (hasCutMark())
        m_width = std::max(m_width, m_cutX + m_cutWidth);
}

QRectF TokenLine::chip(int index, double y, double height) const
{
    const Placed& placed = m_chips[static_cast<std::size_t>(index)];
    return {placed.x, y, placed.width, height};
}

std::optional<int> TokenLine::chipBefore(double x) const
{
    const auto after =
        std::upper_bound(m_chips.begin(), m_chips.end(), x,
                         [](double value, const Placed& placed) { return value < placed.x; });
    if (after == m_chips.begin())
        return std::nullopt;
    return static_cast<int>(after - m_chips.begin()) - 1;
}

} // namespace headscope::ui
