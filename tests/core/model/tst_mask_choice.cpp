#include "core/model/config/mask_choice.h"

#include "core/base/error.h"
#include "core/model/positions/position_encodings.h"
#include "tests/support/test_program.h"

#include <QTemporaryDir>
#include <QTest>

#include <fstream>

using namespace headscope;

class TstMaskChoice : public QObject
{
    Q_OBJECT

private slots:
    void namesGoBothWays_data();
    void namesGoBothWays();
    void fileOfCellsIsRead();
    void badChoicesAreRefused_data();
    void badChoicesAreRefused();
    void badCellsAreRefused_data();
    void badCellsAreRefused();
    void paintedMaskMustFitTheText();
    void headListsAreRead();
    void badHeadListsAreRefused_data();
    void badHeadListsAreRefused();
    void headsOfStacksAreReadAndWritten();
    void modelsOwnMaskHasItsName();
    void onlyWhatLooksBackKeepsPrefixes();
    void positionsGoBothWays_data();
    void positionsGoBothWays();
    void everyPositionsAreInTheSyntax();
    void badPositionsAreRefused_data();
    void badPositionsAreRefused();
};

void TstMaskChoice::namesGoBothWays_data()
{
    QTest::addColumn<QString>("name");
    QTest::addColumn<bool>("keepsPrefixes");
    QTest::newRow("causal") << "causal" << true;
    QTest::newRow("none") << "none" << false;
    QTest::newRow("window") << "window:12" << true;
    QTest::newRow("narrowest window") << "window:1" << true;
}

void TstMaskChoice::namesGoBothWays()
{
    QFETCH(QString, name);
    QFETCH(bool, keepsPrefixes);
    Interventions interventions;
    interventions.maskCells = {1}; // replaced
    MaskChoice::parse(name.toStdString()).applyTo(interventions, 5);
    QCOMPARE(maskName(ModelConfig(), interventions), name.toStdString());
    ModelConfig encoder;
    encoder.architecture = Architecture::Encoder;
    QCOMPARE(maskName(encoder, interventions), name.toStdString());
    QCOMPARE(headscope::keepsPrefixes(ModelConfig(), interventions), keepsPrefixes);
}

void TstMaskChoice::fileOfCellsIsRead()
{
    const QTemporaryDir folder;
    const std::string path = folder.filePath("mask.txt").toStdString();
    std::ofstream(path) << "1 0 0\r\n1,1,0\n\n011\n";
    Interventions interventions;
    MaskChoice::parse(path).applyTo(interventions, 3);
    QVERIFY(interventions.maskCells == (std::vector<std::uint8_t>{1, 0, 0, 1, 1, 0, 0, 1, 1}));
    QCOMPARE(maskName(ModelConfig(), interventions), std::string("painted"));
    QVERIFY(!keepsPrefixes(ModelConfig(), interventions));
}

void TstMaskChoice::badChoicesAreRefused_data()
{
    QTest::addColumn<QString>("choice");
    for (const char* choice : {"window:", "window:0", "window:-3", "window:3x", "window:1e3",
                               "window:99999999999999999999", "no such file", ""})
        QTest::newRow(choice) << choice;
}

void TstMaskChoice::badChoicesAreRefused()
{
    QFETCH(QString, choice);
    QVERIFY_EXCEPTION_THROWN(MaskChoice::parse(choice.toStdString()), Error);
}

void TstMaskChoice::badCellsAreRefused_data()
{
    QTest::addColumn<QString>("content");
    QTest::newRow("empty") << "";
    QTest::newRow("blank") << "\n \n";
    QTest::newRow("two") << "10\n12\n";
    QTest::newRow("ragged") << "10\n1\n";
    QTest::newRow("too few lines") << "101\n111\n";
    QTest::newRow("too many lines") << "1\n1\n";
}

void TstMaskChoice::badCellsAreRefused()
{
    QFETCH(QString, content);
    QVERIFY_EXCEPTION_THROWN(MaskChoice::parseCells(content.toStdString(), "mask.txt"),
                             FormatError);
}

void TstMaskChoice::paintedMaskMustFitTheText()
{
    Interventions interventions;
    QVERIFY_EXCEPTION_THROWN(MaskChoice::parseCells("10\n11\n", "x").applyTo(interventions, 3),
                             ShapeError);
}

void TstMaskChoice::headListsAreRead()
{
    const std::vector<HeadId> expected{{0, 3}, {12, 1}};
    QVERIFY(parseHeads("L0H3,L12H1") == expected);
    QVERIFY(parseHeads("l0h3,12.1") == expected);
    QVERIFY(parseHeads("").empty());
    QCOMPARE(headscope::toString(expected[1]), std::string("L12H1"));
}

void TstMaskChoice::badHeadListsAreRefused_data()
{
    QTest::addColumn<QString>("list");
    for (const char* list : {"L0", "L0H", "H3", "L0H3,", ",L0H3", "L0H3 L1H1", "L-1H0", "0,3",
                             "L0H99999999999", "L0.3", "E0", "A0H1", "C0.1"})
        QTest::newRow(list) << list;
}

void TstMaskChoice::badHeadListsAreRefused()
{
    QFETCH(QString, list);
    QVERIFY_EXCEPTION_THROWN(parseHeads(list.toStdString()), Error);
}

void TstMaskChoice::headsOfStacksAreReadAndWritten()
{
    const std::vector<HeadId> expected{{AttentionKind::Self, 0, 3},
                                       {AttentionKind::EncoderSelf, 1, 2},
                                       {AttentionKind::DecoderSelf, 2, 1},
                                       {AttentionKind::Cross, 3, 0}};
    QVERIFY(parseHeads("L0H3,E1H2,D2H1,C3H0") == expected);
    QVERIFY(parseHeads("l0h3,e1h2,d2h1,c3h0") == expected);
    for (const HeadId& head : expected)
        QVERIFY(parseHeads(headCode(head)) == std::vector<HeadId>{head});
}

void TstMaskChoice::modelsOwnMaskHasItsName()
{
    ModelConfig config;
    QCOMPARE(maskName(config, {}), std::string("causal"));
    config.window = 4;
    QCOMPARE(maskName(config, {}), std::string("window:4"));
    config.causal = false;
    QCOMPARE(maskName(config, {}), std::string("two-sided window:4"));
    config = {};
    config.layerSettings = {config.layer(0), config.layer(0)};
    QCOMPARE(maskName(config, {}), std::string("causal"));
    config.layerSettings[1].window = 4;
    QCOMPARE(maskName(config, {}), std::string(kMaskByLayer));
    config = {};
    config.architecture = Architecture::Encoder;
    QCOMPARE(maskName(config, {}), std::string("none"));
    config.architecture = Architecture::EncoderDecoder;
    QCOMPARE(maskName(config, {}), std::string("causal"));
}

void TstMaskChoice::onlyWhatLooksBackKeepsPrefixes()
{
    ModelConfig config;
    Interventions ablated;
    ablated.ablatedHeads = {{0, 0}};
    QVERIFY(keepsPrefixes(config, {}));
    QVERIFY(keepsPrefixes(config, ablated));
    Interventions patched;
    patched.patches.push_back(
        {{Site::Z, 0}, std::make_shared<const Tensor>(Shape{1, 1, 1}), {}, {}});
    QVERIFY(!keepsPrefixes(config, patched));
    Interventions edited;
    edited.patternEdits.push_back({{Site::Pattern, 0}, 0, 0, {}, {1.0F}, false});
    QVERIFY(!keepsPrefixes(config, edited));
    Interventions causal;
    causal.mask = AttentionMask{.causal = true};
    config.causal = false;
    QVERIFY(!keepsPrefixes(config, {}));
    QVERIFY(keepsPrefixes(config, causal));
    config = {};
    config.architecture = Architecture::Encoder;
    QVERIFY(!keepsPrefixes(config, {}));
    config.architecture = Architecture::EncoderDecoder;
    QVERIFY(keepsPrefixes(config, {}));
    config = {};
    config.positions = Positions::Rope;
    config.rope.scaling = RopeSettings::Scaling::Dynamic;
    QVERIFY(keepsPrefixes(config, {})); // no text is longer than the original length
    config.rope.originalMaxLen = config.maxLen / 2;
    QVERIFY(!keepsPrefixes(config, {}));
    Interventions unturned;
    unturned.positions = PositionsChoice{Positions::None};
    QVERIFY(keepsPrefixes(config, unturned));
}

void TstMaskChoice::positionsGoBothWays_data()
{
    QTest::addColumn<QString>("written");
    QTest::addColumn<QString>("name");
    const auto row = [](const char* written, const char* name) {
        QTest::newRow(written) << QString(written) << QString(name);
    };
    for (const char* name : {"none", "learned", "alibi", "relative", "rope:500000", "rope:1000000",
                             "sinusoidal:100", "sinusoidal:2.5"})
        row(name, name);
    row("rope", "rope:10000");
    row("sinusoidal", "sinusoidal:10000");
    row("rope:1e4", "rope:10000");
}

void TstMaskChoice::positionsGoBothWays()
{
    QFETCH(QString, written);
    QFETCH(QString, name);
    const PositionsChoice choice = parsePositions(written.toStdString());
    QCOMPARE(headscope::toString(choice), name.toStdString());
    QVERIFY(parsePositions(headscope::toString(choice)) == choice);
}

void TstMaskChoice::everyPositionsAreInTheSyntax()
{
    QCOMPARE(positionsSyntax(),
             std::string("learned, sinusoidal[:N], none, rope[:THETA], alibi or relative"));
}

void TstMaskChoice::badPositionsAreRefused_data()
{
    QTest::addColumn<QString>("choice");
    QTest::addColumn<QString>("reported");
    const auto row = [](const char* choice, const char* reported) {
        QTest::newRow(choice) << QString(choice) << QString(reported);
    };
    row("", "unknown positions");
    row("rops", "Did you mean \"rope\"?");
    row("rope:", "have no base");
    row("rope:x", "have no base");
    row("rope:1", "a number above 1");
    row("rope:-3", "a number above 1");
    row("rope:nan", "a number above 1");
    row("rope:inf", "a number above 1");
    row("rope:10000 ", "have no base");
    row("alibi:2", "take no number");
    row("none:", "Write none");
}

void TstMaskChoice::badPositionsAreRefused()
{
    QFETCH(QString, choice);
    QFETCH(QString, reported);
    try {
        parsePositions(choice.toStdString());
        QFAIL("accepted");
    } catch (const Error& error) {
        const QString sentence = QString::fromStdString(error.what());
        QVERIFY2(sentence.contains(reported), qPrintable(sentence));
    }
}

HEADSCOPE_TEST(TstMaskChoice)
#include "tst_mask_choice.moc"
