#pragma once

#include "core/base/random.h"
#include "core/text/tokenizers/bpe_tokenizer.h"
#include "core/train/data/batch.h"

#include <memory>
#include <string>
#include <string_view>

namespace headscope {

/// Mapping from source to target that an encoder-decoder learns.
enum class SequenceTaskKind {
    Reverse,  ///< "k7qm" -> "mq7k"
    Copy,     ///< "k7qm" -> "k7qm"
    Sort,     ///< "k7qm" -> "7kmq": digits first, then letters
    Addition, ///< "37+485" -> "522", or "225" with reversedSum
    Dates,    ///< "march 5, 1987", "5.3.1987", ... -> "1987-03-05".
    Phrases,  ///< "i read a book at home" -> its Chinese translation, see phrase_book.h.
};

struct SequenceTaskSettings
{
    SequenceTaskKind kind = SequenceTaskKind::Reverse;
    std::int64_t rows = 32;
    /// Number of symbols of a source, or digits of a number; unused by Dates, Phrases.
    std::int64_t shortest = 3;
    std::int64_t longest = 10;
    std::int64_t validationBatches = 4;
    bool reversedSum = false; ///< The last digit first, in the order of the carries.
};

struct SequencePair
{
    std::string source;
    std::string target;
};

inline constexpr std::string_view kSourcePadding = "<pad>"; ///< Id 0.
inline constexpr std::string_view kTargetBegin = "<bos>";
inline constexpr std::string_view kTargetEnd = "<eos>";

/// Tokenizer of <pad>, <bos>, <eos> and one token per byte. Encoded texts end with <eos>, as
/// sources do.
std::shared_ptr<const BpeTokenizer> sequenceTokenizer();

/// Pairs of source and target, for teacher forcing: sources are "source <eos>", inputs "<bos>
/// target", targets "target <eos>"; all padded on the right to the longest of the task, the padding
/// hidden by both key masks and without loss. Held-out pairs come from a separate random stream,
/// but short ones may occur in both; those of Phrases have combinations that training never has.
class SequenceTask final : public BatchSource
{
public:
    /// Throws Error for a tokenizer without the special tokens, lengths out of order and sources
    /// longer than `maxLen` tokens.
    SequenceTask(const BpeTokenizer& tokenizer, std::int64_t maxLen,
                 SequenceTaskSettings settings = {});

    /// Depends only on (seed, number).
    SequencePair pair(std::uint64_t seed, std::uint64_t number) const;

    SequencePair heldOutPair(std::uint64_t number) const;

    Batch trainingBatch(std::uint64_t seed, std::int64_t step) const override;

    std::int64_t validationBatchCount() const override { return m_settings.validationBatches; }

    Batch validationBatch(std::int64_t index) const override;

private:
    SequencePair pair(Random& random, bool isHeldOut) const;
    template<class MakePair>
    Batch batch(std::uint64_t number, const MakePair& makePair) const;
    void appendPair(const SequencePair& pair, Batch& batch) const;

    SequenceTaskSettings m_settings;
    std::shared_ptr<const BpeTokenizer> m_tokenizer;
    TokenId m_padding, m_begin, m_end;
    std::int64_t m_sourceLength = 0; ///< Including <eos>.
    std::int64_t m_targetLength = 0; ///< Including <eos>.
};

} // namespace headscope
