#pragma once

#include "core/train/stories/story_grammar.h"
#include "core/train/stories/story_narrative.h"
#include "core/train/stories/story_sentences.h"

namespace headscope {

/// Writes whole documents; see StoryKind.
class StoryDocuments
{
public:
    explicit StoryDocuments(Random& random)
        : m_random(random)
        , m_sentences(random)
        , m_narrative(m_sentences, random)
    {
    }

    StoryDocuments(const StoryDocuments&) = delete;
    StoryDocuments& operator=(const StoryDocuments&) = delete;

    std::string write(StoryKind kind);

private:
    std::string several(std::string (StorySentences::*sentence)());
    std::string echo();
    std::string phrase();
    std::string bank();
    std::string riverBank();
    std::string moneyBank();
    std::string headline();
    std::string list();
    std::string shopping();
    std::string counting();
    std::string sum();
    std::string fit();
    std::string sat();
    std::string copyLine();
    std::string morph();

    Random& m_random;
    StorySentences m_sentences;
    StoryNarrative m_narrative;
};

} // namespace headscope
