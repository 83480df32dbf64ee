#pragma once

#include <array>
#include <optional>
#include <string_view>

namespace headscope {

/// Behaviour of a head. A head may have several labels, or none.
enum class HeadLabelKind {
    PreviousToken,
    Induction,
    DuplicateToken,
    FirstTokenSink,
    Positional,
    Broad,
    SyntaxLike,
    CoreferenceLike,
    Copying
};

constexpr int kHeadLabelKinds = 9;

/// Condition of a label. One list for all of them: labelRules().
struct LabelRule
{
    HeadLabelKind kind;
    std::string_view key; ///< Stable key, for example "previous_token".
    /// For example "previous token"; the window translates it and the next two.
    std::string_view name;
    std::string_view meaning;  ///< One sentence: what such a head does.
    std::string_view sentence; ///< "%1 of its weight ...", %1 the strength, %2 its baseline.
    std::string_view measure;  ///< Measured value that is compared with the threshold.
    double threshold;
    bool isUpper; ///< True if the label is given up to the threshold rather than from it on.
    std::string_view reason; ///< Reason for this threshold, and further conditions.
};

const std::array<LabelRule, kHeadLabelKinds>& labelRules();
const LabelRule& ruleOf(HeadLabelKind kind);
std::optional<HeadLabelKind> headLabelNamed(std::string_view key);

} // namespace headscope
