#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace headscope {

// The lists are those of resources/stories/words.json, see story_vocabulary.h.

struct StoryNoun
{
    std::string_view singular;
    std::string_view plural;

    std::string_view form(bool isPlural) const { return isPlural ? plural : singular; }
};

/// Nouns of one kind, and what can be said of them and of no other kind.
struct StoryNounClass
{
    std::string_view name;
    std::vector<StoryNoun> nouns;
    std::vector<std::string_view> predicates; ///< "The ... is PREDICATE."
    std::vector<std::string_view> tooWhat;    ///< "... because it was too WHAT."; may be empty
};

/// Somewhere to cross or climb, what it can be too much of, and what else is true of it.
struct StoryPlace
{
    std::string_view name;
    std::string_view verb; ///< "cross" or "climb"
    std::vector<std::string_view> tooWhat;
    std::string_view fact; ///< a sentence that begins with "It"
};

struct StoryPersonNoun
{
    std::string_view noun;
    bool female;
};

const std::vector<StoryNounClass>& storyNounClasses();
const StoryNounClass& storyNounClass(std::string_view name);
const std::vector<StoryPlace>& storyPlaces();
const std::vector<StoryPersonNoun>& storyPersonNouns(); ///< with a sex, for he and she

using StoryWords = std::vector<std::string_view>;
const StoryWords& storyFemaleNames();
const StoryWords& storyMaleNames();
const StoryWords& storySyllables(); ///< of invented names
const StoryWords& storyColours();
const StoryWords& storySites();
const StoryWords& storyThings(); ///< to find, lose and give
const StoryWords& storyPrepositions();
const StoryWords& storyNumbers();    ///< zero ... twelve
const StoryWords& storyCountables(); ///< singular; the plural takes an s
const StoryWords& storyPlainWords(); ///< for lines that are copied word by word

/// The pair of a head noun and a second noun or place that training text never has in one
/// agreement or because sentence: the tests use only those. With s(w) = sum of the byte values,
/// true when (31 s(head) + 17 s(second)) mod 10 = 0.
bool isHeldOutPair(std::string_view headSingular, std::string_view secondSingular);

} // namespace headscope
