#include "ui/pages/shared/changes/change_edits.h"

#include "core/base/error.h"
#include "core/model/pass/intervention_check.h"

#include <algorithm>

namespace headscope::ui {

namespace {

PatternEdit editOf(const Looking& looking, int query)
{
    PatternEdit edit;
    edit.key = patternKey(looking.selection.part, looking.selection.layer);
    edit.head = looking.selection.head;
    edit.query = query;
    return edit;
}

bool isSameRow(const PatternEdit& a, const PatternEdit& b)
{
    return a.key == b.key && a.head == b.head && a.query == b.query;
}

/// A row edit replaces all edits of that row, a cell edit those of the same cell.
Changes withEdit(const Looking& looking, const PatternEdit& edit)
{
    Changes changes = looking.changes;
    std::erase_if(changes.edits, [&edit](const PatternEdit& other) {
        return isSameRow(edit, other) && (!edit.keyToken || other.keyToken == edit.keyToken);
    });
    changes.edits.push_back(edit);
    return changes;
}

/// Pattern of the active head, with the mask of the edited variant.
HeatmapMatrix editedPattern(const Looking& looking)
{
    return patternOf(*editedTrace(looking), looking.selection.headId());
}

} // namespace

const TracePtr& editedTrace(const Looking& looking)
{
    return looking.b ? looking.b : looking.a;
}

Changes withWeight(const Looking& looking, TokenPair cell, float weight, bool rescale)
{
    PatternEdit edit = editOf(looking, cell.query);
    edit.keyToken = cell.key;
    edit.weights = {weight};
    edit.rescale = rescale;
    return withEdit(looking, edit);
}

Changes withUniformRow(const Looking& looking, int query)
{
    const HeatmapMatrix pattern = editedPattern(looking);
    const HeatmapMask mask = maskOf(*editedTrace(looking), looking.selection.part);
    PatternEdit edit = editOf(looking, query);
    edit.weights.assign(static_cast<std::size_t>(pattern.columns), 0.0F);
    int visible = 0;
    for (int key = 0; key < pattern.columns; ++key)
        visible += mask.hides({query, key}, pattern) ? 0 : 1;
    for (int key = 0; key < pattern.columns; ++key) {
        if (!mask.hides({query, key}, pattern))
            edit.weights[static_cast<std::size_t>(key)] = 1.0F / static_cast<float>(visible);
    }
    return withEdit(looking, edit);
}

Changes withRowOn(const Looking& looking, TokenPair cell)
{
    PatternEdit edit = editOf(looking, cell.query);
    edit.weights.assign(static_cast<std::size_t>(editedPattern(looking).columns), 0.0F);
    edit.weights.at(static_cast<std::size_t>(cell.key)) = 1.0F;
    return withEdit(looking, edit);
}

Changes withRowAsComputed(const Looking& looking, int query)
{
    Changes changes = looking.changes;
    const PatternEdit row = editOf(looking, query);
    std::erase_if(changes.edits,
                  [&row](const PatternEdit& other) { return isSameRow(row, other); });
    return changes;
}

Changes withSwap(const Looking& looking, int position, TokenId id)
{
    Changes changes = looking.changes;
    std::erase_if(changes.swaps,
                  [position](const TokenSwap& swap) { return swap.position == position; });
    const TokenSequence& tokens = *swappableTokens(looking);
    if (tokens.tokens.at(static_cast<std::size_t>(position)).id != id)
        changes.swaps.push_back({position, id});
    return changes;
}

Changes withFreeze(const Looking& looking, const RunText& text, bool activeHeadOnly)
{
    Changes changes = looking.changes;
    Freeze freeze{text, {}};
    const Selection& selection = looking.selection;
    if (activeHeadOnly)
        freeze.head = selection.headId();
    std::erase_if(changes.freezes, [&freeze](const Freeze& other) {
        return !freeze.head || !other.head || other.head == freeze.head;
    });
    changes.freezes.push_back(std::move(freeze));
    return changes;
}

QString whyNot(const Looking& looking, const PositionsChoice& positions)
{
    if (!looking.modelB.model)
        return {};
    Interventions wish;
    wish.positions = positions;
    try {
        checkInterventions(looking.modelB.model->config(), 1, wish, 1);
        return {};
    } catch (const Error& error) {
        return QString::fromStdString(error.what());
    }
}

const TokenSequence* swappableTokens(const Looking& looking)
{
    const TracePtr& trace = editedTrace(looking);
    if (!trace)
        return nullptr;
    return trace->sourceTokens().tokens.empty() ? &trace->tokens() : &trace->sourceTokens();
}

} // namespace headscope::ui
