#include "core/base/error.h"
#include "core/lessons/labs/lab_parts.h"
#include "core/lessons/labs/models/known_models.h"
#include "core/model/config/size_report.h"
#include "tests/core/lessons/lab_runs.h"
#include "tests/support/test_program.h"

#include <fmt/format.h>

#include <QTest>

#include <set>

using namespace headscope;
using namespace headscope::test;

namespace {

/// The words beneath each box, by its label.
std::map<std::string, std::string> shapesOf(const LabResult& result)
{
    std::map<std::string, std::string> shapes;
    for (const auto& box : imageIn<LabDiagram>(result, 0).boxes)
        shapes[box.label] = box.words;
    return shapes;
}

std::string flawOfDiagram(const LabDiagram& diagram)
{
    std::set<std::pair<int, int>> places;
    for (const auto& box : diagram.boxes)
        if (!places.insert({box.column, box.level}).second || box.words.empty())
            return "box " + box.label;
    std::set<int> reached;
    for (const auto& [from, to] : diagram.arrows) {
        const auto count = static_cast<int>(diagram.boxes.size());
        if (from < 0 || to < 0 || from >= count || to >= count || from == to)
            return "arrows";
        reached.insert(from);
        reached.insert(to);
    }
    return reached.size() == diagram.boxes.size() ? "" : "a box without arrows";
}

} // namespace

class TstModelsLabs : public QObject
{
    Q_OBJECT

private slots:

    void everyLabCanBeDrawnAtAllItsChoices()
    {
        for (const char* model :
             {"builtin:stories", "builtin:repeat", "builtin:dates", "builtin:sentences"}) {
            const LabContext context = openContext(model, "march 5, 1987");
            for (const Lab& lab : labsOf(LabSubject::Models)) {
                QVERIFY2(lab.controls.size() >= 2 && lab.controls.size() <= 4, lab.name.c_str());
                if (lab.isSlow)
                    continue;
                for (const LabControl& control : lab.controls) {
                    std::vector<std::string> values = control.choices;
                    if (control.kind == LabControl::Kind::Number)
                        values = {fmt::format("{}", control.low), fmt::format("{}", control.high)};
                    for (const std::string& value : values) {
                        const LabResult result = runLab(lab.name, {{control.name, value}}, context);
                        QCOMPARE(flawOf(lab, result), std::string());
                        if (const auto* diagram = std::get_if<LabDiagram>(&result.panels[0].plot))
                            QCOMPARE(flawOfDiagram(*diagram), std::string());
                    }
                }
            }
        }
    }

    void oneBlockOf2017IsWhatB7Says()
    {
        const LabResult result = runLab("parameters", {{"model", "block"}});
        QCOMPARE(valueOf(result, "total"), 3'152'384.0);
        QCOMPARE(valueOf(result, "attention"), 4.0 * (512 * 512 + 512));
        QCOMPARE(valueOf(result, "feed_forward"), 2.0 * 512 * 2048 + 2048 + 512);
        QCOMPARE(valueOf(result, "norms"), 4.0 * 512);
    }

    void miniGptIsWhatB7AndX4Say()
    {
        const LabResult result = runLab("parameters", {{"model", "minigpt"}});
        QCOMPARE(valueOf(result, "total"), 5'394'432.0);
        QCOMPARE(valueOf(result, "besides_vocabulary"), 4'870'144.0);
        QCOMPARE(valueOf(result, "per_word"), 256.0);
        for (const int words : {1, 77, 50257}) {
            const LabSet set{{"model", "minigpt"}, {"vocabulary", fmt::format("{}", words)}};
            QCOMPARE(valueOf(runLab("parameters", set), "total"), 4'870'144.0 + 256.0 * words);
        }
    }

    void publishedModelsAreWhatB7AndX6Say()
    {
        const std::map<std::string, double> totals{{"transformer-base", 63'119'496.0},
                                                   {"gpt2", 124'439'808.0},
                                                   {"gpt3", 174'604'259'328.0},
                                                   {"llama3-8b", 8'030'261'248.0},
                                                   {"llama3-70b", 70'553'706'496.0}};
        const LabResult table = runLab("parameters");
        for (const auto& [model, total] : totals) {
            const LabResult result = runLab("parameters", {{"model", model}});
            QCOMPARE(valueOf(result, "total"), total);
            double parts = 0.0;
            for (const char* part : {"embeddings", "attention", "feed_forward", "norms", "output"})
                parts += valueOf(result, part);
            QCOMPARE(parts, total);
            std::string name = "total_" + model;
            std::ranges::replace(name, '-', '_');
            QCOMPARE(valueOf(table, name.c_str()), total);
        }
        QCOMPARE(valueOf(table, "total_block"), 3'152'384.0);
        QCOMPARE(valueOf(table, "total_minigpt"), 5'394'432.0);
    }

    void keyNumbersAreThoseOfX6()
    {
        const LabResult result = runLab("parameters", {{"model", "gpt3"}});
        const auto& table = imageIn<LabTable>(result, 1);
        const auto rowOf = [&](const std::string& title) {
            const auto row = std::ranges::find_if(
                table.rows, [&](const auto& cells) { return cells.front() == title; });
            return std::vector<std::string>(row->begin() + 1, row->begin() + 4);
        };
        using Row = std::vector<std::string>;
        QCOMPARE(rowOf("GPT-2 small"), (Row{"12", "12", "768"}));
        QCOMPARE(rowOf("GPT-3"), (Row{"96", "96", grouped(12288)}));
        QCOMPARE(rowOf("Llama 3 8B"), (Row{"32", "32", grouped(4096)}));
        QCOMPARE(rowOf("Llama 3 70B"), (Row{"80", "64", grouped(8192)}));
        QCOMPARE(table.rows[static_cast<std::size_t>(table.current)].front(), std::string("GPT-3"));
    }

    void layersAndTiesAreCounted()
    {
        const auto total = [](const LabSet& set) {
            return valueOf(runLab("parameters", set), "total");
        };
        const LabResult gpt2 = runLab("parameters", {{"model", "gpt2"}});
        QCOMPARE(total({{"model", "gpt2"}, {"layers", "13"}}),
                 valueOf(gpt2, "total") + valueOf(gpt2, "block"));
        QCOMPARE(total({{"model", "gpt2"}, {"tied", "off"}}),
                 valueOf(gpt2, "total") + 50257.0 * 768);
        QCOMPARE(total({{"model", "gpt2"}, {"tied", "on"}}), valueOf(gpt2, "total"));
    }

    void encoderSeesEverythingX1()
    {
        const LabResult result = runLab("architectures", {{"kind", "encoder-only"}});
        QCOMPARE(result.panels.size(), std::size_t{2});
        QCOMPARE(valueOf(result, "encoder_cells"), 36.0);
        QCOMPARE(valueOf(result, "decoder_cells"), 0.0);
        const auto shapes = shapesOf(result);
        QCOMPARE(shapes.at("masked words"), std::string("[6, 30522]")); // masked words
        QCOMPARE(shapes.at("next sentence?"), std::string("[1, 2]"));   // next sentence
        QVERIFY(shapes.contains("2 × self-attention"));
    }

    void decoderSeesThePastX2()
    {
        const LabResult result = runLab("architectures", {{"kind", "decoder-only"}});
        QCOMPARE(valueOf(result, "decoder_cells"), 15.0);
        QCOMPARE(valueOf(result, "encoder_cells"), 0.0);
        const auto& matrix = imageIn<LabMatrix>(result, 1);
        for (std::size_t row = 0; row < 5; ++row)
            for (std::size_t column = 0; column < 5; ++column)
                QCOMPARE(matrix.values[row * 5 + column], column <= row ? 1.0 : 0.0);
        QCOMPARE(shapesOf(result).at("next token"), std::string("[5, 50257]"));
        QCOMPARE(valueOf(result, "parameters"), 124'439'808.0);
    }

    void encoderDecoderOf2017IsWhatX3Says()
    {
        const LabResult result = runLab("architectures", {{"kind", "encoder-decoder"}});
        QCOMPARE(valueOf(result, "layers"), 6.0);
        QCOMPARE(valueOf(result, "heads"), 8.0);
        QCOMPARE(valueOf(result, "d_model"), 512.0);
        QCOMPARE(valueOf(result, "d_ff"), 2048.0);
        QCOMPARE(valueOf(result, "parameters"), 63'119'496.0);
        QCOMPARE(valueOf(result, "encoder_cells"), 36.0);
        QCOMPARE(valueOf(result, "decoder_cells"), 15.0);
        QCOMPARE(valueOf(result, "cross_cells"), 30.0);
        const auto& matrix = imageIn<LabMatrix>(result, 2);
        QCOMPARE(matrix.columnLabels.size(), std::size_t{11});
        for (std::size_t row = 0; row < 5; ++row)
            for (std::size_t column = 0; column < 11; ++column)
                QCOMPARE(matrix.values[row * 11 + column], column <= 6 + row ? 1.0 : 0.0);
        const auto shapes = shapesOf(result);
        QCOMPARE(shapes.at("6 × cross-attention"), std::string("weights [8, 5, 6]"));
    }

    void t5HasRelativePositionsX3()
    {
        const auto shapes = shapesOf(runLab("architectures", {{"kind", "t5"}}));
        QVERIFY(shapes.at("embeddings").ends_with("relative positions"));
    }

    void yourModelHasShapesOnEveryPartX5()
    {
        const LabContext context = openContext("builtin:stories");
        const LabResult whole = runLab("your-model", {}, context);
        const int n = static_cast<int>(valueOf(whole, "tokens"));
        QCOMPARE(n, static_cast<int>(context.model.tokenizer->encode(context.text).size()));
        const auto shapes = shapesOf(whole);
        QCOMPARE(shapes.at("tokens"), fmt::format("[{}]", n));
        QCOMPARE(shapes.at("embeddings"), fmt::format("[{}, 128], sines and cosines", n));
        QCOMPARE(shapes.at("4 × masked self-attention"), fmt::format("weights [8, {0}, {0}]", n));
        QCOMPARE(shapes.at("next token"),
                 fmt::format("[{}, {}]", n, context.model.tokenizer->vocabularySize()));
        QCOMPARE(valueOf(whole, "parameters"),
                 static_cast<double>(context.model.model->parameters().parameterCount()));
        QVERIFY(whole.sentence.find("Architecture page") != std::string::npos);
        const auto inside = shapesOf(runLab("your-model", {{"part", "block"}}, context));
        QCOMPARE(inside.at("keys"), fmt::format("[{}, 8, 16]", n));
        QCOMPARE(inside.at("inner layer"), fmt::format("[{}, 512]", n));
    }

    void modelsWithTwoStacksShowBothX5()
    {
        const LabContext context = openContext("builtin:dates", "march 5, 1987");
        const auto shapes = shapesOf(runLab("your-model", {}, context));
        QVERIFY(shapes.contains("source tokens") && shapes.contains("target tokens"));
        QCOMPARE(shapes.at("1 × cross-attention"), std::string("weights [4, 1, 14]"));
    }

    /// Counts as published by the authors or read from their released weights.
    void knownModelsHaveTheirPublishedSizes()
    {
        const std::map<std::string, double> published{
            {"BERT base", 110'106'428.0},       {"GPT-2 small", 124'439'808.0},
            {"T5 base", 222'903'552.0},         {"BLOOM", 176'247'271'424.0},
            {"Llama 2 7B", 6'738'415'616.0},    {"Mistral 7B", 7'241'732'096.0},
            {"Mixtral 8x7B", 46'702'792'704.0}, {"Gemma 2B", 2'506'172'416.0},
            {"Llama 3 8B", 8'030'261'248.0},    {"Llama 3 70B", 70'553'706'496.0}};
        for (const auto& [name, count] : published)
            QVERIFY2(
                near(static_cast<double>(sizeReport(knownModel(name).config).total()), count),
                (name + " " + std::to_string(sizeReport(knownModel(name).config).total())).c_str());
        QVERIFY(near(static_cast<double>(sizeReport(knownModel("PaLM 540B").config).total()) / 1e9,
                     540.0, 1.0));
    }

    void theLatentCacheIsOneVectorPerTokenA8()
    {
        const LabResult result = runLab("variants");
        QCOMPARE(valueOf(result, "mla_per_token"), 60.0 * (512 + 64) * 2);
        QCOMPARE(valueOf(result, "mla_bytes"), 4096.0 * 60 * (512 + 64) * 2);
        QCOMPARE(valueOf(result, "mla_bytes_each"), 4096.0 * 60 * 128 * 128 * 2 * 2);
        QCOMPARE(valueOf(result, "llama_bytes"), 1'342'177'280.0);
        QCOMPARE(valueOf(result, "bert_positions"), 512.0 * 768);
        QCOMPARE(valueOf(result, "sinusoid_positions"), 0.0);
        const auto& table = imageIn<LabTable>(result, 0);
        for (const auto& row : table.rows)
            if (row[0] == "PaLM 540B")
                QCOMPARE(row[2], std::string("MQA"));
    }

    /// 15 % of 64 tokens, all but one, and the half that is the target.
    void objectivesCountWhatIsSeenAndLearnedX1X2X3()
    {
        const LabResult result = runLab("objectives", {{"tokens", "64"}});
        QCOMPARE(valueOf(result, "encoder_sees"), 100.0);
        QCOMPARE(valueOf(result, "decoder_sees"), 100.0 * 65 / 128);
        QCOMPARE(valueOf(result, "both_sees"), 100.0 * (32 + 33 / 2.0) / 64);
        QVERIFY(near(valueOf(result, "encoder_targets"), 0.15 * 64, 0.5));
        QCOMPARE(valueOf(result, "decoder_targets"), 63.0);
        QCOMPARE(valueOf(result, "both_targets"), 32.0);
    }

    void withoutAModelOneSentenceSaysSo()
    {
        try {
            runLab("your-model", {}, LabContext());
            QFAIL("nothing was thrown");
        } catch (const Error& error) {
            QCOMPARE(error.problem(), std::string("no model is open"));
        }
    }
};

HEADSCOPE_TEST(TstModelsLabs)
#include "tst_models_labs.moc"
