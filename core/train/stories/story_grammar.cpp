#include "core/train/stories/story_grammar.h"

#include "core/train/stories/story_documents.h"

#include <array>

namespace headscope {

namespace {

constexpr std::array<StoryFraction, 12> kShares = {{
    {StoryKind::Story, "story", 0.30},
    {StoryKind::Agree, "agree", 0.14},
    {StoryKind::Because, "because", 0.13},
    {StoryKind::Causal, "causal", 0.11},
    {StoryKind::Echo, "echo", 0.06},
    {StoryKind::Bank, "bank", 0.05},
    {StoryKind::Headline, "headline", 0.05},
    {StoryKind::List, "list", 0.045},
    {StoryKind::Fit, "fit", 0.03},
    {StoryKind::Sat, "sat", 0.03},
    {StoryKind::CopyLine, "copyline", 0.03},
    {StoryKind::Morph, "morph", 0.025},
}};

/// Two random streams per document: its kind, and its contents.
constexpr std::uint64_t kKindStream = 0;
constexpr std::uint64_t kTextStream = 1;

template<class KindOf>
std::string streamOf(KindOf kindOf, std::uint64_t seed, std::size_t bytes)
{
    std::string text{kEndOfText};
    text.reserve(bytes + 1024);
    for (std::uint64_t index = 0; text.size() < bytes; ++index) {
        text += storyDocument(kindOf(index), seed, index);
        text += kEndOfText;
    }
    return text;
}

} // namespace

std::span<const StoryFraction> storyFractions()
{
    return kShares;
}

StoryKind storyKind(std::uint64_t seed, std::uint64_t index)
{
    double position = Random(seed, index * 2 + kKindStream).uniform();
    for (const StoryFraction& entry : kShares) {
        if (position < entry.fraction)
            return entry.kind;
        position -= entry.fraction;
    }
    return kShares.back().kind;
}

std::string storyDocument(StoryKind kind, std::uint64_t seed, std::uint64_t index)
{
    Random random(seed, index * 2 + kTextStream);
    return StoryDocuments(random).write(kind);
}

std::string generateStories(std::uint64_t seed, std::size_t bytes)
{
    return streamOf([seed](std::uint64_t index) { return storyKind(seed, index); }, seed, bytes);
}

std::string generateStories(StoryKind kind, std::uint64_t seed, std::size_t bytes)
{
    return streamOf([kind](std::uint64_t) { return kind; }, seed, bytes);
}

} // namespace headscope
