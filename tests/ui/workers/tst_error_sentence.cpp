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
    "no model is open": "aucun modèle n'est ouvert",
    "Open a model first": "Ouvrez d'abord un modèle",
    "{} tokens exceed the model's maximum length": "{} jetons dépassent la longueur du modèle"
})";

} // namespace

class TstErrorSentence : public QObject
{
    Q_OBJECT

private slots:

    void cleanup() { setContentLanguage({}); }

    void englishIsWhatTheErrorSays();
    void everyPartIsTranslated();
};

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
             QString("aucun modèle n'est ouvert (lab). Ouvrez d'abord un modèle"));
    QCOMPARE(errorSentence(Error("no model is open")), QString("aucun modèle n'est ouvert"));
    QCOMPARE(errorSentence(Error("99 tokens exceed the model's maximum length", "/a/model.gguf")),
             QString("99 jetons dépassent la longueur du modèle (/a/model.gguf)"));
    QCOMPARE(messageText("no model is open"), QString("aucun modèle n'est ouvert"));
}

HEADSCOPE_TEST(TstErrorSentence)
#include "tst_error_sentence.moc"
