#include "core/train/stories/story_endings.h"

#include "core/base/error.h"
#include "core/base/random.h"
#include "core/train/stories/story_words.h"

#include <fmt/format.h>

#include <array>
#include <set>
#include <span>
#include <string_view>

namespace headscope {

namespace {

constexpr std::size_t kMost = 20'000; ///< Far below the number of different stories.

/// {0} is the person, {1} another one, {2} a thing.
constexpr std::array<std::string_view, 8> kHappy = {
    "{0} found a {2}.", "{1} thanked {0}.", "{1} praised {0}.", "{1} hugged {0}.",
    "{0} smiled.",      "{0} laughed.",     "{0} was glad.",    "{0} was lucky."};
constexpr std::array<std::string_view, 8> kSad = {
    "{0} lost a {2}.", "{1} scolded {0}.", "{0} was ill.",  "{0} was sick.",
    "{0} was weak.",   "{0} was scared.",  "{0} was hurt.", "{0} was unlucky."};

class Endings
{
public:
    explicit Endings(std::uint64_t seed) : m_random(seed) {}

    StoryEnding write(bool isHappy)
    {
        const std::string name(this->name());
        const bool beginsHappily = m_random.below(2) == 0;
        const std::string begin = sentence(beginsHappily, name);
        return {begin + " " + sentence(isHappy, name), name, isHappy};
    }

private:
    std::string_view name()
    {
        return m_random.pick(m_random.below(2) == 0 ? storyFemaleNames() : storyMaleNames());
    }

    std::string sentence(bool isHappy, const std::string& name)
    {
        const std::span<const std::string_view> forms = isHappy ? kHappy : kSad;
        std::string_view other = name;
        while (other == name)
            other = this->name();
        const std::string_view thing = m_random.pick(storyThings());
        return fmt::format(fmt::runtime(m_random.pick(forms)), name, other, thing);
    }

    Random m_random;
};

} // namespace

std::vector<StoryEnding> storyEndings(std::uint64_t seed, std::size_t count)
{
    if (count > kMost)
        throw Error(fmt::format("{} stories are wanted, {} can be written", count, kMost),
                    "storyEndings", "Use fewer");
    Endings endings(seed);
    std::vector<StoryEnding> stories;
    std::set<std::string> texts;
    while (stories.size() < count) {
        StoryEnding story = endings.write(stories.size() % 2 == 0);
        if (texts.insert(story.text).second)
            stories.push_back(std::move(story));
    }
    return stories;
}

} // namespace headscope
