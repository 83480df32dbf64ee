#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace headscope {

/// A story of two short sentences, labelled by the second: does it end happily for the person that
/// it is about? The first sentence is happy or sad at random.
struct StoryEnding
{
    std::string text; ///< For example "Tom lost a coin. Mia hugged Tom."
    std::string name; ///< The person, for example "Tom".
    bool isHappy = false;
};

/// Different stories, happy and sad ones alternating; depends only on (seed, count). Throws Error
/// for more than there are.
std::vector<StoryEnding> storyEndings(std::uint64_t seed, std::size_t count);

} // namespace headscope
