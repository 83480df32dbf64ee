#include "ui/pages/qk/qk_formulas.h"

#include "ui/widgets/tr.h"

#include <cmath>

namespace headscope::ui {

namespace {

QString term(double value)
{
    return value < 0.0 ? QStringLiteral("(%1)").arg(number(value, 3)) : number(value, 3);
}

QString added(double value)
{
    return (value < 0.0 ? QStringLiteral(" \u2212 ") : QStringLiteral(" + ")) +
           number(std::abs(value), 3);
}

void addScale(std::vector<Math>& parts, const PairExplanation& pair)
{
    using namespace math;
    parts.push_back(variable(pair.rule.turned ? "q\u2032" : "q", Role::Query));
    parts.push_back(text("\u00B7"));
    parts.push_back(variable(pair.rule.turned ? "k\u2032" : "k", Role::Key));
    if (!pair.rule.scaled) {
        parts.push_back(text(" = " + number(pair.dot, 3)));
        return;
    }
    const auto size = static_cast<qlonglong>(pair.queryVector.size());
    const double divisor = std::sqrt(static_cast<double>(size));
    parts.push_back(text(" / "));
    parts.push_back(root(text(QString::number(size))));
    parts.push_back(text(" = " + number(pair.dot, 3) + " / " +
                         number(divisor, divisor == std::round(divisor) ? 0 : 3) + " = " +
                         number(pair.scaled, 3)));
}

void addCap(std::vector<Math>& parts, const PairExplanation& pair)
{
    const double cap = pair.rule.softCap;
    if (cap <= 0.0)
        return;
    const QString digits = number(cap, cap == std::round(cap) ? 0 : 2);
    parts.push_back(math::text(",  " + tr("soft cap") + ": " + digits + " tanh(" +
                               number(pair.scaled, 3) + " / " + digits +
                               ") = " + number(pair.capped, 3)));
}

void addBias(std::vector<Math>& parts, const PairExplanation& pair, TokenPair at)
{
    if (pair.rule.bias == ScoreRule::Bias::None)
        return;
    const QString reason =
        pair.rule.bias == ScoreRule::Bias::Alibi
            ? tr("ALiBi: %1 \u00D7 (%2 \u2212 %3)")
                  .arg(number(pair.rule.slope, 4))
                  .arg(at.key)
                  .arg(at.query)
            : tr("bias of bucket %1").arg(pair.rule.buckets.bucketOf(at.key - at.query));
    parts.push_back(math::text(",  " + reason + " = " + number(pair.bias, 3) + ",  " +
                               number(pair.capped, 3) + added(pair.bias) + " = "));
    parts.push_back(math::strong(number(pair.score, 3)));
}

} // namespace

Math qkScoreFormula(const PairExplanation& pair, TokenPair at)
{
    std::vector<Math> parts{math::text(tr("score") + " = ")};
    addScale(parts, pair);
    addCap(parts, pair);
    addBias(parts, pair, at);
    if (!pair.rule.scaled)
        parts.push_back(math::text("   (" + tr("this model does not divide by \u221Ad_k") + ")"));
    if (pair.rule.turned)
        parts.push_back(math::text("   (" + tr("turned by their positions") + ")"));
    return math::row(std::move(parts));
}

Math qkWeightFormula(const PairExplanation& pair)
{
    using namespace math;
    std::vector<Math> parts{text(tr("weight") + " = ")};
    if (pair.masked)
        parts.push_back(text(tr("hidden by the mask, score \u2212\u221E, so ")));
    else
        parts.push_back(text("exp(" + number(pair.score, 3) + " \u2212 " + term(pair.largest) +
                             ") / \u03A3 = " + number(pair.exponential, 4) + " / " +
                             number(pair.sum, 4) + " = "));
    parts.push_back(strong(number(pair.weight, 4)));
    if (pair.isReplaced())
        parts.push_back(text(
            "   (" +
            tr("an intervention replaces it with %1").arg(number(*pair.recordedWeight, 4)) + ")"));
    return row(std::move(parts));
}

Math differenceFormula(const PairExplanation& a, const PairExplanation& b)
{
    using namespace math;
    const auto score = [](const PairExplanation& pair) {
        return pair.masked ? QStringLiteral("\u2212\u221E") : number(pair.score, 3);
    };
    return row({text(tr("score") + ": A " + score(a) + ", B " + score(b) + ";   " + tr("weight") +
                     ": B " + number(b.weight, 4) + " \u2212 A " + number(a.weight, 4) + " = "),
                strong(signedNumber(b.weight - a.weight, 4))});
}

} // namespace headscope::ui
