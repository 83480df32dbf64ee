#pragma once

#include "core/base/builtin_text.h"
#include "core/train/stories/story_words.h"

#include <deque>
#include <memory>

namespace headscope {

/// Written by CMake (generated.cmake): the files of resources/stories.
std::span<const BuiltinText> builtinStories();

/// The words that the story grammar takes its choices from. Their order counts: a choice is a place
/// in a list, so another order makes other stories than those that builtin:stories learned from.
struct StoryVocabulary
{
    std::vector<StoryNounClass> nounClasses;
    std::vector<StoryPlace> places;
    std::vector<StoryPersonNoun> personNouns;
    StoryWords femaleNames;
    StoryWords maleNames;
    StoryWords syllables;
    StoryWords colours;
    StoryWords sites;
    StoryWords things;
    StoryWords prepositions;
    StoryWords numbers; ///< zero to twelve
    StoryWords countables;
    StoryWords plainWords;
    std::shared_ptr<const std::deque<std::string>> texts; ///< what all of the above are views of
};

/// Reads resources/stories/words.json, or another text in its place. Throws FormatError, one
/// sentence with the file and the key, for a key that is unknown, missing or of the wrong kind, and
/// where a class of nouns is missing that the grammar asks for.
StoryVocabulary parseStoryVocabulary(std::string_view text);

/// The one that is built in.
const StoryVocabulary& storyVocabulary();

} // namespace headscope
