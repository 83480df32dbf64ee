#pragma once

#include "core/lessons/labs/lab.h"
#include "core/text/tokenizers/bpe_tokenizer.h"
#include "core/train/data/masked_text_dataset.h"
#include "core/train/measures/target_accuracy.h"

namespace headscope {

/// Name of the built-in encoder.
inline constexpr const char* kSentenceEncoder = "builtin:sentences";

/// The built-in encoder with stories that it was not trained on.
struct SentenceEncoder
{
    LoadedModel model;
    std::shared_ptr<const BpeTokenizer> tokenizer;
    std::shared_ptr<const MaskedTextDataset> pairs; ///< Short pairs, one a batch.
    TargetAccuracy heldOut;                         ///< Accuracy on masked pairs of other stories.

    /// Logits and next-sentence logits for these tokens.
    TracePtr trace(const std::vector<TokenId>& ids, const LabContext& context) const;
};

/// Opens and measures it at the first call of the process. Throws Error if the context cannot open
/// built-in models.
const SentenceEncoder& sentenceEncoder(const LabContext& context);

} // namespace headscope
