#pragma once

#include "ui/pages/shared/maps/shown_pattern.h"

namespace headscope::ui {

/// What the display really leaves out of the shown part: "special tokens", "the first token",
/// "special tokens and the first token"; empty where it leaves nothing out.
QString hiddenTokenWords(const Looking& looking);

/// For captions: "Left out: the first token, 38.2 % of the attention; each row is divided by what
/// is left." and how many rows stay empty. Nothing for a pattern that is as computed.
QString renormalisedWords(const Looking& looking, double hiddenMass, std::size_t faintRows);

/// Beside a picture: "38.2 % hidden with the first token, rows divided by the rest"; the share is
/// left out where there is none to give.
QString hiddenMassWords(const Looking& looking, std::optional<double> hiddenMass);

/// What is drawn, for titles of legends: `what` itself, or "Attention weight without the first
/// token".
QString withoutHidden(const QString& what, const Looking& looking);

/// What the swatch of masked cells says where faint rows are among them.
QString orFaint(const QString& swatch);

/// Thumbnails of the shown run's heads without hidden tokens. Made where they are asked for, so
/// only of as many cells as that takes no time for; kept while the same picture is asked for again.
class HiddenThumbnails
{
public:
    static constexpr std::int64_t kMostCells = 1'000'000; ///< of all heads of a part

    /// Layer-major. Null where tokens are not hidden, where a pattern is not kept, and above
    /// kMostCells: the whole tokens' thumbnails are then shown, and the page says so.
    const std::vector<ThumbnailPtr>* of(const Looking& looking);

private:
    TracePtr m_a, m_b;
    Variant m_shown = Variant::A;
    AttentionKind m_part = AttentionKind::Self;
    HiddenTokens m_hidden;
    std::vector<ThumbnailPtr> m_thumbnails; ///< empty: not to be had
};

} // namespace headscope::ui
