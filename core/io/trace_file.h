#pragma once

#include "core/trace/trace.h"

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

namespace headscope {

/// Writes the trace file for other programs: TransformerLens names, fp32, __metadata__ with
/// format=headscope-trace, version, model, ids, tokens, settings, device, and text with offsets
/// where it is UTF-8; of an encoder-decoder also source_ids, source_tokens, source_text,
/// source_offsets; of a chat also turns, one per token as in Token::turn, and `roles`, one per turn.
/// Atomic.
void saveTrace(const std::filesystem::path& path, const Trace& trace, const Tokenizer& tokenizer,
               const std::vector<std::string>& roles = {});

/// A trace captured here or elsewhere, with its file's information about tokens.
struct TraceFile
{
    TracePtr trace;
    /// Shows the trace's tokens; cannot encode other texts.
    std::shared_ptr<const Tokenizer> names;
    std::vector<std::string> roles; ///< Of the turns of a chat: "user"; may be empty.
    std::vector<std::string> notes; ///< Sentences about oddities that were accepted.
};

/// Reads a trace file, checking shapes against each other; half precision is widened, a batch axis
/// of one is removed. ids may be missing beside tokens, tokens beside ids and offsets. Throws
/// FormatError.
TraceFile openTraceFile(const std::filesystem::path& path);

/// True when the header identifies a trace file; nothing else is read.
bool isTraceFile(const std::filesystem::path& path);

} // namespace headscope
