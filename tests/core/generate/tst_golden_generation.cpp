// labels: golden
#include "core/attention/cpu_attention.h"
#include "core/base/file.h"
#include "core/base/json_text.h"
#include "core/generate/beam_search.h"
#include "tests/support/hugging_face_model.h"
#include "tests/support/test_program.h"
#include "tests/support/tolerances.h"

#include <QTest>

#include <algorithm>

using namespace headscope;
using namespace headscope::test;

namespace {

using Json = nlohmann::json;
using Ids = std::vector<TokenId>;

constexpr double kBeamScores = 1e-4;

const Json& expectations()
{
    static const Json json = [] {
        const std::filesystem::path path = goldenDir() / "decoding" / "generation.json";
        return parseJson(readFile(path, 1 << 24), path.string());
    }();
    return json;
}

struct Opened
{
    std::shared_ptr<const Model> model;
    Ids source; ///< of an encoder-decoder
    Ids start;
};

Opened open(const std::string& name)
{
    Opened opened;
    opened.model = std::make_shared<const Model>(loadHuggingFaceModel(goldenDir() / "hf" / name));
    opened.start = expectations().at(name).at("prompt").get<Ids>();
    if (opened.model->config().isEncoderDecoder()) {
        opened.source = opened.start;
        opened.start = {0};
    }
    return opened;
}

void addModels()
{
    QTest::addColumn<QString>("name");
    for (const auto& [name, json] : expectations().items())
        if (json.contains("greedy_ids"))
            QTest::newRow(name.c_str()) << QString::fromStdString(name);
}

} // namespace

class TstGoldenGeneration : public QObject
{
    Q_OBJECT

private slots:
    void greedyIdsMatch_data();
    void greedyIdsMatch();
    void beamsMatch_data();
    void beamsMatch();
};

void TstGoldenGeneration::greedyIdsMatch_data()
{
    addModels();
}

void TstGoldenGeneration::greedyIdsMatch()
{
    QFETCH(const QString, name);
    const Opened opened = open(name.toStdString());
    const Json& expected = expectations().at(name.toStdString());
    const auto largest = expected.at("greedy_logits_max").get<std::vector<double>>();
    CpuAttention backend;
    DecodingState state(opened.model, backend, opened.source);
    Ids ids = opened.start;
    for (const double wanted : largest) {
        const Tensor logits = state.logitsAfter(ids);
        const auto best = std::ranges::max_element(logits.values());
        QVERIFY(std::abs(static_cast<double>(*best) - wanted) < 2e-4); // printed with 5 digits
        ids.push_back(static_cast<TokenId>(best - logits.values().begin()));
    }
    QVERIFY(ids == expected.at("greedy_ids").get<Ids>());

    GenerationSettings settings;
    settings.maxTokens = static_cast<std::int64_t>(largest.size());
    settings.sampling.temperature = 0.0;
    LoadedModel loaded;
    loaded.model = opened.model;
    const Ids prompt = expected.at("prompt").get<Ids>();
    QVERIFY(generate(loaded, backend, prompt, settings).ids == ids);
}

void TstGoldenGeneration::beamsMatch_data()
{
    addModels();
}

void TstGoldenGeneration::beamsMatch()
{
    QFETCH(const QString, name);
    const Opened opened = open(name.toStdString());
    CpuAttention backend;
    const DecodingState start(opened.model, backend, opened.source);
    int compared = 0;
    for (const auto& [key, expected] : expectations().at(name.toStdString()).items()) {
        if (!key.starts_with("beam"))
            continue;
        BeamSettings settings;
        settings.beams = expected.at("num_beams").get<int>();
        settings.maxTokens = expected.at("max_new_tokens").get<std::int64_t>();
        settings.lengthPenalty = expected.at("length_penalty").get<double>();
        if (!expected.at("eos").is_null())
            settings.endOfText = expected.at("eos").get<TokenId>();
        const BeamSearch got = beamSearch(start, opened.start, settings);
        const auto sequences = expected.at("sequences").get<std::vector<Ids>>();
        const auto scores = expected.at("scores").get<std::vector<double>>();
        QCOMPARE(got.hypotheses.size(), sequences.size());
        for (std::size_t i = 0; i < sequences.size(); ++i) {
            QVERIFY2(got.hypotheses[i].ids == sequences[i], key.c_str());
            QVERIFY(std::abs(got.hypotheses[i].score - scores[i]) <= kBeamScores);
        }
        ++compared;
    }
    QVERIFY(compared > 0);
}

HEADSCOPE_TEST(TstGoldenGeneration)
#include "tst_golden_generation.moc"
