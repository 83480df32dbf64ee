#pragma once

#include "core/analysis/causal/base_pass.h"

namespace headscope {

/// A clean and a corrupted text with the same number of tokens; the corrupted one lacks what the
/// metric measures.
struct PatchingPair
{
    CausalText clean;
    CausalText corrupted;
    GradientTarget metric; ///< Metric read from both runs.
};

/// Corruption without a second text: Gaussian noise on the first block's input at some tokens (Meng
/// et al. 2022, "Locating and Editing Factual Associations in GPT").
struct EmbeddingNoise
{
    std::vector<std::int64_t> positions;
    double deviations = 3.0; ///< Standard deviation of the noise, in those of the embeddings.
    std::uint64_t seed = 0;
};

/// Site that is patched, which determines the axes of the grid.
enum class PatchSite {
    ResidPre, ///< Layer x position.
    AttnOut,  ///< Layer x position.
    MlpOut,   ///< Layer x position; absent from models without MLPs.
    HeadOut,  ///< Layer x head: z.
    Query,    ///< Layer x head: queries before any rotation.
    Key,      ///< Layer x key head.
    Value,    ///< Layer x key head.
    Pattern,  ///< Layer x head.
    Cell,     ///< Query x key of one head's pattern.
};

const char* nameOf(PatchSite site); ///< Name of a site: "resid_pre", ..., "cell".
std::optional<PatchSite> parsePatchSite(std::string_view name);
bool isByPosition(PatchSite site); ///< True for the three layer x position sites.
std::vector<PatchSite> patchSites(const ModelConfig& config); ///< Sites that the model has.

/// The metric after patching each part of the clean run into the corrupted run.
struct PatchGrid
{
    PatchSite site = PatchSite::ResidPre;
    int rows = 0;    ///< Number of layers, or of queries.
    int columns = 0; ///< Number of positions, heads, or keys.
    double clean = 0.0;
    double corrupted = 0.0;
    std::vector<double> metrics; ///< Patched metrics [rows, columns].
    double seconds = 0.0;

    double metric(int row, int column) const
    {
        return metrics[static_cast<std::size_t>(row * columns + column)];
    }

    /// (patched - corrupted) / (clean - corrupted): 1 where the effect is fully restored. NaN where
    /// clean and corrupted are equal, so that there is no effect to restore.
    double normalised(double value) const;
};

/// The head whose cells a grid patches.
struct PatchedHead
{
    int layer = 0;
    int head = 0;
};

/// The clean and the corrupted run of a pair, reusable for any number of grids.
class ActivationPatching
{
public:
    /// Throws a one-sentence Error for texts of different lengths and for a metric that they do not
    /// have.
    ActivationPatching(std::shared_ptr<const ResumedForward> model, const PatchingPair& pair,
                       BackendFactory backends, Progress& progress);

    /// Patches the clean text against itself with noise.
    ActivationPatching(std::shared_ptr<const ResumedForward> model, const CausalText& clean,
                       const GradientTarget& metric, const EmbeddingNoise& noise,
                       BackendFactory backends, Progress& progress);

    const BasePass& clean() const { return *m_clean; }

    const BasePass& corrupted() const { return *m_corrupted; }

    /// Patches every cell of a grid; `head` is used by Cell only. Tokens after the row that the
    /// metric reads cannot affect a causal model: there the grid holds the corrupted metric.
    PatchGrid grid(PatchSite site, Progress& progress, PatchedHead head = {}) const;

    /// The patched metric of one cell of a grid.
    double patched(PatchSite site, int row, int column, PatchedHead head, AttentionBackend& backend,
                   std::stop_token stop = {}) const;

private:
    PatchGrid emptyGrid(PatchSite site) const;

    BackendFactory m_backends;
    std::int64_t m_tokens = 0; ///< Number of tokens of the whole text.
    std::shared_ptr<const BasePass> m_clean;
    std::shared_ptr<const BasePass> m_corrupted;
};

} // namespace headscope
