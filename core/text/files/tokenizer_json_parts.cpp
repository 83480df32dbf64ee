#include "core/text/files/tokenizer_json_parts.h"

namespace headscope {

using Json = nlohmann::ordered_json;

namespace {

Json specialPiece(const std::string& token)
{
    return {{"SpecialToken", {{"id", token}, {"type_id", 0}}}};
}

} // namespace

Json addedTokensJson(const std::vector<AddedToken>& tokens)
{
    Json list = Json::array();
    for (const AddedToken& token : tokens)
        list.push_back({{"id", token.id},
                        {"content", token.content},
                        {"single_word", token.singleWord},
                        {"lstrip", token.takesSpaceBefore},
                        {"rstrip", token.takesSpaceAfter},
                        {"normalized", token.normalized},
                        {"special", token.special}});
    return list;
}

Json postProcessorJson(std::span<const TokenId> prefix, std::span<const TokenId> suffix,
                       const std::function<const std::string&(TokenId)>& textOf)
{
    if (prefix.empty() && suffix.empty())
        return nullptr;
    Json single = Json::array();
    Json specials = Json::object();
    const auto add = [&](TokenId id) {
        const std::string& token = textOf(id);
        single.push_back(specialPiece(token));
        specials[token] = {
            {"id", token}, {"ids", Json::array({id})}, {"tokens", Json::array({token})}};
    };
    for (const TokenId id : prefix)
        add(id);
    single.push_back({{"Sequence", {{"id", "A"}, {"type_id", 0}}}});
    for (const TokenId id : suffix)
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

Json vocabularyObject(const std::vector<std::string>& tokens)
{
    // Filling the object's storage at once avoids its linear search per key.
    Json::object_t object;
    for (std::size_t id = 0; id < tokens.size(); ++id)
        static_cast<std::vector<Json::object_t::value_type>&>(object).emplace_back(tokens[id], id);
    return object;
}

} // namespace headscope
