#pragma once

#include "core/generate/sampling.h"
#include "ui/pages/shared/maps/shown_number.h"

#include <QString>

#include <optional>
#include <vector>

namespace headscope::ui {

/// A candidate for the next token, stage by stage.
struct NextTokenRow
{
    enum class Cut { Kept, Temperature, TopK, TopP }; ///< Stage that removed the token.

    TokenId id = 0;
    QString label;
    double logit = 0.0;
    double scaled = 0.0;          ///< Logit / temperature; the logit itself when greedy.
    double probability = 0.0;     ///< Softmax of the logits.
    std::optional<double> before; ///< Probability in A when `probability` is B's.
    double sampling = 0.0;        ///< Probability after temperature, truncation and renormalising.
    Cut cut = Cut::Kept;
};

/// A model's prediction at one position, and the sampling distribution made from it.
struct NextTokenContent
{
    std::vector<NextTokenRow> rows; ///< Candidates, most probable first.
    SamplingSettings settings;
    QString after;                  ///< Token at the position.
    QString actual;                 ///< Actual next token; empty at the end of a text.
    std::optional<double> surprise; ///< Surprisal of the actual token in bits.
    std::optional<double> surpriseBefore;
    double entropy = 0.0; ///< Entropy of the softmax in bits.
    std::optional<double> entropyBefore;
    double largestEntropy = 0.0; ///< log2 of the vocabulary size.
    long long vocabulary = 0;
    long long kept = 0; ///< Number of tokens that can be sampled.
    int position = -1;
    long long unread = 0; ///< Number of tokens that follow beyond the model's context.
    bool isLast = false;  ///< Whether sampling can continue the text here.
    bool inPlace = false; ///< Whether the prediction is for the position itself (encoders).
    bool fillsIn = false; ///< Whether nothing is sampled: an encoder with a mask token.
    std::vector<float> distribution; ///< Sampling distribution [V].
    QString problem;                 ///< Why there are no rows, one sentence; empty otherwise.
};

struct NextTokenRequest
{
    SamplingSettings settings;
    int rows = 10;
};

/// Prediction at a position; without usable logits there are no rows and a problem is set. Does not
/// throw: settings are clamped to their ranges.
NextTokenContent nextTokenContent(const ViewSnapshot& view, const NextTokenRequest& request);

/// Probability of one token at a position of the shown variant, and its rank from 1.
struct TokenStanding
{
    double probability = 0.0;
    int rank = 1;
};

std::optional<TokenStanding> standingOf(const ViewSnapshot& view, int position, TokenId id);

SamplingSettings settingsFrom(const QJsonObject& options);
QJsonObject toOptions(const SamplingSettings& settings);

/// Derivation of one number in a row: its logit, the logit over the temperature, or the softmax of
/// B's or A's logits.
enum class NextTokenStage { Logit, Scaled, Probability, Before };
MaybeNumber nextTokenNumber(const ViewSnapshot& view, const NextTokenContent& content, int row,
                            NextTokenStage stage);

/// Random number in [0, 1) for sampling step `step` of a seed.
double drawOf(std::uint64_t seed, int step);

} // namespace headscope::ui
