#include "core/base/error.h"
#include "core/base/json_text.h"
#include "core/text/bpe_vocabulary_json.h"
#include "core/text/tokenizer_file.h"

#include <set>

#include <fmt/format.h>

namespace headscope {

using nlohmann::json;

namespace {

/// Looks into the parts of one tokenizer.json.
class TokenizerJson
{
public:
    TokenizerJson(const json& root, const std::string& where) : m_root(root), m_where(where) {}

    BpeVocabulary vocabulary()
    {
        if (!m_root.is_object())
            fail("a tokenizer must be a JSON object");
        refuseUnsupportedParts();
        BpeVocabulary result;
        result.addedTokens = addedTokens();
        const json& model = checkedModel();
        result.tokens = tokensById(part(model, "vocab"), result.addedTokens, m_where);
        result.ignoreMerges = flag(model, "ignore_merges", false);
        readMerges(part(model, "merges"), result);
        readPreTokenizer(part(m_root, "pre_tokenizer"), result);
        readPostProcessor(part(m_root, "post_processor"), result);
        return result;
    }

private:
    [[noreturn]] void fail(const std::string& problem, const std::string& advice = {}) const
    {
        throw FormatError(problem, m_where, std::nullopt, advice);
    }

    [[noreturn]] void refuse(const std::string& part, const json& kind) const
    {
        fail(
            fmt::format("the {} {} is not supported", part,
                        kind.is_string() ? kind.get<std::string>() : std::string("without a type")),
            "Headscope reads byte-level BPE as of GPT-2");
    }

    static const json& part(const json& object, const char* key)
    {
        static const json kNothing;
        const auto found = object.find(key);
        return found == object.end() ? kNothing : *found;
    }

    bool flag(const json& object, const char* key, bool otherwise) const
    {
        const json& value = part(object, key);
        if (value.is_null())
            return otherwise;
        if (!value.is_boolean())
            fail(fmt::format("\"{}\" is neither true nor false", key));
        return value.get<bool>();
    }

    std::string typeOf(const json& value, const char* what) const
    {
        const json& type = value.is_object() ? part(value, "type") : value;
        if (!value.is_object() || !type.is_string())
            refuse(what, type.is_string() ? json() : type);
        return type.get<std::string>();
    }

    void refuseUnsupportedParts() const
    {
        const json& normalizer = part(m_root, "normalizer");
        if (!normalizer.is_null())
            refuse("normalizer", typeOf(normalizer, "normalizer"));
        const json& decoder = part(m_root, "decoder");
        if (!decoder.is_null() && typeOf(decoder, "decoder") != "ByteLevel")
            refuse("decoder", typeOf(decoder, "decoder"));
    }

    const json& checkedModel() const
    {
        const json& model = part(m_root, "model");
        if (!model.is_object())
            fail("there is no \"model\" object");
        const json& type = part(model, "type");
        if (!type.is_null() && type != "BPE")
            refuse("model", type);
        for (const char* key : {"continuing_subword_prefix", "end_of_word_suffix"}) {
            const json& value = part(model, key);
            if (!value.is_null() && value != "")
                fail(fmt::format("a BPE model with \"{}\" is not supported", key));
        }
        const json& dropout = part(model, "dropout");
        if (!dropout.is_null() && dropout != 0)
            fail("a BPE model with \"dropout\" is not supported");
        if (flag(model, "byte_fallback", false))
            fail("a BPE model with \"byte_fallback\" is not supported");
        return model;
    }

    std::vector<AddedToken> addedTokens() const
    {
        const json& list = part(m_root, "added_tokens");
        if (list.is_null())
            return {};
        if (!list.is_array())
            fail("\"added_tokens\" is no list");
        std::vector<AddedToken> tokens;
        std::set<std::string> seen;
        for (const json& entry : list) {
            tokens.push_back(addedToken(entry));
            if (!seen.insert(tokens.back().content).second)
                fail(fmt::format("the added token \"{}\" stands there twice",
                                 displayText(tokens.back().content)));
        }
        return tokens;
    }

    AddedToken addedToken(const json& entry) const
    {
        if (!entry.is_object() || !part(entry, "content").is_string())
            fail("an added token has no \"content\"");
        const std::string content = part(entry, "content").get<std::string>();
        if (content.empty())
            fail("an added token is empty");
        for (const char* key : {"single_word", "lstrip", "rstrip"}) {
            if (flag(entry, key, false))
                fail(fmt::format("the added token \"{}\" with \"{}\" is not supported",
                                 displayText(content), key));
        }
        const json& id = part(entry, "id");
        if (!id.is_number_unsigned() || id > std::uint64_t{INT32_MAX})
            fail(fmt::format("the added token \"{}\" has no valid id", displayText(content)));
        return {id.get<TokenId>(), content, flag(entry, "special", false),
                flag(entry, "normalized", false)};
    }

    void readMerges(const json& list, BpeVocabulary& result) const
    {
        if (!list.is_array())
            fail("the BPE model has no list of \"merges\"");
        const MergeReader reader(result.tokens, m_where);
        result.merges.reserve(list.size());
        for (const json& merge : list)
            result.merges.push_back(reader.fromJson(merge));
    }

    void readPreTokenizer(const json& value, BpeVocabulary& result) const
    {
        if (value.is_null() || typeOf(value, "pre-tokenizer") != "ByteLevel")
            refuse("pre-tokenizer", value.is_null() ? json("null") : part(value, "type"));
        result.addPrefixSpace = flag(value, "add_prefix_space", true);
        result.splitWords = flag(value, "use_regex", true);
    }

    void readPostProcessor(const json& value, BpeVocabulary& result) const
    {
        if (value.is_null())
            return;
        const std::string type = typeOf(value, "post-processor");
        if (type == "Sequence")
            readPostProcessors(part(value, "processors"), result);
        else if (type == "TemplateProcessing")
            readTemplate(part(value, "single"), result);
        else if (type != "ByteLevel") // which only trims offsets
            refuse("post-processor", type);
    }

    void readPostProcessors(const json& list, BpeVocabulary& result) const
    {
        if (!list.is_array())
            fail("the post-processor has no list of \"processors\"");
        for (const json& processor : list) {
            if (typeOf(processor, "post-processor") == "Sequence")
                refuse("post-processor", "Sequence inside a Sequence");
            readPostProcessor(processor, result);
        }
    }

    /// [{"SpecialToken": {"id": "<s>"}}, {"Sequence": {"id": "A"}}, ...]
    void readTemplate(const json& pieces, BpeVocabulary& result) const
    {
        if (!pieces.is_array())
            fail("the post-processor has no \"single\" template");
        bool textSeen = false;
        for (const json& piece : pieces) {
            if (piece.is_object() && piece.contains("Sequence")) {
                textSeen = true;
                continue;
            }
            const json& special = piece.is_object() ? part(piece, "SpecialToken") : piece;
            const json& name = special.is_object() ? part(special, "id") : special;
            if (!name.is_string() || !special.is_object())
                fail("a piece of the post-processor's template is neither a text nor a token");
            (textSeen ? result.textSuffix : result.textPrefix).push_back(idOf(name, result));
        }
    }

    TokenId idOf(const json& name, const BpeVocabulary& vocabulary) const
    {
        for (const AddedToken& token : vocabulary.addedTokens) {
            if (token.content == name)
                return token.id;
        }
        fail(fmt::format("the post-processor names \"{}\", which is no added token",
                         displayText(name.get<std::string>())));
    }

    const json& m_root;
    const std::string& m_where;
};

} // namespace

std::shared_ptr<const BpeTokenizer> parseTokenizerJson(std::string_view text,
                                                       const std::string& where)
{
    const json root = parseJson(text, where);
    return makeTokenizer(TokenizerJson(root, where).vocabulary(), where);
}

} // namespace headscope
