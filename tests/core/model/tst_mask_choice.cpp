#include "core/model/mask_choice.h"

#include "core/base/error.h"

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
};

void TstMaskChoice::namesGoBothWays_data()
{
    QTest::addColumn<QString>("name");
    QTest::addColumn<bool>("keepsPrefixes");
    QTest::newRow("causal") << "causal" << true;
    QTest::newRow("none") << "none" << false;
    QTest::newRow("window") << "window:12" << true;
}

void TstMaskChoice::namesGoBothWays()
{
    QFETCH(QString, name);
    QFETCH(bool, keepsPrefixes);
    Interventions interventions;
    interventions.maskCells = {1}; // replaced
    MaskChoice::parse(name.toStdString()).applyTo(interventions, 5);
    QCOMPARE(maskName(interventions), name.toStdString());
    QCOMPARE(headscope::keepsPrefixes(interventions), keepsPrefixes);
}

void TstMaskChoice::fileOfCellsIsRead()
{
    const QTemporaryDir folder;
    const std::string path = folder.filePath("mask.txt").toStdString();
    std::ofstream(path) << "1 0 0\r\n1,1,0\n\n011\n";
    Interventions interventions;
    MaskChoice::parse(path).applyTo(interventions, 3);
    QVERIFY(interventions.maskCells == (std::vector<std::uint8_t>{1, 0, 0, 1, 1, 0, 0, 1, 1}));
    QCOMPARE(maskName(interventions), std::string("painted"));
    QVERIFY(!keepsPrefixes(interventions));
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
    const std::vector<Interventions::Head> expected{{0, 3}, {12, 1}};
    QVERIFY(parseHeads("L0H3,L12H1") == expected);
    QVERIFY(parseHeads("l0h3,12.1") == expected);
    QVERIFY(parseHeads("").empty());
    QCOMPARE(headscope::toString(expected[1]), std::string("L12H1"));
}

void TstMaskChoice::badHeadListsAreRefused_data()
{
    QTest::addColumn<QString>("list");
    for (const char* list : {"L0", "L0H", "H3", "L0H3,", ",L0H3", "L0H3 L1H1", "L-1H0", "0,3",
                             "L0H99999999999", "L0.3"})
        QTest::newRow(list) << list;
}

void TstMaskChoice::badHeadListsAreRefused()
{
    QFETCH(QString, list);
    QVERIFY_EXCEPTION_THROWN(parseHeads(list.toStdString()), Error);
}

QTEST_GUILESS_MAIN(TstMaskChoice)
#include "tst_mask_choice.moc"
