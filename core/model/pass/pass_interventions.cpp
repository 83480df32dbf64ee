#include "core/model/pass/pass_interventions.h"

#include <algorithm>

namespace headscope {

namespace {

bool isZ(TraceKey key, const HeadId& head)
{
    return key == contextKey(head.attention, head.layer);
}

/// Rows of one site, head by head where it has heads: [row, width] each.
struct HeadRows
{
    MutableTensorView view; ///< Rows of one head [rows, width].
    int head = 0;           ///< Head index; 0 where the site has no heads.
};

template<class Body>
void forHeads(TraceKey key, MutableTensorView activation, const Body& body)
{
    const bool headsFirst = hasQueryRowsPerHead(key.site);
    if (activation.shape.rank() == 2) {
        body(HeadRows{activation, 0});
        return;
    }
    const std::int64_t heads = activation.shape[headsFirst ? 0 : 1];
    for (std::int64_t head = 0; head < heads; ++head) {
        MutableTensorView rows = activation[0];
        if (headsFirst) {
            rows = activation[head];
        } else {
            rows.data = activation.data + head * activation.stride(1);
            rows.shape = {activation.shape[0], activation.shape[2]};
            rows.strides = {activation.stride(0), 1};
        }
        body(HeadRows{rows, static_cast<int>(head)});
    }
}

/// Row `row` of `values` for that head, or its only row.
const float* replacement(TraceKey key, const Tensor& values, std::int64_t row, int head)
{
    const TensorView view = values.view();
    const bool headsFirst = hasQueryRowsPerHead(key.site);
    const std::int64_t rows = view.shape[headsFirst ? 1 : 0];
    if (rows == 1)
        row = 0;
    if (row >= rows)
        return nullptr;
    if (view.shape.rank() == 2)
        return &view(row, 0);
    return headsFirst ? &view(head, row, 0) : &view(row, head, 0);
}

bool chooses(const Patch& patch, std::int64_t position, int head)
{
    if (patch.head && *patch.head != head)
        return false;
    return patch.positions.empty() || std::find(patch.positions.begin(), patch.positions.end(),
                                                position) != patch.positions.end();
}

void applyPatch(const Patch& patch, std::int64_t firstPosition, const HeadRows& rows)
{
    const std::int64_t width = std::min(rows.view.shape[1], patch.values->shape().back());
    for (std::int64_t row = 0; row < rows.view.shape[0]; ++row) {
        if (!chooses(patch, firstPosition + row, rows.head))
            continue;
        float* destination = rows.view[row].data;
        const float* source = replacement(patch.key, *patch.values, firstPosition + row, rows.head);
        if (source == nullptr)
            continue;
        std::copy_n(source, width, destination);
        std::fill(destination + width, destination + rows.view.shape[1], 0.0F);
    }
}

void applyEdit(const PatternEdit& edit, float* row, std::int64_t keys)
{
    if (!edit.keyToken) {
        const auto count = std::min(keys, std::ssize(edit.weights));
        std::copy_n(edit.weights.begin(), count, row);
        std::fill(row + count, row + keys, 0.0F);
        return;
    }
    const std::int64_t cell = *edit.keyToken;
    if (cell >= keys)
        return;
    const float before = row[cell];
    const float after = edit.weights.front();
    if (edit.rescale && before != 1.0F) {
        const float factor = (1.0F - after) / (1.0F - before);
        std::transform(row, row + keys, row, [&](float weight) { return weight * factor; });
    }
    row[cell] = after;
}

/// Propagates d row after the edit to d row before it, which `before` holds.
void editBackward(const PatternEdit& edit, const std::vector<float>& before, float* gradient)
{
    const auto keys = std::ssize(before);
    if (!edit.keyToken) {
        std::fill(gradient, gradient + keys, 0.0F);
        return;
    }
    const std::int64_t cell = *edit.keyToken;
    if (cell >= keys)
        return;
    gradient[cell] = 0.0F;
    const double rest = 1.0 - static_cast<double>(before[cell]);
    if (!edit.rescale || rest == 0.0)
        return;
    // after_j = before_j (1 - weight) / (1 - before_cell)
    const double factor = (1.0 - static_cast<double>(edit.weights.front())) / rest;
    double sum = 0.0;
    for (std::int64_t key = 0; key < keys; ++key) {
        const auto upstream = static_cast<double>(gradient[key]);
        sum += upstream * static_cast<double>(before[key]);
        gradient[key] = static_cast<float>(upstream * factor);
    }
    gradient[cell] = static_cast<float>(sum * factor / rest);
}

} // namespace

bool isChanged(const Interventions& interventions, TraceKey key)
{
    const auto& i = interventions;
    return std::any_of(i.ablatedHeads.begin(), i.ablatedHeads.end(),
                       [&](const auto& head) { return isZ(key, head); }) ||
           std::any_of(i.patches.begin(), i.patches.end(),
                       [&](const Patch& patch) { return patch.key == key; }) ||
           std::any_of(i.patternEdits.begin(), i.patternEdits.end(),
                       [&](const PatternEdit& edit) { return edit.key == key; });
}

void applyInterventions(const Interventions& interventions, TraceKey key,
                        std::int64_t firstPosition, MutableTensorView activation)
{
    if (!isChanged(interventions, key))
        return;
    forHeads(key, activation, [&](const HeadRows& rows) {
        for (const Patch& patch : interventions.patches)
            if (patch.key == key)
                applyPatch(patch, firstPosition, rows);
        for (const PatternEdit& edit : interventions.patternEdits) {
            const std::int64_t row = edit.query - firstPosition;
            if (edit.key == key && edit.head == rows.head && row >= 0 && row < rows.view.shape[0])
                applyEdit(edit, rows.view[row].data, rows.view.shape[1]);
        }
        for (const HeadId& head : interventions.ablatedHeads)
            if (isZ(key, head) && head.head == rows.head)
                for (std::int64_t row = 0; row < rows.view.shape[0]; ++row)
                    std::fill_n(rows.view[row].data, rows.view.shape[1], 0.0F);
    });
}

Interventions encoderPart(const Interventions& interventions)
{
    Interventions part = interventions;
    part.mask.reset();
    part.maskCells.clear();
    std::erase_if(part.ablatedHeads,
                  [](const auto& head) { return head.attention != AttentionKind::EncoderSelf; });
    std::erase_if(part.patches,
                  [](const Patch& patch) { return patch.key.stack != Stack::Encoder; });
    std::erase_if(part.patternEdits,
                  [](const PatternEdit& edit) { return edit.key.stack != Stack::Encoder; });
    return part;
}

void clearReplaced(const Interventions& interventions, TraceKey key, MutableTensorView gradient)
{
    if (!isChanged(interventions, key))
        return;
    forHeads(key, gradient, [&](const HeadRows& rows) {
        for (std::int64_t row = 0; row < rows.view.shape[0]; ++row) {
            const bool patched =
                std::any_of(interventions.patches.begin(), interventions.patches.end(),
                            [&](const Patch& patch) {
                                return patch.key == key && chooses(patch, row, rows.head) &&
                                       replacement(key, *patch.values, row, rows.head);
                            });
            const bool ablated = std::any_of(
                interventions.ablatedHeads.begin(), interventions.ablatedHeads.end(),
                [&](const auto& head) { return isZ(key, head) && head.head == rows.head; });
            if (patched || ablated)
                std::fill_n(rows.view[row].data, rows.view.shape[1], 0.0F);
        }
    });
}

void editsBackward(const Interventions& interventions, TraceKey key, TensorView computed,
                   MutableTensorView gradient)
{
    const auto& edits = interventions.patternEdits;
    for (std::size_t last = edits.size(); last-- > 0;) {
        const PatternEdit& edit = edits[last];
        if (edit.key != key || edit.query >= gradient.shape[1])
            continue;
        const float* row = &computed(edit.head, edit.query, 0);
        std::vector<float> before(row, row + computed.shape[2]);
        for (std::size_t i = 0; i < last; ++i)
            if (edits[i].key == key && edits[i].head == edit.head && edits[i].query == edit.query)
                applyEdit(edits[i], before.data(), computed.shape[2]);
        editBackward(edit, before, &gradient(edit.head, edit.query, 0));
    }
}

} // namespace headscope
