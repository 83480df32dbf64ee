#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace headscope {

inline constexpr std::string_view kEndOfText = "<|endoftext|>";

/// Kinds of documents in the training text of builtin:stories.
enum class StoryKind {
    Story,    ///< Two people, a thing found or lost, quoted sentences, a closing line.
    Agree,    ///< Subjects whose verbs agree over a distance; predicates that fit the subject.
    Because,  ///< "it" refers to the subject or the place, by the adjective that follows.
    Causal,   ///< "he" and "she" by the meaning of the verb
    Echo,     ///< Phrases that are quoted again.
    Bank,     ///< The bank of a river, and the bank with the money.
    Headline, ///< Who bites whom is told by the word order alone.
    List,     ///< Things bought and named again, counting, small sums.
    Fit,      ///< "it was too big", "it was too small"
    Sat,      ///< "The cat sat on the mat."
    CopyLine, ///< Random words, two or three times.
    Morph,    ///< Words such as unhappy, unhappiness, sadness.
};

struct StoryFraction
{
    StoryKind kind;
    std::string_view name;
    double fraction;
};

std::span<const StoryFraction> storyFractions(); ///< Weights sum to 1.

/// One document of this kind, without end-of-text marks; depends only on (seed, index).
std::string storyDocument(StoryKind kind, std::uint64_t seed, std::uint64_t index);

/// Kind of the document with this number in generateStories' text.
StoryKind storyKind(std::uint64_t seed, std::uint64_t index);

/// An endless stream, truncated after the first document that reaches about `bytes` bytes:
/// <|endoftext|> document <|endoftext|> document ... <|endoftext|>.
std::string generateStories(std::uint64_t seed, std::size_t bytes);

/// The same stream with documents of one kind only.
std::string generateStories(StoryKind kind, std::uint64_t seed, std::size_t bytes);

} // namespace headscope
