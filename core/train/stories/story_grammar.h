#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace headscope {

inline constexpr std::string_view kEndOfText = "<|endoftext|>";

/// Kinds of documents in the text that builtin:stories learns from.
enum class StoryKind {
    Story,    ///< two people, a thing found or lost, quoted sentences, a closing line
    Agree,    ///< subjects whose verbs agree over a distance; predicates that fit the subject
    Because,  ///< "it" means the subject or the place, by the adjective that follows
    Causal,   ///< "he" and "she" by the meaning of the verb
    Echo,     ///< phrases that are quoted again
    Bank,     ///< the bank of a river, the bank with the money
    Headline, ///< who bites whom is told by the order of words alone
    List,     ///< things bought and named again, counting, small sums
    Fit,      ///< "it was too big", "it was too small"
    Sat,      ///< "The cat sat on the mat."
    CopyLine, ///< random words, twice or three times
    Morph,    ///< unhappy, unhappiness, sadness
};

struct StoryShare
{
    StoryKind kind;
    std::string_view name;
    double share;
};

std::span<const StoryShare> storyShares(); ///< sums to 1

/// One document of this kind, without end-of-text marks; depends on (seed, index) alone.
std::string storyDocument(StoryKind kind, std::uint64_t seed, std::uint64_t index);

/// Kind of the document with this number in generateStories' text.
StoryKind storyKind(std::uint64_t seed, std::uint64_t index);

/// An endless stream, cut after the first document that reaches about `bytes` bytes:
/// <|endoftext|> document <|endoftext|> document ... <|endoftext|>.
std::string generateStories(std::uint64_t seed, std::size_t bytes);

/// The same with documents of one kind alone.
std::string generateStories(StoryKind kind, std::uint64_t seed, std::size_t bytes);

} // namespace headscope
