#include "ui/pages/shared/score_names.h"

#include "ui/widgets/style/theme.h"
#include "ui/widgets/text/message_text.h"

#include <QCoreApplication>

#include <cmath>

namespace headscope::ui {

namespace {

/// Texts that core marks as translatable("Heads", ...).
QString translated(std::string_view text)
{
    return QCoreApplication::translate("Heads", text.data());
}

bool inTokens(HeadScore score)
{
    return score == HeadScore::Distance || score == HeadScore::DistanceVariance;
}

} // namespace

QString scoreTitle(HeadScore score)
{
    return translated(infoOf(score).title);
}

/// Keeps OV in capitals: it is a name.
QString scoreInSentence(HeadScore score)
{
    const QString title = scoreTitle(score);
    return title.left(1).toLower() + title.mid(1);
}

QString scoreKey(HeadScore score)
{
    const std::string_view key = infoOf(score).key;
    return QString::fromUtf8(key.data(), static_cast<qsizetype>(key.size()));
}

QString scoreMeaning(HeadScore score)
{
    return translated(infoOf(score).meaning);
}

std::optional<HeadScore> scoreNamed(const QString& key)
{
    return headScoreNamed(key.toStdString());
}

QString scoreText(HeadScore score, double value)
{
    return std::isnan(value) ? QStringLiteral("\u2013") : number(value, inTokens(score) ? 1 : 3);
}

QString labelTitle(HeadLabelKind kind)
{
    return translated(ruleOf(kind).name);
}

QString labelMeaning(HeadLabelKind kind)
{
    return translated(ruleOf(kind).meaning);
}

QString labelSentence(const HeadLabel& label)
{
    const auto text = [](double value) {
        return std::isnan(value) ? QStringLiteral("\u2013") : number(value, 2);
    };
    return translated(ruleOf(label.kind).sentence)
        .arg(text(label.strength), text(label.measures.front().baseline));
}

QString whyText(const std::string& reason)
{
    QString words = messageText(reason);
    if (words.isEmpty())
        return words;
    words[0] = words[0].toUpper();
    return words.endsWith(QLatin1Char('.')) ? words : words + QLatin1Char('.');
}

} // namespace headscope::ui
