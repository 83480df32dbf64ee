#include "core/analysis/causal/activation_patching.h"

#include "core/base/error.h"
#include "core/base/random.h"
#include "core/base/stopwatch.h"
#include "core/model/pass/site_shape.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <limits>

namespace headscope {

namespace {

constexpr const char* kNames[] = {"resid_pre", "attn_out", "mlp_out", "out", "q",
                                  "k",         "v",        "pattern", "cell"};
constexpr PatchSite kSites[] = {PatchSite::ResidPre, PatchSite::AttnOut, PatchSite::MlpOut,
                                PatchSite::HeadOut,  PatchSite::Query,   PatchSite::Key,
                                PatchSite::Value,    PatchSite::Pattern, PatchSite::Cell};

Site siteOf(PatchSite site)
{
    constexpr Site kOf[] = {Site::ResidPre, Site::AttnOut, Site::MlpOut,  Site::Z,      Site::Query,
                            Site::Key,      Site::Value,   Site::Pattern, Site::Pattern};
    return kOf[static_cast<int>(site)];
}

/// Copy of `rows` [n, d] with one row taken from `other`.
Tensor withRow(const Tensor& rows, const Tensor& other, std::int64_t row)
{
    Tensor result = rows;
    std::copy_n(other.view()[row].data, rows.shape()[1], result.view()[row].data);
    return result;
}

bool sameRow(const Tensor& a, const Tensor& b, std::int64_t row)
{
    const float* const first = a.view()[row].data;
    return std::equal(first, first + a.shape()[1], b.view()[row].data);
}

/// The same input with Gaussian noise added to some rows.
Tensor noisy(const Tensor& input, const EmbeddingNoise& noise)
{
    double sum = 0.0;
    double squares = 0.0;
    for (const float value : input.values()) {
        sum += static_cast<double>(value);
        squares += static_cast<double>(value) * static_cast<double>(value);
    }
    const auto count = static_cast<double>(input.size());
    const double deviation =
        noise.deviations * std::sqrt(std::max(0.0, squares / count - sum * sum / count / count));
    Tensor result = input;
    for (const std::int64_t position : noise.positions) {
        if (position < 0 || position >= input.shape()[0])
            throw Error(
                fmt::format("no token {} to add noise to among {}", position, input.shape()[0]),
                "patching", "Choose tokens up to the one that the metric reads");
        Random random(noise.seed, static_cast<std::uint64_t>(position));
        for (std::int64_t channel = 0; channel < input.shape()[1]; ++channel)
            result.view()(position, channel) += static_cast<float>(deviation * random.normal());
    }
    return result;
}

void checkPair(const PatchingPair& pair)
{
    const std::size_t clean = pair.clean.ids.size();
    const std::size_t corrupted = pair.corrupted.ids.size();
    if (clean != corrupted)
        throw Error(
            fmt::format("the clean text has {} tokens and the corrupted one {}", clean, corrupted),
            "patching", "Change words so that both have the same number of tokens");
    if (pair.clean.source.size() != pair.corrupted.source.size())
        throw Error(fmt::format("the clean source has {} tokens and the corrupted one {}",
                                pair.clean.source.size(), pair.corrupted.source.size()),
                    "patching", "Change words so that both have the same number of tokens");
}

/// Patch with all that the clean run computed for one head and layer.
Interventions operandPatch(const BasePass& clean, Site site, int layer, int head)
{
    Interventions interventions;
    interventions.patches = {{{site, layer, clean.stack()}, clean.find(site, layer), head, {}}};
    return interventions;
}

Interventions cellPatch(const BasePass& clean, PatchedHead head, int query, int key)
{
    PatternEdit edit;
    edit.key = {Site::Pattern, head.layer, clean.stack()};
    edit.head = head.head;
    edit.query = query;
    edit.keyToken = key;
    edit.weights = {clean.at(Site::Pattern, head.layer).view()(head.head, query, key)};
    Interventions interventions;
    interventions.patternEdits = {edit};
    return interventions;
}

} // namespace

const char* nameOf(PatchSite site)
{
    return kNames[static_cast<int>(site)];
}

std::optional<PatchSite> parsePatchSite(std::string_view name)
{
    for (const PatchSite site : kSites)
        if (name == nameOf(site))
            return site;
    return std::nullopt;
}

bool isByPosition(PatchSite site)
{
    return site == PatchSite::ResidPre || site == PatchSite::AttnOut || site == PatchSite::MlpOut;
}

std::vector<PatchSite> patchSites(const ModelConfig& config)
{
    std::vector<PatchSite> sites;
    for (const PatchSite site : kSites)
        if (siteShape(config, {siteOf(site), 0, config.mainStack()}, {1, 1}))
            sites.push_back(site);
    return sites;
}

double PatchGrid::normalised(double value) const
{
    const double distance = clean - corrupted;
    const double scale = std::max({1.0, std::abs(clean), std::abs(corrupted)});
    if (!(std::abs(distance) > 1e-6 * scale))
        return std::numeric_limits<double>::quiet_NaN();
    return (value - corrupted) / distance;
}

ActivationPatching::ActivationPatching(std::shared_ptr<const ResumedForward> model,
                                       const PatchingPair& pair, BackendFactory backends,
                                       Progress& progress)
    : m_backends(std::move(backends))
    , m_tokens(static_cast<std::int64_t>(pair.clean.ids.size()))
{
    checkPair(pair);
    m_clean = std::make_shared<const BasePass>(model, pair.clean, pair.metric, m_backends,
                                               Kept::Attention, progress.stop());
    m_corrupted = std::make_shared<const BasePass>(model, pair.corrupted, pair.metric, m_backends,
                                                   Kept::Attention, progress.stop());
}

ActivationPatching::ActivationPatching(std::shared_ptr<const ResumedForward> model,
                                       const CausalText& clean, const GradientTarget& metric,
                                       const EmbeddingNoise& noise, BackendFactory backends,
                                       Progress& progress)
    : m_backends(std::move(backends))
    , m_tokens(static_cast<std::int64_t>(clean.ids.size()))
{
    m_clean = std::make_shared<const BasePass>(model, clean, metric, m_backends, Kept::Attention,
                                               progress.stop());
    const Tensor begin = noisy(m_clean->at(Site::ResidPre, 0), noise);
    m_corrupted = std::make_shared<const BasePass>(model, clean, metric, m_backends,
                                                   Kept::Attention, progress.stop(), &begin);
}

PatchGrid ActivationPatching::emptyGrid(PatchSite site) const
{
    const ModelConfig& config = m_clean->config();
    const auto extents = siteShape(config, {siteOf(site), 0, m_clean->stack()}, {m_tokens, 1});
    if (!extents)
        throw Error(fmt::format("this model has no {}", nameOf(site)), "patching",
                    "Choose another site");
    const bool byCell = site == PatchSite::Cell;
    const int heads = static_cast<int>(hasQueryRowsPerHead(siteOf(site)) ? (*extents)[0]
                                       : hasHeads(siteOf(site))          ? (*extents)[1]
                                                                         : 0);
    PatchGrid grid;
    grid.site = site;
    grid.rows = static_cast<int>(byCell ? m_tokens : layerCount(config, m_clean->stack()));
    grid.columns = isByPosition(site) || byCell ? static_cast<int>(m_tokens) : heads;
    grid.clean = m_clean->metric();
    grid.corrupted = m_corrupted->metric();
    grid.metrics.assign(static_cast<std::size_t>(grid.rows) *
                            static_cast<std::size_t>(grid.columns),
                        grid.corrupted);
    return grid;
}

double ActivationPatching::patched(PatchSite site, int row, int column, PatchedHead head,
                                   AttentionBackend& backend, std::stop_token stop) const
{
    const BasePass& base = *m_corrupted;
    const Site at = siteOf(site);
    const auto streamBefore = [&](int layer) {
        return Resumption{{Site::ResidPre, layer, base.stack()}, base.at(Site::ResidPre, layer)};
    };
    if (isByPosition(site)) {
        if (column >= base.tokens() || sameRow(base.at(at, row), m_clean->at(at, row), column))
            return base.metric();
        Tensor rows = withRow(base.at(at, row), m_clean->at(at, row), column);
        if (site != PatchSite::ResidPre)
            return base.after(base.withSublayer(at, row, rows), backend, std::move(stop));
        return base.after({{at, row, base.stack()}, std::move(rows)}, backend, std::move(stop));
    }
    if (site == PatchSite::HeadOut)
        return base.after(base.withHead(row, column, m_clean->headZ(row, column)), backend,
                          std::move(stop));
    if (site != PatchSite::Cell)
        return base.after(streamBefore(row), backend, std::move(stop),
                          operandPatch(*m_clean, at, row, column));
    if (row >= base.tokens() || column >= base.tokens())
        return base.metric();
    const auto weight = [&](const BasePass& pass) {
        return pass.at(Site::Pattern, head.layer).view()(head.head, row, column);
    };
    if (weight(base) == weight(*m_clean)) // includes masked cells
        return base.metric();
    return base.after(streamBefore(head.layer), backend, std::move(stop),
                      cellPatch(*m_clean, head, row, column));
}

PatchGrid ActivationPatching::grid(PatchSite site, Progress& progress, PatchedHead head) const
{
    const Stopwatch watch;
    PatchGrid grid = emptyGrid(site);
    const auto columns = static_cast<std::size_t>(grid.columns);
    forEachPass(grid.metrics.size(), m_backends, progress,
                [&](std::size_t index, AttentionBackend& backend) {
                    grid.metrics[index] =
                        patched(site, static_cast<int>(index / columns),
                                static_cast<int>(index % columns), head, backend, progress.stop());
                });
    grid.seconds = watch.seconds();
    return grid;
}

} // namespace headscope
