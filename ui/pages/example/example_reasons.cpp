#include "ui/pages/example/example_reasons.h"

#include "core/base/content_language.h"
#include "ui/widgets/tr.h"

namespace headscope::ui {

namespace {

/// Reason for a stage that several examples share, keyed by its output matrix.
struct CommonReason
{
    const char* matrix;
    const char* words;
};

constexpr CommonReason kCommon[] = {
    {"scores", QT_TR_NOOP("A score measures how well a key matches a "
                          "query: the better the match, the higher the "
                          "score.")},
    {"scaled",
     QT_TR_NOOP("Long vectors give large scores. Dividing by the square root of their "
                "length keeps the scores in a range where the softmax does not saturate.")},
    {"masked", QT_TR_NOOP("A hidden key must get no weight. Its score becomes −∞, "
                          "because e to the power of −∞ is 0.")},
    {"shifted", QT_TR_NOOP("Subtracting the largest score changes no weight, but "
                           "keeps the exponentials from overflowing.")},
    {"exponentials", QT_TR_NOOP("The exponential makes every number positive, and turns "
                                "a small lead in score into a large lead in weight.")},
    {"weights",
     QT_TR_NOOP(
         "Divided by their sum, the numbers of a row add up to 1. They are attention weights.")},
    {"probabilities",
     QT_TR_NOOP("Divided by their sum, the numbers of a row add up to 1. They are probabilities.")},
};

constexpr auto kBlend = QT_TR_NOOP(
    "The output is a weighted average of the values: each value counts as much as its token is "
    "attended to.");

/// Reason for a stage of one example, by the English title of the stage or the name of its output
/// matrix.
struct OwnReason
{
    const char* example;
    const char* stage;
    const char* words;
};

constexpr OwnReason kOwn[] = {
    {"soft-dictionary", "Multiply", QT_TR_NOOP("Each value is multiplied by its weight.")},
    {"soft-dictionary", "Add",
     QT_TR_NOOP("A dictionary returns one value. Attention returns a weighted average of "
                "all.")},
    {"multi-head", "Split Q", QT_TR_NOOP("Each head uses its own slice of every vector.")},
    {"multi-head", "Split K", QT_TR_NOOP("Each head uses its own slice of every vector.")},
    {"multi-head", "Split V", QT_TR_NOOP("Each head uses its own slice of every vector.")},
    {"multi-head", "Concatenate",
     QT_TR_NOOP(
         "The outputs of the heads are concatenated, so that each token has one vector again.")},
    {"multi-head", "Project", QT_TR_NOOP("W_O mixes the outputs of the heads.")},
    {"layer-norm", "Mean", QT_TR_NOOP("The mean is the centre of one token's numbers.")},
    {"layer-norm", "Centre", QT_TR_NOOP("With the mean subtracted, the numbers are centred at 0.")},
    {"layer-norm", "Square",
     QT_TR_NOOP("Squaring makes all deviations positive, so that they do not cancel when "
                "added.")},
    {"layer-norm", "Deviation",
     QT_TR_NOOP("The standard deviation measures the spread of the numbers. ε keeps it "
                "from being 0.")},
    {"layer-norm", "Normalise",
     QT_TR_NOOP("Divided by the standard deviation, the numbers of "
                "every token have the same spread, whatever the input.")},
    {"layer-norm", "Scale", QT_TR_NOOP("γ lets the model learn a scale for each dimension.")},
    {"layer-norm", "Shift", QT_TR_NOOP("β lets the model learn an offset for each dimension.")},
    {"rope", "Speeds",
     QT_TR_NOOP("Each pair of dimensions rotates at its own frequency: the first pair fast, later "
                "pairs slowly.")},
    {"rope", "Slide",
     QT_TR_NOOP("Both tokens can be shifted together. The final score does not change.")},
    {"rope", "Angles",
     QT_TR_NOOP("A position times a frequency is the rotation angle of that pair.")},
    {"rope", "Turn for q", QT_TR_NOOP("The sine and cosine of the angle define the rotation.")},
    {"rope", "Turn for k", QT_TR_NOOP("The sine and cosine of the angle define the rotation.")},
    {"rope", "Turn q", QT_TR_NOOP("A rotation changes the direction of a pair, never its length.")},
    {"rope", "Turn k", QT_TR_NOOP("A rotation changes the direction of a pair, never its length.")},
    {"rope", "Score",
     QT_TR_NOOP("The score depends only on the distance between the two positions.")},
    {"sinusoidal", "exponents",
     QT_TR_NOOP("Each pair of dimensions has an exponent of its own, from 0 to nearly 1.")},
    {"sinusoidal", "denominators",
     QT_TR_NOOP("The denominator sets the wavelength of a pair: 2π times the denominator.")},
    {"sinusoidal", "angles",
     QT_TR_NOOP("The first pair turns fast, later pairs slowly, like the hands of clocks.")},
    {"sinusoidal", "PE",
     QT_TR_NOOP("With sine and cosine of one angle, moving on by some positions is a "
                "rotation.")},
    {"score-variance", "size",
     QT_TR_NOOP("The square root of the variance is the typical size of a score. Large "
                "scores saturate the softmax.")},
    {"score-variance", "scaled_variance",
     QT_TR_NOOP("After the division a score has the variance of a single product, whatever "
                "the head dimension.")},
    {"encoder-block", "Q",
     QT_TR_NOOP("All weights here are chosen: these so that Q, K and V are those of "
                "“Attention, two tokens”, the others to be short.")},
    {"encoder-block", "attended",
     QT_TR_NOOP("W_O returns the output of the head to the width of the residual stream.")},
    {"encoder-block", "sum",
     QT_TR_NOOP("Residual connection: a sublayer adds to its input and does not replace "
                "it.")},
    {"encoder-block", "norm",
     QT_TR_NOOP("LayerNorm gives every token mean 0 and variance 1. Here γ is 1 and β is "
                "0.")},
    {"encoder-block", "output",
     QT_TR_NOOP("LayerNorm gives every token mean 0 and variance 1. Here γ is 1 and β is "
                "0.")},
    {"encoder-block", "hidden",
     QT_TR_NOOP("The feed-forward network processes each token on its own. Its hidden "
                "layer is usually four times as wide.")},
    {"encoder-block", "active",
     QT_TR_NOOP("Without a nonlinearity the two matrices would collapse into one.")},
    {"encoder-block", "ffn",
     QT_TR_NOOP("The second matrix projects back to the width of the residual stream.")},
    {"kv-cache-steps", "Q",
     QT_TR_NOOP("Only the new token needs a query. The weights are chosen so that Q, K and "
                "V are those of “Attention, three tokens”.")},
    {"kv-cache-steps", "K", QT_TR_NOOP("The new key is computed once and stays in the cache.")},
    {"kv-cache-steps", "V", QT_TR_NOOP("The new value is computed once and stays in the cache.")},
    {"kv-cache-steps", "output",
     QT_TR_NOOP("The new token attends to all cached keys: the same numbers as with the "
                "causal mask, one row at a time.")},
    {"kv-cache-steps", "work",
     QT_TR_NOOP("The cache trades memory for work. Each position still reads all earlier "
                "keys and values.")},
    {"kv-cache-steps", "total",
     QT_TR_NOOP("Without the cache, the work grows with the square of the length.")},
    {"cross-entropy", "Pick", QT_TR_NOOP("Only the probability of the actual next token counts.")},
    {"cross-entropy", "Loss",
     QT_TR_NOOP("The loss is small when that probability is near 1, and "
                "unbounded as it approaches 0.")},
    {"cross-entropy", "Mean",
     QT_TR_NOOP("The mean over all positions is the loss that training minimises.")},
    {"cross-entropy", "Perplexity",
     QT_TR_NOOP("Perplexity is the number of equally likely tokens that would give the "
                "same loss.")},
    {"cross-entropy", "Target",
     QT_TR_NOOP("The correct answer as a one-hot vector: 1 for the actual token, 0 for "
                "all others.")},
    {"cross-entropy", "Difference",
     QT_TR_NOOP("Positive: the model gave that token too much probability. Negative: too "
                "little.")},
    {"cross-entropy", "Gradient",
     QT_TR_NOOP("Moving each logit against its gradient reduces the loss.")},
    {"adamw", "Norm", QT_TR_NOOP("The norm is the length of the whole gradient.")},
    {"adamw", "Clip",
     QT_TR_NOOP("A gradient above the maximum norm is scaled down by this factor.")},
    {"adamw", "Clipped", QT_TR_NOOP("A clipped gradient keeps its direction.")},
    {"adamw", "Decay", QT_TR_NOOP("Weight decay pulls every weight a little towards 0.")},
    {"adamw", "First moment",
     QT_TR_NOOP("The first moment is a running mean of the gradients. It tracks their direction.")},
    {"adamw", "Second moment",
     QT_TR_NOOP("The second moment is a running mean of the squared gradients. It tracks their "
                "magnitude.")},
    {"adamw", "Collected",
     QT_TR_NOOP("Both means start at 0. This is the fraction of a full mean accumulated so far.")},
    {"adamw", "Correct m", QT_TR_NOOP("Dividing by that fraction removes the bias towards 0.")},
    {"adamw", "Correct v", QT_TR_NOOP("Dividing by that fraction removes the bias towards 0.")},
    {"adamw", "Root",
     QT_TR_NOOP(
         "The square root returns to the scale of the gradients. ε prevents division by 0.")},
    {"adamw", "Direction",
     QT_TR_NOOP("Large and small gradients give steps of about the same size.")},
    {"adamw", "Move", QT_TR_NOOP("The learning rate sets the step size.")},
    {"adamw", "Update", QT_TR_NOOP("The weights take the step, against the gradient.")},
};

/// "weights" of "weights_2".
std::string baseName(const std::string& matrix)
{
    const std::size_t end = matrix.find_last_not_of("0123456789");
    return end != std::string::npos && end > 0 && end + 1 < matrix.size() && matrix[end] == '_'
               ? matrix.substr(0, end)
               : matrix;
}

} // namespace

QString whyText(const WorkedDiagram& diagram)
{
    const std::vector<int> large = diagram.largeMatrices();
    if (large.empty())
        return {};
    const std::string& stage =
        diagram.example->stages[static_cast<std::size_t>(diagram.stage())].title;
    const WorkedMatrix& last = diagram.matrix(large.back());
    const std::string name = baseName(last.name);
    for (const OwnReason& reason : kOwn)
        if (diagram.example->name == reason.example &&
            (name == reason.stage || stage == message(reason.stage)))
            return tr(reason.words);
    for (const CommonReason& reason : kCommon)
        if (name == reason.matrix)
            return tr(reason.words);
    return last.formula == "A V" || stage == message("Weighted sum") ? tr(kBlend) : QString();
}

} // namespace headscope::ui
