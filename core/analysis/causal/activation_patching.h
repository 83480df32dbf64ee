#pragma once

#include "core/analysis/causal/base_pass.h"

namespace headscope {

/// Two texts of as many tokens, one of which lost what the metric asks for.
struct PatchingPair
{
    CausalText clean;
    CausalText corrupted;
    GradientTarget metric; ///< read from both
};

/// Instead of another text: Gaussian noise on the first block's input at some tokens (Meng et al.
/// 2022, "Locating and Editing Factual Associations in GPT").
struct EmbeddingNoise
{
    std::vector<std::int64_t> positions;
    double deviations = 3.0; ///< of the embeddings' own standard deviation
    std::uint64_t seed = 0;
};

/// What is put back, and so what a grid's axes are.
enum class PatchSite {
    ResidPre, ///< layer x position
    AttnOut,  ///< the same
    MlpOut,   ///< the same; not in a model without feed-forward parts
    HeadOut,  ///< layer x head: z
    Query,    ///< layer x head: before any rotation
    Key,      ///< layer x key head
    Value,    ///< the same
    Pattern,  ///< layer x head
    Cell,     ///< query x key of one head's pattern
};

const char* nameOf(PatchSite site); ///< "resid_pre", ..., "cell"
std::optional<PatchSite> parsePatchSite(std::string_view name);
bool isByPosition(PatchSite site);                            ///< of the three layer x position
std::vector<PatchSite> patchSites(const ModelConfig& config); ///< those that the model has

/// The metric after one part of the clean pass was put into the corrupted one.
struct PatchGrid
{
    PatchSite site = PatchSite::ResidPre;
    int rows = 0;    ///< layers, or queries
    int columns = 0; ///< positions, heads, or keys
    double clean = 0.0;
    double corrupted = 0.0;
    std::vector<double> metrics; ///< [rows, columns]
    double seconds = 0.0;

    double metric(int row, int column) const
    {
        return metrics[static_cast<std::size_t>(row * columns + column)];
    }

    /// (patched - corrupted) / (clean - corrupted): 1 where all comes back. NaN where clean and
    /// corrupted are the same, so that nothing could come back.
    double normalised(double value) const;
};

/// The head of a grid of cells.
struct PatchedHead
{
    int layer = 0;
    int head = 0;
};

/// Both passes of a pair, kept for any number of grids.
class ActivationPatching
{
public:
    /// Throws Error, in one sentence, for texts of different length and for a metric that they do
    /// not have.
    ActivationPatching(std::shared_ptr<const ResumedForward> model, const PatchingPair& pair,
                       BackendFactory backends, Progress& progress);

    /// The clean text against itself with noise.
    ActivationPatching(std::shared_ptr<const ResumedForward> model, const CausalText& clean,
                       const GradientTarget& metric, const EmbeddingNoise& noise,
                       BackendFactory backends, Progress& progress);

    const BasePass& clean() const { return *m_clean; }

    const BasePass& corrupted() const { return *m_corrupted; }

    /// `head` is of Cell alone. Tokens behind the row that the metric reads cannot matter to a
    /// causal model: there the grid holds the corrupted metric.
    PatchGrid grid(PatchSite site, Progress& progress, PatchedHead head = {}) const;

    /// One cell of it.
    double patched(PatchSite site, int row, int column, PatchedHead head, AttentionBackend& backend,
                   std::stop_token stop = {}) const;

private:
    PatchGrid emptyGrid(PatchSite site) const;

    BackendFactory m_backends;
    std::int64_t m_tokens = 0; ///< of the whole text
    std::shared_ptr<const BasePass> m_clean;
    std::shared_ptr<const BasePass> m_corrupted;
};

} // namespace headscope
