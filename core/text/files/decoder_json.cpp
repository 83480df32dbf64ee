#include "core/text/files/decoder_json.h"

#include "core/text/files/normalizer_json.h"
#include "core/text/normalizers/piece_normalizer.h"

namespace headscope {

namespace {

/// Flattens nested sequences into one list of steps.
void appendSteps(const JsonPart& part, TokenSpelling& spelling, std::vector<TokenDecoder>& steps)
{
    part.allow({"decoders"});
    for (const JsonPart& step : part.parts("decoders")) {
        if (step.type() == "Sequence")
            appendSteps(step, spelling, steps);
        else
            steps.push_back(readDecoder(step, spelling));
    }
}

TokenDecoder readSequence(const JsonPart& part, TokenSpelling& spelling)
{
    std::vector<TokenDecoder> steps;
    appendSteps(part, spelling, steps);
    return decoderSequence(std::move(steps));
}

TokenDecoder readMetaspace(const JsonPart& part, TokenSpelling& spelling)
{
    part.allow({"replacement", "add_prefix_space", "prepend_scheme", "split", "str_rep"});
    spelling.space = part.text("replacement", std::string(kPieceSpace));
    const bool hasPrefix =
        part.text("prepend_scheme", part.flag("add_prefix_space", true) ? "always" : "never") !=
        "never";
    return metaspaceDecoder(spelling.space, hasPrefix);
}

TokenDecoder readWordPiece(const JsonPart& part, TokenSpelling& spelling)
{
    part.allow({"prefix", "cleanup"});
    spelling.continuation = part.text("prefix", "##");
    return wordPieceDecoder(spelling.continuation, part.flag("cleanup", true));
}

TokenDecoder readStrip(const JsonPart& part)
{
    part.allow({"content", "start", "stop"});
    const std::string character = part.text("content", " ");
    if (character.empty())
        part.fail("\"content\" of the decoder Strip is empty");
    return stripDecoder(character, part.count("start", 0), part.count("stop", 0));
}

/// Llama's files replace "▁" by " " where others use a Metaspace.
TokenDecoder readReplace(const JsonPart& part, TokenSpelling& spelling)
{
    part.allow({"pattern", "content"});
    const nlohmann::json& pattern = part.get("pattern");
    if (part.text("content") == " " && pattern.is_object() && pattern.contains("String") &&
        pattern["String"].is_string())
        spelling.space = pattern["String"].get<std::string>();
    return replaceDecoder(readPattern(part), part.text("content"));
}

} // namespace

TokenDecoder readDecoder(const JsonPart& part, TokenSpelling& spelling)
{
    const std::string type = part.type();
    if (type == "Sequence")
        return readSequence(part, spelling);
    if (type == "Metaspace")
        return readMetaspace(part, spelling);
    if (type == "WordPiece")
        return readWordPiece(part, spelling);
    if (type == "Strip")
        return readStrip(part);
    if (type == "Replace")
        return readReplace(part, spelling);
    if (type == "ByteLevel") {
        part.allow({"add_prefix_space", "trim_offsets", "use_regex"});
        return byteLevelDecoder();
    }
    if (type != "ByteFallback" && type != "Fuse")
        part.refuseType();
    part.allow({});
    return type == "Fuse" ? fuseDecoder() : byteFallbackDecoder();
}

} // namespace headscope
