#include "ui/session/changes/change_interventions.h"

#include "core/base/error.h"
#include "core/model/pass/patches.h"

#include <algorithm>
#include <iterator>
#include <utility>

namespace headscope::ui {

namespace {

/// Embedding of `id`, scaled as the model does it, read from a forward pass of its own.
Patch swapOf(const TokenSwap& swap, const SecondRunContext& context)
{
    RunText one;
    one.tokens.emplace();
    one.tokens->tokens.push_back({swap.id, {0, 0}, false});
    const bool twoStacks = context.model.model->config().isEncoderDecoder();
    const TraceKey key{Site::Embed, 0, twoStacks ? Stack::Encoder : Stack::Blocks};
    return {key, context.traceOf(one)->find(key), std::nullopt, {swap.position}};
}

/// Numbers of queries and keys of a pattern in B.
struct PatternExtents
{
    std::int64_t queries = 0;
    std::int64_t keys = 0;
};

PatternExtents extentsOf(TraceKey key, const SecondRunContext& context)
{
    if (key.stack == Stack::Encoder)
        return {context.sourceTokens, context.sourceTokens};
    return {context.tokens, key.site == Site::CrossPattern ? context.sourceTokens : context.tokens};
}

bool fits(const PatternEdit& edit, const SecondRunContext& context)
{
    const PatternExtents extents = extentsOf(edit.key, context);
    if (edit.query >= extents.queries)
        return false;
    if (edit.keyToken)
        return *edit.keyToken < extents.keys;
    return static_cast<std::int64_t>(edit.weights.size()) == extents.keys;
}

bool fits(const TokenSwap& swap, const SecondRunContext& context)
{
    return swap.position < (context.sourceTokens > 0 ? context.sourceTokens : context.tokens);
}

std::int64_t rowsOf(TraceKey key, const SecondRunContext& context)
{
    const bool ofSource = key.stack == Stack::Encoder || hasSourceRows(key.site);
    return ofSource ? context.sourceTokens : context.tokens;
}

std::shared_ptr<const Tensor> valuesOf(const CellPatch& patch, const SecondRunContext& context)
{
    const auto values = context.a.find(patch.key);
    if (!values || hasQueryRowsPerHead(patch.key.site))
        throw Error("A contains no " + toString(patch.key) + " of single tokens", "patch",
                    "Drag another cell of A's grid");
    return values;
}

Patch patchOf(const CellPatch& patch, const Tensor& values)
{
    Shape shape{1};
    for (int axis = 1; axis < values.shape().rank(); ++axis)
        shape.append(values.shape()[axis]);
    auto row = std::make_shared<Tensor>(shape);
    std::copy_n(values.view()[patch.fromToken].data, shape.elementCount(), row->view().data);
    return {patch.key, std::move(row), std::nullopt, {patch.toToken}};
}

std::vector<Patch> freezeOf(const Freeze& freeze, const SecondRunContext& context)
{
    std::vector<Patch> patches = freezePatterns(*context.traceOf(freeze.text));
    if (!freeze.head)
        return patches;
    const TraceKey wanted = patternKey(freeze.head->attention, freeze.head->layer);
    std::erase_if(patches, [&wanted](const Patch& patch) { return patch.key != wanted; });
    for (Patch& patch : patches)
        patch.head = freeze.head->head;
    return patches;
}

void addMask(Interventions& interventions, const MaskChange& mask, std::int64_t tokens)
{
    if (!mask.changesTheModel())
        return;
    interventions.mask = AttentionMask();
    interventions.mask->causal =
        mask.kind == MaskChange::Kind::Causal || mask.kind == MaskChange::Kind::Window;
    interventions.mask->window = mask.kind == MaskChange::Kind::Window ? mask.window : 0;
    if (mask.kind != MaskChange::Kind::Painted)
        return;
    // Tokens added since the mask was painted get the base mask; cells of removed tokens are
    // dropped.
    const bool causal = mask.isOnCausal();
    for (std::int64_t query = 0; query < tokens; ++query) {
        for (std::int64_t key = 0; key < tokens; ++key) {
            const bool known = query < mask.side && key < mask.side;
            const auto cell = static_cast<std::size_t>(query * mask.side + key);
            interventions.maskCells.push_back(known ? mask.cells[cell] != 0
                                                    : key <= query || !causal);
        }
    }
}

void addHeadsOff(Interventions& interventions, const std::vector<HeadOff>& headsOff,
                 const SecondRunContext& context)
{
    std::vector<HeadId> means;
    for (const HeadOff& off : headsOff)
        (off.method == HeadOff::Method::Zero ? interventions.ablatedHeads : means)
            .push_back(off.head);
    if (means.empty())
        return;
    const TracePtr a(TracePtr(), &context.a); // borrowed for the call
    for (Patch& patch : meanAblation({a}, means))
        interventions.patches.push_back(std::move(patch));
}

} // namespace

Interventions interventionsOf(const Changes& changes, const SecondRunContext& context)
{
    Interventions interventions;
    const std::int64_t tokens = context.tokens;
    addMask(interventions, changes.mask, tokens);
    interventions.positions = changes.positions;
    addHeadsOff(interventions, changes.headsOff, context);
    std::copy_if(changes.edits.begin(), changes.edits.end(),
                 std::back_inserter(interventions.patternEdits),
                 [&context](const PatternEdit& edit) { return fits(edit, context); });
    for (const TokenSwap& swap : changes.swaps) {
        if (fits(swap, context))
            interventions.patches.push_back(swapOf(swap, context));
    }
    for (const CellPatch& patch : changes.patches) {
        const auto values = valuesOf(patch, context);
        if (patch.fromToken < values->shape()[0] && patch.toToken < rowsOf(patch.key, context))
            interventions.patches.push_back(patchOf(patch, *values));
    }
    for (const Freeze& freeze : changes.freezes) {
        for (Patch& patch : freezeOf(freeze, context))
            interventions.patches.push_back(std::move(patch));
    }
    return interventions;
}

} // namespace headscope::ui
