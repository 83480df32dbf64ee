#include "core/model/pass/intervention_check.h"

#include "core/base/error.h"
#include "core/model/config/mask_choice.h"
#include "core/model/pass/site_shape.h"
#include "core/model/positions/position_encodings.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace headscope {

namespace {

[[noreturn]] void refuse(const std::string& problem, const std::string& advice)
{
    throw ShapeError(problem, "interventions", advice);
}

std::string range(std::int64_t count)
{
    return count == 1 ? "0" : fmt::format("0 to {}", count - 1);
}

std::string layersOf(const ModelConfig& config)
{
    std::string text;
    for (const Stack stack : {Stack::Blocks, Stack::Encoder, Stack::Decoder}) {
        const std::int64_t layers = layerCount(config, stack);
        if (layers == 0)
            continue;
        const char* const name = stack == Stack::Blocks    ? "blocks"
                                 : stack == Stack::Encoder ? "encoder"
                                                           : "decoder";
        text += fmt::format("{}{} {}", text.empty() ? "" : ", ", name, range(layers));
    }
    return text.empty() ? "The model has no layers" : "Its layers are " + text;
}

/// Rejects interventions that do not fit the model or the text.
class InterventionCheck
{
public:
    InterventionCheck(const ModelConfig& config, const SiteExtents& extents)
        : m_config(config)
        , m_extents(extents)
    {
    }

    void mask(const Interventions& interventions) const
    {
        const std::size_t tokens = m_extents.tokens;
        if (!interventions.maskCells.empty() && interventions.maskCells.size() != tokens * tokens)
            refuse(fmt::format("a mask of {} cells does not fit {} tokens",
                               interventions.maskCells.size(), tokens),
                   fmt::format("Use {0} by {0} cells", tokens));
        if (interventions.mask && interventions.mask->window < 0)
            refuse(fmt::format("a window of {} tokens", interventions.mask->window),
                   "Use 1 or more, or 0 for none");
    }

    void positions(const PositionsChoice& choice) const
    {
        if (!(choice.base > 1.0 && choice.base <= 1e12))
            refuse(fmt::format("positions with the base {}", choice.base),
                   "Use more than 1, such as 10000");
        encodingOf(choice.kind).checkInstead(m_config, choice);
    }

    void head(const HeadId& head) const
    {
        const std::int64_t layers = layerCount(m_config, stackOf(head.attention));
        if (head.layer < 0 || head.layer >= layers || head.head < 0 || head.head >= m_config.heads)
            refuse(fmt::format("this model has no head {}", headCode(head)),
                   fmt::format("{}, each with heads {}{}", layersOf(m_config),
                               range(m_config.heads),
                               head.attention == AttentionKind::Self && layers == 0
                                   ? ": write E0H0 or D0H0, and C0H0 for cross-attention"
                                   : ""));
    }

    void patch(const Patch& patch) const
    {
        const std::string name = toString(patch.key);
        const Shape shape = shapeAt(patch.key);
        if (isScores(patch.key.site))
            refuse(fmt::format("{} cannot be patched", name),
                   "Patch the pattern, which is computed from them");
        if (patch.key.site == Site::RouterProbs)
            refuse(fmt::format("{} cannot be patched", name),
                   "Patch hook_expert_weights, which are computed from them");
        if (!patch.values)
            refuse(fmt::format("a patch of {} has no values", name),
                   fmt::format("Use values of the shape {}", shape.toString()));
        if (!fits(patch, shape))
            refuse(fmt::format("a patch of shape {} does not fit {}",
                               patch.values->shape().toString(), name),
                   fmt::format("Use {}, or one row of it", shape.toString()));
        if (patch.head && (!hasHeads(patch.key.site) || *patch.head < 0 ||
                           *patch.head >= headsIn(patch.key, shape)))
            refuse(
                fmt::format("cannot patch head {} at {}: there is no such head", *patch.head, name),
                hasHeads(patch.key.site)
                    ? fmt::format("Choose heads {}", range(headsIn(patch.key, shape)))
                    : "Leave the head out: that activation has no heads");
        const std::int64_t rows = rowsIn(patch.key, shape);
        for (const std::int64_t position : patch.positions)
            if (position < 0 || position >= rows)
                refuse(fmt::format("cannot patch position {} at {}: there is no such position",
                                   position, name),
                       fmt::format("Choose positions {}", range(rows)));
        refuseCutWeights(patch, shape);
    }

    void edit(const PatternEdit& edit) const
    {
        const std::string name = toString(edit.key);
        if (!isPattern(edit.key.site))
            refuse(fmt::format("{} cannot be edited", name),
                   "Edit a pattern, or patch this activation");
        const Shape shape = shapeAt(edit.key);
        const auto within = [&](std::int64_t value, std::int64_t count, const char* what) {
            if (value < 0 || value >= count)
                refuse(fmt::format("{} {} of {} does not exist", what, value, name),
                       fmt::format("Choose {} {}", what, range(count)));
        };
        within(edit.head, shape[0], "head");
        within(edit.query, shape[1], "query");
        if (edit.keyToken)
            within(*edit.keyToken, shape[2], "key");
        const auto weights = std::ssize(edit.weights);
        const std::int64_t most = edit.keyToken ? 1 : shape[2];
        if (weights < 1 || weights > most)
            refuse(fmt::format("an edit of {} with {} weights", name, weights),
                   most == 1 ? "Provide one"
                             : fmt::format("Provide 1 to {}: one for each key", most));
        for (const float weight : edit.weights)
            if (!std::isfinite(weight))
                refuse(fmt::format("an edit of {} with the weight {}", name, weight),
                       "Use a number, such as 0");
    }

private:
    static std::int64_t rowsIn(TraceKey key, const Shape& shape)
    {
        return shape[hasQueryRowsPerHead(key.site) ? 1 : 0];
    }

    static std::int64_t headsIn(TraceKey key, const Shape& shape)
    {
        return shape[hasQueryRowsPerHead(key.site) ? 0 : 1];
    }

    Shape shapeAt(TraceKey key) const
    {
        const std::optional<Shape> shape = siteShape(m_config, key, m_extents);
        if (!shape)
            refuse(fmt::format("this model has no activation {}", toString(key)),
                   layersOf(m_config));
        return *shape;
    }

    /// Compares all axes but the rows, and the keys of a pattern, with those of the site.
    static bool fits(const Patch& patch, const Shape& shape)
    {
        const Shape& got = patch.values->shape();
        if (got.rank() != shape.rank() || patch.values->empty())
            return false;
        const bool pattern = hasQueryRowsPerHead(patch.key.site);
        for (int axis = 0; axis < shape.rank(); ++axis) {
            const bool free = pattern ? axis > 0 : axis == 0;
            if (!free && got[axis] != shape[axis])
                return false;
        }
        return true;
    }

    /// Accepts a pattern of a longer text only where no weight is lost, as in a causal one.
    static void refuseCutWeights(const Patch& patch, const Shape& shape)
    {
        const Shape& got = patch.values->shape();
        if (!hasQueryRowsPerHead(patch.key.site) || got[2] <= shape[2])
            return;
        const TensorView values = patch.values->view();
        for (std::int64_t head = 0; head < got[0]; ++head)
            for (std::int64_t row = 0; row < std::min(got[1], shape[1]); ++row)
                for (std::int64_t key = shape[2]; key < got[2]; ++key)
                    if (values(head, row, key) != 0.0F)
                        refuse(fmt::format("a patch of {} has weight on key {}, but there are {} "
                                           "tokens",
                                           toString(patch.key), key, shape[2]),
                               fmt::format("Use a pattern of {} keys", shape[2]));
    }

    const ModelConfig& m_config;
    SiteExtents m_extents;
};

} // namespace

void checkInterventions(const ModelConfig& config, std::int64_t tokens,
                        const Interventions& interventions, std::int64_t sourceTokens)
{
    SiteExtents extents{tokens, sourceTokens};
    if (interventions.positions)
        extents.replaced = interventions.positions->kind;
    const InterventionCheck check(config, extents);
    check.mask(interventions);
    if (interventions.positions)
        check.positions(*interventions.positions);
    for (const HeadId& head : interventions.ablatedHeads)
        check.head(head);
    for (const Patch& patch : interventions.patches)
        check.patch(patch);
    for (const PatternEdit& edit : interventions.patternEdits)
        check.edit(edit);
}

} // namespace headscope
