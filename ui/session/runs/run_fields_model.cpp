#include "ui/session/runs/run_fields_model.h"

#include "core/model/config/model_config.h"
#include "core/model/config/presets.h"
#include "core/model/positions/position_encodings.h"
#include "ui/widgets/tr.h"

#include <tuple>

namespace headscope::ui {

namespace {

using Group = RunField::Group;
using Kind = RunField::Kind;

RunField simple(RunField field)
{
    field.isSimple = true;
    return field;
}

QStringList presets()
{
    QStringList names{QStringLiteral("none")};
    for (const std::string& name : presetNames())
        names << QString::fromStdString(name);
    return names;
}

void addModel(std::vector<RunField>& fields)
{
    const Group group = Group::Model;
    fields.push_back({"model.preset", tr("Preset"), tr("starting configuration"), group,
                      Kind::Choice, presets(), "none"});
    fields.push_back({"model.architecture",
                      tr("Architecture"),
                      tr("encoder, decoder or both"),
                      group,
                      Kind::Choice,
                      {"gpt", "encoder", "encoder-decoder"}});
    fields.push_back(simple({"model.n_layers", tr("Layers"), tr("blocks per stack"), group}));
    fields.push_back({"model.n_decoder_layers",
                      tr("Decoder layers"),
                      tr("0: as many as layers"),
                      group,
                      Kind::Whole,
                      {},
                      "0"});
    fields.push_back(simple({"model.n_heads", tr("Heads"), tr("per layer"), group}));
    fields.push_back(simple({"model.d_model", tr("Width"), tr("of the residual stream"), group}));
    fields.push_back(
        {"model.d_ff", tr("Feed-forward width"), tr("0: no feed-forward network"), group});
    fields.push_back(
        simple({"model.max_len", tr("Context"), tr("maximum tokens per sequence"), group}));
    fields.push_back(
        {"model.vocab_size", tr("Vocabulary"), tr("empty: set by the tokenizer"), group});
    fields.push_back({"model.init_from",
                      tr("Initialisation"),
                      tr("of the weights"),
                      group,
                      Kind::Choice,
                      {"normal", "fan_in"}});
    fields.push_back({"model.init_std", tr("Initial std. deviation"), tr("for \u201Cnormal\u201D"),
                      group, Kind::Number});
}

void addPositions(std::vector<RunField>& fields)
{
    const Group group = Group::Positions;
    QStringList names;
    for (const PositionEncoding* encoding : positionEncodings())
        names << QString::fromUtf8(encoding->traits().name.data(),
                                   static_cast<qsizetype>(encoding->traits().name.size()));
    fields.push_back({"model.positions", tr("Positions"), tr("positional encoding"), group,
                      Kind::Choice, names});
    fields.push_back({"model.sinusoidal_base", tr("Sinusoidal base"), tr("longest wavelength"),
                      group, Kind::Number});
    fields.push_back({"model.relative_buckets",
                      tr("Relative buckets"),
                      tr("for T5"),
                      group,
                      Kind::Whole,
                      {},
                      "32"});
    fields.push_back({"model.relative_max_distance",
                      tr("Relative distance"),
                      tr("for T5"),
                      group,
                      Kind::Whole,
                      {},
                      "128"});
    fields.push_back({"model.rope.theta",
                      tr("RoPE base"),
                      tr("slowest rotation"),
                      group,
                      Kind::Number,
                      {},
                      "10000"});
    fields.push_back({"model.rope.layout",
                      tr("RoPE pairs"),
                      tr("channel pairing"),
                      group,
                      Kind::Choice,
                      {"half", "interleaved"},
                      "half"});
    fields.push_back({"model.rope.dimensions",
                      tr("RoPE channels"),
                      tr("0: all channels"),
                      group,
                      Kind::Whole,
                      {},
                      "0"});
    const QString scaling = QStringLiteral("model.rope.scaling.");
    fields.push_back({scaling + "kind",
                      tr("RoPE scaling"),
                      tr("extends the context"),
                      group,
                      Kind::Choice,
                      {"none", "linear", "dynamic", "yarn", "llama3"},
                      "none"});
    const std::tuple<const char*, QString, const char*, Kind> more[] = {
        {"factor", tr("Scaling factor"), "1", Kind::Number},
        {"original_max_len", tr("Original context"), "0", Kind::Whole},
        {"low_frequency_factor", tr("Low frequency factor"), "1", Kind::Number},
        {"high_frequency_factor", tr("High frequency factor"), "4", Kind::Number},
        {"beta_fast", tr("Beta, fast"), "32", Kind::Number},
        {"beta_slow", tr("Beta, slow"), "1", Kind::Number},
        {"attention_factor", tr("Attention factor"), "0", Kind::Number}};
    for (const auto& [key, label, absent, kind] : more)
        fields.push_back({scaling + key, label, tr("for RoPE scaling"), group, kind, {}, absent});
}

void addAttention(std::vector<RunField>& fields)
{
    const Group group = Group::Attention;
    fields.push_back({"model.attention",
                      tr("Attention"),
                      tr("sharing of key heads"),
                      group,
                      Kind::Choice,
                      {"mha", "gqa", "mqa", "mla"}});
    fields.push_back(
        {"model.n_kv_heads", tr("Key heads"), tr("for grouped-query attention"), group});
    fields.push_back(
        {"model.head_dim", tr("Head width"), tr("0: width / heads"), group, Kind::Whole, {}, "0"});
    fields.push_back({"model.causal",
                      tr("Causal mask"),
                      tr("off: every token sees all others"),
                      group,
                      Kind::Switch,
                      {},
                      "true"});
    fields.push_back({"model.scale_scores",
                      tr("Scale scores"),
                      tr("divide by \u221Ad\u2096"),
                      group,
                      Kind::Switch,
                      {},
                      "true"});
    fields.push_back({"model.window",
                      tr("Window"),
                      tr("maximum distance to a key"),
                      group,
                      Kind::Whole,
                      {},
                      "none"});
    fields.push_back({"model.soft_cap",
                      tr("Soft cap"),
                      tr("of attention scores; 0: none"),
                      group,
                      Kind::Number,
                      {},
                      "0"});
    const std::pair<const char*, QString> latent[] = {{"kv_rank", tr("Latent rank")},
                                                      {"q_rank", tr("Query rank")},
                                                      {"rope_dim", tr("Rotary channels")},
                                                      {"nope_dim", tr("Plain channels")},
                                                      {"value_dim", tr("Value channels")}};
    for (const auto& [key, label] : latent)
        fields.push_back({QStringLiteral("model.mla.") + key,
                          label,
                          tr("for latent attention (\u201Cmla\u201D)"),
                          group,
                          Kind::Whole,
                          {},
                          "0"});
}

void addLayers(std::vector<RunField>& fields)
{
    const Group group = Group::Layers;
    const auto choice = [&](const char* key, const QString& label, const QStringList& choices,
                            const QString& help) {
        fields.push_back({key, label, help, group, Kind::Choice, choices});
    };
    const auto flag = [&](const char* key, const QString& label, const QString& help,
                          const char* absent = "false") {
        fields.push_back({key, label, help, group, Kind::Switch, {}, absent});
    };
    choice("model.norm_position", tr("Norm position"), {"pre", "post"}, tr("before or after"));
    choice("model.norm", tr("Norm"), {"layer", "rms", "rms_unit_offset", "std_eps", "batch"},
           tr("kind"));
    fields.push_back({"model.norm_epsilon", tr("Norm epsilon"), tr("avoids division by zero"),
                      group, Kind::Number});
    choice("model.activation", tr("Activation"), {"gelu", "gelu_tanh", "relu", "swiglu", "geglu"},
           tr("of the feed-forward network"));
    flag("model.residual", tr("Residual connections"), tr("past attention and feed-forward"),
         "true");
    flag("model.parallel_residual", tr("Parallel residual"),
         tr("attention parallel to feed-forward"));
    flag("model.embedding_norm", tr("Embedding norm"), tr("right after embedding"));
    flag("model.bias", tr("Biases"), tr("in linear layers"), "true");
    fields.push_back({"model.qkv_bias",
                      tr("Query, key, value bias"),
                      tr("none: as biases"),
                      group,
                      Kind::Choice,
                      {"none", "true", "false"},
                      "none"});
    flag("model.head_bias", tr("Head bias"), tr("of the language head"));
    flag("model.tie_embeddings", tr("Tie embeddings"), tr("one matrix for embedding and head"), "");
    fields.push_back({"model.share_source_embedding",
                      tr("Share source embedding"),
                      tr("none: as tied"),
                      group,
                      Kind::Choice,
                      {"none", "true", "false"},
                      "none"});
    fields.push_back({"model.embedding_scale", tr("Embedding scale"),
                      tr("a number, or \u201Csqrt\u201D"), group, Kind::Number});
    fields.push_back({"model.head_scale",
                      tr("Head scale"),
                      tr("a number, or \u201Cinverse_sqrt\u201D"),
                      group,
                      Kind::Number,
                      {},
                      "1"});
    flag("model.language_head", tr("Language head"), tr("off: hidden states only"), "true");
    flag("model.head_transform", tr("Head transform"), tr("for BERT"));
    fields.push_back(
        {"model.token_types", tr("Segments"), tr("for BERT: 2"), group, Kind::Whole, {}, "0"});
    flag("model.next_sentence", tr("Next sentence"), tr("for BERT"));
    fields.push_back({"model.experts.count",
                      tr("Experts"),
                      tr("0: dense feed-forward network"),
                      group,
                      Kind::Whole,
                      {},
                      "0"});
    fields.push_back({"model.experts.top_k",
                      tr("Active experts"),
                      tr("per token"),
                      group,
                      Kind::Whole,
                      {},
                      "2"});
    fields.push_back({"model.experts.balance_coefficient",
                      tr("Balance"),
                      tr("load of the experts"),
                      group,
                      Kind::Number,
                      {},
                      "0.01"});
}

void addDropout(std::vector<RunField>& fields)
{
    const Group group = Group::Dropout;
    fields.push_back(
        simple({"model.dropout", tr("Dropout"), tr("fraction set to 0"), group, Kind::Number}));
    fields.push_back({"model.attention_dropout",
                      tr("Attention dropout"),
                      tr("none: as dropout"),
                      group,
                      Kind::Number,
                      {},
                      "none"});
    fields.push_back({"model.embedding_dropout",
                      tr("Embedding dropout"),
                      tr("none: as dropout"),
                      group,
                      Kind::Number,
                      {},
                      "none"});
}

} // namespace

void addModelFields(std::vector<RunField>& fields)
{
    addModel(fields);
    addPositions(fields);
    addAttention(fields);
    addLayers(fields);
    addDropout(fields);
}

} // namespace headscope::ui
