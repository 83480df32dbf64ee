#include "core/train/stories/story_vocabulary.h"

#include "core/base/json_text.h"
#include "core/train/files/json_record.h"

#include <fmt/format.h>

#include <algorithm>

namespace headscope {

namespace {

using nlohmann::json;

constexpr const char* kFile = "resources/stories/words.json";
constexpr std::size_t kNumbers = 13;

/// Classes of nouns that can be "too tired", which the grammar asks for by name.
constexpr const char* kTooWhatClasses[] = {"animal", "vehicle", "person"};

class VocabularyReader
{
public:
    explicit VocabularyReader(const json& root)
        : m_record(root, "the words",
                   {"noun_classes", "places", "person_nouns", "female_names", "male_names",
                    "syllables", "colours", "sites", "things", "prepositions", "numbers",
                    "countables", "plain_words"},
                   kFile)
    {
    }

    StoryVocabulary read()
    {
        StoryVocabulary words;
        words.nounClasses = nounClasses();
        words.places = places();
        words.personNouns = personNouns();
        words.femaleNames = needed(m_record, "female_names");
        words.maleNames = needed(m_record, "male_names");
        words.syllables = needed(m_record, "syllables");
        words.colours = needed(m_record, "colours");
        words.sites = needed(m_record, "sites");
        words.things = needed(m_record, "things");
        words.prepositions = needed(m_record, "prepositions");
        words.numbers = numbers();
        words.countables = needed(m_record, "countables");
        words.plainWords = needed(m_record, "plain_words");
        words.texts = m_texts;
        return words;
    }

private:
    std::string_view kept(std::string text) { return m_texts->emplace_back(std::move(text)); }

    StoryWords list(const JsonRecord& record, const char* key)
    {
        StoryWords words;
        for (std::string& word : record.texts(key))
            words.push_back(kept(std::move(word)));
        return words;
    }

    StoryWords needed(const JsonRecord& record, const char* key)
    {
        StoryWords words = list(record, key);
        if (words.empty())
            record.refuse(key, "a list of words");
        return words;
    }

    StoryWords numbers()
    {
        StoryWords words = needed(m_record, "numbers");
        if (words.size() != kNumbers)
            m_record.refuse("numbers", "the words from zero to twelve");
        return words;
    }

    std::vector<StoryNoun> nouns(const JsonRecord& nounClass)
    {
        std::vector<StoryNoun> nouns;
        for (const json& value : nounClass.neededList("nouns")) {
            const bool isPair = value.is_array() && value.size() == 2 && value[0].is_string() &&
                                value[1].is_string();
            if (!isPair)
                nounClass.refuse("nouns", "pairs of a singular and a plural");
            nouns.push_back({kept(value[0].get<std::string>()), kept(value[1].get<std::string>())});
        }
        return nouns;
    }

    std::vector<StoryNounClass> nounClasses()
    {
        std::vector<StoryNounClass> classes;
        for (const json& value : m_record.neededList("noun_classes")) {
            const JsonRecord record(value, fmt::format("noun class {}", classes.size() + 1),
                                    {"name", "nouns", "predicates", "too"}, kFile);
            classes.push_back({kept(record.needed("name")), nouns(record),
                               needed(record, "predicates"), list(record, "too")});
        }
        for (const char* name : kTooWhatClasses) {
            const auto found = std::ranges::find(classes, name, &StoryNounClass::name);
            if (found == classes.end() || found->tooWhat.empty())
                m_record.refuse("noun_classes", fmt::format("a class \"{}\" with \"too\"", name));
        }
        return classes;
    }

    std::vector<StoryPosition> places()
    {
        std::vector<StoryPosition> places;
        for (const json& value : m_record.neededList("places")) {
            const JsonRecord record(value, fmt::format("place {}", places.size() + 1),
                                    {"name", "verb", "too", "fact"}, kFile);
            places.push_back({kept(record.needed("name")), kept(record.needed("verb")),
                              needed(record, "too"), kept(record.needed("fact"))});
        }
        return places;
    }

    std::vector<StoryPersonNoun> personNouns()
    {
        std::vector<StoryPersonNoun> nouns;
        for (const json& value : m_record.neededList("person_nouns")) {
            const JsonRecord record(value, fmt::format("person noun {}", nouns.size() + 1),
                                    {"noun", "female"}, kFile);
            nouns.push_back({kept(record.needed("noun")), record.isOn("female")});
        }
        return nouns;
    }

    JsonRecord m_record;
    std::shared_ptr<std::deque<std::string>> m_texts = std::make_shared<std::deque<std::string>>();
};

} // namespace

StoryVocabulary parseStoryVocabulary(std::string_view text)
{
    const json root = parseJson(text, kFile);
    return VocabularyReader(root).read();
}

const StoryVocabulary& storyVocabulary()
{
    static const StoryVocabulary words =
        parseStoryVocabulary(builtinText(builtinStories(), "words"));
    return words;
}

} // namespace headscope
