#pragma once

#include "core/analysis/heads/token_groups.h"
#include "ui/session/changes/changes.h"
#include "ui/session/selection.h"

namespace headscope::ui {

/// Variant that a view shows.
enum class Variant { A, B, Difference };

/// Display of tokens; does not affect the computation.
struct TokenDisplay
{
    /// Display of single tokens, or of words with the sum or mean of their tokens' weights.
    enum class Grouping { Pieces, WordSum, WordMean };

    Grouping grouping = Grouping::Pieces;
    bool hideSpecial = false; ///< Hide special tokens and renormalise rows.
    /// Hide the first key, often an attention sink, and renormalise rows. Also hides its row where
    /// queries and keys are the same tokens, as that attends to little else.
    bool hideFirst = false;
    /// Hide what the template of a chat wrote; rows are not renormalised for it alone.
    bool foldTemplate = false;
    bool showIds = false; ///< Show ids and byte ranges beside the tokens.

    HiddenTokens hidden() const { return {hideSpecial, hideFirst, foldTemplate}; }

    friend bool operator==(const TokenDisplay&, const TokenDisplay&) = default;
};

/// Everything that determines a view, as values. Built by Session::viewSnapshot() for the window, and
/// from options for the command line.
struct ViewSnapshot
{
    LoadedModel modelA;
    LoadedModel modelB; ///< Model of B; modelA unless two models are compared.
    TracePtr a;         ///< Trace of A; null before the first result.
    TracePtr b;         ///< Trace of B; null without changes.
    PartThumbnails thumbnailsA;
    PartThumbnails thumbnailsB;
    PartThumbnails thumbnailsDifference;
    Changes changes;
    Selection selection;
    Variant shown = Variant::A; ///< Shown variant; A whenever there is no b.
    MapName colourMap = MapName::Depth;
    TokenDisplay display;
    bool stale = false;

    /// Trace of a variant, for a difference that of B. Null where there is none.
    const TracePtr& trace(Variant variant) const { return variant == Variant::A ? a : b; }

    const TracePtr& trace() const { return trace(shown); }

    const LoadedModel& model(Variant variant) const
    {
        return variant == Variant::A ? modelA : modelB;
    }

    const LoadedModel& model() const { return model(shown); }

    const PartThumbnails& thumbnails() const
    {
        if (shown == Variant::Difference)
            return thumbnailsDifference;
        return shown == Variant::B ? thumbnailsB : thumbnailsA;
    }

    /// True when B − A is defined: equally many tokens, layers and heads.
    bool isComparable() const;
};

/// Selected query and key token in a given trace; -1 where there is none.
struct TokenPair
{
    int query = -1;
    int key = -1;
    friend bool operator==(const TokenPair&, const TokenPair&) = default;
};

TokenPair resolve(const Selection& selection, const Trace& trace);
TokenPair pairOf(const ViewSnapshot& view); ///< Selected pair in the shown trace.

} // namespace headscope::ui
