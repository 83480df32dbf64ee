#include "ui/pages/lens/lens_figure.h"

#include "core/base/error.h"
#include "ui/workers/training/lens_trainer.h"

#include <QCoreApplication>
#include <QPainter>

#include <algorithm>

namespace headscope::ui {

namespace {

QString tr(const char* text)
{
    return QCoreApplication::translate("Lens", text);
}

QString captionOf(const LensPicture& picture, bool tuned)
{
    QString words =
        tuned ? tr("Prediction at each stage of the residual stream: a trained affine map, "
                   "final norm and unembedding (tuned lens).")
              : tr("Prediction at each stage of the residual stream: final norm and unembedding "
                   "(logit lens).");
    words += QLatin1Char(' ') + measureMeaning(picture.choice.measure) + QStringLiteral(". ") +
             lensLegend(picture).title + QLatin1Char('.');
    if (picture.looking.shown != Variant::A)
        words += QLatin1Char(' ') + tr("Dot: top-1 token differs from A.");
    return words;
}

NumberTable tableOf(const LensPicture& picture, const LensContent& content)
{
    std::vector<float> values;
    for (int row = 0; row < content.rows(); ++row)
        for (int stage = 0; stage < content.columns(); ++stage)
            values.push_back(static_cast<float>(picture.valueAt({row, stage})));
    return {picture.choice.toJson()["measure"].toString(), content.rowLabels, content.columnLabels,
            HeatmapMatrix::copyOf(std::move(values), content.rows(), content.columns())};
}

} // namespace

Figure lensFigure(const LensPicture& picture)
{
    constexpr double kLegend = 52.0;
    constexpr double kLegendWidth = 320.0;
    const bool tuned = picture.choice.tuned;
    Figure figure = figureOf(picture.looking, tuned ? tr("Tuned lens") : tr("Logit lens"));
    const LensContent content = lensGridContent(picture);
    if (content.rows() == 0)
        return figure;
    const ColourBarContent legend = lensLegend(picture);
    figure.caption = captionOf(picture, tuned);
    figure.size = [content](const Theme& theme) {
        const QSizeF grid = lensSize(content, theme);
        return QSizeF(std::max(grid.width(), kLegendWidth * theme.scale()),
                      grid.height() + kLegend * theme.scale());
    };
    figure.paint = [content, legend](QPainter& painter, const QRectF& area, const Theme& theme,
                                     const FigureTarget&) {
        const double below = kLegend * theme.scale();
        paintLens(painter, area.adjusted(0, 0, 0, -below), content, theme);
        paintColourBar(
            painter,
            {area.x(), area.bottom() - below + 8.0, kLegendWidth * theme.scale(), below - 8.0},
            legend, theme);
    };
    figure.numbers = {tableOf(picture, content)};
    return figure;
}

/// A tuned lens is loaded from its file; without one, nothing is drawn.
Figure lensFigure(const Looking& looking, const QJsonObject& options)
{
    const LensChoice choice = LensChoice::fromJson(options);
    TunedLensPtr tuned;
    if (choice.tuned && looking.modelA.model) {
        const auto file = findTunedLens(tunedLensPlaces(looking.modelA, ownLensFolder()));
        if (!file)
            throw Error("no tuned lens was trained for this model", looking.modelA.name,
                        "Train one on the Lens page, or use the logit lens");
        tuned = std::make_shared<const TunedLens>(loadTunedLens(*file, *looking.modelA.model));
    }
    const LensReading reading = readLens(lensJob(looking, choice, tuned));
    return lensFigure(LensPicture{reading, looking, choice});
}

} // namespace headscope::ui
