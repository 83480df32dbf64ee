#include "core/train/stories/story_documents.h"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace headscope {

std::string StoryDocuments::write(StoryKind kind)
{
    switch (kind) {
    case StoryKind::Story:
        return m_narrative.write();
    case StoryKind::Agree:
        return several(&StorySentences::agree);
    case StoryKind::Because:
        return several(&StorySentences::because);
    case StoryKind::Causal:
        return several(&StorySentences::causal);
    case StoryKind::Echo:
        return echo();
    case StoryKind::Bank:
        return bank();
    case StoryKind::Headline:
        return headline();
    case StoryKind::List:
        return list();
    case StoryKind::Fit:
        return fit();
    case StoryKind::Sat:
        return sat();
    case StoryKind::CopyLine:
        return copyLine();
    case StoryKind::Morph:
        break;
    }
    return morph();
}

std::string StoryDocuments::several(std::string (StorySentences::*sentence)())
{
    std::string text = (m_sentences.*sentence)();
    for (std::uint64_t more = m_random.below(3); more > 0; --more)
        (text += ' ') += (m_sentences.*sentence)();
    return text;
}

std::string StoryDocuments::phrase()
{
    const double kind = m_random.uniform();
    if (kind < 0.15)
        return std::string(
            m_sentences.pickWord({"I like you", "I like your red hat", "dog bites man"}));
    std::vector<std::string> words(2 + m_random.below(5));
    for (std::string& word : words) {
        if (kind < 0.45)
            word = m_sentences.inventedName();
        else if (kind < 0.6)
            word = std::string(1, static_cast<char>('0' + m_random.below(10)));
        else
            word = std::string(m_sentences.pick(storyPlainWords()));
    }
    return fmt::format("{}", fmt::join(words, " "));
}

std::string StoryDocuments::echo()
{
    const std::string a = m_sentences.person().name;
    const std::string b = m_sentences.person().name;
    const std::string said = phrase();
    switch (m_random.below(3)) {
    case 0:
        return fmt::format("{0} said: \"{2}\". {1} said: \"{2}\". {0} said: \"{2}\".", a, b, said);
    case 1:
        return fmt::format("{0} sang: {1}, {1}, {1}.", a, said);
    default:
        return fmt::format("{0} wrote \"{2}\" on the wall. Later {1} read \"{2}\" on the wall.", a,
                           b, said);
    }
}

std::string StoryDocuments::bank()
{
    return m_sentences.chance(0.5) ? riverBank() : moneyBank();
}

std::string StoryDocuments::riverBank()
{
    const auto where = m_sentences.pickWord(
        {"by the river", "by the river", "along the river", "of the river", "of the stream"});
    switch (m_random.below(4)) {
    case 0:
        return fmt::format("The bank {} flooded. The water was {}.", where,
                           m_sentences.pickWord({"cold", "deep", "high"}));
    case 1:
        return fmt::format("The bank {} was {}. There were ducks on it.", where,
                           m_sentences.pickWord({"muddy", "covered with grass"}));
    case 2:
        return fmt::format("{} sat on the bank {} and saw {}.", m_sentences.person().name, where,
                           m_sentences.pickWord({"two ducks", "a fish", "three fish"}));
    default:
        return fmt::format("The bank {} flooded. So the bank was {}.", where,
                           m_sentences.pickWord({"muddy", "wet"}));
    }
}

std::string StoryDocuments::moneyBank()
{
    const auto where =
        m_sentences.pickWord({"in the town", "in the village", "on the corner", "near the market"});
    switch (m_random.below(4)) {
    case 0:
        return fmt::format("The bank {} closed at {}. The clerk went home.", where,
                           m_sentences.pickWord({"four", "five", "six"}));
    case 1:
        return fmt::format("The bank {} lent money to {}.", where, m_sentences.person().name);
    case 2:
        return fmt::format("{} went to the bank {}. The clerk counted the coins.",
                           m_sentences.person().name, where);
    default:
        return fmt::format("The bank {} was closed. So {} had no money.", where,
                           m_sentences.person().name);
    }
}

std::string StoryDocuments::headline()
{
    struct Deed
    {
        std::string_view verb;
        std::string_view state;
        bool ofTheOther; ///< The predicate belongs to the one it was done to.
    };

    static const std::vector<Deed> deeds = {{"bites", "hurt", true},
                                            {"kicks", "hurt", true},
                                            {"chases", "scared", true},
                                            {"helps", "kind", false}};
    static const std::vector<std::string_view> nouns = {"dog", "man",  "cat",  "woman", "horse",
                                                        "boy", "girl", "bird", "fox",   "goat"};
    const Deed& deed = m_sentences.pick(deeds);
    const std::string_view doer = m_sentences.pick(nouns);
    std::string_view other = doer;
    while (other == doer)
        other = m_sentences.pick(nouns);
    const std::string line = fmt::format("{} {} {}", doer, deed.verb, other);
    const std::string_view whose = deed.ofTheOther ? other : doer;
    if (m_sentences.chance(0.5))
        return fmt::format("{}. The {} was {}.", line, whose, deed.state);
    return fmt::format("The newspaper said: \"{}\". So the {} was {}.", line, whose, deed.state);
}

std::string StoryDocuments::list()
{
    switch (m_random.below(4)) {
    case 0:
        return shopping();
    case 1:
        return counting();
    case 2:
        return sum();
    default: {
        const StoryPerson person = m_sentences.person();
        const std::string thing =
            fmt::format("{} {}", m_sentences.pick(storyColours()), m_sentences.pick(storyThings()));
        return fmt::format("{0} took the {1}. {2} put the {1} in a bag.", person.name, thing,
                           person.capitalPronoun());
    }
    }
}

std::string StoryDocuments::shopping()
{
    const StoryPerson person = m_sentences.person();
    std::vector<std::string_view> things;
    while (things.size() < 3) {
        const auto thing = m_sentences.pick(storyCountables());
        if (std::find(things.begin(), things.end(), thing) == things.end())
            things.push_back(thing);
    }
    std::vector<std::string> bought;
    std::vector<std::string> named;
    for (const auto thing : things) {
        const std::size_t count = 1 + m_random.below(9);
        const std::string ending = count == 1 ? "" : "s";
        bought.push_back(fmt::format("{} {}{}", storyNumbers()[count], thing, ending));
        named.push_back(fmt::format("the {}{}", thing, ending));
    }
    return fmt::format("{0} bought {1}, {2} and {3}. {4} put {5}, {6} and {7} in a bag.",
                       person.name, bought[0], bought[1], bought[2], person.capitalPronoun(),
                       named[0], named[1], named[2]);
}

std::string StoryDocuments::counting()
{
    const bool digits = m_sentences.chance(0.5);
    const std::uint64_t first = m_random.below(7);
    const std::uint64_t count = 3 + m_random.below(4);
    std::vector<std::string> numbers;
    for (std::uint64_t i = first; i < std::min<std::uint64_t>(first + count, 13); ++i)
        numbers.push_back(digits ? std::to_string(i) : std::string(storyNumbers()[i]));
    return fmt::format("{} counted: {}.", m_sentences.person().name, fmt::join(numbers, ", "));
}

std::string StoryDocuments::sum()
{
    const std::uint64_t a = m_random.below(7);
    const std::uint64_t b = m_random.below(6);
    if (m_sentences.chance(0.5))
        return fmt::format("{} plus {} is {}.", a, b, a + b);
    return fmt::format("{} and {} makes {}.", storyNumbers()[a], storyNumbers()[b],
                       storyNumbers()[a + b]);
}

std::string StoryDocuments::fit()
{
    static const std::vector<std::string_view> holders = {"box", "bag", "car", "drawer", "cup"};
    const auto thing = m_sentences.pick(storyThings());
    std::string_view holder = thing;
    while (holder == thing)
        holder = m_sentences.pick(holders);
    if (m_sentences.chance(0.5))
        return fmt::format(
            "The {0} didn't fit in the {1} because it was too big. So we cut the {0}.", thing,
            holder);
    return fmt::format(
        "The {0} didn't fit in the {1} because it was too small. So we took a larger {1}.", thing,
        holder);
}

std::string StoryDocuments::sat()
{
    struct Seat
    {
        std::string_view name;
        std::string_view state;
    };

    static const std::vector<Seat> seats = {{"mat", "soft"},   {"mat", "soft"},   {"chair", "hard"},
                                            {"bench", "wet"},  {"bed", "warm"},   {"wall", "cold"},
                                            {"table", "flat"}, {"grass", "green"}};
    const auto who = m_sentences.chance(0.4)
                         ? std::string_view("cat")
                         : m_sentences.pick(storyNounClass("animal").nouns).singular;
    const Seat& seat = m_sentences.pick(seats);
    return fmt::format("The {0} sat on the {1}. The {1} was {2}.", who, seat.name, seat.state);
}

std::string StoryDocuments::copyLine()
{
    std::vector<std::string> words(5 + m_random.below(10));
    for (std::string& word : words)
        word = m_sentences.chance(0.4) ? m_sentences.inventedName()
                                       : std::string(m_sentences.pick(storyPlainWords()));
    const std::string line = fmt::format("{}", fmt::join(words, " "));
    return m_sentences.chance(0.5) ? fmt::format("Copy: {0}. Again: {0}.", line)
                                   : fmt::format("Copy: {0}. Again: {0}. Again: {0}.", line);
}

std::string StoryDocuments::morph()
{
    static const std::vector<std::string_view> negatable = {"happy", "kind", "tidy", "fair",
                                                            "lucky"};
    static const std::vector<std::string_view> plain = {"sad", "dark", "ill", "sick", "weak"};
    const auto withNess = [](std::string_view word) {
        std::string noun(word);
        if (noun.ends_with('y'))
            noun.back() = 'i';
        return noun + "ness";
    };
    const std::string name = m_sentences.person().name;
    const auto word = m_sentences.pick(negatable);
    switch (m_random.below(3)) {
    case 0:
        return fmt::format("{0} was not {1}. {0} was un{1}.", name, word);
    case 1:
        return fmt::format("{0} was un{1}. The un{2} of {0} was great.", name, word,
                           withNess(word));
    default: {
        const auto state = m_sentences.chance(0.5) ? word : m_sentences.pick(plain);
        return fmt::format("{0} was {1}. The {2} of {0} was great.", name, state, withNess(state));
    }
    }
}

} // namespace headscope
