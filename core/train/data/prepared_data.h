#pragma once

#include "core/text/tokenizers/bpe_tokenizer.h"
#include "core/train/data/text_dataset.h"
#include "core/train/files/training_config.h"

#include <functional>
#include <memory>
#include <stop_token>
#include <string>

namespace headscope {

/// What a configuration's `data` became.
struct PreparedData
{
    ModelConfig model;                             ///< with the vocabulary's size filled in
    std::shared_ptr<const BpeTokenizer> tokenizer; ///< null for batches without a tokenizer
    std::shared_ptr<const BatchSource> batches;
    std::shared_ptr<const TextDataset> text; ///< the same as batches, for text; null otherwise
};

/// Generates or reads text, trains or loads the tokenizer, encodes. `progress` gets one sentence
/// before each of these, `done` the share of it that is done, where that takes long: learning a
/// vocabulary. Throws Error (a model that does not fit its data, a text too short for a batch or
/// for the vocabulary, too few batches), FormatError for bad files, Cancelled.
PreparedData prepareData(const TrainingConfig& config,
                         const std::function<void(const std::string&)>& progress = {},
                         std::stop_token stop = {}, const std::function<void(double)>& done = {});

} // namespace headscope
