#pragma once

#include "core/text/tokenizers/tokenizer.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace headscope {

/// Relation between two words of a sample sentence.
enum class PairKind { SubjectVerb, Coreference };

constexpr int kPairKinds = 2;

/// Two words: `query` comes later and depends on `key`; `contrast` is another noun that `query`
/// could be mistaken to refer to.
struct MarkedPair
{
    PairKind kind = PairKind::SubjectVerb;
    ByteRange query;
    ByteRange key;
    std::optional<ByteRange> contrast;
};

struct SampleSentence
{
    std::string text;
    MarkedPair pair;
};

/// Sample sentences, most of them in words that the bundled stories contain too. No marked word is
/// the first of its sentence, which many heads use as an attention sink.
const std::vector<SampleSentence>& headSamples();

/// Parses "The *keys to the ~cabinet ?are rusty.": * marks the key, ~ the contrast, ? the query.
/// Throws Error for a sentence without key or query.
SampleSentence markedSentence(PairKind kind, std::string_view marked);

/// True when a tokenizer has whole words for most of the sentence: on letters or unknown words a
/// model's attention says nothing about grammar.
bool knowsWords(const Tokenizer& tokenizer, const TokenSequence& sentence);

} // namespace headscope
