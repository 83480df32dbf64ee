#include "ui/session/samples.h"

#include <QStringList>

namespace headscope::ui {

namespace {

const QString kGeneral =
    QStringLiteral("The animal didn't cross the street because it was too tired");
const QString kChanged =
    QStringLiteral("The animal didn't cross the street because it was too wide");
const QString kDate = QStringLiteral("march 5, 1987");
const QString kRepeat = QStringLiteral("a k 7 q m a k 7 q m a k");

} // namespace

QString sampleSentence(const QString& model)
{
    if (model == QLatin1String("builtin:dates"))
        return kDate;
    return model == QLatin1String("builtin:repeat") ? kRepeat : kGeneral;
}

QString changedSampleSentence()
{
    return kChanged;
}

bool isSampleSentence(const QString& text)
{
    return QStringList{kGeneral, kDate, kRepeat}.contains(text);
}

} // namespace headscope::ui
