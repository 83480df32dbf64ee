#include "core/text/files/model_json.h"

#include "core/base/error.h"
#include "core/base/json_text.h"
#include "core/text/files/bpe_vocabulary_json.h"
#include "core/text/tokenizers/bpe_model.h"
#include "core/text/tokenizers/longest_piece_model.h"
#include "core/text/tokenizers/piece_model_rules.h"
#include "core/text/tokenizers/unigram_model.h"

#include <algorithm>

#include <fmt/format.h>

namespace headscope {

using nlohmann::json;

namespace {

std::optional<TokenId> idOf(const std::vector<std::string>& tokens, std::string_view text)
{
    const auto found = std::ranges::find(tokens, text);
    return found == tokens.end() ? std::nullopt
                                 : std::optional(static_cast<TokenId>(found - tokens.begin()));
}

std::optional<TokenId> namedUnknown(const JsonPart& part, const std::vector<std::string>& tokens)
{
    const std::string name = part.text("unk_token", "");
    if (name.empty())
        return std::nullopt;
    const auto id = idOf(tokens, name);
    if (!id)
        part.fail(
            fmt::format("\"unk_token\" is {}, which is not in the vocabulary", inQuotes(name)));
    return id;
}

TokenizerModel readBpe(const JsonPart& part, const std::vector<AddedToken>& added)
{
    part.allow({"vocab", "merges", "dropout", "unk_token", "continuing_subword_prefix",
                "end_of_word_suffix", "fuse_unk", "byte_fallback", "ignore_merges"});
    for (const char* key : {"continuing_subword_prefix", "end_of_word_suffix"}) {
        if (!part.text(key, "").empty())
            part.fail(fmt::format("a BPE model with \"{}\" is not supported", key));
    }
    const json& dropout = part.get("dropout");
    if (!dropout.is_null() && dropout != 0)
        part.fail("a BPE model with \"dropout\" is not supported");
    TokenizerModel model;
    model.kind = "bpe";
    model.tokens = tokensById(part.get("vocab"), added, part.where());
    BpeRules rules;
    rules.byteFallback = part.flag("byte_fallback", false);
    rules.fuseUnknown = part.flag("fuse_unk", false);
    rules.ignoreMerges = part.flag("ignore_merges", false);
    rules.unknown = model.unknown = namedUnknown(part, model.tokens);
    const MergeReader reader(model.tokens, part.where());
    const json& merges = part.list("merges");
    rules.merges.reserve(merges.size());
    for (const json& merge : merges)
        rules.merges.push_back(reader.fromJson(merge));
    model.bpe = std::move(rules);
    return model;
}

TokenizerModel readWordPiece(const JsonPart& part, const std::vector<AddedToken>& added)
{
    part.allow({"vocab", "unk_token", "continuing_subword_prefix", "max_input_chars_per_word"});
    TokenizerModel model;
    model.kind = "wordpiece";
    model.tokens = tokensById(part.get("vocab"), added, part.where());
    model.unknown = part.get("unk_token").is_null() ? idOf(model.tokens, "[UNK]")
                                                    : namedUnknown(part, model.tokens);
    if (!model.unknown)
        part.fail("the WordPiece model has no unknown token");
    LongestPieceRules rules;
    rules.laterMark = part.text("continuing_subword_prefix", "##");
    rules.longestWord = part.count("max_input_chars_per_word", 100);
    rules.unknown = *model.unknown;
    model.wordPiece = rules;
    return model;
}

/// Appends added tokens, which follow the pieces or are among them.
void appendAdded(std::vector<AddedToken> added, const JsonPart& part,
                 std::vector<std::string>& tokens)
{
    std::ranges::sort(added, {}, &AddedToken::id);
    for (const AddedToken& token : added) {
        const auto id = static_cast<std::size_t>(token.id);
        if (id > tokens.size())
            part.fail(fmt::format("no token has the id {}", tokens.size()),
                      "Number the tokens from 0 without gaps");
        if (id == tokens.size())
            tokens.push_back(token.content);
    }
}

TokenizerModel readUnigram(const JsonPart& part, const std::vector<AddedToken>& added)
{
    part.allow({"vocab", "unk_id", "byte_fallback"});
    TokenizerModel model;
    model.kind = "unigram";
    PieceModelRules rules;
    for (const json& piece : part.list("vocab")) {
        if (!piece.is_array() || piece.size() != 2 || !piece[0].is_string() ||
            !piece[1].is_number())
            part.fail(
                fmt::format("the piece with id {} is not a text and a score", model.tokens.size()),
                "Write [\"text\", score]");
        model.tokens.push_back(piece[0].get<std::string>());
        rules.scores.push_back(piece[1].get<double>());
    }
    rules.kinds.assign(model.tokens.size(), PieceKind::Normal);
    const std::size_t unknown = part.count("unk_id", model.tokens.size());
    if (unknown >= model.tokens.size())
        part.fail("\"unk_id\" does not name a piece", "Every Unigram model needs an unknown piece");
    rules.unknown = static_cast<TokenId>(unknown);
    model.unknown = rules.unknown;
    rules.byteFallback = part.flag("byte_fallback", false);
    appendAdded(added, part, model.tokens);
    model.unigram = std::move(rules);
    return model;
}

/// Type of a model; old files do not state it.
std::string typeOf(const JsonPart& part)
{
    if (!part.get("type").is_null())
        return part.type();
    if (!part.get("merges").is_null())
        return "BPE";
    return part.get("vocab").is_array() ? "Unigram" : "WordPiece";
}

AddedToken readAddedToken(const JsonPart& part)
{
    part.allow({"id", "content", "single_word", "lstrip", "rstrip", "normalized", "special"});
    AddedToken token;
    token.content = part.text("content");
    if (token.content.empty())
        part.fail("an added token is empty");
    const json& id = part.get("id");
    if (!id.is_number_unsigned() || id > std::uint64_t{INT32_MAX})
        part.fail(fmt::format("the added token {} has no valid id", inQuotes(token.content)));
    token.id = id.get<TokenId>();
    token.special = part.flag("special", false);
    token.normalized = part.flag("normalized", !token.special);
    token.singleWord = part.flag("single_word", false);
    token.takesSpaceBefore = part.flag("lstrip", false);
    token.takesSpaceAfter = part.flag("rstrip", false);
    return token;
}

} // namespace

TokenizerModel readModel(const JsonPart& part, const std::vector<AddedToken>& added)
{
    const std::string type = typeOf(part);
    if (type == "BPE")
        return readBpe(part, added);
    if (type == "WordPiece")
        return readWordPiece(part, added);
    if (type == "Unigram")
        return readUnigram(part, added);
    part.refuseType();
}

WordModelPtr makeModel(const TokenTable& table, const TokenizerModel& model)
{
    if (model.bpe)
        return bpeModel(table, *model.bpe);
    if (model.wordPiece)
        return longestPieceModel(table, *model.wordPiece);
    return unigramModel(table, model.unigram.value());
}

std::vector<AddedToken> readAddedTokens(const json& list, const std::string& where)
{
    if (list.is_null())
        return {};
    if (!list.is_array())
        throw FormatError("\"added_tokens\" is not a list", where);
    std::vector<AddedToken> tokens;
    std::vector<std::string_view> contents;
    tokens.reserve(list.size());
    for (const json& entry : list)
        tokens.push_back(readAddedToken(JsonPart(entry, "added token", where)));
    for (const AddedToken& token : tokens)
        contents.push_back(token.content);
    std::ranges::sort(contents);
    const auto twice = std::ranges::adjacent_find(contents);
    if (twice != contents.end())
        throw FormatError(fmt::format("the added token {} occurs more than once", inQuotes(*twice)),
                          where);
    return tokens;
}

} // namespace headscope
