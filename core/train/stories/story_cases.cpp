#include "core/train/stories/story_cases.h"

#include "core/train/stories/story_sentences.h"

#include <algorithm>

#include <fmt/format.h>

namespace headscope {

namespace {

/// Streams of random numbers, one per kind of case.
enum class CaseStream : std::uint64_t {
    Agreement,
    Predicate,
    Antecedent,
    Name,
    Gender,
    Headline,
    SubjectVerb,
    Pronoun,
    Meaning
};

template<class Case, class MakeCase>
std::vector<Case> makeCases(std::uint64_t seed, CaseStream stream, std::size_t count,
                            MakeCase makeCase)
{
    Random random(seed, static_cast<std::uint64_t>(stream));
    StorySentences sentences(random);
    std::vector<Case> cases;
    while (cases.size() < count)
        cases.push_back(makeCase(sentences));
    return cases;
}

struct VerbPair
{
    std::string_view right;
    std::string_view wrong;
};

VerbPair verbFor(StorySentences& sentences, bool plural)
{
    const bool past = sentences.chance(0.5);
    const std::string_view singularVerb = past ? " was" : " is";
    const std::string_view pluralVerb = past ? " were" : " are";
    return plural ? VerbPair{pluralVerb, singularVerb} : VerbPair{singularVerb, pluralVerb};
}

ContinuationCase agreementCase(StorySentences& sentences)
{
    const StoryAgreement parts = sentences.agreementSubject(true);
    const VerbPair verbs = verbFor(sentences, parts.headPlural);
    return {parts.subject, std::string(verbs.right), std::string(verbs.wrong)};
}

/// The right word fits the subject, the wrong one the noun next to the verb.
ContinuationCase predicateCase(StorySentences& sentences)
{
    const StoryAgreement parts = sentences.agreementSubject(true);
    const auto holdsSecond = [&](const StoryNounClass& nounClass) {
        return std::any_of(
            nounClass.nouns.begin(), nounClass.nouns.end(),
            [&](const StoryNoun& noun) { return noun.singular == parts.second.singular; });
    };
    const auto& classes = storyNounClasses();
    const auto secondClass = std::find_if(classes.begin(), classes.end(), holdsSecond);
    const auto verb = verbFor(sentences, parts.headPlural).right;
    return {fmt::format("{}{}", parts.subject, verb),
            fmt::format(" {}", sentences.pick(parts.headClass->predicates)),
            fmt::format(" {}", sentences.pick(secondClass->predicates))};
}

ContinuationCase antecedentCase(StorySentences& sentences)
{
    const StoryBecause parts = sentences.becauseSentence(true, true);
    std::string subject = fmt::format(" {}", parts.noun);
    std::string place = fmt::format(" {}", parts.place->name);
    std::string_view opening = sentences.pickWord({"So the", "The", "It"});
    if (opening == "It") {
        subject = " lay";
        place = " had";
    }
    if (!parts.meansSubject)
        std::swap(subject, place);
    return {fmt::format("{} {}", parts.sentence, opening), subject, place};
}

ContinuationCase nameCase(StorySentences& sentences)
{
    const StoryPerson a = sentences.person(1.0);
    const StoryPerson b = sentences.person(!a.female, 1.0);
    const auto site = sentences.pick(storySites());
    const auto thing = sentences.pick(storyThings());
    const std::string opening = fmt::format("{} and {} were in the {}. ", a.name, b.name, site);
    if (sentences.chance(0.5))
        return {opening + fmt::format("\"I like you,\" said {} to", a.name), " " + b.name, {}};
    return {opening + fmt::format("\"I like your red {0}, {1},\" said", thing, a.name),
            " " + b.name,
            {}};
}

ContinuationCase genderCase(StorySentences& sentences)
{
    const StoryPerson a = sentences.person(0.0);
    const StoryPerson b = sentences.person(!a.female, 0.0);
    const bool meansOther = sentences.chance(0.5);
    const auto verb = meansOther ? sentences.pickWord({"thanked", "praised", "hugged", "scolded"})
                                 : sentences.pickWord({"called", "visited", "phoned"});
    const StoryPerson& meant = meansOther ? b : a;
    const StoryPerson& other = meansOther ? a : b;
    return {fmt::format("{} {} {} because", a.name, verb, b.name),
            fmt::format(" {}", meant.pronoun()), fmt::format(" {}", other.pronoun())};
}

ContinuationCase headlineCase(StorySentences& sentences)
{
    static const StoryWords nouns = {"dog", "man", "cat", "woman", "horse", "boy", "girl", "fox"};
    const auto doer = sentences.pick(nouns);
    auto other = doer;
    while (other == doer)
        other = sentences.pick(nouns);
    return {fmt::format("{} {} {}. The", doer, sentences.pickWord({"bites", "kicks"}), other),
            fmt::format(" {}", other), fmt::format(" {}", doer)};
}

/// Range of `word` in `text`, which contains it.
ByteRange placeOf(std::string_view word, const std::string& text, std::size_t from = 0)
{
    const std::size_t begin = text.find(word, from);
    return {begin, begin + word.size()};
}

AttentionTargetCase subjectVerbCase(StorySentences& sentences)
{
    const StoryAgreement parts = sentences.agreementSubject(true);
    const auto verb = verbFor(sentences, parts.headPlural).right;
    const std::string text = fmt::format("{}{}", parts.subject, verb);
    return {text,
            {parts.subject.size() + 1, text.size()},
            placeOf(parts.head.form(parts.headPlural), text),
            std::nullopt};
}

AttentionTargetCase pronounCase(StorySentences& sentences)
{
    const StoryBecause parts = sentences.becauseSentence(true, true);
    const ByteRange pronoun = placeOf(" it ", parts.sentence);
    return {parts.sentence,
            {pronoun.begin + 1, pronoun.end - 1},
            placeOf(parts.noun, parts.sentence),
            std::nullopt};
}

AttentionTargetCase meaningCase(StorySentences& sentences)
{
    const StoryBecause parts = sentences.becauseSentence(true, true);
    const std::string text = parts.sentence + " It";
    ByteRange subject = placeOf(parts.noun, text);
    ByteRange place = placeOf(parts.place->name, text, subject.end);
    if (!parts.meansSubject)
        std::swap(subject, place);
    return {text, {text.size() - 2, text.size()}, subject, place};
}

} // namespace

std::vector<ContinuationCase> agreementCases(std::uint64_t seed, std::size_t count)
{
    return makeCases<ContinuationCase>(seed, CaseStream::Agreement, count, agreementCase);
}

std::vector<ContinuationCase> predicateCases(std::uint64_t seed, std::size_t count)
{
    return makeCases<ContinuationCase>(seed, CaseStream::Predicate, count, predicateCase);
}

std::vector<ContinuationCase> antecedentCases(std::uint64_t seed, std::size_t count)
{
    return makeCases<ContinuationCase>(seed, CaseStream::Antecedent, count, antecedentCase);
}

std::vector<ContinuationCase> nameCases(std::uint64_t seed, std::size_t count)
{
    return makeCases<ContinuationCase>(seed, CaseStream::Name, count, nameCase);
}

std::vector<ContinuationCase> genderCases(std::uint64_t seed, std::size_t count)
{
    return makeCases<ContinuationCase>(seed, CaseStream::Gender, count, genderCase);
}

std::vector<ContinuationCase> headlineCases(std::uint64_t seed, std::size_t count)
{
    return makeCases<ContinuationCase>(seed, CaseStream::Headline, count, headlineCase);
}

std::vector<AttentionTargetCase> subjectVerbCases(std::uint64_t seed, std::size_t count)
{
    return makeCases<AttentionTargetCase>(seed, CaseStream::SubjectVerb, count, subjectVerbCase);
}

std::vector<AttentionTargetCase> pronounCases(std::uint64_t seed, std::size_t count)
{
    return makeCases<AttentionTargetCase>(seed, CaseStream::Pronoun, count, pronounCase);
}

std::vector<AttentionTargetCase> meaningCases(std::uint64_t seed, std::size_t count)
{
    return makeCases<AttentionTargetCase>(seed, CaseStream::Meaning, count, meaningCase);
}

} // namespace headscope
