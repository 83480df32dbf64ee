#pragma once

#include "core/model/edits/weight_edit.h"
#include "ui/session/changes/mask_change.h"
#include "ui/workers/forward/forward_job.h"

#include <QString>

#include <functional>
#include <optional>
#include <vector>

namespace headscope::ui {

/// An ablated head: its output is replaced.
struct HeadOff
{
    /// Replacement: zero, or the mean of its z over all positions of A.
    enum class Method { Zero, Mean };

    HeadId head;
    Method method = Method::Zero;

    friend bool operator==(const HeadOff&, const HeadOff&) = default;
};

/// Replaces the embedding of one token; the positional embedding is unchanged.
struct TokenSwap
{
    int position = 0;
    TokenId id = 0;

    friend bool operator==(const TokenSwap&, const TokenSwap&) = default;
};

/// Activation patch: replaces one activation in B by that of a token in A.
struct CellPatch
{
    TraceKey key;
    int fromToken = 0; ///< Token position in A.
    int toToken = 0;   ///< Token position in B.

    friend bool operator==(const CellPatch&, const CellPatch&) = default;
};

/// Freezes attention patterns to those of another text.
struct Freeze
{
    RunText text;               ///< Text whose patterns are used.
    std::optional<HeadId> head; ///< Frozen head; unset: every head.

    friend bool operator==(const Freeze&, const Freeze&) = default;
};

enum class ChangeKind { Model, Weights, Text, Mask, Positions, Head, Edit, Swap, Patch, Freeze };

/// Description of one change: "Mask", "11 cells · all layers, all heads".
struct ChangeText
{
    QString what;
    QString scope;
    ChangeKind kind = ChangeKind::Mask;
    bool aside = false; ///< True while the change is disabled.
};

/// Function that returns a token's text for descriptions; without it the id is shown.
using TokenNames = std::function<QString(TokenId)>;

/// All changes that make B differ from A.
struct Changes
{
    MaskChange mask;
    std::optional<PositionsChoice> positions;
    std::vector<HeadOff> headsOff;   ///< Ablated heads, in the order of ablation.
    std::vector<WeightEdit> weights; ///< Edits of B's weights, applied in order.
    std::vector<PatternEdit> edits;
    std::vector<TokenSwap> swaps;
    std::vector<CellPatch> patches;
    std::vector<Freeze> freezes;
    std::optional<QString> text;   ///< Sentence of B, if different.
    std::optional<QString> target; ///< Target of an encoder-decoder's B, if different.
    QString model;                 ///< Model of B as a name for Session's opener; empty: the same.
    std::vector<Changes> aside;    ///< Disabled changes, one per entry.

    bool empty() const { return *this == Changes{}; }

    bool isOff(const HeadId& head) const;

    /// Descriptions grouped by kind, disabled ones last within their kind; without(i) removes the
    /// i-th.
    std::vector<ChangeText> texts(const TokenNames& nameOf = {}) const;
    Changes without(int index) const;

    /// Disables or enables the i-th change; enabling one that excludes another disables the other.
    Changes toggled(int index) const;

    /// Summary of the active changes, such as "no mask, head 2.3 ablated".
    QString describe() const;

    friend bool operator==(const Changes&, const Changes&) = default;
};

/// Name such as "2.3", or with two stacks "encoder 2.3" and "cross 2.3".
QString headName(const HeadId& head);

} // namespace headscope::ui
