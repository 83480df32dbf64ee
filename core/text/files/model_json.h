#pragma once

#include "core/text/files/json_part.h"
#include "core/text/splitting/added_tokens.h"
#include "core/text/tokenizers/bpe_model.h"
#include "core/text/tokenizers/longest_piece_model.h"
#include "core/text/tokenizers/piece_model_rules.h"

namespace headscope {

std::vector<AddedToken> readAddedTokens(const nlohmann::json& list, const std::string& where);

/// Tokens and rules of one of the three kinds of model.
struct TokenizerModel
{
    std::string kind;
    std::vector<std::string> tokens; ///< Tokens by id, including the added ones.
    std::optional<BpeRules> bpe;
    std::optional<LongestPieceRules> wordPiece;
    std::optional<PieceModelRules> unigram;
    std::optional<TokenId> unknown;
};

TokenizerModel readModel(const JsonPart& part, const std::vector<AddedToken>& added);
WordModelPtr makeModel(const TokenTable& table, const TokenizerModel& model);

} // namespace headscope
