#include "core/base/error.h"
#include "core/base/file.h"
#include "core/base/json_overlay.h"
#include "core/base/json_text.h"
#include "core/experiments/experiment_file.h"
#include "core/experiments/task_file.h"
#include "core/lessons/labs/lab_file.h"
#include "core/lessons/lesson_json.h"
#include "core/lessons/listings/listing_file.h"
#include "tests/support/test_program.h"

#include <nlohmann/json.hpp>

#include <QRegularExpression>
#include <QTest>

#include <algorithm>
#include <filesystem>
#include <functional>
#include <set>

using namespace headscope;
using nlohmann::json;

namespace {

const std::filesystem::path kResources = std::filesystem::path(HEADSCOPE_SOURCE_DIR) / "resources";

/// Keys whose values are read by people; all others are names.
const std::set<std::string> kTexts{"title",    "summary",    "text",     "prompt",   "choices",
                                   "praise",   "hint",       "question", "answer",   "description",
                                   "look_for", "difference", "measured", "label",    "x",
                                   "y",        "steps",      "chapters", "controls", "plots",
                                   "variants", "often_said", "said",     "here",     "notes"};

std::vector<std::string> filesOf(const std::string& folder)
{
    std::vector<std::string> names;
    for (const auto& entry : std::filesystem::directory_iterator(kResources / folder))
        if (entry.path().extension() == ".json")
            names.push_back(entry.path().filename().string());
    std::ranges::sort(names);
    return names;
}

json readJson(const std::filesystem::path& path)
{
    return parseJson(readFile(path, 1 << 20), path.string());
}

/// What a translation must keep: {{references}}, and formulas.
QStringList kept(const QString& text)
{
    static const QRegularExpression kPart(R"(\{\{[^}]*\}\}|\$[^$]+\$)");
    QStringList parts;
    for (auto all = kPart.globalMatch(text); all.hasNext();)
        parts << all.next().captured();
    parts.sort();
    return parts;
}

using Visit =
    std::function<void(const std::string& place, const json& original, const json& translated)>;

/// Visits every text of an overlay with its original.
void visitTexts(const json& original, const json& overlay, const std::string& place,
                const Visit& visit)
{
    if (overlay.is_string())
        return visit(place, original, overlay);
    if (overlay.is_array())
        for (std::size_t index = 0; index < overlay.size(); ++index)
            visitTexts(original[index], overlay[index], place + "/" + std::to_string(index), visit);
    if (overlay.is_object())
        for (const auto& [key, value] : overlay.items())
            visitTexts(original[key], value, place + "/" + key, visit);
}

/// Places of all texts that are read by people.
void findTexts(const json& value, const std::string& place, bool isText, std::set<std::string>& all)
{
    if (value.is_string() && isText)
        all.insert(place);
    if (value.is_array())
        for (std::size_t index = 0; index < value.size(); ++index)
            findTexts(value[index], place + "/" + std::to_string(index), isText, all);
    if (value.is_object())
        for (const auto& [key, part] : value.items())
            if (kTexts.contains(key))
                findTexts(part, place + "/" + key, true, all);
}

/// The answer of a lesson's question is a reference, and a course names its lessons.
std::set<std::string> textsOf(const std::string& folder, const json& original)
{
    std::set<std::string> places;
    findTexts(original, {}, false, places);
    if (folder == "lessons")
        std::erase_if(places, [](const std::string& place) { return place.ends_with("/answer"); });
    return places;
}

std::string codeOf(const std::string& listing, const char* ending)
{
    return readFile(kResources / "listings" / (listing + ending), 1 << 20);
}

void parse(const std::string& folder, const std::string& file, const std::string& text)
{
    const std::string name = std::filesystem::path(file).stem().string();
    if (file == "course.json")
        parseCourse(text, file);
    else if (folder == "lessons")
        parseLesson(text, file);
    else if (folder == "labs")
        parseLab(name, text);
    else if (folder == "tasks")
        parseTask(name, text);
    else if (folder == "listings")
        parseListing(name, {text, codeOf(name, ".cpp"), codeOf(name, ".py")});
    else
        parseExperiment(name, text);
}

} // namespace

/// The translated lessons, labs, tasks and experiments of every language.
class TstTranslatedContent : public QObject
{
    Q_OBJECT

private slots:
    void everyTextIsTranslated_data();
    void everyTextIsTranslated();
    void nothingElseIsInTheFolders();
};

void TstTranslatedContent::everyTextIsTranslated_data()
{
    QTest::addColumn<QString>("folder");
    QTest::addColumn<QString>("file");
    for (const char* folder : {"lessons", "labs", "tasks", "experiments", "listings"})
        for (const std::string& file : filesOf(folder))
            QTest::addRow("%s/%s", folder, file.c_str()) << folder << QString::fromStdString(file);
}

void TstTranslatedContent::everyTextIsTranslated()
{
    QFETCH(QString, folder);
    QFETCH(QString, file);
    const std::string room = folder.toStdString();
    const std::string name = file.toStdString();
    const json original = readJson(kResources / room / name);
    const json overlay = readJson(kResources / "translations" / "zh_CN" / room / name);
    const json translated = withOverlay(original, overlay, name);
    parse(room, name, translated.dump());
    std::set<std::string> places;
    visitTexts(original, overlay, {},
               [&](const std::string& place, const json& from, const json& to) {
                   const QString before = QString::fromStdString(from.get<std::string>());
                   const QString after = QString::fromStdString(to.get<std::string>());
                   places.insert(place);
                   QVERIFY2(!after.isEmpty(), place.c_str());
                   QCOMPARE(kept(after), kept(before));
                   QVERIFY2(after.count("**") == before.count("**"), place.c_str());
               });
    const std::set<std::string> wanted = textsOf(room, original);
    for (const std::string& place : wanted)
        QVERIFY2(places.contains(place), ("not translated: " + place).c_str());
    for (const std::string& place : places)
        QVERIFY2(wanted.contains(place), ("not for people: " + place).c_str());
}

void TstTranslatedContent::nothingElseIsInTheFolders()
{
    for (const char* folder : {"lessons", "labs", "tasks", "experiments", "listings"})
        QVERIFY(filesOf(std::string("translations/zh_CN/") + folder) == filesOf(folder));
}

HEADSCOPE_TEST(TstTranslatedContent)
#include "tst_translated_content.moc"
