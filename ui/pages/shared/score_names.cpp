#include "ui/pages/shared/score_names.h"

#include "ui/widgets/style/theme.h"

#include <QCoreApplication>

#include <array>
#include <cmath>

namespace headscope::ui {

namespace {

struct Names
{
    const char* title;
    const char* meaning;
};

/// In the order of HeadScore; a test keeps them the same as core's.
constexpr std::array<Names, kHeadScores> kScores = {{
    {QT_TRANSLATE_NOOP("Heads", "Entropy"),
     QT_TRANSLATE_NOOP("Heads",
                       "How widely it looks: -sum A ln A of each row, mean over the rows.")},
    {QT_TRANSLATE_NOOP("Heads", "Entropy, normalised"),
     QT_TRANSLATE_NOOP("Heads", "How evenly it looks: 0 at one token, 1 at all alike.")},
    {QT_TRANSLATE_NOOP("Heads", "Previous token"),
     QT_TRANSLATE_NOOP("Heads", "Weight on the token just before, mean over the text.")},
    {QT_TRANSLATE_NOOP("Heads", "Previous token, of all"),
     QT_TRANSLATE_NOOP("Heads", "Share of all attention that falls on the token just before.")},
    {QT_TRANSLATE_NOOP("Heads", "Itself"),
     QT_TRANSLATE_NOOP("Heads", "Weight on the token that looks, mean over the text.")},
    {QT_TRANSLATE_NOOP("Heads", "First token"),
     QT_TRANSLATE_NOOP("Heads", "Weight on the very first token, mean over the later ones.")},
    {QT_TRANSLATE_NOOP("Heads", "Sink"),
     QT_TRANSLATE_NOOP("Heads",
                       "Weight on the very first token, mean over all tokens: a sink above 0.3.")},
    {QT_TRANSLATE_NOOP("Heads", "Duplicate, of all"),
     QT_TRANSLATE_NOOP(
         "Heads", "Share of all attention that falls on earlier copies of the token that looks.")},
    {QT_TRANSLATE_NOOP("Heads", "Duplicate"),
     QT_TRANSLATE_NOOP("Heads",
                       "Weight on the earlier copy, mean over the second round of random tokens.")},
    {QT_TRANSLATE_NOOP("Heads", "Induction"),
     QT_TRANSLATE_NOOP("Heads", "Weight on the token right after the earlier copy, mean over the "
                                "second round of random tokens.")},
    {QT_TRANSLATE_NOOP("Heads", "Induction, of all"),
     QT_TRANSLATE_NOOP("Heads",
                       "Share of all attention that falls on tokens right after an earlier copy.")},
    {QT_TRANSLATE_NOOP("Heads", "Induction, match"),
     QT_TRANSLATE_NOOP("Heads", "How little the map differs from that of an ideal induction head: "
                                "1 - n mean|A - P|.")},
    {QT_TRANSLATE_NOOP("Heads", "Induction on text"),
     QT_TRANSLATE_NOOP("Heads", "Weight on tokens right after earlier copies, per token that has a "
                                "copy; several may add up.")},
    {QT_TRANSLATE_NOOP("Heads", "Prefix matching"),
     QT_TRANSLATE_NOOP("Heads", "Weight on the tokens that followed earlier copies, on 25 random "
                                "tokens said four times.")},
    {QT_TRANSLATE_NOOP("Heads", "Distance"),
     QT_TRANSLATE_NOOP("Heads", "How far away it looks on average, in tokens.")},
    {QT_TRANSLATE_NOOP("Heads", "Distance, variance"),
     QT_TRANSLATE_NOOP("Heads", "How much that distance varies.")},
    {QT_TRANSLATE_NOOP("Heads", "Variability"),
     QT_TRANSLATE_NOOP("Heads", "How much its map changes from text to text: 0 by position alone, "
                                "1 by content alone.")},
    {QT_TRANSLATE_NOOP("Heads", "Copying (OV)"),
     QT_TRANSLATE_NOOP("Heads", "Of its weights alone: 1 when what it reads makes the same token "
                                "more likely.")},
}};

struct LabelNames
{
    const char* title;
    const char* meaning;
    const char* sentence; ///< %1 the strength, %2 what it is compared with
};

constexpr std::array<LabelNames, kHeadLabelKinds> kLabels = {{
    {QT_TRANSLATE_NOOP("Heads", "previous token"),
     QT_TRANSLATE_NOOP("Heads", "Looks at the token just before, whatever it is."),
     QT_TRANSLATE_NOOP("Heads",
                       "%1 of its weight goes to the token just before; an even head gives %2.")},
    {QT_TRANSLATE_NOOP("Heads", "induction"),
     QT_TRANSLATE_NOOP("Heads", "Finds an earlier copy of the token and looks at what came right "
                                "after it."),
     QT_TRANSLATE_NOOP("Heads", "%1 of its weight goes to the token after the copy; an even head "
                                "gives %2.")},
    {QT_TRANSLATE_NOOP("Heads", "duplicate token"),
     QT_TRANSLATE_NOOP("Heads", "Looks at earlier copies of the same token."),
     QT_TRANSLATE_NOOP("Heads", "%1 of its weight goes to the copy; an even head gives %2.")},
    {QT_TRANSLATE_NOOP("Heads", "first-token sink"),
     QT_TRANSLATE_NOOP("Heads", "Leaves its weight on the very first token, where it does little."),
     QT_TRANSLATE_NOOP("Heads", "%1 of its weight stays on the first token; an even head leaves "
                                "%2 there.")},
    {QT_TRANSLATE_NOOP("Heads", "positional"),
     QT_TRANSLATE_NOOP("Heads", "Looks at the same places whatever the words are."),
     QT_TRANSLATE_NOOP("Heads", "%1 of its map changes with the text; half of all heads change "
                                "more than %2.")},
    {QT_TRANSLATE_NOOP("Heads", "broad"),
     QT_TRANSLATE_NOOP("Heads", "Looks at nearly everything, nearly evenly."),
     QT_TRANSLATE_NOOP("Heads", "%1 of the widest spread there could be; an even head has %2.")},
    {QT_TRANSLATE_NOOP("Heads", "syntax-like"),
     QT_TRANSLATE_NOOP("Heads", "Looks from a verb to its subject, past other nouns."),
     QT_TRANSLATE_NOOP("Heads", "%1 from verb to subject; as far back elsewhere it gives %2.")},
    {QT_TRANSLATE_NOOP("Heads", "coreference-like"),
     QT_TRANSLATE_NOOP("Heads", "Looks from a pronoun to the noun that it means."),
     QT_TRANSLATE_NOOP("Heads", "%1 from pronoun to its noun; as far back elsewhere it gives %2.")},
    {QT_TRANSLATE_NOOP("Heads", "copying (OV)"),
     QT_TRANSLATE_NOOP("Heads",
                       "Makes the tokens it reads more likely to come next, by its weights alone."),
     QT_TRANSLATE_NOOP("Heads", "Copying score %1 of its weights; the median head has %2.")},
}};

QString translated(const char* text)
{
    return QCoreApplication::translate("Heads", text);
}

bool inTokens(HeadScore score)
{
    return score == HeadScore::Distance || score == HeadScore::DistanceVariance;
}

} // namespace

QString scoreTitle(HeadScore score)
{
    return translated(kScores.at(static_cast<std::size_t>(score)).title);
}

/// Not all of it in lower case: OV is a name.
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
    return translated(kScores.at(static_cast<std::size_t>(score)).meaning);
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
    return translated(kLabels.at(static_cast<std::size_t>(kind)).title);
}

QString labelMeaning(HeadLabelKind kind)
{
    return translated(kLabels.at(static_cast<std::size_t>(kind)).meaning);
}

QString labelSentence(const HeadLabel& label)
{
    const auto text = [](double value) {
        return std::isnan(value) ? QStringLiteral("\u2013") : number(value, 2);
    };
    return translated(kLabels.at(static_cast<std::size_t>(label.kind)).sentence)
        .arg(text(label.strength), text(label.measures.front().baseline));
}

QString whyWords(const std::string& reason)
{
    QString words = QString::fromStdString(reason);
    if (words.isEmpty())
        return words;
    words[0] = words[0].toUpper();
    return words.endsWith(QLatin1Char('.')) ? words : words + QLatin1Char('.');
}

} // namespace headscope::ui
