#include "ui/pages/architecture/architecture_parts.h"

#include "core/model/positions/position_encodings.h"
#include "ui/pages/architecture/architecture_counts.h"
#include "ui/pages/shared/position_titles.h"
#include "ui/widgets/style/theme.h"
#include "ui/widgets/tr.h"

#include <functional>
#include <numeric>

namespace headscope::ui {

namespace {

using Box = ArchitectureBox;
using Row = ArchitectureRow;

/// Builds one stack; its boxes are appended to the common list.
class StackBuilder
{
public:
    StackBuilder(const ModelConfig& config, const ArchitectureFocus& focus, ParameterCounts& counts,
                 std::vector<Box>& boxes, AttentionKind part)
        : m_c(config)
        , m_focus(focus)
        , m_counts(counts)
        , m_boxes(boxes)
        , m_part(part)
        , m_prefix(part == AttentionKind::EncoderSelf   ? "enc."
                   : part == AttentionKind::DecoderSelf ? "dec."
                                                        : "h.")
        , m_inputs(part == AttentionKind::Self ? "" : m_prefix)
        , m_width(QString::number(config.dModel))
    {
        const int tokens = part == AttentionKind::EncoderSelf ? focus.sourceTokens : focus.tokens;
        m_n =
            tokens < 0 ? (part == AttentionKind::EncoderSelf ? "m" : "n") : QString::number(tokens);
        m_m = focus.sourceTokens < 0 ? "m" : QString::number(focus.sourceTokens);
    }

    ArchitectureStack build()
    {
        m_stack.title = m_part == AttentionKind::EncoderSelf   ? tr("Encoder")
                        : m_part == AttentionKind::DecoderSelf ? tr("Decoder")
                                                               : QString();
        addInputs();
        addBlocks();
        m_where = tr("output");
        const char* norm = m_part == AttentionKind::EncoderSelf ? "enc.ln_f" : "ln_f";
        if (m_c.hasFinalNorm())
            addSpine(boxOf(tr("Final norm"), stream(), m_counts.take(norm)));
        if (m_part != AttentionKind::EncoderSelf)
            addHead();
        return std::move(m_stack);
    }

private:
    QString stream() const { return shapeText({m_n, m_width}); }

    QString embedded() const { return shapeText({m_n, m_c.embeddingDim()}); }

    int add(Box box)
    {
        box.part = m_active;
        box.spoken = m_where;
        m_boxes.push_back(std::move(box));
        return static_cast<int>(m_boxes.size()) - 1;
    }

    void addRow(Row::Kind kind, std::vector<std::vector<int>> columns)
    {
        m_stack.rows.push_back({kind, std::move(columns), -1, false, false, false, {}});
    }

    void addSpine(Box box) { addRow(Row::Kind::Spine, {{add(std::move(box))}}); }

    void addInput(Box box) { addRow(Row::Kind::Input, {{add(std::move(box))}}); }

    void addSide(Box box) { addRow(Row::Kind::Side, {{add(std::move(box))}}); }

    // -------------------------------------------------------------------------------- the inputs

    void addInputs()
    {
        m_active = m_part;
        m_where = tr("input");
        addTokens();
        if (m_part != AttentionKind::EncoderSelf && m_counts.has("type_emb"))
            addInput(boxOf(tr("Segments"), embedded(), m_counts.take("type_emb")));
        const PositionEncoding::Traits& positions = encodingOf(m_c).traits();
        if (positions.addsVectors && encodingOf(m_c).parameter(m_c))
            addInput(boxOf(tr("Positions"), embedded(), m_counts.take(m_inputs + "pos_emb"),
                           "positions"));
        else if (positions.addsVectors)
            addInput(freeBox(m_c.positions == Positions::Sinusoidal
                                 ? tr("Sinusoidal")
                                 : positionTitle(m_c.positions).title,
                             embedded(), "positions"));
        if (positions.addsBias)
            addSide(boxOf(tr("Relative bias"), shapeText({m_c.relativeBuckets, m_c.heads}),
                          m_counts.take(m_inputs + "rel_bias"), "positions"));
        if (m_c.embeddingNorm)
            addSpine(boxOf(tr("Norm"), embedded(), m_counts.take(m_inputs + "ln_emb")));
        if (m_c.embeddingWidth > 0)
            addSpine(boxOf(tr("Projection"), stream(), m_counts.take(m_inputs + "emb_proj")));
    }

    void addTokens()
    {
        Box box = boxOf(tr("Token embedding"), embedded(), 0);
        if (m_c.embeddingScale != 1.0)
            box.name = tr("Token embedding \u00D7 %1").arg(number(m_c.embeddingScale, 2));
        if (m_part != AttentionKind::EncoderSelf)
            box.parameters = m_counts.take("tok_emb");
        else if (m_counts.has("enc.tok_emb"))
            box.parameters = m_counts.take("enc.tok_emb");
        else
            box.note = tr("the decoder's embedding");
        addSpine(std::move(box));
    }

    // -------------------------------------------------------------------------------- the blocks

    int layers() const
    {
        return static_cast<int>(m_part == AttentionKind::DecoderSelf ? m_c.decoderLayerCount()
                                                                     : m_c.layers);
    }

    void addBlocks()
    {
        const bool wanted = m_part == m_focus.part || (m_part == AttentionKind::DecoderSelf &&
                                                       m_focus.part != AttentionKind::EncoderSelf);
        m_stack.expanded = wanted && layers() > 0;
        if (!m_stack.expanded)
            return addCollapsed(0, layers(), 0);
        const int open = std::clamp(m_focus.layer, 0, layers() - 1);
        addCollapsed(0, open, open - 1);
        addBlock(open);
        addCollapsed(open + 1, layers(), open + 1);
    }

    std::string blockPrefix(int layer) const { return m_prefix + std::to_string(layer) + "."; }

    void addCollapsed(int first, int end, int opens)
    {
        if (first >= end)
            return;
        Box box = boxOf(end - first == 1 ? tr("Block %1").arg(first)
                                         : tr("Blocks %1 to %2").arg(first).arg(end - 1),
                        stream(), 0);
        box.copies = end - first;
        box.layer = opens;
        m_where = tr("click to expand block %1").arg(opens);
        for (int layer = first; layer < end; ++layer)
            box.parameters += m_counts.take(blockPrefix(layer));
        addSpine(std::move(box));
    }

    void addBlock(int layer)
    {
        m_layer = layer;
        const std::string block = blockPrefix(layer);
        m_where = tr("block %1, attention").arg(layer);
        addSublayer(
            readsStream() ? std::string() : block + "ln1", [&] { addAttention(block); },
            tr("attention"));
        if (readsStream())
            branch().title = tr("%1 \u00B7 no norm before it").arg(branch().title);
        if (m_part == AttentionKind::DecoderSelf) {
            m_active = AttentionKind::Cross;
            m_where = tr("block %1, cross-attention").arg(layer);
            addSublayer(
                block + "ln_cross", [&] { addCross(block); }, tr("cross-attention"));
            m_active = m_part;
        }
        if (m_c.dFf == 0)
            return;
        m_where = tr("block %1, feed-forward").arg(layer);
        addSublayer(
            m_c.sharedNorm ? std::string() : block + "ln2", [&] { addFeedForward(block); },
            tr("feed-forward"));
        m_stack.rows[m_lastBranch].parallel = m_c.isParallel();
    }

    /// Adds the block's norms: first in the branch, last in it, or after the sum on the stream.
    /// `norm` is empty where the branch reads the norm of the one before, or the stream.
    void addSublayer(const std::string& norm, const std::function<void()>& columns,
                     const QString& title)
    {
        addRow(Row::Kind::Branch, {});
        m_lastBranch = m_stack.rows.size() - 1;
        branch().title = tr("block %1 \u00B7 %2").arg(m_layer).arg(title);
        branch().replaces = !m_c.hasResidual();
        const auto box = [&](const std::string& name) {
            return boxOf(tr("Norm"), stream(), m_counts.take(name + "."));
        };
        if (m_c.normsInput() && !norm.empty())
            addColumn({add(box(norm))});
        columns();
        if (m_c.normsOutput())
            addColumn({add(box(m_c.normPosition == NormPosition::Both ? norm + "_out" : norm))});
        if (m_c.residualScale != 1.0)
            addColumn(
                {add(freeBox(QStringLiteral("\u00D7 ") + number(m_c.residualScale, 3), stream()))});
        if (m_c.normPosition == NormPosition::Post)
            addSpine(box(norm));
    }

    LayerSettings layer() const { return m_c.layer(m_layer); }

    /// True where attention reads the residual stream in a model whose other layers normalise it.
    bool readsStream() const
    {
        return m_part == AttentionKind::Self && m_c.normsInput() &&
               !m_c.normsAttentionInput(m_layer);
    }

    Row& branch() { return m_stack.rows[m_lastBranch]; }

    void addColumn(std::vector<int> boxes) { branch().columns.push_back(std::move(boxes)); }

    int projection(const QString& name, const QString& tokens, const QString& extents,
                   Box::Role role, std::int64_t parameters)
    {
        Box box = boxOf(name, shapeText({tokens, extents}), parameters, "head");
        box.role = role;
        box.layer = m_layer;
        return add(std::move(box));
    }

    void addProjections(const std::string& name, const QString& keyTokens)
    {
        const QString queries = headsText(m_c.heads, m_c.queryDim());
        const QString keys = headsText(m_c.keyHeadCount(), m_c.queryDim());
        const QString values = headsText(m_c.keyHeadCount(), m_c.valueDim());
        addColumn(
            {projection("q", m_n, queries, Box::Role::Query, m_counts.take(name + "q.")),
             projection("k", keyTokens, keys, Box::Role::Key, m_counts.take(name + "k.")),
             projection("v", keyTokens, values, Box::Role::Value, m_counts.take(name + "v."))});
        if (m_c.queryKeyNorm != QueryKeyNorm::None)
            addColumn({projection(tr("norm of q"), m_n, queries, Box::Role::Query,
                                  m_counts.take(name + "q_norm.")),
                       projection(tr("norm of k"), keyTokens, keys, Box::Role::Key,
                                  m_counts.take(name + "k_norm."))});
    }

    void addAttention(const std::string& block)
    {
        const std::string name = block + "attn.";
        if (m_c.isLatent())
            addLatent(name);
        else
            addProjections(name, m_n);
        addChain(m_n, true, m_c.attentionSinks ? m_counts.take(name + "sinks.") : 0);
        addOutput(name);
    }

    void addCross(const std::string& block)
    {
        branch().cross = true;
        addProjections(block + "cross.", m_m);
        addChain(m_m, false, 0);
        addOutput(block + "cross.");
    }

    void addLatent(const std::string& name)
    {
        const LatentSettings& latent = m_c.latent;
        const QString queries = headsText(m_c.heads, m_c.queryDim());
        std::vector<int> down;
        if (latent.queryRank > 0)
            down.push_back(projection(
                tr("query latent"), m_n, QString::number(latent.queryRank), Box::Role::Query,
                m_counts.take(name + "q_down.") + m_counts.take(name + "q_norm.")));
        down.push_back(projection(
            tr("key\u2013value latent"), m_n, QString::number(latent.keyValueRank + latent.ropeDim),
            Box::Role::Key, m_counts.take(name + "kv_down.") + m_counts.take(name + "kv_norm.")));
        addColumn(std::move(down));
        addColumn({projection("q", m_n, queries, Box::Role::Query,
                              m_counts.take(name + "q_up.") + m_counts.take(name + "q.")),
                   projection("k, v", m_n, headsText(m_c.heads, latent.nopeDim + latent.valueDim),
                              Box::Role::Value, m_counts.take(name + "kv_up."))});
    }

    QString rotationTitle() const
    {
        return m_c.layerSettings.empty() ? tr("Rotate q, k")
                                         : tr("Base %1").arg(number(layer().rope.theta, 0));
    }

    QString scoreTitle() const
    {
        if (!m_c.scaleScores)
            return QStringLiteral("q\u00B7k");
        return m_c.attentionScale
                   ? QStringLiteral("q\u00B7k \u00D7 ") + number(*m_c.attentionScale, 4)
                   : QStringLiteral("q\u00B7k / \u221Ad");
    }

    /// Adds scores, positional terms, mask and softmax, one below the other. `sinks` counts the
    /// logits of attention sinks.
    void addChain(const QString& keyTokens, bool selfAttention, std::int64_t sinks)
    {
        const QString scores = shapeText({m_c.heads, m_n, keyTokens});
        const auto free = [&](const QString& name, const char* page, const QString& shape) {
            Box box = freeBox(name, shape, page);
            box.layer = m_layer;
            return add(std::move(box));
        };
        std::vector<int> chain;
        if (selfAttention && m_c.ropeDimensions() > 0 && layer().rotates)
            chain.push_back(
                free(rotationTitle(), "positions",
                     tr("%1 of %2 channels").arg(m_c.ropeDimensions()).arg(m_c.queryDim())));
        chain.push_back(free(scoreTitle(), "head", scores));
        if (m_c.softCap > 0.0)
            chain.push_back(free(tr("Cap at %1").arg(number(m_c.softCap, 1)), "head", scores));
        if (selfAttention && m_c.positions == Positions::Alibi)
            chain.push_back(free(tr("\u2212 slope \u00B7 distance"), "positions", scores));
        if (selfAttention && m_c.positions == Positions::RelativeBuckets)
            chain.push_back(free(tr("+ relative bias"), "positions", scores));
        if (selfAttention)
            chain.push_back(free(maskTitle(), "mask", scores));
        chain.push_back(free(sinks > 0 ? tr("Softmax, sink, v") : tr("Softmax, v"), "head",
                             shapeText({m_n, headsText(m_c.heads, m_c.valueDim())})));
        m_boxes[static_cast<std::size_t>(chain.back())].parameters += sinks;
        branch().chain = static_cast<int>(branch().columns.size());
        addColumn(std::move(chain));
    }

    QString maskTitle() const
    {
        const bool ofEncoder = m_part == AttentionKind::EncoderSelf;
        if (const auto window = ofEncoder ? m_c.window : layer().window)
            return tr("Window %1").arg(*window);
        const bool causal = m_c.causal && m_part != AttentionKind::EncoderSelf &&
                            m_c.architecture != Architecture::Encoder;
        return causal ? tr("Causal mask") : tr("No mask");
    }

    void addOutput(const std::string& name)
    {
        addColumn({projection("o", m_n, m_width, Box::Role::Plain, m_counts.take(name + "o."))});
    }

    void addFeedForward(const std::string& block)
    {
        const std::int64_t experts = expertCount();
        if (experts > 0)
            addRouter(block);
        const QString wide = shapeText({m_n, experts > 0 ? m_c.expertWidth() : layer().dFf});
        if (m_c.isGated())
            addColumn({expertLinear(block, "gate", wide), expertLinear(block, "up", wide)});
        else
            addColumn({expertLinear(block, "fc1", wide)});
        const QString used = experts == 0 ? activationName(m_c.activation)
                                          : tr("%1, top %2 per token")
                                                .arg(activationName(m_c.activation))
                                                .arg(m_c.experts.topK);
        addColumn({add(freeBox(used, wide))});
        addColumn({expertLinear(block, m_c.isGated() ? "down" : "fc2", stream())});
    }

    /// Adds the router, and the network beside the experts that sees every token.
    void addRouter(const std::string& block)
    {
        std::vector<int> column{add(boxOf(tr("Router"), shapeText({m_n, expertCount()}),
                                          m_counts.take(block + "router.")))};
        if (m_c.experts.sharedWidth > 0)
            column.push_back(
                add(boxOf(tr("Shared expert"), shapeText({m_n, m_c.experts.sharedWidth}),
                          m_counts.take(block + "shared."))));
        addColumn(std::move(column));
    }

    std::int64_t expertCount() const { return layer().hasExperts ? m_c.experts.count : 0; }

    /// Adds the feed-forward boxes; with experts, the counts cover all of them.
    int expertLinear(const std::string& block, const std::string& name, const QString& shape)
    {
        const QString title = QString::fromStdString(name);
        const std::int64_t experts = expertCount();
        if (experts == 0)
            return add(boxOf(title, shape, m_counts.take(block + name + ".")));
        std::int64_t sum = 0;
        for (std::int64_t expert = 0; expert < experts; ++expert)
            sum += m_counts.take(block + "expert." + std::to_string(expert) + "." + name + ".");
        return add(boxOf(tr("%1 of %2 experts").arg(title).arg(experts), shape, sum));
    }

    // ---------------------------------------------------------------------------------- the head

    void addHead()
    {
        if (m_counts.has("head.dense"))
            addSpine(boxOf(tr("Dense, %1").arg(activationName(m_c.activation)), embedded(),
                           m_counts.take("head.dense")));
        if (m_counts.has("head.ln"))
            addSpine(boxOf(tr("Norm"), embedded(), m_counts.take("head.ln")));
        if (m_c.languageHead)
            addLanguageHead();
        if (m_c.nextSentence)
            addSide(boxOf(tr("Next sentence"), shapeText({1, 2}),
                          m_counts.take("pooler.") + m_counts.take("next_sentence.")));
    }

    void addLanguageHead()
    {
        Box head = boxOf(tr("Head"), shapeText({m_n, m_c.vocabularySize}), m_counts.take("head."),
                         "next-token");
        if (m_c.tieEmbeddings)
            head.note = head.parameters > 0
                            ? tr("token embedding, bias %1").arg(count(head.parameters))
                            : tr("tied to the token embedding");
        addSpine(std::move(head));
        if (m_c.headScale != 1.0)
            addSpine(freeBox(tr("Logits \u00D7 %1").arg(number(m_c.headScale, 4)),
                             shapeText({m_n, m_c.vocabularySize}), "next-token"));
        if (m_c.logitCap > 0.0)
            addSpine(freeBox(tr("Cap at %1").arg(number(m_c.logitCap, 1)),
                             shapeText({m_n, m_c.vocabularySize}), "next-token"));
    }

    const ModelConfig& m_c;
    const ArchitectureFocus& m_focus;
    ParameterCounts& m_counts;
    std::vector<Box>& m_boxes;
    AttentionKind m_part;
    AttentionKind m_active = m_part; // Kind of attention sublayer being built.
    std::string m_prefix;
    std::string m_inputs;
    QString m_width;
    QString m_n; // Number of tokens in this stack.
    QString m_m; // Number of tokens in the source.
    QString m_where;
    ArchitectureStack m_stack;
    std::size_t m_lastBranch = 0;
    int m_layer = -1;
};

} // namespace

std::int64_t ModelParts::parameters() const
{
    return std::accumulate(
        boxes.begin(), boxes.end(), std::int64_t{0},
        [](std::int64_t sum, const ArchitectureBox& box) { return sum + box.parameters; });
}

ModelParts architectureOf(const ModelConfig& config, const ArchitectureFocus& focus)
{
    ModelParts result;
    ParameterCounts counts(config);
    const auto add = [&](AttentionKind part) {
        result.stacks.push_back(StackBuilder(config, focus, counts, result.boxes, part).build());
    };
    if (!config.isEncoderDecoder()) {
        add(AttentionKind::Self);
        return result;
    }
    add(AttentionKind::EncoderSelf);
    add(AttentionKind::DecoderSelf);
    return result;
}

} // namespace headscope::ui
