#include "core/base/error.h"
#include "core/text/tokenizers/id_tokenizer.h"
#include "tests/support/test_program.h"

#include <QTest>

using namespace headscope;

class TstIdTokenizer : public QObject
{
    Q_OBJECT

private slots:

    void numbersAreTokens()
    {
        const IdTokenizer tokenizer(400);
        const TokenSequence sequence = tokenizer.encode(" 12 7\n399 ");
        QVERIFY((sequence.ids() == std::vector<TokenId>{12, 7, 399}));
        QVERIFY((sequence.tokens[0].bytes == ByteRange{1, 3}));
        QVERIFY((sequence.tokens[2].bytes == ByteRange{6, 9}));
        QVERIFY(tokenizer.decode(sequence.ids()) == "12 7 399");
        QVERIFY(tokenizer.tokenText(399) == "399" && tokenizer.vocabularySize() == 400);
    }

    void whatIsNoIdIsSkipped()
    {
        const IdTokenizer tokenizer(10);
        QVERIFY((tokenizer.encode("[1, 2,-1, 10, 1e1, x, 99999999999, 9]").ids() ==
                 std::vector<TokenId>{1, 2, 9}));
        QVERIFY(tokenizer.encode("").tokens.empty() && tokenizer.encode(" \t ").tokens.empty());
        QVERIFY_EXCEPTION_THROWN(tokenizer.tokenText(10), Error);
        QVERIFY_EXCEPTION_THROWN(tokenizer.tokenText(-1), Error);
        QVERIFY_EXCEPTION_THROWN(IdTokenizer(0), Error);
    }
};

HEADSCOPE_TEST(TstIdTokenizer)
#include "tst_id_tokenizer.moc"
