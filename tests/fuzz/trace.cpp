#include "core/io/trace_file.h"
#include "core/text/display_text.h"
#include "tests/fuzz/promise.h"
#include "tests/fuzz/targets.h"

namespace headscope::fuzz {

namespace {

void use(const TokenSequence& sequence, const Tokenizer& names)
{
    for (const Token& token : sequence.tokens) {
        require(token.bytes.begin <= token.bytes.end && token.bytes.end <= sequence.text.size(),
                "a token outside of its text");
        names.tokenText(token.id);
        displayText(names.tokenBytes(token.id));
    }
    names.decode(sequence.ids());
}

} // namespace

bool readTrace(std::string_view file)
{
    const MemoryFile stored(file);
    isTraceFile(stored.path());
    return accepts(stored.path().string(), [&] {
        const TraceFile read = openTraceFile(stored.path());
        require(read.trace->tokens().size() > 0, "a trace without a token");
        require(read.trace->byteCount() > 0, "a trace without an activation");
        use(read.trace->tokens(), *read.names);
        use(read.trace->sourceTokens(), *read.names);
        for (const std::string& note : read.notes)
            require(!note.empty() && note.find('\n') == std::string::npos,
                    "a note of several lines");
    });
}

} // namespace headscope::fuzz
