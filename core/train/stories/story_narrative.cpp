#include "core/train/stories/story_narrative.h"

#include <fmt/format.h>

namespace headscope {

namespace {

std::string_view objectPronoun(const StoryPerson& person)
{
    return person.female ? "her" : "him";
}

std::string_view possessive(const StoryPerson& person)
{
    return person.female ? "her" : "his";
}

} // namespace

std::string StoryNarrative::quote(const StoryPerson& a, const StoryPerson& b,
                                  const std::string& thing)
{
    switch (m_random.below(4)) {
    case 0:
        return fmt::format("\"I like your {}, {},\" said {}.", thing, a.name, b.name);
    case 1:
        return fmt::format("\"I like you,\" said {} to {}.", b.name, a.name);
    case 2:
        return fmt::format("\"Where is the {0}?\" asked {1}. \"The {0} is here,\" said {2}.", thing,
                           b.name, a.name);
    default:
        return fmt::format("{0} gave {1} the {2}. {1} thanked {3}.", a.name, b.name, thing,
                           objectPronoun(a));
    }
}

std::string StoryNarrative::event(const StoryPerson& a, const StoryPerson& b,
                                  const std::string& thing)
{
    const double kind = m_random.uniform();
    if (kind < 0.5)
        return m_sentences.chance(0.5) ? quote(a, b, thing) : quote(b, a, thing);
    if (kind < 0.65)
        return m_sentences.chance(0.5) ? m_sentences.causal(a, b) : m_sentences.causal(b, a);
    if (kind < 0.78)
        return m_sentences.agree();
    if (kind < 0.9)
        return m_sentences.because();
    return fmt::format("{0} hid the {1} {2} the {3}. Then {4} looked {2} the {3} and found it.",
                       a.name, thing, m_sentences.pickWord({"under", "behind"}),
                       m_sentences.pickWord({"chair", "table", "tree", "bench"}), b.name);
}

std::string StoryNarrative::closing(const StoryPerson& a, const std::string& thing)
{
    switch (m_random.below(3)) {
    case 0:
        return fmt::format("Then {} went home.", a.name);
    case 1:
        return fmt::format("{} took the {} home.", a.name, thing);
    default:
        return fmt::format("At night {} dreamed of the {}.", a.name, thing);
    }
}

std::string StoryNarrative::write()
{
    const StoryPerson a = m_sentences.person();
    const StoryPerson b = m_sentences.person(!a.female);
    const auto site = m_sentences.pick(storySites());
    const std::string thing =
        fmt::format("{} {}", m_sentences.pick(storyColours()), m_sentences.pick(storyThings()));
    std::string text =
        m_sentences.chance(0.6)
            ? fmt::format("{} and {} were in the {}.", a.name, b.name, site)
            : fmt::format("{} went to the {}. {} was there too.", a.name, site, b.name);
    if (m_sentences.chance(0.5))
        text += fmt::format(" {} found a {}.", a.name, thing);
    else
        text += fmt::format(" {} lost {} {}.", a.name, possessive(a), thing);
    for (std::uint64_t events = 2 + m_random.below(3); events > 0; --events)
        (text += ' ') += event(a, b, thing);
    return text + " " + closing(m_sentences.chance(0.5) ? a : b, thing);
}

} // namespace headscope
