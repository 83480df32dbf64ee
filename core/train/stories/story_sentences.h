#pragma once

#include "core/base/random.h"
#include "core/train/stories/story_words.h"

#include <string>

namespace headscope {

struct StoryPerson
{
    std::string name;
    bool female = false;
    bool invented = false;

    std::string_view pronoun() const { return female ? "she" : "he"; }

    std::string_view capitalPronoun() const { return female ? "She" : "He"; }
};

/// The parts of "The keys near the table are ..."
struct StoryAgreement
{
    const StoryNounClass* headClass = nullptr;
    StoryNoun head;
    StoryNoun second;
    bool headPlural = false;
    bool secondPlural = false;
    std::string subject; ///< For example "The keys near the table".
};

/// The parts of "The animal didn't cross the street because it was too tired."
struct StoryBecause
{
    std::string_view noun;
    const StoryPosition* place = nullptr;
    std::string_view pronoun;  ///< One of it, he, she.
    std::string_view what;     ///< The adjective.
    bool meansSubject = false; ///< True if the adjective describes the noun, false for the place.
    std::string sentence;
};

/// Writes single sentences of the story grammar; each member samples from the generator.
class StorySentences
{
public:
    explicit StorySentences(Random& random) : m_random(random) {}

    bool chance(double probability) { return m_random.uniform() < probability; }

    template<class Sequence>
    const auto& pick(const Sequence& choices)
    {
        return m_random.pick(choices);
    }

    std::string_view pickWord(std::initializer_list<std::string_view> choices);

    std::string inventedName();
    StoryPerson person(double inventedFraction = 0.2);
    StoryPerson person(bool female, double inventedFraction = 0.2);

    /// `heldOut`: only pairs that training text never has; otherwise only the others.
    StoryAgreement agreementSubject(bool heldOut);
    std::string agree();

    StoryBecause becauseSentence(bool heldOut, bool onlyAnimals);
    std::string because(); ///< Followed by the sentence that it implies.

    std::string causal();
    /// Two people of different sex.
    std::string causal(const StoryPerson& a, const StoryPerson& b);

private:
    std::string afterBecause(const StoryBecause& because);
    std::string aboutSubject(const StoryBecause& because);

    Random& m_random;
};

} // namespace headscope
