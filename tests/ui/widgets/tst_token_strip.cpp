#include "tests/support/test_program.h"
#include "ui/widgets/text/token_strip.h"

#include <QSignalSpy>
#include <QtTest>

using namespace headscope;
using namespace headscope::ui;

namespace {

/// Token i stands for the i-th given bytes; the last one is special.
class FixedTokenizer : public Tokenizer
{
public:
    explicit FixedTokenizer(std::vector<std::string> bytes) : m_bytes(std::move(bytes)) {}

    std::string_view kind() const override { return "fixed"; }

    std::size_t vocabularySize() const override { return m_bytes.size(); }

    TokenSequence encode(std::string_view text, bool) const override
    {
        return {std::string(text), {}};
    }

    std::string decode(std::span<const TokenId>, bool) const override { return {}; }

    const std::string& tokenText(TokenId id) const override
    {
        return m_bytes[static_cast<std::size_t>(id)];
    }

    std::string tokenBytes(TokenId id) const override { return tokenText(id); }

    bool isSpecial(TokenId) const override { return false; }

    std::optional<TokenId> find(std::string_view) const override { return std::nullopt; }

    std::optional<TokenId> endOfText() const override { return std::nullopt; }

private:
    std::vector<std::string> m_bytes;
};

std::vector<TokenChip> chipsOf(const std::vector<std::string>& pieces)
{
    TokenSequence sequence;
    for (const std::string& piece : pieces) {
        const std::size_t begin = sequence.text.size();
        sequence.text += piece;
        sequence.tokens.push_back(
            {static_cast<TokenId>(sequence.tokens.size()), {begin, sequence.text.size()}, false});
    }
    return tokenChips(sequence, FixedTokenizer(pieces));
}

QStringList textsOf(const std::vector<TokenChip>& chips)
{
    QStringList texts;
    for (const TokenChip& chip : chips)
        texts.append((chip.joinsPrevious ? "+" : "") + chip.text);
    return texts;
}

std::vector<TokenChip> manyChips(int count)
{
    std::vector<std::string> pieces;
    for (int index = 0; index < count; ++index)
        pieces.push_back("word" + std::to_string(index));
    return chipsOf(pieces);
}

} // namespace

class TstTokenStrip : public QObject
{
    Q_OBJECT

private slots:

    void initTestCase() { applyTheme(*qApp, Theme::light()); }

    void piecesOfACharacterAreJoined()
    {
        // U+65E5 is E6 97 A5; U+1F600 is F0 9F 98 80
        QCOMPARE(textsOf(chipsOf({"a", "\xE6\x97", "\xA5", "b"})),
                 QStringList({"a", "日", "+", "b"}));
        QCOMPARE(textsOf(chipsOf({"\xF0", "\x9F", "\x98", "\x80"})),
                 QStringList({"😀", "+", "+", "+"}));
        QCOMPARE(textsOf(chipsOf({"x\xC3", "\xA9y"})), QStringList({"xéy", "+"}));
    }

    void brokenBytesStayApartAndReadable()
    {
        const auto chips = chipsOf({"\xE6", "b", "\xA5", "\xFF"});
        QCOMPARE(textsOf(chips), QStringList({"<0xE6>", "b", "<0xA5>", "<0xFF>"}));
        QCOMPARE(textsOf(chipsOf({"\xE6\x97"})), QStringList({"<0xE6><0x97>"}));
        QCOMPARE(textsOf(chipsOf({"\xE6", "\x97"})).first(), QStringLiteral("<0xE6>"));
    }

    void everyPieceKeepsItsOwnBytes()
    {
        const auto chips = chipsOf({"\xE6\x97", "\xA5"});
        QCOMPARE(chips[0].rawText, QStringLiteral("<0xE6><0x97>"));
        QCOMPARE(chips[1].rawText, QStringLiteral("<0xA5>"));
        QCOMPARE(chips[1].bytes.begin, std::size_t{2});
        QCOMPARE(tokenLabels(chips), QStringList({"日", "日"}));
    }

    void anEditorSelectsTheWordOfItsToken_data()
    {
        QTest::addColumn<QString>("token");
        QTest::addColumn<QString>("selected");
        QTest::newRow("space before") << " the"
                                      << "the";
        QTest::newRow("no space") << "the"
                                  << "the";
        QTest::newRow("only space") << "  "
                                    << "  ";
    }

    void anEditorSelectsTheWordOfItsToken()
    {
        QFETCH(QString, token);
        QFETCH(QString, selected);
        TokenStrip strip;
        strip.resize(800, 40);
        strip.setChips(chipsOf({"across", token.toStdString()}));
        strip.edit(1, token);
        const auto* editor = strip.findChild<TokenEditor*>();
        QVERIFY(editor);
        QCOMPARE(editor->text(), token);
        QCOMPARE(editor->selectedText(), selected);
    }

    void chipsOfOneWordAreMarkedTogether()
    {
        TokenStrip strip;
        strip.resize(800, 40);
        strip.setChips(chipsOf({"the", " ti", "red", " cat"}));
        strip.setQuery(1);
        strip.setKey(0);
        const auto fill = [&strip](int chip) {
            return strip.grab().toImage().pixelColor(
                (strip.chipRect(chip).topLeft() + QPointF(4, 4)).toPoint());
        };
        const Theme theme = Theme::of(strip);
        QCOMPARE(fill(1), theme.accent);
        QVERIFY(fill(2) != theme.accent);
        strip.setWords({0, 1, 1, 2});
        QCOMPARE(fill(1), theme.accent);
        QCOMPARE(fill(2), theme.accent);
        QVERIFY(fill(0) != theme.accent && fill(3) != theme.accent);
        strip.setWords({});
        QVERIFY(fill(2) != theme.accent);
    }

    void tokensKeepTheModelsOrder()
    {
        TokenStrip strip;
        strip.resize(800, 40);
        strip.setChips(chipsOf({"שלום", " ", "עולם", " abc"})); // right-to-left words
        for (int index = 1; index < 4; ++index)
            QVERIFY(strip.chipRect(index).left() > strip.chipRect(index - 1).right() - 1.0);
        QVERIFY(!strip.grab().isNull());
    }

    void itemAtIsTheInverseOfChipRect()
    {
        TokenStrip strip;
        strip.resize(500, 40);
        strip.setChips(manyChips(60));
        strip.setQuery(40);
        for (int index = 0; index < 60; ++index)
            QCOMPARE(strip.itemAt(strip.chipRect(index).center()), index);
        QVERIFY(!strip.itemAt(QPointF(250, -1)));
    }

    void selectionStaysVisible()
    {
        TokenStrip strip;
        strip.resize(400, 40);
        strip.setChips(manyChips(100));
        for (int index : {99, 0, 50, 99}) {
            strip.setQuery(index);
            QVERIFY(strip.chipRect(index).left() >= 0.0);
            QVERIFY(strip.chipRect(index).right() <= 400.0);
        }
        strip.resize(200, 40);
        strip.grab();
        QVERIFY(strip.chipRect(99).right() <= 200.0);
        strip.setChips(manyChips(2));
        QCOMPARE(strip.chipRect(0).left(), 2.0); // not scrolled
    }

    void quickClicksOnTheArrowOnlyScroll()
    {
        TokenStrip strip;
        strip.resize(200, 40);
        strip.setChips(manyChips(40));
        const QSignalSpy edited(&strip, &TokenStrip::editWanted);
        const QPoint arrow(190, 20);
        for (int click = 0; click < 3; ++click) {
            const double before = strip.chipRect(0).left();
            QTest::mouseClick(&strip, Qt::LeftButton, {}, arrow);
            const double once = strip.chipRect(0).left();
            QVERIFY(once < before);
            QTest::mouseDClick(&strip, Qt::LeftButton, {}, arrow);
            QVERIFY(strip.chipRect(0).left() < once);
        }
        QCOMPARE(edited.count(), 0);
    }

    void clicksAndKeysChooseQueryAndKey()
    {
        TokenStrip strip;
        strip.resize(900, 40);
        strip.setChips(manyChips(5));
        QSignalSpy query(&strip, &TokenStrip::queryChosen);
        QSignalSpy key(&strip, &TokenStrip::keyChosen);
        QTest::mouseClick(&strip, Qt::LeftButton, {}, strip.chipRect(3).center().toPoint());
        QCOMPARE(query.last()[0].toInt(), 3);
        QTest::mouseClick(&strip, Qt::LeftButton, Qt::ShiftModifier,
                          strip.chipRect(1).center().toPoint());
        QCOMPARE(key.last()[0].toInt(), 1);
        QTest::keyClick(&strip, Qt::Key_Left);
        QCOMPARE(query.last()[0].toInt(), 2);
        QTest::keyClick(&strip, Qt::Key_End);
        QCOMPARE(query.last()[0].toInt(), 4);
        QTest::keyClick(&strip, Qt::Key_Right, Qt::ShiftModifier);
        QCOMPARE(key.last()[0].toInt(), 2);
    }

    void whatTheModelDidNotSeeIsMarkedAndCannotBeChosen()
    {
        TokenStrip strip;
        strip.resize(900, 40);
        auto chips = manyChips(6);
        strip.setChips(chips, 6, 6);
        const double uncut = strip.chipRect(5).x();
        strip.setChips(chips, 4, 1310);
        QVERIFY(strip.chipRect(5).x() > uncut + 60.0); // the mark stands between
        QSignalSpy query(&strip, &TokenStrip::queryChosen);
        QTest::mouseClick(&strip, Qt::LeftButton, {}, strip.chipRect(5).center().toPoint());
        QCOMPARE(query.size(), 0);
        QTest::keyClick(&strip, Qt::Key_End);
        QCOMPARE(query.last()[0].toInt(), 3);
    }

    void rolesHaveTheirColours_data()
    {
        QTest::addColumn<bool>("dark");
        QTest::newRow("light") << false;
        QTest::newRow("dark") << true;
    }

    void rolesHaveTheirColours()
    {
        QFETCH(bool, dark);
        const Theme theme = Theme::named(dark, bodyFont());
        applyTheme(*qApp, theme);
        TokenStrip strip;
        strip.resize(600, 40);
        strip.setChips(manyChips(4));
        strip.setQuery(2);
        strip.setKey(1);
        const QImage image = strip.grab().toImage();
        const auto inside = [&](int index) {
            return image.pixel((strip.chipRect(index).topLeft() + QPointF(5, 16)).toPoint());
        };
        QCOMPARE(inside(0), theme.surface.rgb());
        QCOMPARE(inside(1), theme.keySoft.rgb());
        QCOMPARE(inside(2), theme.accent.rgb());
        applyTheme(*qApp, Theme::light());
    }

    void anEmptyStripPaintsAndTakesKeys()
    {
        TokenStrip strip;
        strip.resize(300, 40);
        strip.setChips({});
        QVERIFY(!strip.grab().isNull());
        QSignalSpy query(&strip, &TokenStrip::queryChosen);
        QTest::keyClick(&strip, Qt::Key_Right);
        QCOMPARE(query.size(), 0);
    }
};

HEADSCOPE_WINDOW_TEST(TstTokenStrip)
#include "tst_token_strip.moc"
