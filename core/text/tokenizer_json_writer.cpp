#include "core/text/bpe_vocabulary_json.h"
#include "core/text/tokenizer_file.h"

namespace headscope {

using Json = nlohmann::ordered_json;

namespace {

Json addedTokensJson(const BpeVocabulary& vocabulary)
{
    Json list = Json::array();
    for (const AddedToken& token : vocabulary.addedTokens)
        list.push_back({{"id", token.id},
                        {"content", token.content},
                        {"single_word", false},
                        {"lstrip", false},
                        {"rstrip", false},
                        {"normalized", token.normalized},
                        {"special", token.special}});
    return list;
}

Json byteLevelJson(bool addPrefixSpace, bool useRegex)
{
    return {{"type", "ByteLevel"},
            {"add_prefix_space", addPrefixSpace},
            {"trim_offsets", true},
            {"use_regex", useRegex}};
}

Json specialPiece(const std::string& token)
{
    return {{"SpecialToken", {{"id", token}, {"type_id", 0}}}};
}

/// The tokens around a text, or null when there are none.
Json postProcessorJson(const BpeVocabulary& vocabulary)
{
    if (vocabulary.textPrefix.empty() && vocabulary.textSuffix.empty())
        return nullptr;
    Json single = Json::array();
    Json specials = Json::object();
    const auto add = [&](TokenId id) {
        const std::string& token = vocabulary.tokens[static_cast<std::size_t>(id)];
        single.push_back(specialPiece(token));
        specials[token] = {
            {"id", token}, {"ids", Json::array({id})}, {"tokens", Json::array({token})}};
    };
    for (const TokenId id : vocabulary.textPrefix)
        add(id);
    single.push_back({{"Sequence", {{"id", "A"}, {"type_id", 0}}}});
    for (const TokenId id : vocabulary.textSuffix)
        add(id);
    Json pair = single;
    for (const Json& piece : single) {
        Json second = piece;
        for (auto& content : second) {
            content["type_id"] = 1;
            if (content["id"] == "A")
                content["id"] = "B";
        }
        pair.push_back(second);
    }
    return {{"type", "TemplateProcessing"},
            {"single", single},
            {"pair", pair},
            {"special_tokens", specials}};
}

Json modelJson(const BpeVocabulary& vocabulary)
{
    // Tokens are unique here: filling the object's storage at once avoids its linear search per
    // key.
    Json::object_t tokens;
    for (std::size_t id = 0; id < vocabulary.tokens.size(); ++id)
        static_cast<std::vector<Json::object_t::value_type>&>(tokens).emplace_back(
            vocabulary.tokens[id], id);
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
            {"vocab", std::move(tokens)},
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
        {"added_tokens", addedTokensJson(vocabulary)},
        {"normalizer", nullptr},
        {"pre_tokenizer", byteLevelJson(vocabulary.addPrefixSpace, vocabulary.splitWords)},
        {"post_processor", postProcessorJson(vocabulary)},
        {"decoder", byteLevelJson(true, true)},
        {"model", modelJson(vocabulary)}};
    return root.dump(2);
}

} // namespace headscope
