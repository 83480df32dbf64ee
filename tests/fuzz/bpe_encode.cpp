#include "core/text/display_text.h"
#include "core/text/files/tokenizer_file.h"
#include "core/text/files/tokenizer_json.h"
#include "core/text/files/tokenizer_json_writer.h"
#include "core/text/splitting/text_pattern.h"
#include "core/text/training/bpe_trainer.h"
#include "tests/fuzz/promise.h"
#include "tests/fuzz/targets.h"
#include "tests/fuzz/use_tokenizer.h"

#include <nlohmann/json.hpp>

namespace headscope::fuzz {

namespace {

constexpr const char* kName = "tokenizer.json";
constexpr const char* kLlama3 =
    R"((?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+)";
constexpr const char* kBloom = R"( ?[^(\s|[.,!?…。，、।۔،])]+)";

std::shared_ptr<const BpeTokenizer> learned()
{
    constexpr std::string_view text = "the cat sat on the mat because the cat was tired, aaaa 1234";
    BpeTrainerSettings settings;
    settings.vocabularySize = 290;
    return trainBpe(std::span(&text, 1), settings);
}

/// The same merges behind another model family's expression.
std::shared_ptr<const Tokenizer> withPattern(const BpeTokenizer& tokenizer, const char* expression)
{
    nlohmann::json json = nlohmann::json::parse(toTokenizerJson(tokenizer));
    json["pre_tokenizer"] = {{"type", "Sequence"},
                             {"pretokenizers",
                              {{{"type", "Split"},
                                {"pattern", {{"Regex", expression}}},
                                {"behavior", "Isolated"},
                                {"invert", false}},
                               {{"type", "ByteLevel"},
                                {"add_prefix_space", false},
                                {"trim_offsets", false},
                                {"use_regex", false}}}}};
    return parseTokenizerJson(json.dump(), kName);
}

void requireInverse(const Tokenizer& tokenizer, std::string_view text)
{
    const TokenSequence sequence = tokenizer.encode(text, false);
    require(tokenizer.decode(sequence.ids()) == text, "a text that decoding does not give back");
    std::size_t reached = 0;
    for (const Token& token : sequence.tokens) {
        require(token.bytes.begin == reached, "bytes between two tokens");
        reached = token.bytes.end;
    }
    require(reached == text.size(), "bytes behind the last token");
}

void requireCovered(const TextPattern& pattern, std::string_view text)
{
    std::size_t reached = 0;
    for (const TextPattern::Segment& segment : pattern.segments(text)) {
        require(segment.bytes.begin == reached, "bytes between two segments");
        reached = segment.bytes.end;
    }
    require(reached == text.size(), "bytes behind the last segment");
}

} // namespace

bool encodeText(std::string_view text)
{
    static const auto gpt2 = learned();
    static const auto llama3 = withPattern(*gpt2, kLlama3);
    static const auto bloom = withPattern(*gpt2, kBloom);
    static const TextPattern pattern = TextPattern::regex(kLlama3, kName);
    requireInverse(*gpt2, text);
    requireCovered(pattern, text);
    displayText(text);
    const bool accepted = encodes(*llama3, text);
    return encodes(*bloom, text) && accepted;
}

} // namespace headscope::fuzz
