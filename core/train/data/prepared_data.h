#pragma once

#include "core/text/tokenizers/bpe_tokenizer.h"
#include "core/train/data/text_dataset.h"
#include "core/train/files/training_config.h"

#include <functional>
#include <memory>
#include <stop_token>
#include <string>

namespace headscope {

/// Data and tokenizer prepared from a configuration's `data`.
struct PreparedData
{
    ModelConfig model;                             ///< With the vocabulary size filled in.
    std::shared_ptr<const BpeTokenizer> tokenizer; ///< Null for batches without a tokenizer.
    std::shared_ptr<const BatchSource> batches;
    /// The same object as `batches`, for text; null otherwise.
    std::shared_ptr<const TextDataset> text;
};

/// Generates or reads text, trains or loads the tokenizer, encodes. `progress` receives one
/// sentence before each of these, `done` the completed fraction where that takes long: training a
/// vocabulary. Throws Error (a model that does not fit its data, a text too short for a batch or
/// for the vocabulary, too few batches), FormatError for invalid files, Cancelled.
PreparedData prepareData(const TrainingConfig& config,
                         const std::function<void(const std::string&)>& progress = {},
                         std::stop_token stop = {}, const std::function<void(double)>& done = {});

} // namespace headscope
