#include "core/runs/head_probe.h"

#include "core/analysis/scores/pattern_scores.h"
#include "core/base/random.h"
#include "core/ops/expert_router.h"
#include "core/train/stories/story_grammar.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <set>

namespace headscope {

namespace {

constexpr std::size_t kRows = 2;     ///< Number of held-out rows.
constexpr std::size_t kRepeats = 2;  ///< Number of random sequences.
constexpr std::size_t kPeriod = 25;  ///< Number of random tokens per copy (Olsson et al. 2022).
constexpr std::size_t kShortest = 4; ///< Smallest meaningful period.

struct ProbeText
{
    std::vector<TokenId> ids;
    std::vector<TokenId> source;
    std::vector<std::int32_t> segments;
    /// Period of random tokens shown twice after one prefix token; else 0.
    std::int64_t period = 0;
    bool isForEntropy = true; ///< Entropy's logarithms take longer than all other scores together.
};

/// "h.0", "enc.1", "dec.1".
std::string layerName(TraceKey key)
{
    const char* const stack = key.stack == Stack::Blocks    ? "h."
                              : key.stack == Stack::Encoder ? "enc."
                                                            : "dec.";
    return stack + std::to_string(key.layer);
}

/// Patterns [h, n, m] of one forward pass, by place (head 0) in execution order, and the experts of
/// each token.
class PatternKeeper final : public ActivationObserver
{
public:
    bool wants(TraceKey key) const override
    {
        return isPattern(key.site) || key.site == Site::ExpertWeights;
    }

    void record(TraceKey key, TensorView activation, std::int64_t) override
    {
        if (key.site == Site::ExpertWeights) {
            experts.push_back({layerName(key), expertLoads(activation)});
            return;
        }
        Tensor& pattern = patterns.emplace_back(activation.shape);
        const MutableTensorView copy = pattern.view();
        for (std::int64_t head = 0; head < activation.shape[0]; ++head) {
            for (std::int64_t query = 0; query < activation.shape[1]; ++query)
                std::copy_n(&activation(head, query, 0), activation.shape[2],
                            &copy(head, query, 0));
        }
        places.push_back({attentionOf(key), key.layer, 0});
    }

    std::vector<HeadId> places;
    std::vector<Tensor> patterns;
    std::vector<ExpertLoads> experts;
};

/// Adds the loads of a text to the means over `texts` texts.
void addExperts(const std::vector<ExpertLoads>& loads, double texts, HeadScorePoint& point)
{
    point.experts.resize(loads.size());
    for (std::size_t layer = 0; layer < loads.size(); ++layer) {
        point.experts[layer].layer = loads[layer].layer;
        std::vector<double>& means = point.experts[layer].fractions;
        means.resize(loads[layer].fractions.size(), 0.0);
        for (std::size_t expert = 0; expert < means.size(); ++expert)
            means[expert] += loads[layer].fractions[expert] / texts;
    }
}

/// Means over texts, by score and head; scores not defined for a text are left out.
class ScoreMeans
{
public:
    void add(const std::string& name, const HeadId& place, double value)
    {
        if (!std::isfinite(value))
            return;
        Mean& mean = m_means[name][place];
        mean.sum += value;
        ++mean.count;
    }

    double of(const std::string& name, const HeadId& place) const
    {
        const auto score = m_means.find(name);
        if (score == m_means.end() || !score->second.contains(place))
            return std::numeric_limits<double>::quiet_NaN();
        const Mean& mean = score->second.at(place);
        return mean.sum / mean.count;
    }

    bool has(const std::string& name) const { return m_means.contains(name); }

private:
    struct Mean
    {
        double sum = 0.0;
        double count = 0.0;
    };

    std::map<std::string, std::map<HeadId, Mean>> m_means;
};

/// Mean over the source symbols i of A[i, i], or of A[i, n - 1 - i]. Without <eos>, the last key.
double diagonalScore(TensorView pattern, bool isAnti)
{
    const std::int64_t symbols = pattern.shape[1] - 1;
    const std::int64_t count = std::min(symbols, pattern.shape[0]);
    double sum = 0.0;
    for (std::int64_t i = 0; i < count; ++i)
        sum += static_cast<double>(pattern(i, isAnti ? symbols - 1 - i : i));
    return count > 0 ? sum / static_cast<double>(count) : std::numeric_limits<double>::quiet_NaN();
}

Batch probeBatch(const BatchSource& batches)
{
    constexpr std::uint64_t kSeed = 0x70726F6265ULL;
    return batches.validationBatchCount() > 0 ? batches.validationBatch(0)
                                              : batches.trainingBatch(kSeed, 0);
}

std::vector<ProbeText> heldOutTexts(const Batch& batch)
{
    std::vector<ProbeText> texts;
    const std::int64_t count = std::min<std::int64_t>(batch.rows, kRows);
    for (std::int64_t row = 0; row < count; ++row) {
        const auto shown = [row](const auto& field, const auto& mask, std::int64_t length) {
            const auto entries = unpaddedRow(field, mask, length, row);
            return std::vector(entries.begin(), entries.end());
        };
        texts.push_back({shown(batch.inputs, batch.keyMask, batch.length),
                         shown(batch.sources, batch.sourceKeyMask, batch.sourceLength),
                         shown(batch.segments, batch.keyMask, batch.length), 0, row == 0});
    }
    return texts;
}

/// Text for models of unknown training data; the beginnings of a row are different.
std::string storyText(std::uint64_t row)
{
    constexpr std::uint64_t kSeed = 0x70726F6265ULL;
    constexpr std::uint64_t kDocuments = 8; // more than the longest row has tokens
    std::string text;
    for (std::uint64_t document = 0; document < kDocuments; ++document)
        text += storyDocument(StoryKind::Story, kSeed, row * kDocuments + document) + " ";
    return text;
}

/// Ids of one row; special tokens at its end are cut off with the rest.
std::vector<TokenId> rowOf(std::uint64_t row, const Tokenizer& tokenizer, std::size_t length)
{
    std::vector<TokenId> ids;
    if (tokenizer.kind() == "ids") {
        Random random(row + 1);
        while (ids.size() < length)
            ids.push_back(static_cast<TokenId>(random.below(tokenizer.vocabularySize())));
        return ids;
    }
    ids = tokenizer.encode(storyText(row)).ids();
    ids.resize(std::min(ids.size(), length));
    return ids;
}

/// kRows rows of at most kRowTokens tokens; an encoder-decoder reads and writes the same.
Batch storyBatch(const ModelConfig& model, const Tokenizer& tokenizer)
{
    constexpr std::int64_t kRowTokens = 96;
    std::size_t length = static_cast<std::size_t>(std::min(kRowTokens, model.maxLen));
    std::vector<std::vector<TokenId>> rows;
    for (std::uint64_t row = 0; row < kRows; ++row) {
        rows.push_back(rowOf(row, tokenizer, length));
        length = std::min(length, rows.back().size());
    }
    if (length < 2)
        throw Error("the heads of a model that reads a single token cannot be measured");
    Batch batch;
    batch.rows = static_cast<std::int64_t>(kRows);
    batch.length = static_cast<std::int64_t>(length);
    for (const std::vector<TokenId>& row : rows)
        batch.inputs.insert(batch.inputs.end(), row.begin(),
                            row.begin() + static_cast<std::ptrdiff_t>(length));
    if (model.isEncoderDecoder()) {
        batch.sourceLength = batch.length;
        batch.sources = batch.inputs;
    }
    return batch;
}

/// The first token of a row, then random tokens of the batch, all different, twice.
std::vector<ProbeText> repeatedTexts(const Batch& batch, std::int64_t maxLen, std::uint64_t seed)
{
    const TokenId prefix = batch.inputs.front();
    std::set<TokenId> known(batch.inputs.begin(), batch.inputs.end());
    known.erase(prefix);
    std::vector<TokenId> ids(known.begin(), known.end());
    const std::size_t period = std::min(
        {kPeriod, ids.size(), static_cast<std::size_t>(std::max<std::int64_t>(maxLen - 1, 0)) / 2});
    std::vector<ProbeText> texts;
    Random random(seed);
    for (std::size_t repeat = 0; period >= kShortest && repeat < kRepeats; ++repeat) {
        for (std::size_t i = 0; i < period; ++i)
            std::swap(ids[i], ids[i + random.below(ids.size() - i)]);
        ProbeText text{{prefix}, {}, {}, static_cast<std::int64_t>(period), false};
        for (std::size_t i = 0; i < 2 * period; ++i)
            text.ids.push_back(ids[i % period]);
        texts.push_back(std::move(text));
    }
    return texts;
}

} // namespace

struct HeadProbe::Impl
{
    Impl(const Batch& batch, const ModelConfig& model, std::uint64_t seed)
        : texts(heldOutTexts(batch))
    {
        if (model.architecture == Architecture::Decoder && model.causal) {
            for (ProbeText& text : repeatedTexts(batch, model.maxLen, seed))
                texts.push_back(std::move(text));
        }
    }

    std::vector<ProbeText> texts;

    static PatternKeeper patternsOf(const Model& model, const ProbeText& text,
                                    AttentionBackend& backend)
    {
        PatternKeeper keeper;
        ForwardOptions options;
        options.observer = &keeper;
        options.lastLogitsOnly = model.config().hasDecoder();
        KvCache cache(model.config());
        if (model.config().isEncoderDecoder())
            model.encode(text.source, backend, cache, options);
        options.segments = text.segments;
        model.forward(text.ids, backend, cache, options);
        return keeper;
    }

    static void addScores(ScoreMeans& means, const HeadId& place, TensorView pattern,
                          const ProbeText& text, bool seesAhead)
    {
        if (text.period > 0) {
            means.add("induction", place, inductionStripe(pattern, text.period, 1));
            means.add("duplicate_token", place, duplicateStripe(pattern, text.period, 1));
            return;
        }
        if (text.isForEntropy)
            means.add("entropy", place, entropyOf(pattern, seesAhead).normalised);
        if (place.attention == AttentionKind::Cross) {
            means.add("diagonal", place, diagonalScore(pattern, false));
            means.add("antidiagonal", place, diagonalScore(pattern, true));
            return;
        }
        means.add("previous_token", place, previousTokenScore(pattern));
        means.add("first_token", place, firstTokenMass(pattern));
        means.add("self", place, selfScore(pattern));
    }
};

HeadProbe::HeadProbe(const PreparedData& data, std::uint64_t seed)
    : m_impl(std::make_unique<Impl>(probeBatch(*data.batches), data.model, seed))
{
}

HeadProbe::HeadProbe(const ModelConfig& model, const Tokenizer& tokenizer, std::uint64_t seed)
    : m_impl(std::make_unique<Impl>(storyBatch(model, tokenizer), model, seed))
{
}

HeadProbe::~HeadProbe() = default;
HeadProbe::HeadProbe(HeadProbe&&) noexcept = default;
HeadProbe& HeadProbe::operator=(HeadProbe&&) noexcept = default;

std::uint64_t HeadProbe::fingerprint() const
{
    std::uint64_t hash = 0xCBF29CE484222325ULL; // FNV-1a
    const auto mix = [&hash](std::uint64_t value) { hash = (hash ^ value) * 0x100000001B3ULL; };
    for (const ProbeText& text : m_impl->texts) {
        mix(static_cast<std::uint64_t>(text.period));
        for (const TokenId id : text.ids)
            mix(static_cast<std::uint64_t>(id));
    }
    return hash;
}

HeadScorePoint HeadProbe::measure(const Model& model, std::int64_t step,
                                  AttentionBackend& backend) const
{
    ScoreMeans means;
    HeadScorePoint point;
    point.step = step;
    const auto heldOut =
        static_cast<double>(std::ranges::count(m_impl->texts, 0, &ProbeText::period));
    for (const ProbeText& text : m_impl->texts) {
        const PatternKeeper keeper = Impl::patternsOf(model, text, backend);
        if (text.period == 0)
            addExperts(keeper.experts, heldOut, point);
        for (std::size_t i = 0; i < keeper.patterns.size(); ++i) {
            HeadId place = keeper.places[i];
            const bool seesAhead = place.attention == AttentionKind::EncoderSelf ||
                                   place.attention == AttentionKind::Cross ||
                                   !model.config().hasDecoder() || !model.config().causal;
            const TensorView patterns = keeper.patterns[i].view();
            for (; place.head < static_cast<int>(patterns.shape[0]); ++place.head) {
                if (&text == &m_impl->texts.front())
                    point.places.push_back(place);
                Impl::addScores(means, place, patterns[place.head], text, seesAhead);
            }
        }
    }
    for (const std::string& name : headScoreNames()) {
        if (!means.has(name))
            continue;
        HeadScoreRow& row = point.rows.emplace_back(HeadScoreRow{name, {}});
        for (const HeadId& place : point.places)
            row.values.push_back(means.of(name, place));
    }
    return point;
}

} // namespace headscope
