#pragma once

#include "core/train/stories/story_sentences.h"

namespace headscope {

/// Writes a story: two people, a place, a thing, and what happens to them.
class StoryNarrative
{
public:
    /// Samples from both, which must outlive it.
    StoryNarrative(StorySentences& sentences, Random& random)
        : m_sentences(sentences)
        , m_random(random)
    {
    }

    std::string write();

private:
    std::string event(const StoryPerson& a, const StoryPerson& b, const std::string& thing);
    std::string quote(const StoryPerson& a, const StoryPerson& b, const std::string& thing);
    std::string closing(const StoryPerson& a, const std::string& thing);

    StorySentences& m_sentences;
    Random& m_random;
};

} // namespace headscope
