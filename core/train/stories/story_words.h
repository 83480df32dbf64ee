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

/// Nouns of one kind, and predicates that fit only them.
struct StoryNounClass
{
    std::string_view name;
    std::vector<StoryNoun> nouns;
    std::vector<std::string_view> predicates; ///< Completions of "The ... is PREDICATE."
    /// Completions of "... because it was too WHAT."; may be empty.
    std::vector<std::string_view> tooWhat;
};

/// A place to cross or climb, adjectives it can be too much of, and a fact about it.
struct StoryPosition
{
    std::string_view name;
    std::string_view verb; ///< Verb "cross" or "climb".
    std::vector<std::string_view> tooWhat;
    std::string_view fact; ///< A sentence that begins with "It".
};

struct StoryPersonNoun
{
    std::string_view noun;
    bool female;
};

const std::vector<StoryNounClass>& storyNounClasses();
const StoryNounClass& storyNounClass(std::string_view name);
const std::vector<StoryPosition>& storyPositions();
const std::vector<StoryPersonNoun>& storyPersonNouns(); ///< Nouns with a sex, for he and she.

using StoryWords = std::vector<std::string_view>;
const StoryWords& storyFemaleNames();
const StoryWords& storyMaleNames();
const StoryWords& storySyllables(); ///< Syllables of invented names.
const StoryWords& storyColours();
const StoryWords& storySites();
const StoryWords& storyThings(); ///< Things to find, lose and give.
const StoryWords& storyPrepositions();
const StoryWords& storyNumbers();    ///< Words zero ... twelve.
const StoryWords& storyCountables(); ///< Singular; the plural takes an s.
const StoryWords& storyPlainWords(); ///< Words of lines that are copied.

/// True for a pair of a head noun and a second noun or place that training text never combines in
/// one agreement or because sentence: the tests use only those. With s(w) = sum of the byte values,
/// true when (31 s(head) + 17 s(second)) mod 10 = 0.
bool isHeldOutPair(std::string_view headSingular, std::string_view secondSingular);

} // namespace headscope
