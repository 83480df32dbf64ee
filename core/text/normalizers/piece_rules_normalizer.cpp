#include "core/text/normalizers/piece_rules_normalizer.h"

#include "core/text/normalizers/piece_normalizer.h"
#include "core/text/normalizers/text_normalizer.h"
#include "core/text/tokenizers/unigram_lattice.h"
#include "core/text/utf8.h"

namespace headscope {

namespace {

constexpr std::string_view kReplacementText = "\uFFFD";

/// A step through the text: the replacement of its next `length` bytes.
struct Step
{
    std::string_view replacement;
    std::size_t length = 0;
};

class PieceRulesNormalizer
{
public:
    explicit PieceRulesNormalizer(PieceRules rules)
        : m_rules(std::move(rules))
        , m_space(m_rules.escapeSpaces ? kPieceSpace : std::string_view(" "))
    {
        for (const std::string& piece : m_rules.untouched)
            m_untouched.insert(piece, 0);
    }

    NormalizedText operator()(const NormalizedText& text) const
    {
        Output output{*this, {}, {}};
        output.run(text.text);
        NormalizedText result;
        result.text = std::move(output.text);
        result.source.reserve(result.text.size());
        for (std::size_t i = 0; i < result.text.size(); ++i)
            result.source.push_back({output.from[i], output.from[i + 1]});
        return composed(text, std::move(result));
    }

private:
    /// The growing text, and the offset in the original of each byte and of the end.
    struct Output
    {
        const PieceRulesNormalizer& rules;
        std::string text;
        std::vector<std::size_t> from;

        void add(std::string_view bytes, std::size_t place)
        {
            text += bytes;
            from.insert(from.end(), bytes.size(), place);
        }

        void addStep(std::string_view bytes, std::size_t place)
        {
            for (const char& byte : bytes)
                add(byte == ' ' ? rules.m_space : std::string_view(&byte, 1), place);
        }

        void run(std::string_view original)
        {
            const bool removes = rules.m_rules.removeSpaces;
            std::size_t at = 0;
            for (; removes && at < original.size();) {
                const Step step = rules.stepAt(original, at);
                if (step.replacement != " ")
                    break;
                at += step.length;
            }
            if (at < original.size() && rules.m_rules.addPrefix)
                add(rules.m_space, at);
            bool afterSpace = removes;
            while (at < original.size()) {
                Step step = rules.stepAt(original, at);
                while (afterSpace && step.replacement.starts_with(' '))
                    step.replacement.remove_prefix(1);
                addStep(step.replacement, at);
                if (!step.replacement.empty())
                    afterSpace = removes && step.replacement.ends_with(' ');
                at += step.length;
                checkGrowth(text.size(), original.size());
            }
            if (removes)
                at = removeSpacesAtEnd(at);
            from.push_back(at);
        }

        std::size_t removeSpacesAtEnd(std::size_t end)
        {
            while (text.ends_with(rules.m_space)) {
                const std::size_t length = text.size() - rules.m_space.size();
                end = from[length];
                text.resize(length);
                from.resize(length);
            }
            return end;
        }
    };

    Step stepAt(std::string_view text, std::size_t at) const
    {
        const std::string_view rest = text.substr(at);
        std::size_t untouched = 0;
        m_untouched.forPrefixes(rest, [&](TokenId, std::size_t length) { untouched = length; });
        if (untouched > 0)
            return {rest.substr(0, untouched), untouched};
        if (const auto match = m_rules.map.longestPrefix(rest))
            return {match->replacement, match->length};
        const Utf8Character character = utf8CharacterAt(text, at);
        return {character.valid ? rest.substr(0, character.length) : kReplacementText,
                character.length};
    }

    PieceRules m_rules;
    std::string_view m_space;
    PieceTrie m_untouched;
};

} // namespace

TextNormalizer pieceRulesNormalizer(PieceRules rules)
{
    return PieceRulesNormalizer(std::move(rules));
}

} // namespace headscope
