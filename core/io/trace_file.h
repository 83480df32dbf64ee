#pragma once

#include "core/trace/trace.h"

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

namespace headscope {

/// Writes the trace file of interfaces: TransformerLens names, fp32, __metadata__ with
/// format=headscope-trace, version, model, ids, tokens, settings, device, and text with offsets
/// where it is UTF-8; of an encoder-decoder also source_ids, source_tokens, source_text,
/// source_offsets. Atomic.
void saveTrace(const std::filesystem::path& path, const Trace& trace, const Tokenizer& tokenizer);

/// A trace that was captured here or elsewhere, with what its file says of its tokens.
struct TraceFile
{
    TracePtr trace;
    std::shared_ptr<const Tokenizer> names; ///< shows the trace's tokens; reads no other text
    std::vector<std::string> notes;         ///< sentences on what is odd, but shown
};

/// Reads one, checking shapes against each other; half precision is widened, a batch of one taken
/// off. ids may be missing beside tokens, tokens beside ids and offsets. Throws FormatError.
TraceFile openTraceFile(const std::filesystem::path& path);

/// Its header says that it is one; no more of it is read.
bool isTraceFile(const std::filesystem::path& path);

} // namespace headscope
