#include "core/base/error.h"
#include "core/experiments/experiment_catalogue.h"
#include "core/lessons/labs/training/scaling_fits.h"
#include "tests/core/lessons/lab_runs.h"
#include "tests/support/test_program.h"

#include <QTest>

using namespace headscope;
using namespace headscope::test;

namespace {

const LabChart& chartIn(const LabResult& result, std::size_t panel)
{
    return std::get<LabChart>(result.panels.at(panel).plot);
}

const LabTable& tableIn(const LabResult& result, std::size_t panel)
{
    return std::get<LabTable>(result.panels.at(panel).plot);
}

/// ln softmax of each position's logits, and the tokens that follow.
struct Forecast
{
    std::vector<std::vector<double>> logs;
    std::vector<TokenId> targets;
};

Forecast forecast(const std::string& text)
{
    const std::vector<TokenId> ids =
        storyModel().tokenizer->encode("<|endoftext|>" + text, false).ids();
    CpuAttention backend;
    KvCache cache(storyModel().model->config());
    const Tensor logits = storyModel().model->forward(ids, backend, cache);
    Forecast result;
    for (std::size_t i = 0; i + 1 < ids.size(); ++i) {
        const TensorView row = logits.view()[static_cast<std::int64_t>(i)];
        std::vector<double> logs(row.data, row.data + row.shape[0]);
        double sum = 0.0;
        for (const double value : logs)
            sum += std::exp(value);
        for (double& value : logs)
            value -= std::log(sum);
        result.logs.push_back(std::move(logs));
        result.targets.push_back(ids[i + 1]);
    }
    return result;
}

double meanLoss(const Forecast& of, std::size_t ignored, double smoothing)
{
    double sum = 0.0;
    for (std::size_t i = ignored; i < of.logs.size(); ++i) {
        sum -= (1.0 - smoothing) * of.logs[i][static_cast<std::size_t>(of.targets[i])];
        for (const double log : of.logs[i])
            sum -= smoothing / static_cast<double>(of.logs[i].size()) * log;
    }
    return sum / static_cast<double>(of.logs.size() - ignored);
}

/// Adam as its paper writes it, in double, down the lab's valley.
std::pair<double, double> adamEnd(double rate, int steps)
{
    double w[2] = {-4.0, 2.0};
    double m[2] = {0.0, 0.0};
    double v[2] = {0.0, 0.0};
    const double steep[2] = {1.0, 20.0};
    for (int t = 1; t <= steps; ++t)
        for (int i = 0; i < 2; ++i) {
            const double g = steep[i] * (w[i] - 1.0);
            m[i] = 0.9 * m[i] + 0.1 * g;
            v[i] = 0.999 * v[i] + 0.001 * g * g;
            w[i] -= rate * (m[i] / (1.0 - std::pow(0.9, t))) /
                    (std::sqrt(v[i] / (1.0 - std::pow(0.999, t))) + 1e-8);
        }
    return {w[0], w[1]};
}

} // namespace

class TstTrainingLabs : public QObject
{
    Q_OBJECT

private slots:

    void everyLabCanBeDrawnAtAllEndsOfItsControls()
    {
        for (const Lab& lab : labsOf(LabSubject::Training)) {
            QVERIFY2(lab.controls.size() >= 2 && lab.controls.size() <= 4, lab.name.c_str());
            if (lab.isSlow)
                continue;
            for (const LabControl& control : lab.controls) {
                std::vector<std::string> values = control.choices;
                if (control.kind == LabControl::Kind::Number)
                    values = {std::to_string(control.low), std::to_string(control.high)};
                for (const std::string& value : values) {
                    const LabResult result =
                        runLab(lab.name, {{control.name, value}}, openContext(storyModel()));
                    QVERIFY2(flawOf(lab, result).empty(),
                             (lab.name + " " + value + ": " + flawOf(lab, result)).c_str());
                }
            }
        }
    }

    void anySentenceWillDo()
    {
        LabContext context = openContext(storyModel());
        for (const std::string& text : {std::string(), std::string(" "), std::string(4000, 'x'),
                                        std::string("\xFF\xFE"), std::string("a")}) {
            context.text = text;
            for (const char* name : {"losses", "masked-words", "pitfalls"})
                QCOMPARE(flawOf(catalogueLab(name), runLab(name, {}, context)), std::string());
            const LabResult leak = runLab("pitfalls", {{"pitfall", "mask"}}, context);
            QCOMPARE(flawOf(catalogueLab("pitfalls"), leak), std::string());
        }
        context.text = "a";
        QCOMPARE(runLab("losses", {{"ignored", "10"}}, context).number("targets").value, 1.0);
    }

    void r4NoamPeaksWhereTheCurriculumSays()
    {
        const LabResult result = runLab("schedules");
        QVERIFY(near(result.number("noam_peak").value, 6.98771e-4, 5e-10));
        QCOMPARE(result.number("noam_peak_step").value, 4000.0);
        const LabChart::Series& noam = chartIn(result, 0).series.at(0);
        for (std::size_t i = 0; i < noam.x.size(); ++i) {
            const double s = noam.x[i];
            const double rate =
                std::min(std::pow(s, -0.5), s * std::pow(4000.0, -1.5)) / std::sqrt(512.0);
            QVERIFY(near(noam.y[i], rate, 1e-12));
        }
    }

    void r4TheCosineClimbsInALineAndEndsAtZero()
    {
        const LabResult result = runLab("schedules", {{"warmup", "1000"}, {"peak", "0.001"}});
        const LabChart::Series& cosine = chartIn(result, 0).series.at(1);
        for (std::size_t i = 0; i < cosine.x.size(); ++i) {
            const double s = cosine.x[i] - 1.0;
            const double rate = s < 1000.0
                                    ? 0.001 * s / 1000.0
                                    : 0.0005 * (1.0 + std::cos(M_PI * (s - 1000.0) / 19000.0));
            QVERIFY(near(cosine.y[i], rate, 1e-12));
        }
        QCOMPARE(result.number("cosine_peak").value, 0.001);
        QCOMPARE(result.number("cosine_peak_step").value, 1001.0);
        QVERIFY(result.number("cosine_last").value < 1e-10);
    }

    void r1TheLossIsTheMeanOfMinusLnOfTheRightTokens()
    {
        const LabResult result = runLab("losses", {}, openContext(storyModel()));
        const Forecast of = forecast("The cat sat on the mat");
        const double loss = meanLoss(of, 0, 0.0);
        QVERIFY(near(result.number("mean_loss").value, loss, 1e-4));
        QCOMPARE(result.number("perplexity").value, std::exp(result.number("mean_loss").value));
        QCOMPARE(result.number("targets").value, 6.0);
        QCOMPARE(of.targets.size(), std::size_t{6});
        QCOMPARE(result.number("ignored").value, 1.0); // nothing follows the last token
    }

    void r1IgnoredTargetsAddNothing()
    {
        const LabResult result = runLab("losses", {{"ignored", "3"}}, openContext(storyModel()));
        const Forecast of = forecast("The cat sat on the mat");
        QVERIFY(near(result.number("mean_loss").value, meanLoss(of, 3, 0.0), 1e-4));
        QCOMPARE(result.number("targets").value, static_cast<double>(of.targets.size() - 3));
        QCOMPARE(tableIn(result, 0).rows.at(0).at(3), std::string("ignored (−100)"));
    }

    void r1TeacherForcingReadsTheRightWords()
    {
        const LabResult result = runLab("losses", {}, openContext(storyModel()));
        const auto& rows = tableIn(result, 0).rows;
        for (std::size_t i = 0; i + 1 < rows.size(); ++i)
            QCOMPARE(rows[i].at(1), rows[i + 1].at(0));
    }

    void r3LabelSmoothingSpreadsATenthOverAllTokens()
    {
        const LabResult result =
            runLab("losses", {{"smoothing", "0.1"}}, openContext(storyModel()));
        const Forecast of = forecast("The cat sat on the mat");
        QVERIFY(near(result.number("smoothed_loss").value, meanLoss(of, 0, 0.1), 1e-3));
        const auto& wanted = std::get<LabBars>(result.panels.at(2).plot);
        const double vocabulary = result.number("vocabulary").value;
        QVERIFY(near(wanted.bars[0].value + (vocabulary - 1.0) * wanted.bars[1].value, 1.0, 1e-9));
    }

    void r2FifteenPercentAreChosenEightyTenTen()
    {
        const LabResult result = runLab("masked-words");
        QVERIFY(near(result.number("chosen_percent").value, 15.0, 1.0));
        QVERIFY(near(result.number("masked_percent").value, 80.0, 1.5));
        QVERIFY(near(result.number("replaced_percent").value, 10.0, 1.5));
        QVERIFY(near(result.number("kept_percent").value, 10.0, 1.5));
        QVERIFY(near(runLab("masked-words", {{"share", "40"}}).number("chosen_percent").value, 40.0,
                     1.0));
    }

    void r2OnlyTheChosenHaveALoss()
    {
        bool sawMask = false;
        for (const char* draw : {"1", "2", "3", "4", "5"}) {
            const LabResult result = runLab("masked-words", {{"draw", draw}, {"share", "30"}});
            const auto& rows = std::get<LabTokens>(result.panels.at(0).plot).rows;
            double chosen = 0.0;
            for (std::size_t i = 0; i < rows[0].tokens.size(); ++i) {
                const bool isChosen = rows[0].tokens[i].isNew;
                chosen += isChosen ? 1.0 : 0.0;
                sawMask = sawMask || rows[0].tokens[i].text == "[MASK]";
                if (rows[0].tokens[i].text == "[MASK]")
                    QVERIFY(isChosen);
            }
            QCOMPARE(chosen, result.number("chosen").value);
            for (const std::size_t row : {1u, 2u, 3u})
                QCOMPARE(static_cast<double>(rows.at(row).tokens.size()), chosen);
            for (const LabTokens::Token& target : rows[1].tokens)
                QVERIFY(target.id >= 0 && target.text != "[MASK]");
            QVERIFY(chosen >= 1.0);
        }
        QVERIFY(sawMask);
    }

    /// The predictions are those of a forward pass of the encoder over [CLS] input [SEP].
    void r2TheEncoderPredictsTheSelectedTokens()
    {
        const LoadedModel model = shippedModel("builtin:sentences");
        const Tokenizer& tokenizer = *model.tokenizer;
        const LabResult result = runLab("masked-words", {{"draw", "3"}, {"share", "30"}});
        const auto& rows = std::get<LabTokens>(result.panels.at(0).plot).rows;
        std::vector<TokenId> ids{*tokenizer.find("[CLS]")};
        for (const auto& token : rows.at(0).tokens)
            ids.push_back(static_cast<TokenId>(token.id));
        ids.push_back(*tokenizer.find("[SEP]"));
        CpuAttention backend;
        KvCache cache(model.model->config());
        const Tensor logits = model.model->forward(ids, backend, cache);
        double right = 0.0;
        std::size_t selected = 0;
        for (std::size_t i = 0; i < rows[0].tokens.size(); ++i) {
            if (!rows[0].tokens[i].isNew)
                continue;
            const TensorView row = logits.view()[static_cast<std::int64_t>(i) + 1];
            const auto best = std::max_element(row.data, row.data + row.shape[0]) - row.data;
            QCOMPARE(rows.at(2).tokens.at(selected).id, best);
            right += best == rows.at(1).tokens.at(selected++).id ? 1.0 : 0.0;
        }
        QCOMPARE(valueOf(result, "right"), right);
        QVERIFY(valueOf(result, "held_out_targets") > 500.0);
        QVERIFY(valueOf(result, "held_out_right") > 50.0);
        QVERIFY(valueOf(result, "held_out_pairs_right") > 75.0);
    }

    void r2HalfOfThePairsFollow()
    {
        double follows = 0.0;
        for (int draw = 1; draw <= 50; ++draw) {
            const LabResult result = runLab("masked-words", {{"draw", std::to_string(draw)}});
            const auto& row = std::get<LabTokens>(result.panels.at(2).plot).rows.front();
            QCOMPARE(row.tokens.front().text, std::string("[CLS]"));
            QCOMPARE(row.tokens.back().text, std::string("[SEP]"));
            follows += result.number("follows").value;
        }
        QVERIFY2(follows > 15.0 && follows < 35.0, std::to_string(follows).c_str());
    }

    void r2TheLossOfAnAnswerIsThatOfItsTokensAfterTheSource()
    {
        const LoadedModel model = shippedModel("builtin:dates");
        const LabResult result = runLab("answer-loss");
        CpuAttention backend;
        KvCache cache(model.model->config());
        std::vector<TokenId> source = model.tokenizer->encode("march 5, 1987").ids();
        std::vector<TokenId> inputs{*model.tokenizer->find("<bos>")};
        std::vector<TokenId> targets;
        for (const TokenId id : model.tokenizer->encode("1987-03-05", false).ids()) {
            inputs.push_back(id);
            targets.push_back(id);
        }
        targets.push_back(*model.tokenizer->find("<eos>"));
        model.model->encode(source, backend, cache);
        const Tensor logits = model.model->forward(inputs, backend, cache);
        double loss = 0.0;
        for (std::size_t i = 0; i < targets.size(); ++i) {
            const TensorView row = logits.view()[static_cast<std::int64_t>(i)];
            double sum = 0.0;
            for (std::int64_t token = 0; token < row.shape[0]; ++token)
                sum += std::exp(static_cast<double>(row(token)));
            loss += (std::log(sum) - static_cast<double>(row(targets[i]))) /
                    static_cast<double>(targets.size());
        }
        QCOMPARE(result.number("targets").value, 11.0);
        QVERIFY(near(result.number("mean_loss").value, loss, 1e-5));
        QVERIFY(result.number("mean_loss").value < 0.1);
        const LabResult wrong = runLab("answer-loss", {{"answer", "1987-03-06"}});
        QVERIFY(wrong.number("mean_loss").value > 10.0 * result.number("mean_loss").value);
        QVERIFY_EXCEPTION_THROWN(runLab("answer-loss", {{"answer", std::string(500, '1')}}), Error);
        QVERIFY_EXCEPTION_THROWN(runLab("answer-loss", {{"source", ""}}), Error);
    }

    void r3EachOptimizerTakesTheStepsOfItsPaper()
    {
        const LabResult result = runLab("optimizers");
        QVERIFY(
            near(result.number("sgd_first").value, 0.08 * result.number("first_norm").value, 1e-5));
        QVERIFY(near(result.number("adam_first").value, 0.08 * std::sqrt(2.0), 1e-5));
        QVERIFY(near(result.number("first_norm").value, std::hypot(5.0, 20.0), 1e-9));
        QVERIFY(near(result.number("sgd_x").value, 1.0 - 5.0 * std::pow(0.92, 100), 1e-4));
        const auto [x, y] = adamEnd(0.08, 100);
        QVERIFY(near(result.number("adam_x").value, x, 2e-3));
        QVERIFY(near(result.number("adam_y").value, y, 2e-3));
        QCOMPARE(result.number("adam_x").value, result.number("adamw_x").value); // no decay
    }

    void r3DecayOfAdamWStandsBesideTheGradient()
    {
        const LabResult result = runLab("optimizers", {{"decay", "0.5"}});
        const auto& first = tableIn(result, 2).rows.at(1);
        // w (1 - rate decay) - rate sign(g), and Adam's step without the factor
        QCOMPARE(first.at(3), std::string("-3.760, 1.840"));
        QCOMPARE(first.at(2), std::string("-3.920, 1.920"));
        QVERIFY(result.number("adam_x").value != result.number("adamw_x").value);
    }

    void r3ClippingShortensTheStep()
    {
        const LabResult result = runLab("optimizers", {{"clip", "1"}});
        QVERIFY(near(result.number("clip_factor").value, 1.0 / std::hypot(5.0, 20.0), 1e-6));
        QVERIFY(near(result.number("sgd_first").value, 0.08, 1e-5));
    }

    void r3TooLargeARateIsSaidNotDrawn()
    {
        const LabResult result = runLab("optimizers", {{"rate", "1"}});
        QVERIFY(result.sentence.starts_with("SGD diverges"));
        QVERIFY(std::isfinite(result.number("sgd_loss").value));
    }

    void r6ALineThroughTheLossesOfSeveralSizes()
    {
        LabContext context = labContext();
        double last = 0.0;
        context.progress = [&](double fraction) { last = std::max(last, fraction); };
        const LabResult result = runLab("scaling", {{"sizes", "3"}, {"steps", "20"}}, context);
        QCOMPARE(flawOf(catalogueLab("scaling"), result), std::string());
        QVERIFY(last > 0.5);
        const LabChart& chart = chartIn(result, 0);
        QVERIFY(chart.isLogX && chart.isLogY);
        const LabChart::Series& measured = chart.series.at(0);
        const LabChart::Series& law = chart.series.at(1);
        QCOMPARE(measured.x.size(), std::size_t{3});
        QVERIFY(measured.y.front() > measured.y.back());
        for (std::size_t i = 0; i < law.x.size(); ++i)
            QVERIFY(near(law.y[i],
                         result.number("floor").value +
                             result.number("factor").value *
                                 std::pow(law.x[i], -result.number("exponent").value),
                         1e-9));
        QVERIFY(near(law.y.front(), measured.y.front(), 0.1));
        QVERIFY(near(law.y.back(), measured.y.back(), 0.1));
        std::stop_source source;
        source.request_stop();
        const Lab& lab = catalogueLab("scaling");
        QVERIFY_EXCEPTION_THROWN(lab.run(LabSettings(lab.controls), context, source.get_token()),
                                 Cancelled);
    }

    /// Points of each law, and its straight exponent, from losses of a known form.
    void r6LawsAreFittedToTheirOwnPoints()
    {
        std::vector<ScalingPoint> trained;
        for (const double n : {1e4, 1e5, 1e6})
            trained.push_back({"", n, 1e6, 3.0 * std::pow(n, -0.1)});
        for (const double d : {1e5, 1e4})
            trained.push_back({"", 1e6, d, 3.0 * std::pow(1e6, -0.1) * std::pow(d / 1e6, -0.2)});
        const auto size = scalingPoints(trained, ScalingLaw::Size);
        QCOMPARE(size.size(), std::size_t{3});
        QVERIFY(near(straightExponent(size), 0.1, 1e-12));
        const auto data = scalingPoints(trained, ScalingLaw::Data);
        QCOMPARE(data.size(), std::size_t{3});
        QCOMPARE(data.front().size, 1e4);
        QVERIFY(near(straightExponent(data), 0.2, 1e-12));
        for (const PowerLawPoint& point : scalingPoints(trained, ScalingLaw::Compute))
            for (const ScalingPoint& other : trained)
                QVERIFY(other.compute() >= point.size || other.loss > point.loss);
        QVERIFY(near(publishedExponents(ScalingLaw::Compute).hoffmann, 0.34 * 0.28 / 0.62, 1e-12));
    }

    /// The paper's own estimate: 3.5 days of eight P100 at 9.5 TFLOP/s are 2.3e19 FLOP.
    void x3TheRunOf2017IsArithmetic()
    {
        std::vector<double> progress;
        LabContext context = labContext();
        context.progress = [&](double done) { progress.push_back(done); };
        const LabResult big = runLab("paper-run", {}, context);
        QVERIFY(progress.size() > 2 && std::ranges::is_sorted(progress));
        QCOMPARE(progress.back(), 1.0);
        QCOMPARE(flawOf(catalogueLab("paper-run"), big), std::string());
        QVERIFY(near(big.number("flop_available").value, 84.0 * 3600 * 8 * 9.5e12, 1e10));
        QVERIFY(
            near(big.number("flop_paper").value / big.number("flop_available").value, 1.0, 0.01));
        QVERIFY(near(big.number("parameters").value / 1e6, 213.0, 3.0)); // table 3
        QCOMPARE(big.number("tokens").value, 2.0 * 3e5 * 25000);
        const double hours = big.number("flop").value / big.number("rate_here").value / 3600.0;
        QVERIFY(near(big.number("hours_here").value / hours, 1.0, 1e-9));
        QVERIFY(big.number("hours_here").isMeasured && big.number("rate_here").value > 1e7);
        const LabResult base = runLab("paper-run", {{"model", "base"}, {"machines", "10"}});
        QVERIFY(
            near(base.number("flop_paper").value / base.number("flop_available").value, 1.0, 0.01));
        QVERIFY(base.number("flop").value < big.number("flop").value / 5.0);
    }

    void p1m7WithoutTheMaskEarlierWordsKnowLaterOnes()
    {
        const LabResult result =
            runLab("pitfalls", {{"pitfall", "mask"}}, openContext(storyModel()));
        QVERIFY(result.number("broken").value > 0.01);
        QCOMPARE(result.number("fixed").value, 0.0);
    }

    void p2WithoutPositionsOrderDoesNotMatter()
    {
        const LabResult result = runLab("pitfalls", {{"pitfall", "positions"}});
        QVERIFY(result.number("broken").value < 1e-5);
        QVERIFY(result.number("fixed").value > 1e-3);
    }

    void p3WithoutWarmupTheFirstUpdatesAreFullSize()
    {
        const LabResult result = runLab("pitfalls", {{"pitfall", "warmup"}});
        QVERIFY(near(result.number("rate_broken").value, 0.003, 1e-5));
        QVERIFY(near(result.number("rate_fixed").value, 0.003 * 4.5 / 200.0, 1e-9));
        QVERIFY(result.number("moved_broken").value > 3.0 * result.number("moved_fixed").value);
        const bool overshoots =
            result.number("broken").value >
            std::max(result.number("loss_before").value, result.number("fixed").value);
        QCOMPARE(result.sentence.find("overshoot") != std::string::npos, overshoots);
        QCOMPARE(runLab("pitfalls", {{"pitfall", "warmup"}}).number("broken").value,
                 result.number("broken").value);
    }

    void p4UnscaledScoresSaturateAndOverflow()
    {
        const LabResult large = runLab("pitfalls", {{"pitfall", "scale"}, {"size", "2048"}});
        QVERIFY(large.number("broken").value > 0.9);
        QVERIFY(large.number("fixed").value < 0.3);
        QVERIFY(large.number("largest_score").value > 88.8);
        QVERIFY(large.number("nan_percent").value > 1.0);
        QCOMPARE(large.number("nan_percent_stable").value, 0.0);
        QVERIFY(large.sentence.find("overflows") != std::string::npos);
        QVERIFY(large.number("slope_broken").value < 0.5 * large.number("slope_fixed").value);
        QVERIFY(large.sentence.find("vanishes") != std::string::npos);
        const LabResult small = runLab("pitfalls", {{"pitfall", "scale"}, {"size", "16"}});
        QCOMPARE(small.number("nan_percent").value, 0.0);
        QVERIFY(small.number("broken").value < large.number("broken").value);
        QVERIFY(small.number("slope_broken").value > large.number("slope_broken").value);
    }

    void p5WithoutTheRootOfDWordsAreDrowned()
    {
        const LabResult result = runLab("pitfalls", {{"pitfall", "embedding"}, {"size", "256"}});
        QVERIFY(result.number("broken").value < 0.2);
        QVERIFY(near(result.number("fixed").value / result.number("broken").value, 16.0, 1e-3));
    }

    void eachPitfallNamesItsExperiment()
    {
        const LabResult result = runLab("pitfalls");
        const auto& rows = tableIn(result, 1).rows;
        QCOMPARE(rows.size(), std::size_t{5});
        for (const auto& row : rows) {
            const auto all = experimentCatalogue();
            const auto found = std::ranges::find(all, row.back(), &Experiment::title);
            QVERIFY(found != all.end());
            QVERIFY(found->row.find(row.front()) != std::string::npos);
        }
        for (const char* name : {"mask-missing", "positions-missing", "post-norm-warmup",
                                 "score-scale", "embedding-scale"})
            QVERIFY(!catalogueExperiment(name).variants.empty());
    }
};

HEADSCOPE_TEST(TstTrainingLabs)
#include "tst_training_labs.moc"
