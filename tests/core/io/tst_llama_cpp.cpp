// labels: golden
#include "core/attention/cpu_attention.h"
#include "core/io/gguf/gguf_family.h"
#include "core/io/gguf/gguf_file.h"
#include "tests/support/golden_models.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <algorithm>
#include <fstream>
#include <set>

using namespace headscope;
using namespace headscope::test;

namespace {

/// Rounding of llama.cpp's own (a table of half floats for GELU) may decide below it.
constexpr double kMargin = 0.1;
constexpr std::size_t kFewest = 8; ///< Tokens with larger margins of any model.

nlohmann::json fixture()
{
    std::ifstream file(goldenDir() / "gguf" / "llama_cpp.json");
    return nlohmann::json::parse(file);
}

std::string architectureOf(const std::string& name)
{
    const std::filesystem::path path = goldenDir() / "gguf" / (name + ".gguf");
    return GgufFile::open(path).metadata().text("general.architecture");
}

/// The ids of a text: what it begins with, and what follows.
std::vector<TokenId> idsOf(const nlohmann::json& text)
{
    auto ids = text.at("prompt").get<std::vector<TokenId>>();
    for (const TokenId id : text.value("continued", text.at("tokens")).get<std::vector<TokenId>>())
        ids.push_back(id);
    return ids;
}

/// After every prefix.
std::vector<TokenId> mostProbable(const Model& model, const std::vector<TokenId>& ids)
{
    CpuAttention backend;
    KvCache cache(model.config());
    const Tensor logits = model.forward(ids, backend, cache);
    const auto width = static_cast<std::size_t>(model.config().vocabularySize);
    std::vector<TokenId> result;
    for (std::size_t i = 0; i < ids.size(); ++i) {
        const auto row = logits.values().subspan(i * width, width);
        result.push_back(static_cast<TokenId>(std::ranges::max_element(row) - row.begin()));
    }
    return result;
}

} // namespace

/// Files of all families, and the tokens that llama.cpp finds most probable.
class TstLlamaCpp : public QObject
{
    Q_OBJECT

private slots:
    void everyFamilyIsCompared();
    void mostProbableTokensMatch_data();
    void mostProbableTokensMatch();
};

void TstLlamaCpp::everyFamilyIsCompared()
{
    const nlohmann::json all = fixture();
    std::set<std::string> compared;
    for (const auto& model : all.at("models").items())
        compared.insert(architectureOf(model.key()));
    for (const GgufFamily* const family : ggufFamilies())
        QVERIFY2(compared.contains(std::string(family->architecture)),
                 std::string(family->architecture).c_str());
    for (const GoldenModelName& name : GoldenModel::names())
        if (name.kind == GoldenKind::Gguf)
            QVERIFY2(all.at("models").contains(name.name) !=
                         all.at("not_compared").contains(name.name),
                     name.name.c_str());
}

void TstLlamaCpp::mostProbableTokensMatch_data()
{
    QTest::addColumn<QString>("name");
    const nlohmann::json all = fixture();
    for (const auto& model : all.at("models").items())
        QTest::newRow(model.key().c_str()) << QString::fromStdString(model.key());
}

void TstLlamaCpp::mostProbableTokensMatch()
{
    QFETCH(const QString, name);
    const GoldenModel golden({name.toStdString(), GoldenKind::Gguf});
    const nlohmann::json all = fixture();
    std::size_t compared = 0;
    for (const auto& text : all.at("models").at(name.toStdString())) {
        const auto margins = text.at("margins").get<std::vector<double>>();
        const auto tokens = text.at("tokens").get<std::vector<TokenId>>();
        const std::size_t prompt = text.at("prompt").size();
        const std::vector<TokenId> got = mostProbable(golden.model(), idsOf(text));
        for (std::size_t i = 0; i < tokens.size(); ++i) {
            const TokenId best = got.at(prompt + i - 1);
            if (margins[i] <= kMargin)
                continue;
            QVERIFY2(best == tokens[i],
                     qPrintable(QString("token %1: %2, not %3").arg(i).arg(best).arg(tokens[i])));
            ++compared;
        }
    }
    QVERIFY2(compared >= kFewest, qPrintable(QString::number(compared)));
}

HEADSCOPE_TEST(TstLlamaCpp)
#include "tst_llama_cpp.moc"
