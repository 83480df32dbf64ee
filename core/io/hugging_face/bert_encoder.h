#pragma once

#include "core/io/hugging_face/config_reader.h"
#include "core/io/hugging_face/parameter_name.h"

namespace headscope {

/// BERT and the families after it: post-norm blocks that see all tokens, normalised embeddings.
ModelConfig postNormEncoder();

/// Settings under BERT's keys, without heads.
ModelConfig readBertEncoder(const ConfigReader& json);

/// A dense layer, an activation and a norm before a tied language head with a bias, if the file has
/// the tensor `dense`.
void readHead(const ConfigReader& json, const char* dense, ModelConfig& config);

/// The same where the head's activation is GELU whatever the blocks have.
void readExactHead(const ConfigReader& json, const char* dense, ModelConfig& config);

/// Names of BERT's parameters, with `changed` in addition.
PartNames bertEncoderNames(const PartNames& changed);

} // namespace headscope
