#include "ui/pages/next_token/next_token_content.h"

#include "core/analysis/lens/next_token.h"
#include "core/text/mask_token.h"
#include "ui/pages/shared/maps/shown_pattern.h"
#include "ui/widgets/tr.h"

#include <QJsonObject>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace headscope::ui {

namespace {

/// Logits at one position; empty where there are none.
class LogitRow
{
public:
    LogitRow(const Trace& trace, int position)
    {
        const TraceKey key{Site::Logits, 0};
        const auto shape = trace.shapeOf(key);
        if (shape && position >= 0 && position < (*shape)[0])
            m_rows = trace.findRows(key, position);
    }

    std::span<const float> values() const { return m_rows ? m_rows[0] : std::span<const float>(); }

private:
    ActivationRows m_rows;
};

std::vector<double> softmaxOf(std::span<const float> logits)
{
    std::vector<double> result;
    if (logits.empty())
        return result;
    const double largest = double{*std::max_element(logits.begin(), logits.end())};
    for (const float logit : logits)
        result.push_back(std::exp(double{logit} - largest));
    const double sum = std::accumulate(result.begin(), result.end(), 0.0);
    for (double& value : result)
        value /= sum;
    return result;
}

double entropyBits(const std::vector<double>& probabilities)
{
    double sum = 0.0;
    for (const double p : probabilities)
        sum -= p > 0.0 ? p * std::log2(p) : 0.0;
    return sum;
}

std::vector<TokenId> mostProbable(const std::vector<double>& first,
                                  const std::vector<double>& second, int wanted)
{
    std::vector<TokenId> ids(first.size());
    std::iota(ids.begin(), ids.end(), 0);
    const auto weight = [&](TokenId id) {
        const auto index = static_cast<std::size_t>(id);
        return second.empty() ? first[index] : std::max(first[index], second[index]);
    };
    const auto end = ids.begin() + std::min<std::ptrdiff_t>(wanted, std::ssize(ids));
    std::partial_sort(ids.begin(), end, ids.end(), [&](TokenId a, TokenId b) {
        return weight(a) != weight(b) ? weight(a) > weight(b) : a < b;
    });
    ids.erase(end, ids.end());
    return ids;
}

/// The same settings up to one stage.
std::vector<float> stage(std::span<const float> logits, double temperature, int topK, double topP)
{
    SamplingSettings settings;
    settings.temperature = temperature;
    settings.topK = topK;
    settings.topP = topP;
    return samplingDistribution(logits, settings);
}

struct Stages
{
    std::vector<float> warm;
    std::vector<float> cutK;
    std::vector<float> last;
};

NextTokenRow::Cut cutOf(const Stages& stages, std::size_t id)
{
    if (stages.last[id] > 0.0F)
        return NextTokenRow::Cut::Kept;
    if (stages.warm[id] <= 0.0F)
        return NextTokenRow::Cut::Temperature;
    return stages.cutK[id] <= 0.0F ? NextTokenRow::Cut::TopK : NextTokenRow::Cut::TopP;
}

int shownPosition(const ViewSnapshot& view, const Trace& trace)
{
    const auto n = static_cast<int>(trace.tokens().size());
    const bool ofSource = view.selection.part == AttentionKind::EncoderSelf;
    const int wanted = ofSource ? -1 : view.selection.query;
    return wanted < 0 || wanted >= n ? n - 1 : wanted;
}

/// Token to predict, if there is one.
std::optional<TokenId> actualToken(const Trace& trace, const NextTokenContent& content)
{
    const auto place = static_cast<std::size_t>(content.position + (content.inPlace ? 0 : 1));
    if (place >= trace.tokens().size())
        return std::nullopt;
    return trace.tokens().tokens[place].id;
}

std::optional<double> surpriseOf(const std::vector<double>& probabilities, TokenId id)
{
    const auto index = static_cast<std::size_t>(id);
    if (id < 0 || index >= probabilities.size())
        return std::nullopt;
    return -std::log2(std::max(probabilities[index], 1e-300));
}

/// Why there is no prediction at this position; empty otherwise.
QString problemOf(std::span<const float> logits, const NextTokenContent& content,
                  const LoadedModel& model)
{
    if (!logits.empty())
        return areUsable(logits)
                   ? QString()
                   : tr("The logits at position %1 are not all finite (NaN or infinity), so "
                        "there are no probabilities. The model's weights may be damaged.")
                         .arg(content.position);
    if (!model.model)
        return tr("This trace has no logits.");
    if (model.model->config().languageHead)
        return tr("This trace has no logits at this position.");
    return content.inPlace ? tr("This encoder has no head that predicts tokens. It outputs one "
                                "vector per token, for use in search and text comparison.")
                           : tr("This model has no head that predicts tokens.");
}

} // namespace

NextTokenContent nextTokenContent(const ViewSnapshot& view, const NextTokenRequest& request)
{
    NextTokenContent content;
    content.settings = request.settings;
    const Variant variant = view.shown == Variant::A || !view.b ? Variant::A : Variant::B;
    const TracePtr& trace = view.trace(variant);
    if (!trace || trace->tokens().size() == 0)
        return content;
    const LoadedModel& model = view.model(variant);
    content.position = shownPosition(view, *trace);
    content.inPlace = model.model && !model.model->config().hasDecoder();
    content.fillsIn = content.inPlace && model.tokenizer && maskToken(*model.tokenizer);
    content.isLast = content.position + 1 == static_cast<int>(trace->tokens().size());
    if (content.isLast && !content.inPlace)
        content.unread = std::max<long long>(
            trace->info().textTokens - static_cast<long long>(trace->tokens().size()), 0);
    content.after = labelsOf(trace->tokens(), model).value(content.position);
    const LogitRow atPosition(*trace, content.position);
    const std::span<const float> logits = atPosition.values();
    content.problem = problemOf(logits, content, model);
    if (!content.problem.isEmpty())
        return content;
    const std::vector<double> plain = softmaxOf(logits);
    std::vector<double> before;
    if (variant == Variant::B && view.a) {
        const LogitRow ofA(*view.a, content.position);
        before = softmaxOf(ofA.values());
        if (before.size() != plain.size() || !areUsable(ofA.values()))
            before.clear();
    }
    const SamplingSettings& s = content.settings;
    const Stages stages{stage(logits, s.temperature, 0, 1.0),
                        stage(logits, s.temperature, s.topK, 1.0),
                        stage(logits, s.temperature, s.topK, s.topP)};
    for (const TokenId id : mostProbable(plain, before, request.rows)) {
        const auto index = static_cast<std::size_t>(id);
        NextTokenRow row;
        row.id = id;
        row.label = labelOf(id, model);
        row.logit = double{logits[index]};
        row.scaled = s.temperature > 0.0 ? row.logit / s.temperature : row.logit;
        row.probability = plain[index];
        if (!before.empty())
            row.before = before[index];
        row.sampling = double{stages.last[index]};
        row.cut = cutOf(stages, index);
        content.rows.push_back(std::move(row));
    }
    content.entropy = entropyBits(plain);
    if (!before.empty())
        content.entropyBefore = entropyBits(before);
    content.vocabulary = std::ssize(plain);
    content.largestEntropy = std::log2(static_cast<double>(content.vocabulary));
    content.kept =
        std::count_if(stages.last.begin(), stages.last.end(), [](float p) { return p > 0.0F; });
    if (const auto id = actualToken(*trace, content)) {
        content.actual = labelOf(*id, model);
        content.surprise = surpriseOf(plain, *id);
        if (!before.empty())
            content.surpriseBefore = surpriseOf(before, *id);
    }
    content.distribution = stages.last;
    return content;
}

MaybeNumber nextTokenNumber(const ViewSnapshot& view, const NextTokenContent& content, int row,
                            NextTokenStage stage)
{
    if (row < 0 || row >= static_cast<int>(content.rows.size()))
        return std::nullopt;
    const NextTokenRow& token = content.rows[static_cast<std::size_t>(row)];
    const Variant variant = stage == NextTokenStage::Before ? Variant::A : variantOf(view);
    if (stage == NextTokenStage::Before && !token.before)
        return std::nullopt;
    const NumberRef logit = cellNumber({Site::Logits, 0}, {content.position, token.id});
    const double temperature = content.settings.temperature;
    if (stage == NextTokenStage::Scaled && temperature > 0.0)
        return ShownNumber{
            sumNumber(QStringLiteral("%1 \u00F7 %2").arg(token.label).arg(temperature), {logit},
                      1.0 / temperature),
            variant};
    if (stage == NextTokenStage::Logit || stage == NextTokenStage::Scaled)
        return ShownNumber{logit, variant};
    return ShownNumber{probabilityNumber(content.position, token.id), variant};
}

std::optional<TokenStanding> standingOf(const ViewSnapshot& view, int position, TokenId id)
{
    const TracePtr& trace = view.trace(variantOf(view));
    if (!trace)
        return std::nullopt;
    const LogitRow row(*trace, position);
    const std::vector<double> all = softmaxOf(row.values());
    const auto index = static_cast<std::size_t>(id);
    if (id < 0 || index >= all.size() || !areUsable(row.values()))
        return std::nullopt;
    const auto above = std::ranges::count_if(all, [&](double p) { return p > all[index]; });
    return TokenStanding{all[index], static_cast<int>(above) + 1};
}

SamplingSettings settingsFrom(const QJsonObject& options)
{
    SamplingSettings settings;
    settings.temperature = std::clamp(options.value("temperature").toDouble(1.0), 0.0, 5.0);
    settings.topK = std::max(0, options.value("top_k").toInt(0));
    settings.topP = std::clamp(options.value("top_p").toDouble(1.0), 0.01, 1.0);
    return settings;
}

QJsonObject toOptions(const SamplingSettings& settings)
{
    return {
        {"temperature", settings.temperature}, {"top_k", settings.topK}, {"top_p", settings.topP}};
}

double drawOf(std::uint64_t seed, int step)
{
    return Random(seed, static_cast<std::uint64_t>(step)).uniform();
}

} // namespace headscope::ui
