#pragma once

#include "core/text/files/json_part.h"
#include "core/text/tokenizers/pipeline_tokenizer.h"

namespace headscope {

/// Readers of the parts of a tokenizer.json, one file each. All throw FormatError for what is
/// damaged or not known.

NormalizerPtr readNormalizer(const JsonPart& part);

/// What a list of pre-tokenizers says besides how words are cut.
struct SplitterSpelling
{
    bool byteLevel = false;
    bool isByteLevelAlone = false; ///< nothing else cuts or changes the text
    bool addPrefixSpace = false;   ///< of a ByteLevel
    bool splitsWords = false;      ///< of a ByteLevel
    std::string space;             ///< of a Metaspace
};

SplitterPtr readSplitter(const JsonPart& part, SplitterSpelling& spelling);

DecoderPtr readDecoder(const JsonPart& part, TokenSpelling& spelling);

/// {"Regex": "..."} or {"String": "..."} under "pattern".
TextPattern readPattern(const JsonPart& part);

std::vector<AddedToken> readAddedTokens(const nlohmann::json& list, const std::string& where);

/// The tokens and what decides the model: one of the three rules.
struct TokenizerModel
{
    std::string kind;
    std::vector<std::string> tokens; ///< by id, with the added ones
    std::optional<BpeRules> bpe;
    std::optional<LongestPieceRules> wordPiece;
    std::optional<PieceModelRules> unigram;
    std::optional<TokenId> unknown;
};

TokenizerModel readModel(const JsonPart& part, const std::vector<AddedToken>& added);

WordModelPtr makeModel(const TokenTable& table, const TokenizerModel& model);

/// Tokens before and after a text.
struct Surroundings
{
    std::vector<TokenId> prefix;
    std::vector<TokenId> suffix;
};

Surroundings readPostProcessor(const JsonPart& part, const TokenTable& table);

} // namespace headscope
