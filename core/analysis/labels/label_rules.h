#pragma once

#include <array>
#include <optional>
#include <string_view>

namespace headscope {

/// What a head does, in plain words. A head may have several labels, or none.
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

/// When a label is given. One table for all of them: labelRules().
struct LabelRule
{
    HeadLabelKind kind;
    std::string_view key;      ///< "previous_token": stable
    std::string_view name;     ///< "previous token"; the window translates it and the next two
    std::string_view meaning;  ///< one sentence: what such a head does
    std::string_view sentence; ///< "%1 of its weight ...", %1 the strength, %2 its baseline
    std::string_view measure;  ///< what is compared with the threshold
    double threshold;
    bool isUpper;            ///< given up to the threshold rather than from it on
    std::string_view reason; ///< why this threshold, and what else must hold
};

const std::array<LabelRule, kHeadLabelKinds>& labelRules();
const LabelRule& ruleOf(HeadLabelKind kind);
std::optional<HeadLabelKind> headLabelNamed(std::string_view key);

} // namespace headscope
