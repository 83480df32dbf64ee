#pragma once

#include "ui/pages/shared/maps/shown_pattern.h"

namespace headscope::ui {

/// Names of the tokens hidden in the shown part: "special tokens", "the first token", "the
/// template's tokens", or several; empty without any.
QString hiddenTokenText(const ViewSnapshot& view);

/// "rows renormalised", or that rows sum to less than 1 where only a template's tokens are hidden.
QString hiddenRowsText(const ViewSnapshot& view);

/// Caption text: "Hidden: the first token, 38.2 % of the attention; rows are renormalised." and the
/// number of empty rows. Empty for a pattern shown as computed.
QString renormalisedText(const ViewSnapshot& view, double hiddenMass, std::size_t faintRows);

/// Note beside a map: "38.2 % hidden with the first token, rows renormalised" or what
/// hiddenRowsText() says; without the
/// percentage where none is available.
QString hiddenMassText(const ViewSnapshot& view, std::optional<double> hiddenMass);

/// Legend title: `what` itself, or "Attention weight without the first token".
QString withoutHidden(const QString& what, const ViewSnapshot& view);

/// Label of the swatch for masked cells when faint rows are among them.
QString orFaint(const QString& swatch);

/// Thumbnails of the shown variant's heads without hidden tokens. Computed on request, limited to a
/// number of cells that takes negligible time; cached for the same view.
class HiddenThumbnails
{
public:
    static constexpr std::int64_t kMostCells = 1'000'000; ///< Limit over all heads of a part.

    /// Thumbnails, layer-major. Null where no tokens are hidden, where a pattern is missing, and
    /// above kMostCells: thumbnails of all tokens are then shown, and the page says so.
    const std::vector<ThumbnailPtr>* of(const ViewSnapshot& view);

private:
    TracePtr m_a, m_b;
    Variant m_shown = Variant::A;
    AttentionKind m_part = AttentionKind::Self;
    HiddenTokens m_hidden;
    std::vector<ThumbnailPtr> m_thumbnails; ///< Empty: not available.
};

} // namespace headscope::ui
