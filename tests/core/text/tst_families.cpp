// labels: golden
#include "core/base/file.h"
#include "core/base/json_text.h"
#include "core/text/display_text.h"
#include "core/text/files/sentencepiece_file.h"
#include "core/text/files/tokenizer_file.h"
#include "core/text/files/tokenizer_json.h"
#include "tests/support/golden.h"
#include "tests/support/test_program.h"

#include <QTest>

using namespace headscope;
using nlohmann::json;

namespace {

json readFamily(const std::string& name)
{
    const std::filesystem::path path =
        std::filesystem::path(HEADSCOPE_TEST_DATA) / "families" / (name + ".json");
    return parseJson(readFile(path, 1 << 24), path.string());
}

/// T5's table of replacements is not repeated in its file.
void putCharsMap(json& tokenizer)
{
    const auto path = test::goldenDir() / "tokenizers/sentencepiece_unigram/spiece.model";
    const std::string bytes = parseSentencePiece(readFile(path, 1 << 24), path.string()).charsMap;
    const QByteArray text =
        QByteArray(bytes.data(), static_cast<qsizetype>(bytes.size())).toBase64();
    tokenizer["normalizer"]["precompiled_charsmap"] = text.toStdString();
}

std::shared_ptr<const Tokenizer> makeFamily(json family, const std::string& name)
{
    if (name == "t5")
        putCharsMap(family["tokenizer"]);
    return parseTokenizerJson(dumpJson(family["tokenizer"]), name);
}

std::string difference(const json& got, const json& expected, const std::string& text)
{
    return json(text).dump() + ": " + dumpJson(got) + " instead of " + dumpJson(expected);
}

/// HF's offsets are those of whole characters; ours may be parts of them.
bool lieInside(const TokenSequence& sequence, const json& offsets)
{
    for (std::size_t i = 0; i < sequence.size(); ++i) {
        const ByteRange bytes = sequence.tokens[i].bytes;
        if (bytes.begin > bytes.end || bytes.end > sequence.text.size())
            return false;
        const bool isInside = bytes.begin >= offsets[i][0].get<std::size_t>() &&
                              bytes.end <= offsets[i][1].get<std::size_t>();
        if (bytes.begin < bytes.end && !isInside)
            return false;
    }
    return true;
}

json rangesOf(const TokenSequence& sequence)
{
    json ranges = json::array();
    for (const Token& token : sequence.tokens)
        ranges.push_back({token.bytes.begin, token.bytes.end});
    return ranges;
}

} // namespace

class TstFamilies : public QObject
{
    Q_OBJECT

private slots:

    void idsAndTextsAreThoseOfHuggingFace_data()
    {
        QTest::addColumn<QString>("name");
        for (const char* name : {"roberta", "llama3", "qwen2", "gpt_neox", "bloom", "smollm",
                                 "llama2", "mistral", "t5", "bert_cased"})
            QTest::newRow(name) << name;
    }

    void idsAndTextsAreThoseOfHuggingFace()
    {
        QFETCH(QString, name);
        const json family = readFamily(name.toStdString());
        const auto tokenizer = makeFamily(family, name.toStdString());
        QVERIFY(family["encodings"].size() > 200);
        // HF forgets what it composed a character of, we do not.
        const bool composes = name == "qwen2" || name == "gpt_neox" || name == "t5";
        for (const json& expected : family["encodings"]) {
            const auto text = expected["text"].get<std::string>();
            const TokenSequence sequence = tokenizer->encode(text);
            const json ids = sequence.ids();
            QVERIFY2(ids == expected["ids"], difference(ids, expected["ids"], text).c_str());
            QVERIFY2(composes || lieInside(sequence, expected["offsets"]),
                     difference(rangesOf(sequence), expected["offsets"], text).c_str());
            const json decoded = tokenizer->decode(sequence.ids());
            QVERIFY2(decoded == expected["decoded"],
                     difference(decoded, expected["decoded"], text).c_str());
            const json plain = tokenizer->decode(sequence.ids(), true);
            QVERIFY2(plain == expected["without_special"],
                     difference(plain, expected["without_special"], text).c_str());
        }
    }

    void byteLevelVocabulariesGiveEveryByteBack()
    {
        std::string text;
        for (int i = 0; i < 512; ++i)
            text += static_cast<char>(i * 7 + i / 256);
        for (const char* name : {"roberta", "llama3", "bloom"}) {
            const auto tokenizer = makeFamily(readFamily(name), name);
            const TokenSequence sequence = tokenizer->encode(text, false);
            QVERIFY(tokenizer->decode(sequence.ids()) == text);
            std::size_t reached = 0;
            for (const Token& token : sequence.tokens) {
                QVERIFY(token.bytes.begin == reached);
                reached = token.bytes.end;
                QVERIFY(tokenizer->tokenBytes(token.id) ==
                        text.substr(token.bytes.begin, token.bytes.end - token.bytes.begin));
            }
            QVERIFY(reached == text.size());
        }
    }

    void tokensCanBeReadInAnyScript()
    {
        const auto llama = makeFamily(readFamily("llama2"), "llama2");
        const TokenSequence sequence = llama->encode("the \u05E9", false);
        std::string bytes;
        for (const Token& token : sequence.tokens)
            bytes += llama->tokenBytes(token.id);
        QVERIFY(bytes == " the \u05E9");
        QVERIFY(displayText(llama->tokenBytes(llama->find("<0xE2>").value())) == "<0xE2>");
    }
};

HEADSCOPE_TEST(TstFamilies)
#include "tst_families.moc"
