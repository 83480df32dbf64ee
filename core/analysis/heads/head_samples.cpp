#include "core/analysis/heads/head_samples.h"

#include "core/base/error.h"

#include <algorithm>
#include <cctype>

namespace headscope {

namespace {

constexpr double kMostPiecesAWord = 1.75;

/// Subjects and verbs with another noun in between, of the other number wherever possible.
constexpr std::string_view kSubjectVerb[] = {
    "The *keys to the ~cabinet ?are rusty.",
    "The *key to the ~cabinets ?is rusty.",
    "In the morning the *dogs near the ~man ?are hungry.",
    "In the morning the *dog near the ~children ?is hungry.",
    "The *book that the ~children found ?was easy to read.",
    "The old *books on the ~table ?were torn.",
    "The *man with the ~horses ?was busy all day.",
    "Every day the *farmers from the ~village ?were tired.",
    "The red *car behind the ~trucks ?is very fast.",
    "The red *cars behind the ~truck ?are very fast.",
    "At night the *bird that the ~cats saw ?was scared.",
    "At night the *birds that the ~cat saw ?were scared.",
    "The *coat under the two ~hats ?is warm.",
    "The *apples in the ~box ?are sweet and ripe.",
    "The *teacher of the ~children ?has been very polite.",
    "The *letters from my ~friend ?have been easy to read."};

constexpr std::string_view kCoreference[] = {
    "The *animal did not cross the ~street because ?it was too tired.",
    "The *dog did not cross the ~road because ?it was too scared.",
    "The *cat slept near the ~door because ?it was very sleepy.",
    "Every day the *horse stayed in the ~field because ?it was hungry.",
    "The *farmer liked the two ~dogs because ?he was kind.",
    "The farmer liked the two *dogs because ?they were kind.",
    "The *woman saw the ~birds when ?she opened the door.",
    "The ~woman saw the *birds when ?they crossed the road.",
    "In the morning the *children found the ~cat and ?they were happy.",
    "In the morning the children found the *cat and ?it was happy.",
    "The old *man called the ~women because ?he needed help.",
    "The old ~man called the *women because ?they needed help.",
    "Then the *girl thanked the old ~man because ?she was glad.",
    "Then the ~girl thanked the old *man because ?he had helped.",
    "The *truck stood near the ~house because ?it was out of fuel.",
    "The little *birds left the ~tree when ?they were scared."};

bool isLetter(char c)
{
    return std::isalpha(static_cast<unsigned char>(c)) != 0;
}

template<std::size_t count>
void append(std::vector<SampleSentence>& samples, PairKind kind,
            const std::string_view (&sentences)[count])
{
    for (const std::string_view sentence : sentences)
        samples.push_back(markedSentence(kind, sentence));
}

std::size_t wordsOf(const std::string& text)
{
    return static_cast<std::size_t>(std::count(text.begin(), text.end(), ' ')) + 1;
}

} // namespace

SampleSentence markedSentence(PairKind kind, std::string_view marked)
{
    SampleSentence sentence;
    sentence.pair.kind = kind;
    bool hasKey = false;
    bool hasQuery = false;
    char mark = 0;
    std::size_t begin = 0;
    const auto close = [&] {
        const ByteRange word{begin, sentence.text.size()};
        if (mark == '*')
            sentence.pair.key = word;
        else if (mark == '?')
            sentence.pair.query = word;
        else if (mark == '~')
            sentence.pair.contrast = word;
        hasKey = hasKey || mark == '*';
        hasQuery = hasQuery || mark == '?';
        mark = 0;
    };
    for (const char c : marked) {
        if (mark != 0 && !isLetter(c))
            close();
        if (c == '*' || c == '?' || c == '~') {
            mark = c;
            begin = sentence.text.size();
        } else {
            sentence.text += c;
        }
    }
    if (mark != 0)
        close();
    if (!hasKey || !hasQuery)
        throw Error("a sample sentence without a marked key and query", std::string(marked));
    return sentence;
}

const std::vector<SampleSentence>& headSamples()
{
    static const std::vector<SampleSentence> samples = [] {
        std::vector<SampleSentence> all;
        append(all, PairKind::SubjectVerb, kSubjectVerb);
        append(all, PairKind::Coreference, kCoreference);
        return all;
    }();
    return samples;
}

bool knowsWords(const Tokenizer& tokenizer, const TokenSequence& sentence)
{
    std::size_t pieces = 0;
    for (const Token& token : sentence.tokens) {
        if (token.bytes.begin == token.bytes.end)
            continue; // added around the text
        if (tokenizer.isSpecial(token.id))
            return false; // stands for an unknown word
        ++pieces;
    }
    const auto words = static_cast<double>(wordsOf(sentence.text));
    return pieces > 1 && static_cast<double>(pieces) <= kMostPiecesAWord * words;
}

} // namespace headscope
