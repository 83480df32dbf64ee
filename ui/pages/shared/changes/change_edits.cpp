#include "ui/pages/shared/changes/change_edits.h"

#include "core/base/error.h"
#include "core/model/pass/intervention_check.h"
#include "ui/workers/error_sentence.h"

#include <algorithm>

namespace headscope::ui {

namespace {

PatternEdit editOf(const ViewSnapshot& view, int query)
{
    PatternEdit edit;
    edit.key = patternKey(view.selection.part, view.selection.layer);
    edit.head = view.selection.head;
    edit.query = query;
    return edit;
}

bool isSameRow(const PatternEdit& a, const PatternEdit& b)
{
    return a.key == b.key && a.head == b.head && a.query == b.query;
}

/// A row edit replaces all edits of that row, a cell edit those of the same cell.
Changes withEdit(const ViewSnapshot& view, const PatternEdit& edit)
{
    Changes changes = view.changes;
    std::erase_if(changes.edits, [&edit](const PatternEdit& other) {
        return isSameRow(edit, other) && (!edit.keyToken || other.keyToken == edit.keyToken);
    });
    changes.edits.push_back(edit);
    return changes;
}

/// Pattern of the active head, with the mask of the edited variant.
HeatmapMatrix editedPattern(const ViewSnapshot& view)
{
    return patternOf(*editedTrace(view), view.selection.headId());
}

} // namespace

const TracePtr& editedTrace(const ViewSnapshot& view)
{
    return view.b ? view.b : view.a;
}

Changes withWeight(const ViewSnapshot& view, TokenPair cell, float weight, bool rescale)
{
    PatternEdit edit = editOf(view, cell.query);
    edit.keyToken = cell.key;
    edit.weights = {weight};
    edit.rescale = rescale;
    return withEdit(view, edit);
}

Changes withUniformRow(const ViewSnapshot& view, int query)
{
    const HeatmapMatrix pattern = editedPattern(view);
    const HeatmapMask mask = maskOf(*editedTrace(view), view.selection.headId());
    PatternEdit edit = editOf(view, query);
    edit.weights.assign(static_cast<std::size_t>(pattern.columns), 0.0F);
    int visible = 0;
    for (int key = 0; key < pattern.columns; ++key)
        visible += mask.hides({query, key}, pattern) ? 0 : 1;
    for (int key = 0; key < pattern.columns; ++key) {
        if (!mask.hides({query, key}, pattern))
            edit.weights[static_cast<std::size_t>(key)] = 1.0F / static_cast<float>(visible);
    }
    return withEdit(view, edit);
}

Changes withRowOn(const ViewSnapshot& view, TokenPair cell)
{
    PatternEdit edit = editOf(view, cell.query);
    edit.weights.assign(static_cast<std::size_t>(editedPattern(view).columns), 0.0F);
    edit.weights.at(static_cast<std::size_t>(cell.key)) = 1.0F;
    return withEdit(view, edit);
}

Changes withRowAsComputed(const ViewSnapshot& view, int query)
{
    Changes changes = view.changes;
    const PatternEdit row = editOf(view, query);
    std::erase_if(changes.edits,
                  [&row](const PatternEdit& other) { return isSameRow(row, other); });
    return changes;
}

Changes withSwap(const ViewSnapshot& view, int position, TokenId id)
{
    Changes changes = view.changes;
    std::erase_if(changes.swaps,
                  [position](const TokenSwap& swap) { return swap.position == position; });
    const TokenSequence& tokens = *swappableTokens(view);
    if (tokens.tokens.at(static_cast<std::size_t>(position)).id != id)
        changes.swaps.push_back({position, id});
    return changes;
}

Changes withFreeze(const ViewSnapshot& view, const RunText& text, bool activeHeadOnly)
{
    Changes changes = view.changes;
    Freeze freeze{text, {}};
    const Selection& selection = view.selection;
    if (activeHeadOnly)
        freeze.head = selection.headId();
    std::erase_if(changes.freezes, [&freeze](const Freeze& other) {
        return !freeze.head || !other.head || other.head == freeze.head;
    });
    changes.freezes.push_back(std::move(freeze));
    return changes;
}

QString whyNot(const ViewSnapshot& view, const PositionsChoice& positions)
{
    if (!view.modelB.model)
        return {};
    Interventions request;
    request.positions = positions;
    try {
        checkInterventions(view.modelB.model->config(), 1, request, 1);
        return {};
    } catch (const Error& error) {
        return errorSentence(error);
    }
}

const TokenSequence* swappableTokens(const ViewSnapshot& view)
{
    const TracePtr& trace = editedTrace(view);
    if (!trace)
        return nullptr;
    return trace->sourceTokens().tokens.empty() ? &trace->tokens() : &trace->sourceTokens();
}

} // namespace headscope::ui
