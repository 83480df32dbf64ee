#pragma once

#include "core/io/stored_model.h"

namespace headscope::fuzz {

/// What opening a model does with what was found in its files: reads every number, audits, makes
/// the model, and traces a few tokens. Throws as the loaders do.
void useStoredModel(const StoredModel& stored);

/// Traces a few tokens. A saved configuration must read back as the same.
void useModel(std::shared_ptr<const Model> model);

} // namespace headscope::fuzz
