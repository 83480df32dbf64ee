#include "core/text/files/tokenizer_json_writer.h"

#include "core/text/files/tokenizer_json_parts.h"

namespace headscope {

using Json = nlohmann::ordered_json;

namespace {

Json byteLevelJson(bool addPrefixSpace, bool useRegex)
{
    return {{"type", "ByteLevel"},
            {"add_prefix_space", addPrefixSpace},
            {"trim_offsets", true},
            {"use_regex", useRegex}};
}

Json modelJson(const BpeVocabulary& vocabulary)
{
    Json merges = Json::array();
    for (const auto& [left, right] : vocabulary.merges)
        merges.push_back({vocabulary.tokens[static_cast<std::size_t>(left)],
                          vocabulary.tokens[static_cast<std::size_t>(right)]});
    return {{"type", "BPE"},
            {"dropout", nullptr},
            {"unk_token", nullptr},
            {"continuing_subword_prefix", nullptr},
            {"end_of_word_suffix", nullptr},
            {"fuse_unk", false},
            {"byte_fallback", false},
            {"ignore_merges", vocabulary.ignoreMerges},
            {"vocab", vocabularyObject(vocabulary.tokens)},
            {"merges", std::move(merges)}};
}

} // namespace

std::string toTokenizerJson(const BpeTokenizer& tokenizer)
{
    const BpeVocabulary& vocabulary = tokenizer.vocabulary();
    const Json root = {
        {"version", "1.0"},
        {"truncation", nullptr},
        {"padding", nullptr},
        {"added_tokens", addedTokensJson(vocabulary.addedTokens)},
        {"normalizer", nullptr},
        {"pre_tokenizer", byteLevelJson(vocabulary.addPrefixSpace, vocabulary.splitWords)},
        {"post_processor", postProcessorJson(vocabulary.textPrefix, vocabulary.textSuffix,
                                             [&](TokenId id) -> const std::string& {
                                                 return tokenizer.tokenText(id);
                                             })},
        {"decoder", byteLevelJson(true, true)},
        {"model", modelJson(vocabulary)}};
    return root.dump(2);
}

} // namespace headscope
