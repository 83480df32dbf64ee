// labels: golden
// What other programs computed with models and tokenizers of ten families, and what this one's
// command line says about the same files.
#include "core/base/file.h"
#include "core/io/trace_file.h"
#include "tests/app/run_headscope.h"
#include "tests/support/golden.h"
#include "tests/support/test_program.h"

#include <QTemporaryDir>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <optional>

using namespace headscope;
using namespace headscope::test;

namespace {

using Json = nlohmann::json;

constexpr Tolerance kAttentions{2e-5, 0.0};
constexpr Tolerance kOthers{1e-4, 1e-5};

/// Of a golden [a, b, ...]: the part [index of the first axis][0] or, without one, [0].
std::vector<double> part(const GoldenFile& golden, const std::string& name,
                         std::optional<std::int64_t> layer)
{
    const std::vector<double> all = golden.expected(name);
    const std::vector<std::int64_t> shape =
        golden.shape(golden.contains("out64." + name.substr(4)) ? "out64." + name.substr(4) : name);
    std::size_t count = all.size() / static_cast<std::size_t>(shape[0]);
    std::size_t first = 0;
    if (layer) {
        first = static_cast<std::size_t>(*layer) * count;
        count /= static_cast<std::size_t>(shape[1]);
    }
    return {all.begin() + static_cast<std::ptrdiff_t>(first),
            all.begin() + static_cast<std::ptrdiff_t>(first + count)};
}

/// The first text of the batch, as an argument.
QString idsOf(const GoldenFile& golden, const std::string& name)
{
    const std::vector<std::int64_t> all = golden.integers(name);
    const auto count = static_cast<std::size_t>(golden.shape(name)[1]);
    return QString::fromStdString(fmt::format(
        "{}", fmt::join(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(count), ",")));
}

/// "" or what differs between one activation of a trace and what is expected of it.
std::string difference(const Trace& trace, const std::string& name,
                       const std::vector<double>& expected, Tolerance tolerance)
{
    const auto key = parseTraceKey(name);
    const auto found = key ? trace.find(*key) : nullptr;
    if (!found)
        return name + " is missing";
    const std::string problem = mismatch(found->values(), expected, tolerance);
    return problem.empty() ? problem : name + ": " + problem;
}

/// Qt takes a mark of byte order away, which is a letter of the text here.
QString asArgument(const std::string& text)
{
    QString argument = QString::fromStdString(text);
    if (text.starts_with("\xEF\xBB\xBF"))
        argument.prepend(QChar(QChar::ByteOrderMark));
    return argument;
}

Json encodings(const std::string& name)
{
    const auto path = goldenDir() / "tokenizers" / (name + "_encodings.json");
    return Json::parse(readFile(path, 1 << 24)).at("encodings");
}

} // namespace

#define HS_SAME(trace, name, expected, tolerance)                                                  \
    do {                                                                                           \
        const std::string difference_ = difference(*(trace), name, expected, tolerance);           \
        QVERIFY2(difference_.empty(), difference_.c_str());                                        \
    } while (false)

class TstForeignModels : public QObject
{
    Q_OBJECT

private slots:

    void tracesOfModelsWithOneStack_data()
    {
        QTest::addColumn<QString>("name");
        for (const char* name : {"gpt2", "llama", "llama_bf16_sharded", "mistral", "qwen2",
                                 "gpt_neox", "bloom", "bert"})
            QTest::newRow(name) << name;
    }

    void tracesOfModelsWithOneStack()
    {
        QFETCH(QString, name);
        const GoldenFile golden("hf/" + name.toStdString() + ".expected.safetensors");
        const TracePtr trace = traceOf(name, {"--ids", idsOf(golden, "in.ids")});
        QVERIFY(trace);
        const std::int64_t layers = golden.shape("out.attn")[0];
        for (std::int64_t layer = 0; layer < layers; ++layer) {
            const std::string block = fmt::format("blocks.{}.", layer);
            HS_SAME(trace, block + "attn.hook_pattern", part(golden, "out.attn", layer),
                    kAttentions);
            HS_SAME(trace, block + "hook_resid_pre", part(golden, "out.hidden", layer), kOthers);
        }
        const std::string last = name == "bert"
                                     ? fmt::format("blocks.{}.hook_resid_post", layers - 1)
                                     : "ln_final.hook_normalized";
        HS_SAME(trace, last, part(golden, "out.hidden", layers), kOthers);
        HS_SAME(trace, "logits", part(golden, "out.logits", {}), kOthers);
    }

    void tracesOfEncoderDecoders_data()
    {
        QTest::addColumn<QString>("name");
        QTest::newRow("t5") << "t5";
        QTest::newRow("t5_v11") << "t5_v11";
    }

    void tracesOfEncoderDecoders()
    {
        QFETCH(QString, name);
        const GoldenFile golden("hf/" + name.toStdString() + ".expected.safetensors");
        const TracePtr trace = traceOf(name, {"--ids", idsOf(golden, "in.ids"), "--target-ids",
                                              idsOf(golden, "in.decoder_ids")});
        QVERIFY(trace);
        for (std::int64_t layer = 0; layer < golden.shape("out.enc_attn")[0]; ++layer) {
            const std::string encoder = fmt::format("encoder.{}.", layer);
            const std::string decoder = fmt::format("decoder.{}.", layer);
            HS_SAME(trace, encoder + "attn.hook_pattern", part(golden, "out.enc_attn", layer),
                    kAttentions);
            HS_SAME(trace, decoder + "attn.hook_pattern", part(golden, "out.dec_attn", layer),
                    kAttentions);
            HS_SAME(trace, decoder + "cross_attn.hook_pattern",
                    part(golden, "out.cross_attn", layer), kAttentions);
            HS_SAME(trace, encoder + "hook_resid_pre", part(golden, "out.enc_hidden", layer),
                    kOthers);
            HS_SAME(trace, decoder + "hook_resid_pre", part(golden, "out.dec_hidden", layer),
                    kOthers);
        }
        HS_SAME(trace, "logits", part(golden, "out.logits", {}), kOthers);
    }

    void idsAndOffsetsOfTokenizers_data()
    {
        QTest::addColumn<QString>("folder");
        QTest::addColumn<QString>("file");
        QTest::addColumn<QString>("offsets");
        QTest::newRow("bpe") << "bpe"
                             << "tokenizer.json"
                             << "byte_spans";
        QTest::newRow("wordpiece") << "wordpiece"
                                   << "tokenizer.json"
                                   << "byte_offsets";
        QTest::newRow("unigram") << "sentencepiece_unigram"
                                 << "spiece.model"
                                 << "byte_offsets";
        QTest::newRow("bpe of SentencePiece") << "sentencepiece_bpe"
                                              << "spiece.model"
                                              << "byte_offsets";
    }

    void idsAndOffsetsOfTokenizers()
    {
        QFETCH(QString, folder);
        QFETCH(QString, file);
        QFETCH(QString, offsets);
        const Json cases = encodings(folder.toStdString());
        QVERIFY(cases.size() > 200);
        QStringList arguments{"tokenize", "--json", "--tokenizer",
                              path("tokenizers/" + folder + "/" + file)};
        if (file == "spiece.model") // what it was asked for: no marks around the text
            arguments << "--no-special";
        arguments << "--";
        std::vector<const Json*> asked;
        for (const Json& one : cases) {
            const std::string text = one.at("text").get<std::string>();
            if (text.find('\0') != std::string::npos) // no argument can hold it
                continue;
            asked.push_back(&one);
            arguments << asArgument(text);
        }
        const Outcome outcome = runHeadscope(arguments);
        HS_DONE(outcome);
        const std::vector<Json> lines = outcome.jsonLines();
        QCOMPARE(lines.size(), asked.size());
        for (std::size_t index = 0; index < lines.size(); ++index) {
            const std::string what = asked[index]->at("text").dump();
            QVERIFY2(lines[index].at("ids") == asked[index]->at("ids"), what.c_str());
            QVERIFY2(lines[index].at("offsets") == asked[index]->at(offsets.toStdString()),
                     what.c_str());
        }
    }

private:
    static QString path(const QString& below)
    {
        return QString::fromStdString((goldenDir() / below.toStdString()).string());
    }

    TracePtr traceOf(const QString& name, const QStringList& texts)
    {
        const QString out = m_folder.filePath(name + ".safetensors");
        const Outcome outcome =
            runHeadscope(QStringList{"trace", "--model", path("hf/" + name), "--device", "cpu",
                                     "--sites", "*", "--out", out} +
                         texts);
        if (outcome.status != 0) {
            qWarning("%s", outcome.err.constData());
            return nullptr;
        }
        return openTraceFile(out.toStdString()).trace;
    }

    QTemporaryDir m_folder;
};

HEADSCOPE_TEST(TstForeignModels)
#include "tst_foreign_models.moc"
