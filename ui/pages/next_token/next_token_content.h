#pragma once

#include "core/generate/sampling.h"
#include "ui/pages/shared/maps/shown_number.h"

#include <QString>

#include <optional>
#include <vector>

namespace headscope::ui {

/// One token that could come next, stage by stage.
struct NextTokenRow
{
    enum class Cut { Kept, Temperature, TopK, TopP }; ///< by which stage it was taken out

    TokenId id = 0;
    QString label;
    double logit = 0.0;
    double scaled = 0.0;          ///< logit / temperature; the logit itself when greedy
    double probability = 0.0;     ///< softmax of the logits
    std::optional<double> before; ///< the same in A, when `probability` is B's
    double sampling = 0.0;        ///< after temperature, cuts and renormalising
    Cut cut = Cut::Kept;
};

/// What a model expects at one position, and what sampling would make of it.
struct NextTokenContent
{
    std::vector<NextTokenRow> rows; ///< most probable first
    SamplingSettings settings;
    QString after;                  ///< the token at the position
    QString actual;                 ///< what really comes; empty at the end of a text
    std::optional<double> surprise; ///< of it, bits
    std::optional<double> surpriseBefore;
    double entropy = 0.0; ///< of the softmax, bits
    std::optional<double> entropyBefore;
    double largestEntropy = 0.0; ///< log2 of the vocabulary
    long long vocabulary = 0;
    long long kept = 0; ///< tokens that can be drawn
    int position = -1;
    bool isLast = false;             ///< sampling can continue the text here
    bool inPlace = false;            ///< an encoder: the prediction is for the position itself
    std::vector<float> distribution; ///< [V] of sampling
    QString problem;                 ///< why there are no rows, one sentence; else empty
};

struct NextTokenWish
{
    SamplingSettings settings;
    int rows = 10;
};

/// Empty rows and a problem without logits, or where they are no numbers. Throws nothing: settings
/// are brought into their ranges.
NextTokenContent nextTokenContent(const Looking& looking, const NextTokenWish& wish);

SamplingSettings settingsFrom(const QJsonObject& options);
QJsonObject toOptions(const SamplingSettings& settings);

/// One number of a row: its logit, that over the temperature, or the softmax of B's or A's logits.
enum class NextTokenStage { Logit, Scaled, Probability, Before };
MaybeNumber nextTokenNumber(const Looking& looking, const NextTokenContent& content, int row,
                            NextTokenStage stage);

/// The number in [0, 1) that decides draw `step` of a seed.
double drawOf(std::uint64_t seed, int step);

} // namespace headscope::ui
