#include "core/train/stories/story_words.h"

#include "core/base/error.h"

#include <numeric>

namespace headscope {

const std::vector<StoryNounClass>& storyNounClasses()
{
    static const std::vector<StoryNounClass> classes = {
        {"animal",
         {{"animal", "animals"},
          {"cat", "cats"},
          {"dog", "dogs"},
          {"bird", "birds"},
          {"horse", "horses"},
          {"fox", "foxes"},
          {"duck", "ducks"},
          {"cow", "cows"},
          {"goat", "goats"},
          {"rabbit", "rabbits"}},
         {"asleep", "hungry", "tame", "thirsty"},
         {"tired", "hungry", "sleepy", "scared"}},
        {"person",
         {{"man", "men"},
          {"woman", "women"},
          {"child", "children"},
          {"teacher", "teachers"},
          {"farmer", "farmers"},
          {"friend", "friends"},
          {"doctor", "doctors"}},
         {"polite", "busy", "in a hurry"},
         {"tired", "lazy", "shy", "angry"}},
        {"metal",
         {{"key", "keys"},
          {"coin", "coins"},
          {"knife", "knives"},
          {"bell", "bells"},
          {"spoon", "spoons"},
          {"nail", "nails"}},
         {"rusty", "shiny", "made of brass"},
         {}},
        {"wood",
         {{"cabinet", "cabinets"},
          {"table", "tables"},
          {"door", "doors"},
          {"box", "boxes"},
          {"chair", "chairs"},
          {"bench", "benches"}},
         {"wooden", "locked", "made of oak"},
         {}},
        {"food",
         {{"apple", "apples"},
          {"banana", "bananas"},
          {"pear", "pears"},
          {"plum", "plums"},
          {"cherry", "cherries"}},
         {"sweet", "ripe", "sour"},
         {}},
        {"paper",
         {{"letter", "letters"}, {"book", "books"}, {"map", "maps"}, {"newspaper", "newspapers"}},
         {"torn", "easy to read", "printed in colour"},
         {}},
        {"cloth",
         {{"hat", "hats"},
          {"coat", "coats"},
          {"scarf", "scarves"},
          {"blanket", "blankets"},
          {"mat", "mats"}},
         {"warm", "knitted", "made of wool"},
         {}},
        {"vehicle",
         {{"car", "cars"},
          {"bus", "buses"},
          {"truck", "trucks"},
          {"tractor", "tractors"},
          {"train", "trains"}},
         {"noisy", "out of fuel", "fast"},
         {"heavy", "slow", "loud"}},
        {"plant",
         {{"tree", "trees"}, {"flower", "flowers"}, {"rose", "roses"}, {"bush", "bushes"}},
         {"in bloom", "growing", "green"},
         {}},
    };
    return classes;
}

const StoryNounClass& storyNounClass(std::string_view name)
{
    for (const StoryNounClass& nounClass : storyNounClasses()) {
        if (nounClass.name == name)
            return nounClass;
    }
    throw Error("no class of nouns has this name", std::string(name));
}

const std::vector<StoryPlace>& storyPlaces()
{
    static const std::vector<StoryPlace> places = {
        {"street", "cross", {"wide", "busy", "icy"}, "It had four lanes."},
        {"road", "cross", {"wide", "busy", "icy"}, "It had six lanes."},
        {"river", "cross", {"deep", "cold", "wide"}, "It had no bridge."},
        {"bridge", "cross", {"narrow", "weak", "high"}, "It had no rail."},
        {"field", "cross", {"muddy", "wet", "dark"}, "It had no path."},
        {"wall", "climb", {"high", "steep"}, "It had no steps."},
        {"hill", "climb", {"high", "steep"}, "It had no path."},
    };
    return places;
}

const std::vector<StoryPersonNoun>& storyPersonNouns()
{
    static const std::vector<StoryPersonNoun> nouns = {
        {"man", false},  {"boy", false}, {"king", false}, {"father", false},
        {"woman", true}, {"girl", true}, {"queen", true}, {"mother", true},
    };
    return nouns;
}

const StoryWords& storyFemaleNames()
{
    static const StoryWords names = {"Anna", "Mia",   "Lena",  "Sara", "Eva",  "Ida",
                                     "Nora", "Ella",  "Lisa",  "Rosa", "Jana", "Emma",
                                     "Lucy", "Maria", "Clara", "Sofia"};
    return names;
}

const StoryWords& storyMaleNames()
{
    static const StoryWords names = {"Tom",  "Ben",  "Max",   "Paul", "Jan",  "Leo",
                                     "Tim",  "Sam",  "Jack",  "Karl", "Hugo", "Otto",
                                     "Adam", "Mark", "Peter", "Simon"};
    return names;
}

const StoryWords& storySyllables()
{
    static const StoryWords syllables = {"ba", "do", "ki", "lu", "mo", "na", "ri", "so", "ta",
                                         "vu", "ze", "po", "ga", "le", "mu", "ni", "ro", "si",
                                         "tu", "va", "wo", "ja", "fe", "hi", "ku"};
    return syllables;
}

const StoryWords& storyColours()
{
    static const StoryWords colours = {"red",   "blue",  "green", "yellow",
                                       "black", "white", "brown", "grey"};
    return colours;
}

const StoryWords& storySites()
{
    static const StoryWords sites = {"park",    "garden", "market",  "school",  "station",
                                     "kitchen", "forest", "library", "harbour", "village"};
    return sites;
}

const StoryWords& storyThings()
{
    static const StoryWords things = {"hat", "key",  "coin", "book", "scarf", "bell",
                                      "box", "coat", "map",  "ball", "kite",  "cup"};
    return things;
}

const StoryWords& storyPrepositions()
{
    static const StoryWords prepositions = {"near", "behind", "beside", "under", "by", "next to"};
    return prepositions;
}

const StoryWords& storyNumbers()
{
    static const StoryWords numbers = {"zero",  "one",   "two",  "three", "four",   "five",  "six",
                                       "seven", "eight", "nine", "ten",   "eleven", "twelve"};
    return numbers;
}

const StoryWords& storyCountables()
{
    static const StoryWords countables = {"apple", "banana", "pear", "plum", "cake",
                                          "egg",   "cup",    "book", "coin", "ball"};
    return countables;
}

const StoryWords& storyPlainWords()
{
    static const StoryWords words = {
        "red",   "blue",   "cat",   "dog",   "man",   "hat",    "river", "street", "bank",
        "mat",   "sun",    "moon",  "rain",  "snow",  "wind",   "stone", "house",  "window",
        "door",  "bird",   "horse", "apple", "chair", "banana", "table", "letter", "book",
        "key",   "coin",   "one",   "two",   "three", "four",   "five",  "six",    "seven",
        "old",   "new",    "small", "warm",  "cold",  "soft",   "happy", "like",   "you",
        "bites", "garden", "park",  "bread", "milk"};
    return words;
}

bool isHeldOutPair(std::string_view headSingular, std::string_view secondSingular)
{
    const auto sum = [](std::string_view word) {
        return std::accumulate(word.begin(), word.end(), 0U, [](unsigned total, char byte) {
            return total + static_cast<unsigned char>(byte);
        });
    };
    return (31 * sum(headSingular) + 17 * sum(secondSingular)) % 10 == 0;
}

} // namespace headscope
