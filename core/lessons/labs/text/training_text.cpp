#include "core/lessons/labs/text/training_text.h"

#include "core/train/stories/story_grammar.h"

#include <fmt/format.h>

#include <array>

namespace headscope {

namespace {

constexpr std::uint64_t kSeed = 7;
constexpr std::size_t kStoryBytes = 16000;

/// Adjectives that take un-, -ly and -ness.
constexpr std::array<std::string_view, 24> kAdjectives{
    "happy",   "kind",    "fair",     "lucky",    "clear",    "even",   "clean", "real",
    "selfish", "common",  "faithful", "truthful", "grateful", "lawful", "wise",  "sound",
    "safe",    "natural", "usual",    "popular",  "true",     "couth",  "ripe",  "equal"};

/// Verbs that un- reverses.
constexpr std::array<std::string_view, 16> kVerbs{"do",   "tie",  "lock", "pack", "fold", "roll",
                                                  "wrap", "load", "plug", "bolt", "pin",  "hook",
                                                  "seal", "veil", "wind", "dress"};

/// Other adjectives with -ness.
constexpr std::array<std::string_view, 32> kPlain{
    "sad",   "dark",  "ill",   "weak",   "good",  "sweet", "cold",   "soft",
    "quick", "great", "calm",  "bold",   "thick", "small", "sick",   "rich",
    "wet",   "deaf",  "sharp", "smooth", "fresh", "rough", "bright", "loud",
    "slow",  "loose", "tough", "flat",   "hard",  "red",   "black",  "white"};

std::string withI(std::string_view word)
{
    std::string stem(word);
    if (stem.ends_with('y'))
        stem.back() = 'i';
    return stem;
}

std::string dictionary()
{
    std::string text;
    for (const std::string_view word : kAdjectives) {
        const std::string stem = withI(word);
        text += fmt::format(
            "{1}ness: how \"{0}\" somebody is.\n"
            "un{0}: not \"{0}\".\n"
            "over{0}: too \"{0}\".\n"
            "over{1}ness: too much \"{1}ness\".\n"
            "over{1}ly, over{1}er, over{1}est: from \"{1}ly\", \"{1}er\", \"{1}est\".\n",
            word, stem);
    }
    for (const std::string_view word : kVerbs)
        text += fmt::format("un{0}: to turn round what you did when you \"{0}\".\n", word);
    for (const std::string_view word : kPlain)
        text += fmt::format("{0}ness: how \"{0}\" something is.\n", word);
    return text;
}

std::string stories()
{
    std::string text;
    for (std::uint64_t index = 0; text.size() < kStoryBytes; ++index)
        text += storyDocument(storyKind(kSeed, index), kSeed, index) + '\n';
    return text;
}

} // namespace

const std::string& labTrainingText()
{
    static const std::string text = stories() + dictionary();
    return text;
}

} // namespace headscope
