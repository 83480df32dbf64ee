#pragma once

#include "core/analysis/heads/token_groups.h"
#include "ui/session/changes/changes.h"
#include "ui/session/selection.h"

namespace headscope::ui {

/// Which run a picture shows.
enum class Variant { A, B, Difference };

/// How tokens are shown: nothing here changes what is computed.
struct TokenDisplay
{
    enum class Grouping {
        Pieces,
        WordSum,
        WordMean
    }; ///< keys' weights of a word: added or averaged

    Grouping grouping = Grouping::Pieces;
    bool hideSpecial = false; ///< leave special tokens out and divide each row by what is left
    bool hideFirst = false;   ///< the same with the first key, where many heads leave what they
                              ///< have no use for (the attention sink); its row goes with it where
                              ///< rows and keys are the same tokens, as it sees little else
    bool showIds = false;     ///< ids and byte ranges beside the tokens

    HiddenTokens hidden() const { return {hideSpecial, hideFirst}; }

    friend bool operator==(const TokenDisplay&, const TokenDisplay&) = default;
};

/// Everything that a view is a function of, as values. Session::looking() makes it for the window,
/// the command line from its options.
struct Looking
{
    LoadedModel modelA;
    LoadedModel modelB; ///< the same unless two models are compared
    TracePtr a;         ///< null until there is a picture
    TracePtr b;         ///< null when nothing is changed
    PartThumbnails thumbnailsA;
    PartThumbnails thumbnailsB;
    PartThumbnails thumbnailsDifference;
    Changes changes;
    Selection selection;
    Variant shown = Variant::A; ///< A whenever there is no b
    MapName colourMap = MapName::Depth;
    TokenDisplay display;
    bool stale = false;

    /// Of a run; a difference has B's tokens. Null where there is none.
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

    /// A and B can be subtracted: as many tokens, layers and heads.
    bool isComparable() const;
};

/// Query and key token that a selection means in a given trace; -1 where there is none.
struct TokenPair
{
    int query = -1;
    int key = -1;
    friend bool operator==(const TokenPair&, const TokenPair&) = default;
};

TokenPair resolve(const Selection& selection, const Trace& trace);
TokenPair pairOf(const Looking& looking); ///< in the shown trace

} // namespace headscope::ui
