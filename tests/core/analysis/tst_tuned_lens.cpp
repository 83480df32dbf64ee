// labels: threads
#include "core/analysis/lens/tuned_lens.h"

#include "core/analysis/lens/tuned_lens_file.h"
#include "core/analysis/lens/tuned_lens_texts.h"
#include "core/analysis/lens/tuned_lens_training.h"
#include "core/base/error.h"
#include "core/base/random.h"
#include "core/io/safetensors/safetensors_writer.h"
#include "tests/support/numeric_gradient.h"
#include "tests/support/qt_under_tsan.h"
#include "tests/support/small_models.h"
#include "tests/support/stored_weights.h"
#include "tests/support/test_program.h"
#include "tests/support/traced_kinds.h"

#include <QTemporaryDir>
#include <QTest>

#include <filesystem>
#include <fstream>
#include <numeric>

using namespace headscope;
using namespace headscope::test;

Q_DECLARE_METATYPE(headscope::ModelConfig)

namespace {

void disturb(TunedLens::Map& map, std::uint64_t seed)
{
    Random random(seed);
    for (float& weight : map.weight.values())
        weight = static_cast<float>(0.1 * random.normal());
    for (float& bias : map.bias.values())
        bias = static_cast<float>(0.1 * random.normal());
}

std::vector<SourceAndTarget> manyTexts(const ModelConfig& config, std::uint64_t count)
{
    std::vector<SourceAndTarget> texts;
    for (std::uint64_t seed = 0; seed < count; ++seed)
        texts.push_back(randomTexts(config, 50 + seed, 12));
    return texts;
}

double meanOf(const std::vector<double>& values)
{
    return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

bool sameMaps(const TunedLens& a, const TunedLens& b)
{
    for (std::size_t stage = 0; stage < a.maps.size(); ++stage)
        if (!std::ranges::equal(a.maps[stage].weight.values(), b.maps[stage].weight.values()) ||
            !std::ranges::equal(a.maps[stage].bias.values(), b.maps[stage].bias.values()))
            return false;
    return a.maps.size() == b.maps.size();
}

TunedLensSettings shortTraining()
{
    TunedLensSettings settings;
    settings.steps = 12;
    settings.batch = 16;
    return settings;
}

/// "" when it is read; else what it is refused with.
std::string refusal(const std::filesystem::path& path, const Model& model)
{
    try {
        loadTunedLens(path, model);
        return {};
    } catch (const FormatError& error) {
        return error.what();
    }
}

} // namespace

class TstTunedLens : public QObject
{
    Q_OBJECT

private slots:
    void itBeginsAsTheLogitLens_data();
    void itBeginsAsTheLogitLens();

    void gradientsAreThoseOfDifferences_data() { itBeginsAsTheLogitLens_data(); }

    void gradientsAreThoseOfDifferences();
    void theDivergenceFallsOnHeldOutText();
    void aSeedGivesTheSameNumbers();
    void trainingCanBeStopped();
    void tooLittleTextIsRefused();

    void heldOutTextIsMeasuredWhole();
    void everyThirdTextBeginsWithNothing();
    void largeModelsLearnFromLess();

    void theModelWritesItsOwnTexts_data() { itBeginsAsTheLogitLens_data(); }

    void theModelWritesItsOwnTexts();
    void aFileComesBack();
    void aFileOfOtherWeightsIsRefused();
    void aDamagedFileIsRefused();
    void storedWeightsHaveTheSameFingerprint();
    void aFileLiesBesideItsModelOrWithTheUser();
};

void TstTunedLens::itBeginsAsTheLogitLens_data()
{
    QTest::addColumn<ModelConfig>("config");
    for (const auto& [name, config] : tracedKinds())
        if (config.languageHead && config.layers > 0)
            QTest::newRow(name.c_str()) << config;
}

void TstTunedLens::itBeginsAsTheLogitLens()
{
    QFETCH(ModelConfig, config);
    const LoadedModel model = kindModel(config);
    const TracePtr trace = freshTrace(model, randomTexts(config, 3, 6));
    StreamLensOptions options;
    const StreamLens plain = streamLens(*model.model, *trace, options);
    TunedLens tuned = untrainedLens(*model.model);
    options.tuned = &tuned;
    const StreamLens untrained = streamLens(*model.model, *trace, options);
    QCOMPARE(untrained.ids, plain.ids);
    QCOMPARE(untrained.divergences, plain.divergences);
    QCOMPARE(untrained.entropies, plain.entropies);
    for (TunedLens::Map& map : tuned.maps)
        disturb(map, 5);
    const StreamLens disturbed = streamLens(*model.model, *trace, options);
    QVERIFY(disturbed.divergences != plain.divergences);
    for (int row = 0; row < plain.rows(); ++row)
        QCOMPARE(disturbed.entropies[plain.at(row, plain.stageCount() - 1)],
                 plain.entropies[plain.at(row, plain.stageCount() - 1)]);
    tuned.stages.erase(tuned.stages.begin());
    tuned.maps.erase(tuned.maps.begin());
    QVERIFY_THROWS_EXCEPTION(Error, streamLens(*model.model, *trace, options));
}

void TstTunedLens::gradientsAreThoseOfDifferences()
{
    QFETCH(ModelConfig, config);
    const LoadedModel model = kindModel(config);
    const TracePtr trace = freshTrace(model, randomTexts(config, 3, 4));
    const LensHead head(*model.model);
    const std::vector<LensStage> stages = lensStages(config);
    const auto stream = trace->find(stages[stages.size() / 2].key);
    const auto logits = trace->find({Site::Logits, 0});
    TunedLens::Map map = untrainedLens(*model.model).maps.front();
    disturb(map, 9);
    TunedLens::Map gradient{Tensor(map.weight.shape()), Tensor(map.bias.shape())};
    const double loss = tunedLensLoss(head, map, stream->view(), logits->view(), &gradient);
    QVERIFY(loss > 0.0);
    const auto value = [&] {
        return tunedLensLoss(head, map, stream->view(), logits->view(), nullptr);
    };
    const auto some = static_cast<std::size_t>(config.dModel);
    HS_COMPARE_GRADIENT(value, map.bias.values(), gradient.bias.values());
    HS_COMPARE_GRADIENT(value, map.weight.values().first(some),
                        std::as_const(gradient.weight).values().first(some));
    HS_COMPARE_GRADIENT(value, map.weight.values().last(some),
                        std::as_const(gradient.weight).values().last(some));
}

void TstTunedLens::theDivergenceFallsOnHeldOutText()
{
    const LoadedModel model = smallModel();
    TunedLensSettings settings;
    settings.steps = 150;
    std::int64_t steps = 0;
    const TunedLens lens =
        trainTunedLens(model, manyTexts(model.model->config(), 100), settings,
                       [&steps](const TunedLensReport& report) { steps = report.step; });
    QCOMPARE(steps, settings.steps);
    QCOMPARE(lens.steps, settings.steps);
    QCOMPARE(lens.before.size(), lens.stages.size());
    QVERIFY(lens.heldOutTokens > 100);
    for (std::size_t stage = 0; stage < lens.stages.size(); ++stage)
        QVERIFY2(lens.after[stage] < 0.9 * lens.before[stage],
                 qPrintable(QStringLiteral("stage %1: %2 to %3")
                                .arg(stage)
                                .arg(lens.before[stage])
                                .arg(lens.after[stage])));
    QVERIFY(meanOf(lens.after) < 0.6 * meanOf(lens.before));
}

void TstTunedLens::aSeedGivesTheSameNumbers()
{
    const LoadedModel model = smallModel();
    const auto texts = manyTexts(model.model->config(), 8);
    TunedLensSettings settings = shortTraining();
    const TunedLens first = trainTunedLens(model, texts, settings);
    QCOMPARE(first.tokens, 7 * first.heldOutTokens); // every fifth of 8 texts is held out
    QVERIFY(sameMaps(first, trainTunedLens(model, texts, settings)));
    settings.seed = 2;
    QVERIFY(!sameMaps(first, trainTunedLens(model, texts, settings)));
}

void TstTunedLens::trainingCanBeStopped()
{
    const LoadedModel model = smallModel();
    std::stop_source stop;
    std::int64_t reached = 0;
    const auto train = [&] {
        trainTunedLens(
            model, manyTexts(model.model->config(), 8), shortTraining(),
            [&](const TunedLensReport& report) {
                reached = report.step;
                if (report.step == 3)
                    stop.request_stop();
            },
            stop.get_token());
    };
    QVERIFY_THROWS_EXCEPTION(Cancelled, train());
    QCOMPARE(reached, std::int64_t{3});
}

/// Whether or not the held-out positions are whole batches.
void TstTunedLens::heldOutTextIsMeasuredWhole()
{
    const LoadedModel model = smallModel();
    const auto texts = manyTexts(model.model->config(), 20); // 12 tokens each
    TunedLensSettings settings;
    settings.steps = 0;
    settings.heldOutTokens = 32;
    const auto measured = [&](std::int64_t batch) {
        settings.batch = batch;
        return trainTunedLens(model, texts, settings).before;
    };
    const std::vector<double> whole = measured(32);
    for (const std::int64_t batch : {16, 7, 100}) {
        const std::vector<double> parts = measured(batch);
        for (std::size_t stage = 0; stage < whole.size(); ++stage)
            QVERIFY(std::abs(parts.at(stage) - whole[stage]) < 1e-6);
    }
}

void TstTunedLens::everyThirdTextBeginsWithNothing()
{
    const LoadedModel model = smallModel();
    TunedLensSettings settings;
    settings.tokens = 3000;
    QVERIFY(!lensTexts(model, {}, settings).empty());
    const SourceAndTarget given = randomTexts(model.model->config(), 3, 12);
    const auto texts = lensTexts(model, {given}, settings);
    const auto begun = std::ranges::count_if(texts, [&](const SourceAndTarget& text) {
        return text.target.ids().front() == given.target.ids().front();
    });
    const double fraction = static_cast<double>(begun) / static_cast<double>(texts.size());
    QVERIFY(texts.size() > 50);
    QVERIFY2(fraction > 0.5 && fraction < 0.8, qPrintable(QString::number(fraction)));
}

void TstTunedLens::tooLittleTextIsRefused()
{
    const LoadedModel model = smallModel();
    QVERIFY_THROWS_EXCEPTION(
        Error, trainTunedLens(model, manyTexts(model.model->config(), 1), shortTraining()));
    QVERIFY_THROWS_EXCEPTION(Error, trainTunedLens(model, {}, shortTraining()));
    ModelConfig config = smallConfig();
    config.languageHead = false;
    QVERIFY_THROWS_EXCEPTION(
        Error, trainTunedLens(smallModel(1, config), manyTexts(config, 8), shortTraining()));
}

void TstTunedLens::largeModelsLearnFromLess()
{
    ModelConfig config = smallConfig();
    const TunedLensSettings little = tunedLensSettings(Model::initialised(config, 1));
    QCOMPARE(little.batch, std::int64_t{64});
    config.vocabularySize = 200'000;
    config.dModel = 128;
    const Model large(config, ParameterSet(config));
    const TunedLensSettings settings = tunedLensSettings(large);
    QVERIFY(settings.batch < 64 && settings.batch >= 4);
    QVERIFY(settings.tokens < little.tokens && settings.heldOutTokens < little.heldOutTokens);
}

void TstTunedLens::theModelWritesItsOwnTexts()
{
    QFETCH(ModelConfig, config);
    const LoadedModel model = kindModel(config);
    TunedLensSettings settings;
    settings.tokens = 120;
    const std::vector<SourceAndTarget> given{randomTexts(config, 3, 6)};
    std::int64_t reported = 0;
    const auto texts = lensTexts(model, given, settings,
                                 [&reported](std::int64_t done, std::int64_t) { reported = done; });
    QCOMPARE(reported, settings.tokens);
    QVERIFY(texts.size() > 2);
    std::int64_t tokens = 0;
    for (const SourceAndTarget& text : texts) {
        tokens += static_cast<std::int64_t>(text.target.size());
        QVERIFY(text.target.size() >= 1);
        QVERIFY(static_cast<std::int64_t>(text.target.size()) <= config.maxLen);
        QCOMPARE(text.source.size() > 0, hasTwoStacks(config));
        for (const TokenId id : text.target.ids())
            QVERIFY(id >= 0 && id < config.vocabularySize);
    }
    QVERIFY(tokens >= settings.tokens);
    const auto again = lensTexts(model, given, settings);
    for (std::size_t i = 0; i < texts.size(); ++i)
        QCOMPARE(again[i].target.ids(), texts[i].target.ids());
    QVERIFY(trainTunedLens(model, texts, shortTraining()).steps == 12);
}

void TstTunedLens::aFileComesBack()
{
    const QTemporaryDir folder;
    const auto path = std::filesystem::path(folder.path().toStdString()) / "lens.safetensors";
    const LoadedModel model = smallModel();
    const TunedLens lens =
        trainTunedLens(model, manyTexts(model.model->config(), 8), shortTraining());
    saveTunedLens(path, lens, *model.model);
    const TunedLens read = loadTunedLens(path, *model.model);
    QVERIFY(sameMaps(read, lens));
    QCOMPARE(read.stages, lens.stages);
    QCOMPARE(read.before, lens.before);
    QCOMPARE(read.after, lens.after);
    QCOMPARE(read.model, lens.model);
    QCOMPARE(read.steps, lens.steps);
    QCOMPARE(read.seed, lens.seed);
    QCOMPARE(read.tokens, lens.tokens);
    QCOMPARE(read.heldOutTokens, lens.heldOutTokens);
    const auto entries = std::filesystem::directory_iterator(path.parent_path());
    QCOMPARE(std::distance(begin(entries), end(entries)), 1); // no temporary file is left
}

void TstTunedLens::aFileOfOtherWeightsIsRefused()
{
    const QTemporaryDir folder;
    const auto path = std::filesystem::path(folder.path().toStdString()) / "lens.safetensors";
    const LoadedModel model = smallModel();
    saveTunedLens(path, untrainedLens(*model.model), *model.model);
    QVERIFY(refusal(path, *smallModel(2).model).find("other weights") != std::string::npos);
    ModelConfig wider = smallConfig();
    wider.layers += 1;
    QVERIFY(refusal(path, *smallModel(1, wider).model).find("layers is 3, here 4") !=
            std::string::npos);
}

void TstTunedLens::aDamagedFileIsRefused()
{
    const QTemporaryDir folder;
    const auto path = std::filesystem::path(folder.path().toStdString()) / "lens.safetensors";
    const LoadedModel model = smallModel();
    TunedLens lens = untrainedLens(*model.model);
    lens.before = lens.after = std::vector<double>(lens.stages.size(), 1.0);
    saveTunedLens(path, lens, *model.model);
    QCOMPARE(refusal(path, *model.model), std::string());
    lens.maps[1].weight.values()[3] = std::numeric_limits<float>::infinity();
    saveTunedLens(path, lens, *model.model);
    QVERIFY(refusal(path, *model.model).find("not finite") != std::string::npos);
    std::filesystem::resize_file(path, std::filesystem::file_size(path) - 10);
    QVERIFY(!refusal(path, *model.model).empty());
    std::ofstream(path) << "none";
    QVERIFY(!refusal(path, *model.model).empty());
    SafetensorsWriter other;
    other.setMetadata("format", "headscope-trace");
    const Tensor one({1});
    other.add("one", one.view());
    other.write(path);
    QVERIFY(refusal(path, *model.model).find("is not a tuned lens") != std::string::npos);
    std::filesystem::remove(path);
    QVERIFY(!refusal(path, *model.model).empty());
}

void TstTunedLens::storedWeightsHaveTheSameFingerprint()
{
    ModelConfig config = smallConfig();
    config.dModel = 64;
    const std::vector<StoredParameter> parameters = randomStored(config, BlockFormat::Q4_1, 3);
    const Model stored(config, ParameterSet(config, parameters));
    ParameterSet floats(config);
    for (std::size_t i = 0; i < parameters.size(); ++i) {
        const Tensor values = floatsOf(parameters[i]);
        std::ranges::copy(values.values(), floats.view(floats.specs()[i]).data);
    }
    QCOMPARE(weightFingerprint(stored), weightFingerprint(Model(config, floats)));
    const MutableTensorView first = floats.view(floats.specs().front());
    QCOMPARE(first.shape.rank(), 2);
    for (const std::int64_t place : {std::int64_t{0}, first.shape.elementCount() - 1}) {
        const float before = first.data[place];
        first.data[place] += 1.0F;
        QVERIFY(weightFingerprint(stored) != weightFingerprint(Model(config, floats)));
        first.data[place] = before;
    }
}

void TstTunedLens::aFileLiesBesideItsModelOrWithTheUser()
{
    const QTemporaryDir folder;
    const std::filesystem::path root(folder.path().toStdString());
    std::filesystem::create_directories(root / "model");
    std::ofstream(root / "one.gguf") << "weights";
    LoadedModel model = smallModel();
    const TunedLens lens = untrainedLens(*model.model);
    model.name = (root / "model").string();
    QCOMPARE(tunedLensFolders(model, root / "user").beside,
             root / "model" / "tuned-lens.safetensors");
    model.name = (root / "one.gguf").string();
    const TunedLensFolders beside = tunedLensFolders(model, root / "user");
    QCOMPARE(beside.beside, root / "one.tuned-lens.safetensors");
    QVERIFY(!findTunedLens(beside));
    QCOMPARE(keepTunedLens(beside, lens, *model.model), beside.beside);
    QCOMPARE(*findTunedLens(beside), beside.beside);
    model.name = "builtin:repeat";
    const TunedLensFolders own = tunedLensFolders(model, root / "user");
    QVERIFY(own.beside.empty());
    QVERIFY(own.own.filename().string().starts_with("repeat-"));
    QCOMPARE(keepTunedLens(own, lens, *model.model), own.own);
    QCOMPARE(*findTunedLens(own), own.own);
}

HEADSCOPE_TEST(TstTunedLens)
#include "tst_tuned_lens.moc"
