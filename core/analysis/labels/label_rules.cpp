#include "core/analysis/labels/label_rules.h"

#include "core/analysis/scores/head_measures.h"
#include "core/base/translatable.h"

namespace headscope {

namespace {

using enum HeadLabelKind;

constexpr std::array<LabelRule, kHeadLabelKinds> kRules = {{
    {PreviousToken, "previous_token", translatable("Heads", "previous token"),
     translatable("Heads", "Looks at the token just before, whatever it is."),
     translatable("Heads",
                  "%1 of its weight goes to the token just before; an even head gives %2."),
     "mean weight on the token just before", 0.4, false,
     "More than any other single place can have, and at least twice an even head."},
    {Induction, "induction", translatable("Heads", "induction"),
     translatable("Heads",
                  "Finds an earlier copy of the token and looks at what came right after it."),
     translatable("Heads",
                  "%1 of its weight goes to the token after the copy; an even head gives %2."),
     "mean weight on the token after the copy, on random tokens said twice", 0.3, false,
     "Over ten times what an even head has there; random tokens leave no other reason to look "
     "there. At least twice an even head."},
    {DuplicateToken, "duplicate_token", translatable("Heads", "duplicate token"),
     translatable("Heads", "Looks at earlier copies of the same token."),
     translatable("Heads", "%1 of its weight goes to the copy; an even head gives %2."),
     "mean weight on the copy, on random tokens said twice", 0.3, false,
     "Over ten times what an even head has there. At least twice an even head."},
    {FirstTokenSink, "first_token_sink", translatable("Heads", "first-token sink"),
     translatable("Heads", "Leaves its weight on the very first token, where it does little."),
     translatable("Heads",
                  "%1 of its weight stays on the first token; an even head leaves %2 there."),
     "mean weight on the first token over all tokens", kSinkThreshold, false,
     "The threshold of Gu et al. 2024, and at least twice an even head, which short texts favour."},
    {Positional, "positional", translatable("Heads", "positional"),
     translatable("Heads", "Looks at the same places whatever the words are."),
     translatable("Heads",
                  "%1 of its map changes with the text; half of all heads change more than %2."),
     "variability of its map over the sample sentences", 0.2, true,
     "Four fifths of its map are the same for all texts. It must give one distance 0.3 or more and "
     "not rest on the first token, which needs no position."},
    {Broad, "broad", translatable("Heads", "broad"),
     translatable("Heads", "Looks at nearly everything, nearly evenly."),
     translatable("Heads", "%1 of the widest spread there could be; an even head has %2."),
     "entropy as a share of the largest possible", 0.85, false,
     "An even head has 1; below 0.85 a few tokens stand out."},
    {SyntaxLike, "syntax_like", translatable("Heads", "syntax-like"),
     translatable("Heads", "Looks from a verb to its subject, past other nouns."),
     translatable("Heads", "%1 from verb to subject; as far back elsewhere it gives %2."),
     "mean weight from verb to subject, on marked sentences", 0.25, false,
     "About twice an even head on sentences so short; at least twice what the same head gives as "
     "far back elsewhere, and 1.5 times what it gives the other noun."},
    {CoreferenceLike, "coreference_like", translatable("Heads", "coreference-like"),
     translatable("Heads", "Looks from a pronoun to the noun that it means."),
     translatable("Heads", "%1 from pronoun to its noun; as far back elsewhere it gives %2."),
     "mean weight from pronoun to its noun, on marked sentences", 0.25, false,
     "About twice an even head on sentences so short; at least twice what the same head gives as "
     "far back elsewhere, and 1.5 times what it gives the other noun."},
    {Copying, "copying", translatable("Heads", "copying (OV)"),
     translatable("Heads",
                  "Makes the tokens it reads more likely to come next, by its weights alone."),
     translatable("Heads", "Copying score %1 of its weights; the median head has %2."),
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

} // namespace headscope
