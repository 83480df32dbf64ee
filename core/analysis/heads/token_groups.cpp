#include "core/analysis/heads/token_groups.h"

#include "core/base/error.h"

#include <algorithm>
#include <cctype>

namespace headscope {

namespace {

bool isSpace(char byte)
{
    return std::isspace(static_cast<unsigned char>(byte)) != 0;
}

/// True when the previous word ends at this token's first byte, with white space inside it, or with
/// its turn of a chat.
bool beginsWord(const TokenSequence& tokens, std::size_t index)
{
    const Token& token = tokens.tokens[index];
    if (index == 0 || token.special || tokens.tokens[index - 1].special ||
        tokens.tokens[index - 1].turn != token.turn)
        return true;
    const auto begin = std::min(token.bytes.begin, tokens.text.size());
    const auto end = std::min(token.bytes.end, tokens.text.size());
    const auto previous = std::min(tokens.tokens[index - 1].bytes.end, begin);
    if (begin < end && isSpace(tokens.text[begin]))
        return true;
    return std::any_of(tokens.text.begin() +
                           static_cast<std::ptrdiff_t>(previous == 0 ? 0 : previous - 1),
                       tokens.text.begin() + static_cast<std::ptrdiff_t>(begin), isSpace);
}

void requireTokens(const std::vector<TokenGroup>& groups, std::int64_t count)
{
    for (const TokenGroup& group : groups) {
        if (group.empty() || group.front() < 0 || group.back() >= count)
            throw ShapeError("a group of tokens outside the pattern", "groupedPattern");
    }
}

double massOf(TensorView pattern, int query, const TokenGroup& keys)
{
    double sum = 0.0;
    for (const int key : keys)
        sum += double{pattern(query, key)};
    return sum;
}

/// Mean attention of a group of queries: in total, and on these columns.
struct RowMass
{
    double all = 0.0;
    double left = 0.0;

    bool isFaint() const { return all > 0.0 && left < kLeastFractionLeft * all; }
};

RowMass massOfRow(TensorView pattern, const TokenGroup& queries,
                  const std::vector<TokenGroup>& columns)
{
    RowMass mass;
    const auto count = static_cast<double>(queries.size());
    for (const int query : queries) {
        for (std::int64_t key = 0; key < pattern.shape[1]; ++key)
            mass.all += double{pattern(query, key)} / count;
        for (const TokenGroup& keys : columns)
            mass.left += massOf(pattern, query, keys) / count;
    }
    return mass;
}

} // namespace

bool HiddenTokens::hides(const TokenSequence& tokens, std::size_t index) const
{
    const Token& token = tokens.tokens[index];
    return (first && index == 0) || (special && token.special) ||
           (chatTemplate && token.turn == kTemplateTurn);
}

std::vector<TokenGroup> singleTokens(const TokenSequence& tokens, HiddenTokens hidden)
{
    std::vector<TokenGroup> groups;
    for (std::size_t index = 0; index < tokens.size(); ++index) {
        if (!hidden.hides(tokens, index))
            groups.push_back({static_cast<int>(index)});
    }
    return groups;
}

std::vector<TokenGroup> wordGroups(const TokenSequence& tokens, HiddenTokens hidden)
{
    std::vector<TokenGroup> groups;
    for (std::size_t index = 0; index < tokens.size(); ++index) {
        if (hidden.hides(tokens, index))
            continue;
        if (groups.empty() || beginsWord(tokens, index))
            groups.emplace_back();
        groups.back().push_back(static_cast<int>(index));
    }
    return groups;
}

Tensor groupedPattern(TensorView pattern, const std::vector<TokenGroup>& rows,
                      const std::vector<TokenGroup>& columns, KeyMerge merge, bool renormalise)
{
    requireTokens(rows, pattern.shape[0]);
    requireTokens(columns, pattern.shape[1]);
    Tensor grouped(
        {static_cast<std::int64_t>(rows.size()), static_cast<std::int64_t>(columns.size())});
    for (std::size_t row = 0; row < rows.size(); ++row) {
        const RowMass mass = renormalise ? massOfRow(pattern, rows[row], columns) : RowMass();
        if (mass.isFaint())
            continue; // the tensor is initialised with zeros
        std::vector<double> cells;
        for (const TokenGroup& keys : columns) {
            double sum = 0.0;
            for (const int query : rows[row])
                sum += massOf(pattern, query, keys);
            sum /= static_cast<double>(rows[row].size());
            cells.push_back(merge == KeyMerge::Mean ? sum / static_cast<double>(keys.size()) : sum);
        }
        const double scale = mass.left > 0.0 ? 1.0 / mass.left : 1.0;
        for (std::size_t column = 0; column < cells.size(); ++column)
            grouped.view()(row, column) = static_cast<float>(cells[column] * scale);
    }
    return grouped;
}

std::vector<bool> faintRows(TensorView pattern, const std::vector<TokenGroup>& rows,
                            const std::vector<TokenGroup>& columns)
{
    requireTokens(rows, pattern.shape[0]);
    requireTokens(columns, pattern.shape[1]);
    std::vector<bool> faint;
    for (const TokenGroup& row : rows)
        faint.push_back(massOfRow(pattern, row, columns).isFaint());
    return faint;
}

double massOutside(TensorView pattern, const std::vector<TokenGroup>& rows,
                   const std::vector<TokenGroup>& columns)
{
    double outside = 0.0;
    std::size_t queries = 0;
    for (const TokenGroup& row : rows) {
        for (const int query : row) {
            double all = 0.0;
            for (std::int64_t key = 0; key < pattern.shape[1]; ++key)
                all += double{pattern(query, key)};
            for (const TokenGroup& keys : columns)
                all -= massOf(pattern, query, keys);
            outside += all;
            ++queries;
        }
    }
    return queries == 0 ? 0.0 : outside / static_cast<double>(queries);
}

} // namespace headscope
