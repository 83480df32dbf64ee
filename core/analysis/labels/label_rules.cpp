#include "core/analysis/labels/head_labels.h"

#include <algorithm>

namespace headscope {

namespace {

using enum HeadLabelKind;

constexpr std::array<LabelRule, kHeadLabelKinds> kRules = {{
    {PreviousToken, "previous_token", "previous token",
     "Looks at the token just before, whatever it is.", "mean weight on the token just before", 0.4,
     false, "More than any other single place can have, and at least twice an even head."},
    {Induction, "induction", "induction",
     "Finds an earlier copy of the token and looks at what came right after it.",
     "mean weight on the token after the copy, on random tokens said twice", 0.3, false,
     "Over ten times what an even head has there; random tokens leave no other reason to look "
     "there. At least twice an even head."},
    {DuplicateToken, "duplicate_token", "duplicate token",
     "Looks at earlier copies of the same token.",
     "mean weight on the copy, on random tokens said twice", 0.3, false,
     "Over ten times what an even head has there. At least twice an even head."},
    {FirstTokenSink, "first_token_sink", "first-token sink",
     "Leaves its weight on the very first token, where it does little.",
     "mean weight on the first token over all tokens", kSinkThreshold, false,
     "The threshold of Gu et al. 2024, and at least twice an even head, which short texts favour."},
    {Positional, "positional", "positional", "Looks at the same places whatever the words are.",
     "variability of its map over the sample sentences", 0.2, true,
     "Four fifths of its map are the same for all texts. It must give one distance 0.3 or more and "
     "not rest on the first token, which needs no position."},
    {Broad, "broad", "broad", "Looks at nearly everything, nearly evenly.",
     "entropy as a share of the largest possible", 0.85, false,
     "An even head has 1; below 0.85 a few tokens stand out."},
    {SyntaxLike, "syntax_like", "syntax-like",
     "Looks from a verb to its subject, past other nouns.",
     "mean weight from verb to subject, on marked sentences", 0.25, false,
     "About twice an even head on sentences so short; at least twice what the same head gives as "
     "far back elsewhere, and 1.5 times what it gives the other noun."},
    {CoreferenceLike, "coreference_like", "coreference-like",
     "Looks from a pronoun to the noun that it means.",
     "mean weight from pronoun to its noun, on marked sentences", 0.25, false,
     "About twice an even head on sentences so short; at least twice what the same head gives as "
     "far back elsewhere, and 1.5 times what it gives the other noun."},
    {Copying, "copying", "copying (OV)",
     "Makes the tokens it reads more likely to come next, by its weights alone.",
     "sum of eigenvalues of W_E W_V W_O W_U over the sum of their sizes", 0.9, false,
     "Random weights have about 0, pure copying 1; many heads of a language model copy somewhat."},
}};

} // namespace

const std::array<LabelRule, kHeadLabelKinds>& labelRules()
{
    return kRules;
}

const LabelRule& ruleOf(HeadLabelKind kind)
{
    return kRules.at(static_cast<std::size_t>(kind));
}

std::optional<HeadLabelKind> headLabelNamed(std::string_view key)
{
    for (const LabelRule& rule : kRules)
        if (rule.key == key)
            return rule.kind;
    return std::nullopt;
}

const std::vector<HeadLabel>& HeadLabelTable::at(HeadId head) const
{
    static const std::vector<HeadLabel> kNone;
    if (head.layer < 0 || head.layer >= layers || head.head < 0 || head.head >= heads)
        return kNone;
    return labels[static_cast<std::size_t>(head.layer * heads + head.head)];
}

const HeadLabel* HeadLabelTable::find(HeadId head, HeadLabelKind kind) const
{
    const std::vector<HeadLabel>& all = at(head);
    const auto found = std::find_if(all.begin(), all.end(),
                                    [kind](const HeadLabel& label) { return label.kind == kind; });
    return found != all.end() ? &*found : nullptr;
}

int HeadLabelTable::count(HeadLabelKind kind) const
{
    int found = 0;
    for (const std::vector<HeadLabel>& all : labels)
        found += std::any_of(all.begin(), all.end(),
                             [kind](const HeadLabel& label) { return label.kind == kind; })
                     ? 1
                     : 0;
    return found;
}

} // namespace headscope
