#pragma once

#include "core/train/stories/story_grammar.h"
#include "core/train/stories/story_sentences.h"

namespace headscope {

/// Writes whole documents; see StoryKind.
class StoryDocuments
{
public:
    explicit StoryDocuments(Random& random) : m_sentences(random), m_random(random) {}

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

    std::string story();
    std::string storyEvent(const StoryPerson& a, const StoryPerson& b, const std::string& thing);
    std::string storyQuote(const StoryPerson& a, const StoryPerson& b, const std::string& thing);
    std::string storyClosing(const StoryPerson& a, const std::string& thing);

    StorySentences m_sentences;
    Random& m_random;
};

} // namespace headscope
