#pragma once

#include "core/text/tokenizers/tokenizer.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace headscope {

/// What stands between two words of a sample sentence.
enum class PairKind { SubjectVerb, Coreference };

constexpr int kPairKinds = 2;

/// Two words: `query` comes later and depends on `key`; `contrast` is another noun that it could be
/// taken for.
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

/// Our own sentences, most of them in words that the shipped stories know too. No marked word is
/// the first of its sentence, where many heads leave what they have no use for.
const std::vector<SampleSentence>& headSamples();

/// "The *keys to the ~cabinet ?are rusty.": * marks the key, ~ the contrast, ? the query. Throws
/// Error for a sentence without key or query.
SampleSentence markedSentence(PairKind kind, std::string_view marked);

/// True when a tokenizer has whole words for most of the sentence: on letters or unknown words a
/// model says nothing about grammar.
bool knowsWords(const Tokenizer& tokenizer, const TokenSequence& sentence);

} // namespace headscope
