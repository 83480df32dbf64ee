#pragma once

#include "core/trace/trace.h"

#include <filesystem>

namespace headscope {

/// Writes the trace file of interfaces: TransformerLens names, fp32, __metadata__ with
/// format=headscope-trace, version, model, ids, tokens, settings. Atomic.
void saveTrace(const std::filesystem::path& path, const Trace& trace, const Tokenizer& tokenizer);

/// Reads one, checking shapes against each other. Throws FormatError.
TracePtr loadTrace(const std::filesystem::path& path);

} // namespace headscope
