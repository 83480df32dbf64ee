#include "core/train/stories/story_words.h"

#include "core/base/error.h"
#include "core/train/stories/story_vocabulary.h"

#include <numeric>

namespace headscope {

const std::vector<StoryNounClass>& storyNounClasses()
{
    return storyVocabulary().nounClasses;
}

const StoryNounClass& storyNounClass(std::string_view name)
{
    for (const StoryNounClass& nounClass : storyNounClasses()) {
        if (nounClass.name == name)
            return nounClass;
    }
    throw Error("no class of nouns has this name", std::string(name));
}

const std::vector<StoryPosition>& storyPositions()
{
    return storyVocabulary().places;
}

const std::vector<StoryPersonNoun>& storyPersonNouns()
{
    return storyVocabulary().personNouns;
}

const StoryWords& storyFemaleNames()
{
    return storyVocabulary().femaleNames;
}

const StoryWords& storyMaleNames()
{
    return storyVocabulary().maleNames;
}

const StoryWords& storySyllables()
{
    return storyVocabulary().syllables;
}

const StoryWords& storyColours()
{
    return storyVocabulary().colours;
}

const StoryWords& storySites()
{
    return storyVocabulary().sites;
}

const StoryWords& storyThings()
{
    return storyVocabulary().things;
}

const StoryWords& storyPrepositions()
{
    return storyVocabulary().prepositions;
}

const StoryWords& storyNumbers()
{
    return storyVocabulary().numbers;
}

const StoryWords& storyCountables()
{
    return storyVocabulary().countables;
}

const StoryWords& storyPlainWords()
{
    return storyVocabulary().plainWords;
}

bool isHeldOutPair(std::string_view headSingular, std::string_view secondSingular)
{
    const auto sum = [](std::string_view word) {
        return std::accumulate(word.begin(), word.end(), 0U, [](unsigned total, char byte) {
            return total + static_cast<unsigned char>(byte);
        });
    };
    return (31 * sum(headSingular) + 17 * sum(secondSingular)) % 10 == 0;
}

} // namespace headscope
