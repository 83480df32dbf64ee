#include "ui/pages/example/example_reasons.h"

#include <QCoreApplication>

namespace headscope::ui {

namespace {

QString tr(const char* text)
{
    return QCoreApplication::translate("WorkedExample", text);
}

/// Of stages that several examples have, by the matrix they end with.
struct CommonReason
{
    const char* matrix;
    const char* words;
};

constexpr CommonReason kCommon[] = {
    {"scores", QT_TRANSLATE_NOOP("WorkedExample", "A score says how well a key answers a query: "
                                                  "the better the two agree, the larger it is.")},
    {"scaled",
     QT_TRANSLATE_NOOP("WorkedExample",
                       "Long vectors make large scores. Divided by the root of their length, the "
                       "scores stay in a range where the softmax can still choose.")},
    {"masked",
     QT_TRANSLATE_NOOP("WorkedExample", "A hidden key must get no weight. Its score becomes −∞, "
                                        "because e to the power of −∞ is 0.")},
    {"shifted",
     QT_TRANSLATE_NOOP("WorkedExample", "Taking the largest score away changes no weight. It keeps "
                                        "the exponentials from growing too large for a computer.")},
    {"exponentials",
     QT_TRANSLATE_NOOP("WorkedExample", "The exponential makes every number positive, and turns a "
                                        "small lead in score into a large lead in weight.")},
    {"weights",
     QT_TRANSLATE_NOOP(
         "WorkedExample",
         "Divided by their sum, the numbers of a row add up to 1. They are shares of attention.")},
    {"probabilities",
     QT_TRANSLATE_NOOP(
         "WorkedExample",
         "Divided by their sum, the numbers of a row add up to 1. They are probabilities.")},
};

constexpr auto kBlend = QT_TRANSLATE_NOOP(
    "WorkedExample",
    "The output is a blend of the values. Each value counts as much as its token is attended to.");

/// Of one example's own stages.
struct OwnReason
{
    const char* example;
    const char* stage;
    const char* words;
};

constexpr OwnReason kOwn[] = {
    {"soft-dictionary", "Multiply",
     QT_TRANSLATE_NOOP("WorkedExample", "Each value counts as much as its weight says.")},
    {"soft-dictionary", "Add",
     QT_TRANSLATE_NOOP("WorkedExample",
                       "A dictionary gives one value. This one gives a blend of all.")},
    {"multi-head", "Split Q",
     QT_TRANSLATE_NOOP("WorkedExample", "Each head reads its own part of every vector.")},
    {"multi-head", "Split K",
     QT_TRANSLATE_NOOP("WorkedExample", "Each head reads its own part of every vector.")},
    {"multi-head", "Split V",
     QT_TRANSLATE_NOOP("WorkedExample", "Each head reads its own part of every vector.")},
    {"multi-head", "Concatenate",
     QT_TRANSLATE_NOOP(
         "WorkedExample",
         "What the heads found is laid side by side, so that each token has one vector again.")},
    {"multi-head", "Project",
     QT_TRANSLATE_NOOP("WorkedExample", "W_O mixes what the heads found.")},
    {"layer-norm", "Mean",
     QT_TRANSLATE_NOOP("WorkedExample", "The mean says where the numbers of one token lie.")},
    {"layer-norm", "Centre",
     QT_TRANSLATE_NOOP("WorkedExample", "With the mean taken away, the numbers lie around 0.")},
    {"layer-norm", "Square",
     QT_TRANSLATE_NOOP("WorkedExample",
                       "Squares make all distances from 0 positive, so that they can be added.")},
    {"layer-norm", "Deviation",
     QT_TRANSLATE_NOOP("WorkedExample",
                       "The deviation says how far the numbers spread. ε keeps it from being 0.")},
    {"layer-norm", "Normalise",
     QT_TRANSLATE_NOOP("WorkedExample", "Divided by the deviation, the numbers of every token "
                                        "spread alike, whatever came before.")},
    {"layer-norm", "Scale",
     QT_TRANSLATE_NOOP("WorkedExample", "γ lets the model learn how large each number may be.")},
    {"layer-norm", "Shift",
     QT_TRANSLATE_NOOP("WorkedExample", "β lets the model learn where each number lies.")},
    {"rope", "Speeds",
     QT_TRANSLATE_NOOP(
         "WorkedExample",
         "Each pair of numbers turns at its own speed: the first pair fast, later ones slowly.")},
    {"rope", "Slide",
     QT_TRANSLATE_NOOP("WorkedExample",
                       "Both tokens can be moved together. The score at the end stays the same.")},
    {"rope", "Angles",
     QT_TRANSLATE_NOOP("WorkedExample",
                       "A position times a speed is the angle by which that pair is turned.")},
    {"rope", "Turn for q",
     QT_TRANSLATE_NOOP("WorkedExample", "The sine and the cosine of an angle make the turn.")},
    {"rope", "Turn for k",
     QT_TRANSLATE_NOOP("WorkedExample", "The sine and the cosine of an angle make the turn.")},
    {"rope", "Turn q",
     QT_TRANSLATE_NOOP("WorkedExample",
                       "A turn changes the direction of a pair, never its length.")},
    {"rope", "Turn k",
     QT_TRANSLATE_NOOP("WorkedExample",
                       "A turn changes the direction of a pair, never its length.")},
    {"rope", "Score",
     QT_TRANSLATE_NOOP(
         "WorkedExample",
         "The score depends on how far apart the two positions are, and on nothing else of them.")},
    {"cross-entropy", "Pick",
     QT_TRANSLATE_NOOP("WorkedExample",
                       "Only the probability of the word that really came counts.")},
    {"cross-entropy", "Loss",
     QT_TRANSLATE_NOOP("WorkedExample", "The loss is small where that probability is near 1, and "
                                        "grows without end as it nears 0.")},
    {"cross-entropy", "Mean",
     QT_TRANSLATE_NOOP("WorkedExample",
                       "The mean over all positions is the number that training makes smaller.")},
    {"cross-entropy", "Perplexity",
     QT_TRANSLATE_NOOP("WorkedExample",
                       "Perplexity says among how many words the model hesitates.")},
    {"cross-entropy", "Target",
     QT_TRANSLATE_NOOP("WorkedExample",
                       "The right answer as numbers: 1 for the word that came, 0 for all others.")},
    {"cross-entropy", "Difference",
     QT_TRANSLATE_NOOP("WorkedExample",
                       "Above 0, the model gave a word too much. Below 0, too little.")},
    {"cross-entropy", "Gradient",
     QT_TRANSLATE_NOOP("WorkedExample",
                       "Each logit has to move against its gradient to make the loss smaller.")},
    {"adamw", "Norm",
     QT_TRANSLATE_NOOP("WorkedExample", "The norm is the length of the whole gradient.")},
    {"adamw", "Clip",
     QT_TRANSLATE_NOOP("WorkedExample",
                       "A gradient that is too long will be shortened by this factor.")},
    {"adamw", "Clipped",
     QT_TRANSLATE_NOOP("WorkedExample", "A shortened gradient keeps its direction.")},
    {"adamw", "Decay",
     QT_TRANSLATE_NOOP("WorkedExample", "Weight decay pulls every weight a little toward 0.")},
    {"adamw", "First moment",
     QT_TRANSLATE_NOOP(
         "WorkedExample",
         "The first moment is a running mean of gradients. It remembers the direction.")},
    {"adamw", "Second moment",
     QT_TRANSLATE_NOOP(
         "WorkedExample",
         "The second moment is a running mean of their squares. It remembers the size.")},
    {"adamw", "Collected",
     QT_TRANSLATE_NOOP(
         "WorkedExample",
         "Both means began at 0. This is how much of a full mean has been collected.")},
    {"adamw", "Correct m",
     QT_TRANSLATE_NOOP("WorkedExample",
                       "Divided by what was collected, the mean is no longer too small.")},
    {"adamw", "Correct v",
     QT_TRANSLATE_NOOP("WorkedExample",
                       "Divided by what was collected, the mean is no longer too small.")},
    {"adamw", "Root",
     QT_TRANSLATE_NOOP(
         "WorkedExample",
         "The root brings squares back to the size of gradients. ε keeps it from being 0.")},
    {"adamw", "Direction",
     QT_TRANSLATE_NOOP("WorkedExample",
                       "Large and small gradients become steps of about the same size.")},
    {"adamw", "Move", QT_TRANSLATE_NOOP("WorkedExample", "The learning rate says how far to go.")},
    {"adamw", "Update",
     QT_TRANSLATE_NOOP("WorkedExample", "The weights take the step, against the gradient.")},
};

} // namespace

QString whyWords(const WorkedPicture& picture)
{
    const std::vector<int> large = picture.largeMatrices();
    if (large.empty())
        return {};
    const auto stage = static_cast<std::size_t>(picture.stage());
    for (const OwnReason& reason : kOwn)
        if (picture.example->name == reason.example &&
            picture.example->stages[stage].title == reason.stage)
            return tr(reason.words);
    const WorkedMatrix& last = picture.matrix(large.back());
    for (const CommonReason& reason : kCommon)
        if (last.name == reason.matrix)
            return tr(reason.words);
    return last.formula == "A V" || picture.example->stages[stage].title == "Weighted sum"
               ? tr(kBlend)
               : QString();
}

} // namespace headscope::ui
