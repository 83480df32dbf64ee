#include "ui/pages/example/example_figure.h"

#include "ui/pages/example/example_options.h"
#include "ui/widgets/text/string_list.h"
#include "ui/widgets/tr.h"
#include "ui/widgets/worked/worked_paint.h"

#include <limits>

namespace headscope::ui {

namespace {

constexpr double kWidth = 860.0;
constexpr double kTallest = 1200.0;
constexpr double kGap = 16.0;

QRectF below(const QRectF& area, const Theme& theme)
{
    return area.adjusted(0.0, stepBarHeight(theme) + kGap, 0.0, 0.0);
}

QSizeF wantedSize(const WorkedDiagram& diagram, const Theme& theme)
{
    const QRectF area(0.0, 0.0, kWidth * theme.scale(), kTallest * theme.scale());
    const WorkedLayout layout(below(area, theme), diagram, theme);
    return {area.width(), stepBarHeight(theme) + kGap + layout.height() + 8.0};
}

NumberTable tableOf(const WorkedDiagram& diagram, int index)
{
    const WorkedMatrix& matrix = diagram.matrix(index);
    std::vector<float> values;
    for (int row = 0; row < matrix.rows(); ++row)
        for (int column = 0; column < matrix.columns(); ++column)
            values.push_back(diagram.isFilled({index, row, column})
                                 ? static_cast<float>(matrix.values[matrix.at(row, column)])
                                 : std::numeric_limits<float>::quiet_NaN());
    return {QString::fromStdString(matrix.name), stringList(matrix.rowLabels),
            stringList(matrix.columnLabels),
            HeatmapMatrix::copyOf(std::move(values), matrix.rows(), matrix.columns())};
}

StepBarContent stagesOf(const WorkedDiagram& diagram)
{
    StepBarContent content;
    for (const WorkedStage& stage : diagram.example->stages) {
        content.titles << QString::fromStdString(stage.title);
        content.complete += stage.firstStep + stage.steps <= diagram.done ? 1 : 0;
    }
    content.now = diagram.stage();
    return content;
}

} // namespace

Figure exampleFigure(const WorkedDiagram& diagram, const StepBarContent& stages)
{
    Figure figure;
    if (diagram.isEmpty())
        return figure;
    WorkedDiagram shown = diagram;
    shown.cursor.reset();
    StepBarContent bar = stages;
    bar.focused.reset();
    bar.hovered.reset();
    figure.title = QString::fromStdString(diagram.example->title);
    figure.subtitle =
        tr("Worked example, %1 of %2 numbers").arg(diagram.done).arg(diagram.example->steps.size());
    figure.caption = describeStep(shown);
    figure.size = [shown](const Theme& theme) { return wantedSize(shown, theme); };
    figure.paint = [shown, bar](QPainter& painter, const QRectF& area, const Theme& theme,
                                const FigureTarget&) {
        const double height = stepBarHeight(theme);
        paintStepBar(painter, QRectF(area.x(), area.y(), area.width(), height), bar, theme);
        const WorkedLayout layout(below(area, theme), shown, theme);
        paintWorked(painter, layout, shown, workedRings(layout, shown, theme), theme);
    };
    for (int matrix = 0; matrix < static_cast<int>(diagram.example->matrices.size()); ++matrix)
        figure.numbers.push_back(tableOf(shown, matrix));
    return figure;
}

Figure exampleFigure(const ViewSnapshot& view, const QJsonObject& options)
{
    const ExampleOptions wanted = ExampleOptions::from(options);
    const ExampleState state = stateOf(wanted, view);
    WorkedDiagram diagram;
    diagram.example = std::make_shared<const WorkedExample>(state.example);
    diagram.done = options.contains("done") ? state.done : state.example.steps.size();
    diagram.isExact = wanted.isExact;
    diagram.isAsking = wanted.isTrying;
    return exampleFigure(diagram, stagesOf(diagram));
}

} // namespace headscope::ui
