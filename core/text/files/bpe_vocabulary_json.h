#pragma once

#include "core/text/tokenizers/bpe_tokenizer.h"

#include <string>
#include <string_view>

#include <nlohmann/json.hpp>

namespace headscope {

/// Readers and writers of the parts that tokenizer.json and the pair of files share. Faults are
/// FormatErrors that name `where`.

/// Reads {"token": id, ...} as tokens by id: the ids must be 0 ... n - 1, each once, together with
/// those of `added`, which may be in the object or not.
std::vector<std::string> tokensById(const nlohmann::json& vocabulary,
                                    const std::vector<AddedToken>& added, const std::string& where);

/// Reads the ids of the tokens that merges name. One merge is "left right" or ["left", "right"].
class MergeReader
{
public:
    MergeReader(const std::vector<std::string>& tokens, std::string where);

    std::pair<TokenId, TokenId> fromLine(std::string_view line) const;
    std::pair<TokenId, TokenId> fromJson(const nlohmann::json& merge) const;

private:
    TokenId idOf(std::string_view token) const;

    std::string m_where;
    std::unordered_map<std::string_view, TokenId> m_ids;
};

/// Builds the tokenizer; its errors become FormatErrors.
std::shared_ptr<const BpeTokenizer> makeTokenizer(BpeVocabulary vocabulary,
                                                  const std::string& where);

} // namespace headscope
