#include "core/text/tokenizers/token_decoder.h"

#include "core/text/normalizers/normalized_text.h"
#include "core/text/normalizers/piece_normalizer.h"
#include "core/text/tokenizers/byte_alphabet.h"
#include "core/text/tokenizers/byte_tokens.h"
#include "core/text/tokenizers/word_model.h"

#include <algorithm>
#include <numeric>

namespace headscope {

namespace {

using Texts = std::vector<std::string>;

void replaceAll(std::string& text, std::string_view what, std::string_view with)
{
    if (what.empty())
        return;
    for (std::size_t at = text.find(what); at != std::string::npos;
         at = text.find(what, at + with.size()))
        text.replace(at, what.size(), with);
}

class DecoderSequence final : public TokenDecoder
{
public:
    explicit DecoderSequence(std::vector<DecoderPtr> steps) : m_steps(std::move(steps)) {}

    Texts apply(Texts tokens) const override
    {
        const std::size_t original = sizeOf(tokens);
        for (const DecoderPtr& step : m_steps) {
            tokens = step->apply(std::move(tokens));
            checkGrowth(sizeOf(tokens), original);
        }
        return tokens;
    }

private:
    /// Size with one extra byte each, since a step may insert a space before every token.
    static std::size_t sizeOf(const Texts& tokens)
    {
        return std::accumulate(
            tokens.begin(), tokens.end(), tokens.size(),
            [](std::size_t sum, const std::string& token) { return sum + token.size(); });
    }

    std::vector<DecoderPtr> m_steps;
};

class ByteLevelDecoder final : public TokenDecoder
{
public:
    Texts apply(Texts tokens) const override
    {
        for (std::string& token : tokens)
            token = fromByteSymbols(token).value_or(token);
        return tokens;
    }
};

class ByteFallbackDecoder final : public TokenDecoder
{
public:
    Texts apply(Texts tokens) const override
    {
        Texts result;
        bool afterByte = false;
        for (std::string& token : tokens) {
            const auto byte = ByteTokens::byteOf(token);
            if (byte && afterByte)
                result.back() += *byte;
            else
                result.push_back(byte ? std::string(1, *byte) : std::move(token));
            afterByte = byte.has_value();
        }
        return result;
    }
};

class FuseDecoder final : public TokenDecoder
{
public:
    Texts apply(Texts tokens) const override
    {
        std::string all;
        for (const std::string& token : tokens)
            all += token;
        return {all};
    }
};

class MetaspaceDecoder final : public TokenDecoder
{
public:
    MetaspaceDecoder(std::string mark, bool hasPrefix)
        : m_mark(std::move(mark))
        , m_hasPrefix(hasPrefix)
    {
    }

    Texts apply(Texts tokens) const override
    {
        for (std::size_t i = 0; i < tokens.size(); ++i)
            replaceAll(tokens[i], m_mark, i == 0 && m_hasPrefix ? "" : " ");
        return tokens;
    }

private:
    std::string m_mark;
    bool m_hasPrefix;
};

class WordPieceDecoder final : public TokenDecoder
{
public:
    WordPieceDecoder(std::string mark, bool cleans) : m_mark(std::move(mark)), m_cleans(cleans) {}

    Texts apply(Texts tokens) const override
    {
        for (std::size_t i = 0; i < tokens.size(); ++i) {
            if (i > 0 && tokens[i].starts_with(m_mark))
                tokens[i].erase(0, m_mark.size());
            else if (i > 0)
                tokens[i].insert(0, 1, ' ');
            if (m_cleans)
                clean(tokens[i]);
        }
        return tokens;
    }

private:
    static void clean(std::string& text)
    {
        constexpr std::pair<std::string_view, std::string_view> kPairs[] = {
            {" .", "."},   {" ?", "?"},     {" !", "!"},    {" ,", ","},
            {" ' ", "'"},  {" n't", "n't"}, {" 'm", "'m"},  {" do not", " don't"},
            {" 's", "'s"}, {" 've", "'ve"}, {" 're", "'re"}};
        for (const auto& [what, with] : kPairs)
            replaceAll(text, what, with);
    }

    std::string m_mark;
    bool m_cleans;
};

class StripDecoder final : public TokenDecoder
{
public:
    StripDecoder(std::string character, std::size_t atBegin, std::size_t atEnd)
        : m_character(std::move(character))
        , m_atBegin(atBegin)
        , m_atEnd(atEnd)
    {
    }

    Texts apply(Texts tokens) const override
    {
        for (std::string& token : tokens) {
            std::string_view left = token;
            for (std::size_t i = 0; i < m_atBegin && left.starts_with(m_character); ++i)
                left.remove_prefix(m_character.size());
            for (std::size_t i = 0; i < m_atEnd && left.ends_with(m_character); ++i)
                left.remove_suffix(m_character.size());
            token = std::string(left);
        }
        return tokens;
    }

private:
    std::string m_character;
    std::size_t m_atBegin;
    std::size_t m_atEnd;
};

class ReplaceDecoder final : public TokenDecoder
{
public:
    ReplaceDecoder(TextPattern pattern, std::string content)
        : m_pattern(std::move(pattern))
        , m_content(std::move(content))
    {
    }

    Texts apply(Texts tokens) const override
    {
        for (std::string& token : tokens) {
            std::string replaced;
            for (const auto& segment : m_pattern.segments(token)) {
                replaced += segment.isMatch ? m_content
                                            : token.substr(segment.bytes.begin,
                                                           segment.bytes.end - segment.bytes.begin);
                checkGrowth(replaced.size(), token.size());
            }
            token = std::move(replaced);
        }
        return tokens;
    }

private:
    TextPattern m_pattern;
    std::string m_content;
};

class PieceDecoder final : public TokenDecoder
{
public:
    PieceDecoder(bool hasPrefix, bool removesSpaces)
        : m_hasPrefix(hasPrefix)
        , m_removesSpaces(removesSpaces)
    {
    }

    Texts apply(Texts tokens) const override
    {
        bool atBegin = m_hasPrefix;
        for (std::string& token : tokens) {
            if (atBegin && token.starts_with(kPieceSpace))
                token.erase(0, kPieceSpace.size());
            atBegin = atBegin && m_removesSpaces && token.empty();
            replaceAll(token, kPieceSpace, " ");
        }
        return tokens;
    }

private:
    bool m_hasPrefix;
    bool m_removesSpaces;
};

} // namespace

DecoderPtr decoderSequence(std::vector<DecoderPtr> steps)
{
    return std::make_unique<DecoderSequence>(std::move(steps));
}

DecoderPtr byteLevelDecoder()
{
    return std::make_unique<ByteLevelDecoder>();
}

DecoderPtr byteFallbackDecoder()
{
    return std::make_unique<ByteFallbackDecoder>();
}

DecoderPtr fuseDecoder()
{
    return std::make_unique<FuseDecoder>();
}

DecoderPtr metaspaceDecoder(std::string mark, bool hasPrefix)
{
    return std::make_unique<MetaspaceDecoder>(std::move(mark), hasPrefix);
}

DecoderPtr wordPieceDecoder(std::string mark, bool cleans)
{
    return std::make_unique<WordPieceDecoder>(std::move(mark), cleans);
}

DecoderPtr stripDecoder(std::string character, std::size_t atBegin, std::size_t atEnd)
{
    return std::make_unique<StripDecoder>(std::move(character), atBegin, atEnd);
}

DecoderPtr replaceDecoder(TextPattern pattern, std::string content)
{
    return std::make_unique<ReplaceDecoder>(std::move(pattern), std::move(content));
}

DecoderPtr pieceDecoder(bool hasPrefix, bool removesSpaces)
{
    return std::make_unique<PieceDecoder>(hasPrefix, removesSpaces);
}

} // namespace headscope
