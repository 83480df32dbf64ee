#include "core/base/content_language.h"
#include "core/base/file.h"
#include "core/base/json_text.h"
#include "core/base/message_template.h"
#include "core/experiments/conclusions.h"
#include "core/experiments/experiment_catalogue.h"
#include "core/lessons/worked/example_catalogue.h"
#include "tests/core/lessons/lab_runs.h"
#include "tests/core/lessons/message_texts.h"
#include "tests/support/test_program.h"

#include <nlohmann/json.hpp>

#include <QRegularExpression>
#include <QTest>

#include <filesystem>
#include <map>
#include <set>

using namespace headscope;
using namespace headscope::test;

namespace {

const std::filesystem::path kMessages =
    std::filesystem::path(HEADSCOPE_SOURCE_DIR) / "resources/translations/zh_CN";

/// Texts of the folder of a language, kept for as long as the program runs.
std::string_view overlay(const std::string& resource)
{
    static std::map<std::string, std::string> known;
    const auto [found, isNew] = known.try_emplace(resource);
    if (isNew && std::filesystem::exists(kMessages / resource))
        found->second = readFile((kMessages / resource).string(), 1 << 20);
    return found->second;
}

/// Format strings of all rooms and their translations.
const std::map<std::string, std::string>& messages()
{
    static const auto all = [] {
        std::map<std::string, std::string> texts;
        for (const auto& entry : std::filesystem::directory_iterator(kMessages / "messages")) {
            const std::string path = entry.path().string();
            texts.merge(
                parseJson(readFile(path, 1 << 20), path).get<std::map<std::string, std::string>>());
        }
        return texts;
    }();
    return all;
}

bool isKnown(const std::string& literal)
{
    return std::ranges::any_of(messages(), [&](const auto& entry) {
        return entry.first.find(literal) != std::string::npos;
    });
}

/// Words that stay as they are in a Chinese text: names, symbols and the tokens of the samples.
const QRegularExpression kNames(
    R"([A-Z]\w+ et al\. |Gemma|Team|BigScience|PaLM|BLOOM|Mixtral|Transformer base|BERT base|)"
    R"(T5 base|GeGLU|FLOP|)"
    R"(builtin:\w+|[\x{2581}#]*[a-z]+( \+ [\x{2581}#]*[a-z]+)+|scaling-law|post-norm-warmup|)"
    R"(RNN|LSTM|Llama|GPT|MiniGPT|BERT|DeepSeek|Mistral|Transformer|small|toy|XL|T5|)"
    R"(ALiBi|RoPE|ReLU|GELU|SwiGLU|RMSNorm|LayerNorm|RMS|AdamW?|SGD|Noam|BPE|WordPiece|Unigram|)"
    R"(MHA|GQA|MQA|MLA|KV|CLS|MASK|IsNext|NotNext|NaN|[Dd]ropout|[Ll]ogit|[Ss]oftmax|logits|)"
    R"(BLEU|BP|n-gram|[Ss]kip-gram|)"
    R"(top-[0-9kp]|post-norm|pre-norm|post|pre|ln|exp|max|min|std|sin|cos|Eq|PE|dog bites man|)"
    R"(man bites dog|float16|mask-missing|positions-missing|score-scale|)"
    R"(embedding-scale|BatchNorm|n_heads|d_\w+|h_kv|W_\w|KiB|MiB|GiB|TiB|KB|MB|GB|TB|[qkvw]\d+|)"
    R"(march|dog|bites|man|like|you|<BOS>|</EOS>)");

QString englishIn(QString text)
{
    static const QRegularExpression kQuoted("“[^”]*”|\"[^\"]*\"|\\\\[a-z]+|\\{[^}]*\\}");
    static const QRegularExpression kWord("[A-Za-z]{2,}");
    text.remove(kQuoted);
    text.remove(kNames);
    return kWord.match(text).captured();
}

void verifyChinese(const std::string& text, const std::string& where)
{
    const QString english = englishIn(QString::fromStdString(text));
    QVERIFY2(english.isEmpty(), (where + ": " + text).c_str());
}

/// Numbers of which conclusions speak.
constexpr const char* kNumbers[] = {"validation_loss",
                                    "prefix_loss",
                                    "written_known",
                                    "accuracy",
                                    "entropy",
                                    "start_entropy",
                                    "start_gradient",
                                    "largest_score",
                                    "overflow_rows",
                                    "start_last_block",
                                    "end_first_block",
                                    "start_first_block",
                                    "confidence",
                                    "words_to_positions",
                                    "calibration_error",
                                    "parameters",
                                    "exact",
                                    "bleu",
                                    "beam_bleu",
                                    "aligned",
                                    "alone_loss",
                                    "batch_loss",
                                    "neighbour_change",
                                    "padding_change",
                                    "short_change",
                                    "use_loss",
                                    "start_likeness",
                                    "heads",
                                    "head_channels",
                                    "cache_bytes"};

/// Literals of these files that are not shown: sample sentences, training texts, names.
const std::set<std::string> kNotShown{
    "The cat sat on the mat",
    "The cat sat on the mat.",
    "The bank by the river flooded.",
    "The animal didn't cross the street because it was too tired.",
    "The animal didn't cross the street because it was too tired. So the",
    "The keys near the table",
    "The cat",
    "The cat sat",
    "square root",
    "Transformer base",
    "BERT base",
    "T5 base",
    "GPT-2 small",
    "Vaswani et al. 2017",
    "Devlin et al. 2019",
    "Radford et al. 2019",
    "Raffel et al. 2020",
    "Brown et al. 2020",
    "Chowdhery et al. 2022",
    "Touvron et al. 2023",
    "Jiang et al. 2023",
    "Jiang et al. 2024",
    "Gemma Team 2024",
    "Grattafiori et al. 2024",
    "headscope bench ring",
    "OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 "
    "OMPI_MCA_btl_vader_single_copy_mechanism=none OMPI_MCA_btl=self,vader HEADSCOPE_THREADS=1 "
    "mpirun --oversubscribe --bind-to none -n {} {} bench ring --json --device cpu --tokens {} "
    "--rounds {} 2>/dev/null"};

} // namespace

/// The Chinese messages for everything that core computes for the window.
class TstTranslatedMessages : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase();
    void cleanupTestCase();
    void placeholdersAgree();
    void everyTextOfALabIsTranslated_data();
    void everyTextOfALabIsTranslated();
    void everyTextOfAnExampleIsTranslated_data();
    void everyTextOfAnExampleIsTranslated();
    void everyConclusionIsTranslated_data();
    void everyConclusionIsTranslated();
    void everySentenceOfTheSourcesIsTranslated_data();
    void everySentenceOfTheSourcesIsTranslated();
    void everyErrorOfTheSourcesIsTranslated_data();
    void everyErrorOfTheSourcesIsTranslated();
};

void TstTranslatedMessages::initTestCase()
{
    setContentLanguage({"zh_CN", overlay});
}

void TstTranslatedMessages::cleanupTestCase()
{
    setContentLanguage({});
}

void TstTranslatedMessages::placeholdersAgree()
{
    for (const auto& [english, chinese] : messages()) {
        QVERIFY2(!chinese.empty(), english.c_str());
        MessageTemplate(english, chinese, "zh_CN/messages"); // throws where they differ
    }
}

void TstTranslatedMessages::everyTextOfALabIsTranslated_data()
{
    QTest::addColumn<QString>("name");
    for (const Lab& lab : labCatalogue())
        if (!lab.isSlow)
            QTest::newRow(lab.name.c_str()) << QString::fromStdString(lab.name);
}

void TstTranslatedMessages::everyTextOfALabIsTranslated()
{
    QFETCH(QString, name);
    const Lab& lab = catalogueLab(name.toStdString());
    for (const LabSettings& settings : settingsOf(lab))
        for (const std::string& text : textsOf(lab.run(settings, labContext(), {})))
            verifyChinese(text, lab.name);
}

void TstTranslatedMessages::everyTextOfAnExampleIsTranslated_data()
{
    QTest::addColumn<QString>("name");
    for (const ExampleEntry& entry : exampleCatalogue())
        QTest::newRow(entry.name.c_str()) << QString::fromStdString(entry.name);
}

void TstTranslatedMessages::everyTextOfAnExampleIsTranslated()
{
    QFETCH(QString, name);
    ExampleInputs inputs = exampleInputs(name.toStdString());
    for (std::size_t each = 0; each <= inputs.switches.size(); ++each) {
        ExampleInputs changed = inputs;
        if (each < inputs.switches.size())
            changed.switches[each].on = !changed.switches[each].on;
        for (const std::string& text : textsOf(changed))
            verifyChinese(text, name.toStdString());
        for (const std::string& text : textsOf(workExample(changed)))
            verifyChinese(text, name.toStdString());
    }
}

void TstTranslatedMessages::everyConclusionIsTranslated_data()
{
    QTest::addColumn<QString>("name");
    QTest::addColumn<double>("step");
    for (const Experiment& experiment : experimentCatalogue())
        for (const double step : {-0.1, 0.1})
            QTest::addRow("%s %g", experiment.name.c_str(), step)
                << QString::fromStdString(experiment.name) << step;
}

/// Of results that were never measured: the numbers fall or rise from variant to variant.
void TstTranslatedMessages::everyConclusionIsTranslated()
{
    QFETCH(QString, name);
    QFETCH(double, step);
    const Experiment& experiment = catalogueExperiment(name.toStdString());
    ExperimentResult result;
    result.law = PowerLaw{step < 0.0 ? 0.0 : 1.0, 2.0, 0.5, 0.1};
    for (const ExperimentVariant& variant : experiment.variants) {
        VariantResult& one = result.variants.emplace_back();
        one.name = variant.name;
        one.label = variant.label;
        const double value = 2.0 + step * static_cast<double>(result.variants.size());
        for (const char* number : kNumbers)
            one.numbers.push_back({number, value});
        one.series = {{"length_perplexity", {16, 32, 64, 128}, {9, 8, 8, 8 * value}},
                      {"exact_by_step", {0, 500}, {0, value - 1.7}}};
    }
    verifyChinese(message(conclusionOf(experiment, result)), experiment.name);
    result.variants.front().problem = "the loss is not finite (step 3). Choose another place";
    const std::string broken = message(conclusionOf(experiment, result));
    QVERIFY2(QString::fromStdString(broken).contains("\u53D1\u6563"), broken.c_str());
}

void TstTranslatedMessages::everySentenceOfTheSourcesIsTranslated_data()
{
    QTest::addColumn<QString>("file");
    for (const char* folder : {"core/lessons/labs", "core/lessons/worked"})
        for (const std::string& file : sourcesIn(folder))
            QTest::newRow(file.c_str()) << QString::fromStdString(file);
    QTest::newRow("conclusions") << "core/experiments/conclusions.cpp";
}

void TstTranslatedMessages::everySentenceOfTheSourcesIsTranslated()
{
    QFETCH(QString, file);
    if (file.endsWith("training_text.cpp")) // a text to train on
        return;
    for (const Literal& literal : literalsOf(file.toStdString()))
        QVERIFY2(!isSentence(literal.text) || kNotShown.contains(literal.text) ||
                     isKnown(literal.text) || isKnown(withDoubledBraces(literal.text)),
                 ("no translation: " + literal.text).c_str());
}

void TstTranslatedMessages::everyErrorOfTheSourcesIsTranslated_data()
{
    QTest::addColumn<QString>("file");
    for (const char* folder : {"core/generate", "core/io", "core/model/config", "core/runs",
                               "core/text", "core/train/data", "core/train/files"})
        for (const std::string& file : sourcesIn(folder))
            QTest::newRow(file.c_str()) << QString::fromStdString(file);
    for (const char* file : {"core/base/file.cpp", "core/base/atomic_write.cpp",
                             "core/base/json_text.cpp", "core/base/memory.cpp"})
        QTest::newRow(file) << file;
}

/// ShapeError is a mistake of the program, and measurements are for the command line.
void TstTranslatedMessages::everyErrorOfTheSourcesIsTranslated()
{
    QFETCH(QString, file);
    static const QRegularExpression kFunction("^[A-Za-z]+(::[a-z]+)?: "); // of the program itself
    for (const Literal& literal : literalsOf(file.toStdString()))
        QVERIFY2(!literal.isOfError || !isSentence(literal.text) ||
                     kFunction.match(QString::fromStdString(literal.text)).hasMatch() ||
                     literal.text.find("benchmark") != std::string::npos || isKnown(literal.text) ||
                     isKnown(withDoubledBraces(literal.text)),
                 ("no translation: " + literal.text).c_str());
}

HEADSCOPE_TEST(TstTranslatedMessages)
#include "tst_translated_messages.moc"
