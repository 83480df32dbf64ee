#pragma once

#include "core/trace/trace.h"

#include <filesystem>

namespace headscope {

/// Writes the trace file of interfaces: TransformerLens names, fp32, __metadata__ with
/// format=headscope-trace, version, model, ids, tokens, settings, device, and text with offsets
/// where it is UTF-8; of an encoder-decoder also source_ids, source_tokens, source_text,
/// source_offsets. Atomic.
void saveTrace(const std::filesystem::path& path, const Trace& trace, const Tokenizer& tokenizer);

/// Reads one, checking shapes against each other. Throws FormatError.
TracePtr loadTrace(const std::filesystem::path& path);

} // namespace headscope
