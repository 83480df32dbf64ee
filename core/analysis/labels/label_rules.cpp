#include "core/analysis/labels/label_rules.h"

#include "core/analysis/scores/head_measures.h"
#include "core/base/translatable.h"

namespace headscope {

namespace {

using enum HeadLabelKind;

constexpr std::array<LabelRule, kHeadLabelKinds> kRules = {{
    {PreviousToken, "previous_token", translatable("Heads", "previous token"),
     translatable("Heads", "Attends to the previous token, whatever it is."),
     translatable("Heads",
                  "%1 of its weight goes to the previous token; uniform attention gives %2."),
     "mean weight on the previous token", 0.4, false,
     "A large weight for a single position, and at least twice that of uniform attention."},
    {Induction, "induction", translatable("Heads", "induction"),
     translatable("Heads", "Finds an earlier copy of the token and attends to the token after it."),
     translatable("Heads",
                  "%1 of its weight goes to the token after the copy; uniform attention gives "
                  "%2."),
     "mean weight on the token after the copy, on repeated random tokens", 0.3, false,
     "Over ten times the weight of uniform attention; random tokens give no other reason to "
     "attend there. At least twice uniform attention."},
    {DuplicateToken, "duplicate_token", translatable("Heads", "duplicate token"),
     translatable("Heads", "Attends to earlier copies of the same token."),
     translatable("Heads", "%1 of its weight goes to the copy; uniform attention gives %2."),
     "mean weight on the copy, on repeated random tokens", 0.3, false,
     "Over ten times the weight of uniform attention there. At least twice uniform attention."},
    {FirstTokenSink, "first_token_sink", translatable("Heads", "first-token sink"),
     translatable("Heads", "Puts its weight on the first token, where it has little effect."),
     translatable("Heads",
                  "%1 of its weight is on the first token; uniform attention gives it %2."),
     "mean weight on the first token over all tokens", kSinkThreshold, false,
     "The threshold of Gu et al. 2024, and at least twice uniform attention, which is high in "
     "short texts."},
    {Positional, "positional", translatable("Heads", "positional"),
     translatable("Heads", "Attends to the same positions whatever the words are."),
     translatable("Heads", "%1 of its pattern changes with the text; half of all heads change more "
                           "than %2."),
     "variability of its pattern over the sample sentences", 0.2, true,
     "Four fifths of its pattern are the same for all texts. One distance must get 0.3 or more, "
     "and it must not be a first-token sink, which needs no position."},
    {Broad, "broad", translatable("Heads", "broad"),
     translatable("Heads", "Attends to nearly all tokens, nearly uniformly."),
     translatable("Heads", "%1 of the largest possible entropy; uniform attention has %2."),
     "entropy as a fraction of the largest possible", 0.85, false,
     "Uniform attention has 1; below 0.85 a few tokens stand out."},
    {SyntaxLike, "syntax_like", translatable("Heads", "syntax-like"),
     translatable("Heads", "Attends from a verb to its subject, past other nouns."),
     translatable("Heads", "%1 from verb to subject; at equal distance elsewhere it gives %2."),
     "mean weight from verb to subject, on marked sentences", 0.25, false,
     "About twice uniform attention on sentences this short; at least twice what the same head "
     "gives at equal distance elsewhere, and 1.5 times what it gives the other noun."},
    {CoreferenceLike, "coreference_like", translatable("Heads", "coreference-like"),
     translatable("Heads", "Attends from a pronoun to the noun it refers to."),
     translatable("Heads", "%1 from pronoun to its noun; at equal distance elsewhere it gives "
                           "%2."),
     "mean weight from pronoun to its noun, on marked sentences", 0.25, false,
     "About twice uniform attention on sentences this short; at least twice what the same head "
     "gives at equal distance elsewhere, and 1.5 times what it gives the other noun."},
    {Copying, "copying", translatable("Heads", "copying (OV)"),
     translatable("Heads",
                  "Makes the tokens it attends to more likely to come next, by its weights "
                  "alone."),
     translatable("Heads", "Copying score %1 of its weights; the median head has %2."),
     "sum of eigenvalues of W_E W_V W_O W_U divided by the sum of their moduli", 0.9, false,
     "Random weights have about 0, pure copying 1; many heads of a language model copy to "
     "some degree."},
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

} // namespace headscope
