#include "core/train/stories/story_sentences.h"

#include <algorithm>
#include <cctype>

#include <fmt/format.h>

namespace headscope {

namespace {

const std::vector<std::string_view>& reportingVerbs()
{
    static const std::vector<std::string_view> verbs = {"saw", "found", "liked"};
    return verbs;
}

std::string capitalised(std::string_view word)
{
    std::string result(word);
    result[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(result[0])));
    return result;
}

} // namespace

std::string_view StorySentences::pickWord(std::initializer_list<std::string_view> choices)
{
    return choices.begin()[m_random.below(choices.size())];
}

std::string StorySentences::inventedName()
{
    const auto isKnown = [](const std::string& name, const StoryWords& names) {
        return std::ranges::find(names, name) != names.end();
    };
    std::string name;
    do { // some syllables make a name whose sex is known
        name.clear();
        for (std::uint64_t syllables = 2 + m_random.below(2); syllables > 0; --syllables)
            name += pick(storySyllables());
        name = capitalised(name);
    } while (isKnown(name, storyFemaleNames()) || isKnown(name, storyMaleNames()));
    return name;
}

StoryPerson StorySentences::person(bool female, double inventedFraction)
{
    if (chance(inventedFraction))
        return {inventedName(), female, true};
    return {std::string(pick(female ? storyFemaleNames() : storyMaleNames())), female, false};
}

StoryPerson StorySentences::person(double inventedFraction)
{
    return person(chance(0.5), inventedFraction);
}

StoryAgreement StorySentences::agreementSubject(bool heldOut)
{
    StoryAgreement result;
    for (;;) {
        result.headClass = &pick(storyNounClasses());
        const StoryNounClass& secondClass = pick(storyNounClasses());
        result.head = pick(result.headClass->nouns);
        result.second = pick(secondClass.nouns);
        if (&secondClass != result.headClass &&
            isHeldOutPair(result.head.singular, result.second.singular) == heldOut)
            break;
    }
    result.headPlural = chance(0.5);
    result.secondPlural = chance(0.5);
    const auto head = result.head.form(result.headPlural);
    const auto second = result.second.form(result.secondPlural);
    const double form = m_random.uniform();
    if (form < 0.75)
        result.subject = fmt::format("The {} {} the {}", head, pick(storyPrepositions()), second);
    else if (form < 0.90)
        result.subject = fmt::format("The {} that {} {} near the {}", head, person().name,
                                     pick(reportingVerbs()), second);
    else
        result.subject = fmt::format("The {} {} {} the {} {}", pick(storyColours()), head,
                                     pick(storyPrepositions()), pick(storyColours()), second);
    return result;
}

std::string StorySentences::agree()
{
    const StoryAgreement parts = agreementSubject(false);
    const bool plural = parts.headPlural;
    std::string_view verb = chance(0.5) ? (plural ? "are" : "is") : (plural ? "were" : "was");
    std::string_view between;
    if (chance(0.12))
        verb = plural ? "have been" : "has been";
    else if (chance(0.3))
        between = chance(0.5) ? " not" : " still";
    return fmt::format("{} {}{} {}.", parts.subject, verb, between,
                       pick(parts.headClass->predicates));
}

StoryBecause StorySentences::becauseSentence(bool heldOut, bool onlyAnimals)
{
    StoryBecause result;
    const std::vector<std::string_view>* subjectAdjectives = nullptr;
    do {
        const double kind = onlyAnimals ? 0.0 : m_random.uniform();
        result.place = &pick(storyPositions());
        if (kind < 0.75) {
            const auto& nounClass = storyNounClass(kind < 0.5 ? "animal" : "vehicle");
            result.noun = pick(nounClass.nouns).singular;
            result.pronoun = "it";
            subjectAdjectives = &nounClass.tooWhat;
        } else {
            const StoryPersonNoun& person = pick(storyPersonNouns());
            result.noun = person.noun;
            result.pronoun = person.female ? "she" : "he";
            subjectAdjectives = &storyNounClass("person").tooWhat;
        }
    } while (isHeldOutPair(result.noun, result.place->name) != heldOut);
    result.meansSubject = chance(0.65);
    result.what = pick(result.meansSubject ? *subjectAdjectives : result.place->tooWhat);
    result.sentence =
        fmt::format("The {} {} {} the {} because {} was too {}.", result.noun,
                    pickWord({"didn't", "didn't", "did not", "couldn't"}), result.place->verb,
                    result.place->name, result.meansSubject ? result.pronoun : "it", result.what);
    return result;
}

std::string StorySentences::aboutSubject(const StoryBecause& because)
{
    const StoryWords& ofVehicles = storyNounClass("vehicle").tooWhat;
    const bool isVehicle = std::ranges::find(ofVehicles, because.what) != ofVehicles.end();
    switch (m_random.below(3)) {
    case 0:
        return fmt::format("{} {}", capitalised(because.pronoun),
                           isVehicle ? "stood still all day." : "lay down and slept.");
    case 1:
        return fmt::format("So the {} stayed {}.", because.noun, pickWord({"here", "behind"}));
    default:
        return fmt::format("The {} was still {} at night.", because.noun, because.what);
    }
}

std::string StorySentences::afterBecause(const StoryBecause& because)
{
    if (because.meansSubject)
        return aboutSubject(because);
    switch (m_random.below(3)) {
    case 0:
        return std::string(because.place->fact);
    case 1:
        return fmt::format("So the {} stayed empty.", because.place->name);
    default:
        return fmt::format("The {} was still {} at night.", because.place->name, because.what);
    }
}

std::string StorySentences::because()
{
    const StoryBecause parts = becauseSentence(false, false);
    return parts.sentence + " " + afterBecause(parts);
}

std::string StorySentences::causal()
{
    const StoryPerson a = person();
    if (chance(0.3))
        return fmt::format("{} {} because {} was {}.", a.name, pickWord({"smiled", "laughed"}),
                           a.pronoun(), pickWord({"glad", "happy"}));
    return causal(a, person(!a.female));
}

std::string StorySentences::causal(const StoryPerson& a, const StoryPerson& b)
{
    switch (m_random.below(4)) {
    case 0:
        return fmt::format("{} {} {} because {} had helped.", a.name,
                           pickWord({"thanked", "praised", "hugged"}), b.name, b.pronoun());
    case 1:
        return fmt::format("{} {} {} because {} needed help.", a.name,
                           pickWord({"called", "visited", "phoned"}), b.name, a.pronoun());
    case 2:
        return fmt::format("{} scolded {} because {} had been late.", a.name, b.name, b.pronoun());
    default:
        return fmt::format("{} apologized to {} because {} had been rude.", a.name, b.name,
                           a.pronoun());
    }
}

} // namespace headscope
