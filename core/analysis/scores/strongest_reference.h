#pragma once

#include "core/trace/head_id.h"

#include <optional>

namespace headscope {

class Trace;

/// Attention of one head from a pronoun to a noun before it.
struct PronounReference
{
    HeadId head;
    int query = 0;       ///< Position of the pronoun's last token.
    int key = 0;         ///< Position of a token of the noun.
    float weight = 0.0F; ///< Attention weight of that pair.

    friend bool operator==(const PronounReference&, const PronounReference&) = default;
};

/// The largest attention weight from a pronoun to a noun before it, over all heads of
/// self-attention. Without a grammar: a noun is the word after a determiner, and a subject if that
/// determiner begins a clause. Subjects are preferred as antecedents (Lappin, Leass 1994): other
/// nouns count only for a pronoun without a subject before it. The first token and the token before
/// the pronoun do not count: heads attend to them by position. English only; none without such a
/// pair.
std::optional<PronounReference> strongestReference(const Trace& trace);

} // namespace headscope
