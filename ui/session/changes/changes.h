#pragma once

#include "ui/session/changes/mask_change.h"
#include "ui/workers/forward/forward_job.h"

#include <QString>

#include <functional>
#include <optional>
#include <vector>

namespace headscope::ui {

/// A head that no longer says what it computed.
struct HeadOff
{
    enum class Method { Zero, Mean }; ///< Mean: of its z over all positions of A

    HeadId head;
    Method method = Method::Zero;

    friend bool operator==(const HeadOff&, const HeadOff&) = default;
};

/// The embedding of one token in place of another's; the position's own stays.
struct TokenSwap
{
    int position = 0;
    TokenId id = 0;

    friend bool operator==(const TokenSwap&, const TokenSwap&) = default;
};

/// One token's activation in A, put in the place of one in B.
struct CellPatch
{
    TraceKey key;
    int fromToken = 0; ///< of A
    int toToken = 0;   ///< of B

    friend bool operator==(const CellPatch&, const CellPatch&) = default;
};

/// Patterns of another text, kept while this one changes.
struct Freeze
{
    RunText text;               ///< whose patterns
    std::optional<HeadId> head; ///< unset: every head

    friend bool operator==(const Freeze&, const Freeze&) = default;
};

enum class ChangeKind { Model, Text, Mask, Positions, Head, Edit, Swap, Patch, Freeze };

/// One change in words: "Mask", "11 cells · all layers, all heads".
struct ChangeWords
{
    QString what;
    QString scope;
    ChangeKind kind = ChangeKind::Mask;
    bool aside = false; ///< switched off for now
};

/// A token's text, for words; without it the id stands there.
using TokenNames = std::function<QString(TokenId)>;

/// Everything that makes B differ from A.
struct Changes
{
    MaskChange mask;
    std::optional<PositionsChoice> positions;
    std::vector<HeadOff> headsOff; ///< in the order in which they were switched off
    std::vector<PatternEdit> edits;
    std::vector<TokenSwap> swaps;
    std::vector<CellPatch> patches;
    std::vector<Freeze> freezes;
    std::optional<QString> text;   ///< B reads another sentence
    std::optional<QString> target; ///< of an encoder-decoder's B
    QString model;                 ///< B is another model: a name for Session's opener; or empty
    std::vector<Changes> aside;    ///< each one change that is switched off but kept

    bool empty() const { return *this == Changes{}; }

    bool isOff(const HeadId& head) const;

    bool isOff(int layer, int head) const { return isOff({layer, head}); }

    /// One entry a change, kind by kind, those aside behind the others of their kind; without(i)
    /// takes the i-th away.
    std::vector<ChangeWords> words(const TokenNames& nameOf = {}) const;
    Changes without(int index) const;

    /// Switches the i-th off, or on again; what stands in its only place then goes aside.
    Changes toggled(int index) const;

    QString describe() const; ///< "no mask, head 2.3 off"; not what is aside

    friend bool operator==(const Changes&, const Changes&) = default;
};

/// "2.3", and "encoder 2.3", "cross 2.3" of two stacks.
QString headName(const HeadId& head);

} // namespace headscope::ui
