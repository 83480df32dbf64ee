#include "core/experiments/experiment_catalogue.h"

#include "core/base/error.h"
#include "core/base/json_text.h"

#include <nlohmann/json.hpp>

namespace headscope {

namespace {

using nlohmann::json;

/// A small language model of stories, and a small question of order: each experiment changes them
/// where it must, then one thing more a variant.
constexpr const char* kStories = R"({
    "model": {"d_model": 64, "n_layers": 2, "n_heads": 4, "d_ff": 256, "max_len": 32,
              "positions": "learned", "init_from": "fan_in"},
    "data": {"task": "stories", "bytes": 1500000, "vocab_size": 600, "validation_batches": 8},
    "objective": "causal",
    "optimizer": {"name": "adamw", "lr": 0.003, "beta1": 0.9, "beta2": 0.98,
                  "weight_decay": 0.01, "clip_norm": 1.0},
    "schedule": {"name": "warmup_cosine", "warmup_steps": 50},
    "batch_size": 16, "steps": 600, "seed": 1, "eval_every": 50})";

constexpr const char* kOrder = R"({
    "model": {"d_model": 48, "n_layers": 2, "n_heads": 4, "d_ff": 96, "max_len": 8,
              "causal": false, "init_from": "fan_in"},
    "data": {"task": "order", "validation_batches": 8},
    "objective": "causal",
    "optimizer": {"name": "adamw", "lr": 0.003, "beta1": 0.9, "beta2": 0.98,
                  "weight_decay": 0.01, "clip_norm": 1.0},
    "schedule": {"name": "warmup_cosine", "warmup_steps": 50},
    "batch_size": 32, "steps": 1000, "seed": 1, "eval_every": 50})";

/// The parts that all variants of an experiment share.
json based(const char* base, const char* changes)
{
    json config = json::parse(base);
    config.merge_patch(json::parse(changes));
    return config;
}

void addVariant(Experiment& experiment, const json& base, const char* name, const char* label,
                const char* change)
{
    json config = base;
    config.merge_patch(json::parse(change));
    experiment.variants.push_back(
        {name, label, trainingConfigFromJson(config, experiment.name + "/" + name)});
}

ExperimentPlot layerPlot()
{
    return {"start_gradients",
            "Gradient by layer, before the first update",
            "layer",
            "gradient norm",
            false,
            true};
}

Experiment maskMissing()
{
    Experiment e;
    e.name = "mask-missing";
    e.title = "The mask is missing";
    e.description = "A language model that may look at the next token while it learns to foretell "
                    "it.";
    e.row = "P1, M7";
    e.difference = "the causal mask in training";
    e.measured = "The loss as trained, the loss when only the past can be seen, and how much of "
                 "what it writes the text has.";
    e.measures = {Measure::PrefixLoss, Measure::WrittenText};
    const json base = based(kStories, R"({"model": {"d_model": 96, "d_ff": 384}})");
    addVariant(e, base, "no-mask", "without the mask", R"({"model": {"causal": false}})");
    addVariant(e, base, "mask", "with the mask", "{}");
    return e;
}

Experiment positionsMissing()
{
    Experiment e;
    e.name = "positions-missing";
    e.title = "Positions are missing";
    e.description = "Which symbol of \"k>q\" comes second? Asked of models that see all symbols at "
                    "once.";
    e.row = "P2, O6";
    e.difference = "positions, or the causal mask that tells order too";
    e.measured =
        "The share of right answers on held-out questions; choosing one of the two blindly "
        "gives one half.";
    const json base = based(kOrder, "{}");
    addVariant(e, base, "no-positions", "without positions", R"({"model": {"positions": "none"}})");
    addVariant(e, base, "positions", "with learned positions",
               R"({"model": {"positions": "learned"}})");
    addVariant(e, base, "mask-alone", "without positions, with the causal mask",
               R"({"model": {"positions": "none", "causal": true}})");
    return e;
}

Experiment postNorm()
{
    Experiment e;
    e.name = "post-norm-warmup";
    e.title = "Post-norm without warm-up";
    e.description = "Twelve layers with the norm after each sum, at full learning rate from the "
                    "first step.";
    e.row = "P3";
    e.difference = "200 steps of warm-up";
    e.measured = "Held-out loss, entropy of attention, gradient norm by layer at the start.";
    e.measures = {Measure::StartGradients, Measure::Entropy};
    e.plots = {layerPlot()};
    const json base = based(kStories, R"({"model": {"n_layers": 12, "norm_position": "post"}})");
    addVariant(e, base, "no-warmup", "without warm-up", R"({"schedule": {"warmup_steps": 0}})");
    addVariant(e, base, "warmup", "with 200 steps of warm-up",
               R"({"schedule": {"warmup_steps": 200}})");
    return e;
}

Experiment scoreScale()
{
    Experiment e;
    e.name = "score-scale";
    e.title = "Scores without 1/\u221Ad_k";
    e.description = "Heads of 512 channels whose scores are not divided by the root of d_k.";
    e.row = "P4, A5";
    e.difference = "the factor 1/\u221Ad_k of the scores";
    e.measured = "Gradient norm at the start, entropy of attention, held-out loss, and the softmax "
                 "rows that would be NaN without subtracting the largest score.";
    e.measures = {Measure::StartGradients, Measure::Entropy, Measure::Overflow};
    e.plots = {layerPlot()};
    const json base = based(kStories, R"({"model": {"n_heads": 2, "n_kv_heads": 2, "head_dim": 512},
                                          "steps": 300})");
    addVariant(e, base, "unscaled", "scores as they are", R"({"model": {"scale_scores": false}})");
    addVariant(e, base, "scaled", "scores / \u221Ad_k", R"({"model": {"scale_scores": true}})");
    return e;
}

Experiment embeddingScale()
{
    Experiment e;
    e.name = "embedding-scale";
    e.title = "Embeddings without \u221Ad";
    e.description = "Sinusoidal positions are added to embeddings that are not multiplied by the "
                    "root of the model's width.";
    e.row = "P5, T5";
    e.difference = "the factor \u221Ad of the embeddings";
    e.measured = "How large words are beside positions at the start, and the held-out loss.";
    e.measures = {Measure::WordsToPositions};
    const json base = based(kStories, R"({"model": {"d_model": 128, "d_ff": 512,
                                                    "positions": "sinusoidal"}, "steps": 500})");
    addVariant(e, base, "unscaled", "embeddings as they are",
               R"({"model": {"embedding_scale": 1.0}})");
    addVariant(e, base, "scaled", "embeddings \u00B7 \u221Ad",
               R"({"model": {"embedding_scale": "sqrt"}})");
    return e;
}

Experiment normPosition()
{
    Experiment e;
    e.name = "norm-position";
    e.title = "Norm after or before";
    e.description = "Twelve layers without warm-up, the norm after each sum or before each part.";
    e.row = "B2, P3";
    e.difference = "the place of the norm";
    e.measured = "Gradient norm by layer at the start, and the held-out loss.";
    e.measures = {Measure::StartGradients, Measure::Entropy};
    e.plots = {layerPlot()};
    const json base = based(
        kStories, R"({"model": {"n_layers": 12}, "schedule": {"warmup_steps": 0}, "steps": 400})");
    addVariant(e, base, "post", "post-norm", R"({"model": {"norm_position": "post"}})");
    addVariant(e, base, "pre", "pre-norm", R"({"model": {"norm_position": "pre"}})");
    return e;
}

Experiment labelSmoothing()
{
    Experiment e;
    e.name = "label-smoothing";
    e.title = "Label smoothing";
    e.description = "A model that reads little text again and again, with targets of all or "
                    "nothing, or of 0.9.";
    e.row = "R3";
    e.difference = "label smoothing of 0.1";
    e.measured = "Held-out perplexity, accuracy, and how far confidence is from accuracy.";
    e.measures = {Measure::Calibration};
    e.plots = {{"reliability", "How far confidence is right", "confidence", "share that was right",
                false, false}};
    const json base = based(kStories, R"({"data": {"bytes": 150000}, "steps": 1000})");
    addVariant(e, base, "hard", "without smoothing", R"({"label_smoothing": 0.0})");
    addVariant(e, base, "smooth", "with label smoothing 0.1", R"({"label_smoothing": 0.1})");
    return e;
}

Experiment positionsLength()
{
    Experiment e;
    e.name = "positions-length";
    e.title = "Positions beyond the trained length";
    e.description = "Six encodings of position, trained on texts of 32 tokens, read longer ones.";
    e.row = "O7";
    e.difference = "the encoding of positions";
    e.measured = "Perplexity of the last 16 tokens of held-out texts of 16, 32, 64 and 128 tokens; "
                 "a learned table ends at 32.";
    e.measures = {Measure::Lengths};
    e.plots = {{"length_perplexity", "Perplexity by length", "tokens", "perplexity", true, true}};
    const json base = based(kStories, R"({"steps": 800, "eval_every": 100})");
    addVariant(e, base, "learned", "learned", R"({"model": {"positions": "learned"}})");
    addVariant(e, base, "sinusoidal", "sinusoidal", R"({"model": {"positions": "sinusoidal"}})");
    addVariant(e, base, "none", "none", R"({"model": {"positions": "none"}})");
    addVariant(e, base, "rope", "RoPE", R"({"model": {"positions": "rope"}})");
    addVariant(e, base, "alibi", "ALiBi", R"({"model": {"positions": "alibi"}})");
    addVariant(e, base, "relative", "relative (T5)", R"({"model": {"positions": "relative"}})");
    return e;
}

Experiment scalingLaw()
{
    Experiment e;
    e.name = "scaling-law";
    e.title = "Scaling law";
    e.description = "One text, one number of steps, six widths: how does the loss fall with size?";
    e.row = "R6";
    e.difference = "the width of the model";
    e.measured = "Held-out loss by parameters besides the embeddings, and the power law through "
                 "them.";
    e.measures = {Measure::Size};
    const json base = based(kStories, R"({"steps": 600, "eval_every": 100})");
    addVariant(e, base, "d16", "16 wide", R"({"model": {"d_model": 16, "d_ff": 64}})");
    addVariant(e, base, "d24", "24 wide", R"({"model": {"d_model": 24, "d_ff": 96}})");
    addVariant(e, base, "d32", "32 wide", R"({"model": {"d_model": 32, "d_ff": 128}})");
    addVariant(e, base, "d48", "48 wide", R"({"model": {"d_model": 48, "d_ff": 192}})");
    addVariant(e, base, "d80", "80 wide", R"({"model": {"d_model": 80, "d_ff": 320}})");
    addVariant(e, base, "d128", "128 wide", R"({"model": {"d_model": 128, "d_ff": 512}})");
    return e;
}

} // namespace

std::span<const Experiment> experimentCatalogue()
{
    static const std::vector<Experiment> all = {
        maskMissing(),  positionsMissing(), postNorm(),        scoreScale(), embeddingScale(),
        normPosition(), labelSmoothing(),   positionsLength(), scalingLaw()};
    return all;
}

const Experiment& catalogueExperiment(std::string_view name)
{
    std::vector<std::string> names;
    for (const Experiment& experiment : experimentCatalogue()) {
        if (experiment.name == name)
            return experiment;
        names.push_back(experiment.name);
    }
    throw Error("there is no experiment of this name", inQuotes(name),
                nearestNameAdvice(name, names));
}

} // namespace headscope
