#include "core/text/files/bpe_vocabulary_json.h"

#include "core/base/error.h"
#include "core/base/json_text.h"
#include "core/text/display_text.h"

#include <algorithm>

#include <fmt/format.h>

namespace headscope {

using nlohmann::json;

namespace {

constexpr std::size_t kMostTokens = std::size_t{1} << 22; ///< See TokenColumns::kMost.

/// Untrusted value on one line, shortened.
std::string shown(const json& value)
{
    const std::string quoted = inQuotes(dumpJson(value));
    return quoted.substr(1, quoted.size() - 2);
}

/// Checks an untrusted id before anything is sized by it.
std::int64_t checkedId(const json& id, const std::string& token, const std::string& where)
{
    if (!id.is_number_unsigned())
        throw FormatError(fmt::format("the id of the token {} is {}, not a number from 0",
                                      inQuotes(displayText(token)), shown(id)),
                          where);
    return static_cast<std::int64_t>(std::min(id.get<std::uint64_t>(), std::uint64_t{INT32_MAX}));
}

class TokenColumns
{
public:
    TokenColumns(std::size_t most, const std::string& where) : m_tokens(most), m_where(where) {}

    void put(std::int64_t id, const std::string& token)
    {
        if (token.empty())
            throw FormatError(fmt::format("the token with id {} is empty", id), m_where);
        if (id >= static_cast<std::int64_t>(m_tokens.size()))
            throw FormatError(
                fmt::format("the token {} has the id {}, but there are only {} tokens",
                            inQuotes(displayText(token)), id, m_tokens.size()),
                m_where, std::nullopt, "Number the tokens from 0 without gaps");
        std::string& place = m_tokens[static_cast<std::size_t>(id)];
        if (!place.empty() && place != token)
            throw FormatError(fmt::format("the tokens {} and {} have the same id {}",
                                          inQuotes(displayText(place)),
                                          inQuotes(displayText(token)), id),
                              m_where);
        place = token;
    }

    /// Returns the tokens; duplicate entries leave room at the end, and only there.
    std::vector<std::string> take()
    {
        while (!m_tokens.empty() && m_tokens.back().empty())
            m_tokens.pop_back();
        for (std::size_t id = 0; id < m_tokens.size(); ++id) {
            if (m_tokens[id].empty())
                throw FormatError(fmt::format("no token has the id {}", id), m_where, std::nullopt,
                                  "Number the tokens from 0 without gaps");
        }
        return std::move(m_tokens);
    }

private:
    std::vector<std::string> m_tokens;
    const std::string& m_where;
};

} // namespace

std::vector<std::string> tokensById(const json& vocabulary, const std::vector<AddedToken>& added,
                                    const std::string& where)
{
    if (!vocabulary.is_object())
        throw FormatError("the vocabulary is not a JSON object of tokens and ids", where);
    if (vocabulary.empty() && added.empty())
        throw FormatError("the vocabulary is empty", where);
    if (vocabulary.size() > kMostTokens)
        throw FormatError(fmt::format("there are more than {} tokens", kMostTokens), where);
    TokenColumns table(vocabulary.size() + added.size(), where);
    for (const auto& [token, id] : vocabulary.items())
        table.put(checkedId(id, token, where), token);
    for (const AddedToken& token : added)
        table.put(token.id, token.content);
    return table.take();
}

MergeReader::MergeReader(const std::vector<std::string>& tokens, std::string where)
    : m_where(std::move(where))
{
    m_ids.reserve(tokens.size());
    for (std::size_t id = 0; id < tokens.size(); ++id)
        m_ids.emplace(tokens[id], static_cast<TokenId>(id));
}

TokenId MergeReader::idOf(std::string_view token) const
{
    const auto found = m_ids.find(token);
    if (found == m_ids.end())
        throw FormatError(fmt::format("a merge names {}, which is not in the vocabulary",
                                      inQuotes(displayText(token))),
                          m_where);
    return found->second;
}

std::pair<TokenId, TokenId> MergeReader::fromLine(std::string_view line) const
{
    const std::size_t space = line.find(' ');
    if (space == std::string_view::npos || line.find(' ', space + 1) != std::string_view::npos)
        throw FormatError(fmt::format("the merge {} is not two tokens with a space between",
                                      inQuotes(displayText(line.substr(0, 80)))),
                          m_where);
    return {idOf(line.substr(0, space)), idOf(line.substr(space + 1))};
}

std::pair<TokenId, TokenId> MergeReader::fromJson(const json& merge) const
{
    if (merge.is_string())
        return fromLine(merge.get_ref<const std::string&>());
    if (!merge.is_array() || merge.size() != 2 || !merge[0].is_string() || !merge[1].is_string())
        throw FormatError("a merge is not two tokens", m_where, std::nullopt,
                          "Write \"left right\" or [\"left\", \"right\"]");
    return {idOf(merge[0].get_ref<const std::string&>()),
            idOf(merge[1].get_ref<const std::string&>())};
}

std::shared_ptr<const BpeTokenizer> makeTokenizer(BpeVocabulary vocabulary,
                                                  const std::string& where)
{
    return namingFile(where,
                      [&] { return std::make_shared<const BpeTokenizer>(std::move(vocabulary)); });
}

} // namespace headscope
