#include "core/io/trace_tokens.h"

#include "core/base/error.h"
#include "core/text/tokenizers/byte_alphabet.h"

#include <algorithm>
#include <utility>

namespace headscope {

namespace {

enum class Spelling { Plain, ByteLevel, SentencePiece, WordPiece };

constexpr std::string_view kByteSpace = "\u0120";   // a space in GPT-2's byte alphabet
constexpr std::string_view kByteNewline = "\u010A"; // a line feed there
constexpr std::string_view kPieceSpace = "\u2581";
constexpr std::string_view kContinuation = "##";

bool isNamed(std::string_view text)
{
    return std::all_of(text.begin(), text.end(), [](char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
               std::string_view("_|/-").find(c) != std::string_view::npos;
    });
}

/// Recognises "[CLS]", "<s>", "</s>", "<|endoftext|>", "<extra_id_3>": unlikely in a text.
bool isSpecialText(std::string_view token)
{
    if (token.size() < 3 || token.starts_with("<0x"))
        return false;
    const std::string_view inside = token.substr(1, token.size() - 2);
    const bool isShouted = std::all_of(inside.begin(), inside.end(),
                                       [](char c) { return (c >= 'A' && c <= 'Z') || c == '_'; });
    return (token.front() == '[' && token.back() == ']' && isShouted) ||
           (token.front() == '<' && token.back() == '>' && isNamed(inside));
}

std::string_view textOf(const StoredTokens& stored, std::size_t token)
{
    if (stored.offsets.empty())
        return {};
    const ByteRange range = stored.offsets[token];
    return std::string_view(stored.text).substr(range.begin, range.end - range.begin);
}

/// True when the token spells in bytes what the text spells in letters.
bool isBytesOf(std::string_view text, const std::string& token)
{
    return !text.empty() && token != text && fromByteSymbols(token) == std::string(text);
}

Spelling spellingOf(const StoredTokens& stored)
{
    const auto any = [&stored](const auto& says) {
        return std::any_of(stored.tokens.begin(), stored.tokens.end(), says);
    };
    if (any([](const std::string& token) { return token.find(kPieceSpace) != token.npos; }))
        return Spelling::SentencePiece;
    if (any([](const std::string& token) {
            return token.find(kByteSpace) != token.npos || token.find(kByteNewline) != token.npos;
        }))
        return Spelling::ByteLevel;
    for (std::size_t i = 0; i < stored.tokens.size(); ++i)
        if (isBytesOf(textOf(stored, i), stored.tokens[i]))
            return Spelling::ByteLevel;
    const bool pieces = any([](const std::string& token) {
        return token.starts_with(kContinuation) && token.size() > kContinuation.size();
    });
    const bool bert = any([](const std::string& token) { return token == "[CLS]"; });
    return pieces || bert ? Spelling::WordPiece : Spelling::Plain;
}

/// Decodes "<0xE2>", a byte in vocabularies with byte fallback.
std::optional<char> fallbackByte(std::string_view token)
{
    constexpr std::string_view kDigits = "0123456789ABCDEF";
    if (token.size() != 6 || !token.starts_with("<0x") || token.back() != '>')
        return std::nullopt;
    const std::size_t high = kDigits.find(token[3]);
    const std::size_t low = kDigits.find(token[4]);
    if (high == std::string_view::npos || low == std::string_view::npos)
        return std::nullopt;
    return static_cast<char>(static_cast<unsigned char>(high * 16 + low));
}

std::string withSpaces(std::string text)
{
    for (std::size_t at = text.find(kPieceSpace); at != std::string::npos;
         at = text.find(kPieceSpace, at))
        text.replace(at, kPieceSpace.size(), " ");
    return text;
}

std::string bytesOf(const std::string& token, Spelling spelling)
{
    switch (spelling) {
    case Spelling::ByteLevel:
        return fromByteSymbols(token).value_or(token);
    case Spelling::SentencePiece:
        if (const auto byte = fallbackByte(token))
            return std::string(1, *byte);
        return withSpaces(token);
    case Spelling::WordPiece:
        return token.starts_with(kContinuation) && token.size() > kContinuation.size()
                   ? token.substr(kContinuation.size())
                   : token;
    case Spelling::Plain:
        break;
    }
    return token;
}

TokenSequence placed(const StoredTokens& stored)
{
    TokenSequence sequence;
    sequence.text = stored.text;
    for (const ByteRange& range : stored.offsets)
        sequence.tokens.push_back({0, range, range.begin == range.end});
    return sequence;
}

/// Joins the tokens of a file without offsets, as others write it, into the text.
TokenSequence joined(const StoredTokens& stored, Spelling spelling)
{
    TokenSequence sequence;
    for (const std::string& token : stored.tokens) {
        if (isSpecialText(token)) {
            sequence.tokens.push_back({0, {}, true});
            continue;
        }
        const bool isFirst = sequence.text.empty();
        std::string bytes = bytesOf(token, spelling);
        if (spelling == Spelling::SentencePiece && isFirst && bytes.starts_with(' '))
            bytes.erase(0, 1); // part of the vocabulary, not of the text
        const bool goesOn = token.starts_with(kContinuation);
        if (spelling == Spelling::WordPiece && !isFirst && !goesOn)
            sequence.text += ' ';
        const std::size_t begin = sequence.text.size();
        sequence.text += bytes;
        sequence.tokens.push_back({0, {begin, sequence.text.size()}, false});
    }
    return sequence;
}

/// Assigns ids and names to the tokens of all texts.
class Naming
{
public:
    explicit Naming(bool countsAnew) : m_countsAnew(countsAnew) {}

    /// False when an id names two tokens.
    bool add(const StoredTokens& stored, Spelling spelling, TokenSequence& sequence)
    {
        bool agrees = true;
        for (std::size_t i = 0; i < sequence.size(); ++i) {
            Token& token = sequence.tokens[i];
            const std::string text = nameOf(stored, i);
            token.id = m_countsAnew ? numberOf(text) : stored.ids[i];
            const bool isText = !token.special && !isSpecialText(text);
            const auto name = m_names.try_emplace(
                token.id, TraceVocabulary::Name{text, isText ? bytesOf(text, spelling) : text,
                                                token.special});
            agrees = agrees && (stored.tokens.empty() || name.first->second.text == text);
        }
        return agrees;
    }

    std::map<TokenId, TraceVocabulary::Name> take() { return std::move(m_names); }

private:
    /// Names a token that the file does not name by its text, the first occurrence counts: "The"
    /// and "the" may be one token.
    static std::string nameOf(const StoredTokens& stored, std::size_t token)
    {
        if (!stored.tokens.empty())
            return stored.tokens[token];
        const std::string_view text = textOf(stored, token);
        return text.empty() ? "#" + std::to_string(stored.ids[token]) : std::string(text);
    }

    TokenId numberOf(const std::string& text)
    {
        return m_numbers.try_emplace(text, static_cast<TokenId>(m_numbers.size())).first->second;
    }

    bool m_countsAnew;
    std::map<std::string, TokenId> m_numbers;
    std::map<TokenId, TraceVocabulary::Name> m_names;
};

/// Turns of the tokens. The special ones of a chat are in its text, where its template wrote them.
void placeInTurns(const StoredTokens& stored, TokenSequence& sequence)
{
    for (std::size_t i = 0; i < stored.turns.size() && i < sequence.size(); ++i) {
        Token& token = sequence.tokens[i];
        token.turn = stored.turns[i];
        token.special = token.special || (token.turn == kTemplateTurn && i < stored.tokens.size() &&
                                          isSpecialText(stored.tokens[i]));
    }
}

/// Nothing when ids and tokens disagree.
std::optional<NamedTexts> named(const std::vector<StoredTokens>& stored, bool countsAnew)
{
    NamedTexts result;
    Naming naming(countsAnew);
    for (const StoredTokens& one : stored) {
        const Spelling spelling = spellingOf(one);
        result.texts.push_back(one.offsets.empty() ? joined(one, spelling) : placed(one));
        placeInTurns(one, result.texts.back());
        if (!naming.add(one, spelling, result.texts.back()))
            return std::nullopt;
    }
    result.names = std::make_shared<const TraceVocabulary>(naming.take());
    return result;
}

} // namespace

NamedTexts nameTokens(const std::vector<StoredTokens>& stored)
{
    const bool hasIds = std::none_of(stored.begin(), stored.end(),
                                     [](const StoredTokens& one) { return one.ids.empty(); });
    if (hasIds)
        if (std::optional<NamedTexts> result = named(stored, false))
            return *std::move(result);
    NamedTexts result = *named(stored, true);
    result.idsDisagree = hasIds;
    return result;
}

// ------------------------------------------------------------------------------------ the names

TraceVocabulary::TraceVocabulary(std::map<TokenId, Name> names) : m_names(std::move(names)) {}

std::size_t TraceVocabulary::vocabularySize() const
{
    return m_names.empty() ? 0 : static_cast<std::size_t>(m_names.rbegin()->first) + 1;
}

TokenSequence TraceVocabulary::encode(std::string_view, bool) const
{
    throw Error("a captured trace cannot tokenize another text",
                "it stores the names of its tokens, but no tokenizer", "Open a model");
}

std::string TraceVocabulary::decode(std::span<const TokenId> ids, bool skipSpecial) const
{
    std::string text;
    for (const TokenId id : ids)
        if (!skipSpecial || !isSpecial(id))
            text += tokenBytes(id);
    return text;
}

const std::string& TraceVocabulary::tokenText(TokenId id) const
{
    const auto found = m_names.find(id);
    if (found == m_names.end())
        throw Error("the trace does not name token " + std::to_string(id));
    return found->second.text;
}

std::string TraceVocabulary::tokenBytes(TokenId id) const
{
    const auto found = m_names.find(id);
    return found == m_names.end() ? "#" + std::to_string(id) : found->second.bytes;
}

bool TraceVocabulary::isSpecial(TokenId id) const
{
    const auto found = m_names.find(id);
    return found != m_names.end() && found->second.special;
}

std::optional<TokenId> TraceVocabulary::find(std::string_view tokenText) const
{
    for (const auto& [id, name] : m_names)
        if (name.text == tokenText)
            return id;
    return std::nullopt;
}

} // namespace headscope
