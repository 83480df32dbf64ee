#include "core/base/content_language.h"
#include "core/base/error.h"
#include "tests/support/test_program.h"
#include "ui/widgets/text/message_text.h"
#include "ui/workers/error_sentence.h"

#include <QTest>

using namespace headscope;
using namespace headscope::ui;

namespace {

const char* const kFrench = R"({
    "no model is open": "aucun modèle ouvert",
    "Open a model first": "Ouvrez un modèle",
    "{} tokens exceed the maximum": "{} jetons dépassent le maximum"
})";

} // namespace

class TstErrorSentence : public QObject
{
    Q_OBJECT

private slots:
    void cleanup();
    void englishIsWhatTheErrorSays();
    void everyPartIsTranslated();
};

void TstErrorSentence::cleanup()
{
    setContentLanguage({});
}

void TstErrorSentence::englishIsWhatTheErrorSays()
{
    const Error error("no model is open", "lab", "Open a model first");
    QCOMPARE(errorSentence(error), QString("no model is open (lab). Open a model first"));
    QCOMPARE(errorSentence(std::runtime_error("no model is open")), QString("no model is open"));
}

void TstErrorSentence::everyPartIsTranslated()
{
    setContentLanguage({"fr", [](const std::string& resource) {
                            return resource == "messages/errors.json" ? std::string_view(kFrench)
                                                                      : std::string_view();
                        }});
    QCOMPARE(errorSentence(Error("no model is open", "lab", "Open a model first")),
             QString("aucun modèle ouvert (lab). Ouvrez un modèle"));
    QCOMPARE(errorSentence(Error("no model is open")), QString("aucun modèle ouvert"));
    QCOMPARE(errorSentence(Error("99 tokens exceed the maximum", "/a/model.gguf")),
             QString("99 jetons dépassent le maximum (/a/model.gguf)"));
    QCOMPARE(messageText("no model is open"), QString("aucun modèle ouvert"));
}

HEADSCOPE_TEST(TstErrorSentence)
#include "tst_error_sentence.moc"
