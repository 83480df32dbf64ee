#include "core/base/error.h"
#include "core/lessons/labs/lab.h"
#include "core/lessons/lesson_report.h"
#include "core/lessons/listings/listing.h"
#include "core/lessons/listings/listing_file.h"
#include "core/lessons/worked/example_catalogue.h"
#include "core/lessons/worked/example_list.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <set>

using namespace headscope;

namespace {

constexpr const char* kJson = R"({"name": "x", "order": 1, "title": "T", "summary": "S.",
    "examples": ["attention"], "labs": [], "notes": [{"part": "scores", "text": "N."}]})";
constexpr const char* kCpp = "int a = 1; // plain\nTensor s = f(); // [n, m] scores\n";
constexpr const char* kTorch = "s = f()  # [n, m] scores\n";

WorkedExample worked(const Listing& listing, const std::string& example)
{
    ExampleInputs inputs = exampleInputs(example);
    for (const auto& [name, value] : listing.set)
        inputs.set(name, value);
    return workExample(inputs);
}

const std::vector<ListingLine>& linesOf(const Listing& listing, bool isCpp)
{
    return isCpp ? listing.cpp.lines : listing.torch.lines;
}

} // namespace

class TstListings : public QObject
{
    Q_OBJECT

private slots:
    void linesHaveShapesAndParts();
    void damagedFilesAreOneSentence_data();
    void damagedFilesAreOneSentence();
    void everyExampleHasAListing();
    void everyLabHasAListing();
    void listingsNameWhatExists();
    void everyListingShowsNumbersOfItsExamples();
    void everyLineThatComputesHasAShape();
    void requiredListingsAreThere();
    void numberedMatricesFollowTheSteps();
    void jsonHasBothLanguages();
};

void TstListings::linesHaveShapesAndParts()
{
    const Listing listing = parseListing("x", {kJson, kCpp, kTorch});
    QCOMPARE(listing.cpp.lines.size(), std::size_t{2});
    QCOMPARE(listing.cpp.lines[0].code, std::string("int a = 1; // plain"));
    QVERIFY(listing.cpp.lines[0].shape.empty());
    QCOMPARE(listing.cpp.lines[1].code, std::string("Tensor s = f();"));
    QCOMPARE(listing.cpp.lines[1].shape, std::string("[n, m]"));
    QCOMPARE(listing.torch.lines[0].part, std::string("scores"));
    QCOMPARE(listing.torch.text, std::string(kTorch));
    QCOMPARE(std::string(listing.note("scores")), std::string("N."));
    QVERIFY(listing.note("other").empty() && listing.note("").empty());
}

void TstListings::damagedFilesAreOneSentence_data()
{
    QTest::addColumn<QByteArray>("json");
    QTest::addColumn<QByteArray>("cpp");
    QTest::addColumn<QByteArray>("torch");
    QTest::addColumn<QString>("says");
    const QByteArray json(kJson);
    QTest::newRow("no json") << QByteArray("{") << QByteArray(kCpp) << QByteArray(kTorch)
                             << "x.json";
    QTest::newRow("unknown key") << QByteArray(json).replace("\"labs\"", "\"labz\"")
                                 << QByteArray(kCpp) << QByteArray(kTorch) << "labz";
    QTest::newRow("no title") << QByteArray(json).replace("\"T\"", "\"\"") << QByteArray(kCpp)
                              << QByteArray(kTorch) << "title";
    QTest::newRow("other name") << QByteArray(json).replace("\"x\"", "\"y\"") << QByteArray(kCpp)
                                << QByteArray(kTorch) << "name";
    QTest::newRow("note on nothing") << QByteArray(json).replace("scores", "scoers")
                                     << QByteArray(kCpp) << QByteArray(kTorch) << "note 1";
    QTest::newRow("nothing computed") << QByteArray(json).replace("[\"attention\"]", "[]")
                                      << QByteArray(kCpp) << QByteArray(kTorch) << "examples";
    QTest::newRow("texts in a list") << QByteArray(json).replace("[\"attention\"]", "[1]")
                                     << QByteArray(kCpp) << QByteArray(kTorch) << "examples";
    QTest::newRow("open shape") << json << QByteArray("s = f(); // [n, m scores\n")
                                << QByteArray(kTorch) << "line 1";
    QTest::newRow("two parts") << json << QByteArray("s; // [n] scores and more\n")
                               << QByteArray(kTorch) << "line 1";
    QTest::newRow("no space") << json << QByteArray("s; // [n]scores\n") << QByteArray(kTorch)
                              << "line 1";
    QTest::newRow("tab") << json << QByteArray(kCpp) << QByteArray("s = 1\n\ts = f()\n")
                         << "line 2";
    QTest::newRow("control characters")
        << json << QByteArray("s;\0", 3) << QByteArray(kTorch) << "line 1";
    QTest::newRow("not ASCII") << json << QByteArray(kCpp) << QByteArray("s = '\xC3\xA9'\n")
                               << "line 1";
    QTest::newRow("long line") << json << QByteArray(kCpp) << QByteArray(200, 'x') << "line 1";
    QTest::newRow("long file") << json << QByteArray("x;\n").repeated(10000) << QByteArray(kTorch)
                               << "too long";
    QTest::newRow("empty file") << json << QByteArray(kCpp) << QByteArray() << "empty";
}

void TstListings::damagedFilesAreOneSentence()
{
    QFETCH(QByteArray, json);
    QFETCH(QByteArray, cpp);
    QFETCH(QByteArray, torch);
    QFETCH(QString, says);
    try {
        parseListing("x", {json.toStdString(), cpp.toStdString(), torch.toStdString()});
        QFAIL("accepted");
    } catch (const FormatError& error) {
        const QString sentence = error.what();
        QVERIFY2(sentence.contains(says), qPrintable(sentence));
        QVERIFY2(!sentence.contains('\n'), qPrintable(sentence));
    }
}

void TstListings::everyExampleHasAListing()
{
    for (const ExampleEntry& entry : exampleCatalogue())
        QVERIFY2(!listingsOfExample(entry.name).empty(), entry.name.c_str());
    QVERIFY(!listingsOfExample(kHeadExample).empty());
}

void TstListings::everyLabHasAListing()
{
    for (const Lab& lab : labCatalogue())
        QVERIFY2(!listingsOfLab(lab.name).empty(), lab.name.c_str());
}

void TstListings::listingsNameWhatExists()
{
    for (const Listing& listing : listingCatalogue()) {
        for (const std::string& example : listing.examples)
            if (example != kHeadExample)
                worked(listing, example); // throws
        for (const std::string& lab : listing.labs)
            catalogueLab(lab); // throws
        QCOMPARE(&catalogueListing(listing.name), &listing);
    }
    QVERIFY_EXCEPTION_THROWN(catalogueListing("atention"), Error);
}

/// A line chosen in either language has live numbers, for most lines of every listing.
void TstListings::everyListingShowsNumbersOfItsExamples()
{
    for (const Listing& listing : listingCatalogue())
        for (const std::string& name : listing.examples) {
            if (name == kHeadExample)
                continue;
            const WorkedExample example = worked(listing, name);
            for (const bool isCpp : {true, false}) {
                std::set<std::string> shown;
                for (const ListingLine& line : linesOf(listing, isCpp))
                    if (matrixOfPart(example, line.part, example.steps.size()))
                        shown.insert(line.part);
                const bool isEnough =
                    shown.size() >=
                    (listing.name == "sampling" || listing.name == "training" ? 1U : 2U);
                QVERIFY2(isEnough, (listing.name + " of " + name).c_str());
            }
        }
}

void TstListings::everyLineThatComputesHasAShape()
{
    for (const Listing& listing : listingCatalogue())
        for (const bool isCpp : {true, false}) {
            std::size_t shapes = 0;
            for (const ListingLine& line : linesOf(listing, isCpp)) {
                QVERIFY2(line.part.empty() == line.shape.empty(), line.code.c_str());
                shapes += line.shape.empty() ? 0 : 1;
            }
            QVERIFY2(shapes >= 2, listing.name.c_str());
        }
}

void TstListings::requiredListingsAreThere()
{
    for (const char* name : {"attention", "masks", "multi-head", "positions", "block",
                             "decoder-layer", "model", "training", "cached-attention"})
        catalogueListing(name); // throws
    const std::string mask(catalogueListing("masks").note("masked"));
    QVERIFY(mask.find("exactly 0") != std::string::npos);
}

void TstListings::numberedMatricesFollowTheSteps()
{
    const WorkedExample example = workExample(exampleInputs("kv-cache-steps"));
    const std::size_t all = example.steps.size();
    QCOMPARE(matrixOfPart(example, "weights", all)->name, std::string("weights_2"));
    std::size_t second = 0;
    while (example.steps[second].result.matrix != example.address("weights_1[0,0]").matrix)
        ++second;
    QCOMPARE(matrixOfPart(example, "weights", second + 1)->name, std::string("weights_1"));
    QCOMPARE(matrixOfPart(example, "weights", 0)->name, std::string("weights_0"));
    QCOMPARE(matrixOfPart(example, "K", 0)->name, std::string("K"));
    QVERIFY(!matrixOfPart(example, "weight", all) && !matrixOfPart(example, "", all));
}

void TstListings::jsonHasBothLanguages()
{
    const auto json = toJson(catalogueListing("attention"));
    QCOMPARE(json["listing"].get<std::string>(), std::string("attention"));
    for (const char* language : {"cpp", "torch"}) {
        bool found = false;
        for (const auto& line : json[language])
            found = found ||
                    (line.value("part", "") == "weights" && line.value("shape", "") == "[n, m]");
        QVERIFY(found);
    }
}

HEADSCOPE_TEST(TstListings)

#include "tst_listings.moc"
