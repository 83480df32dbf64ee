#pragma once

#include "ui/widgets/worked/worked_diagram.h"

#include <QWidget>

#include <vector>

namespace headscope::ui {

class WorkedOverview;
class WorkedWidget;

/// The current step of a worked example, and below it, where there is space, the whole formula and
/// the matrices so far. With less space, results of earlier stages are above the step, and only the
/// formula or nothing is below.
class WorkedPane : public QWidget
{
    Q_OBJECT

public:
    explicit WorkedPane(QWidget* parent = nullptr);

    void setDiagram(WorkedDiagram diagram);

    WorkedWidget& matrices() const { return *m_matrices; }

    WorkedOverview& overview() const { return *m_overview; }

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

protected:
    bool event(QEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    /// What a step needs below the matrices of its stage.
    struct StepKind
    {
        std::size_t done = 0;  ///< Number of completed steps at such a step.
        double equation = 0.0; ///< Height of its equation.
    };

    void arrange();
    void measure();
    std::vector<StepKind> stepKinds() const;
    int stepHeight(const std::vector<StepKind>& kinds) const;
    bool isReadableIn(int available, const std::vector<StepKind>& kinds) const;

    /// What the height of the step depends on.
    struct Measured
    {
        std::shared_ptr<const WorkedExample> example;
        int stage = -1;
        bool isExact = false;
        QSize size;
        double scale = 0.0;

        friend bool operator==(const Measured&, const Measured&) = default;
    };

    WorkedDiagram m_diagram;
    Measured m_measured;
    int m_stepHeight = 0;      ///< For `m_measured`; 0: nothing fits below the step.
    bool m_hasMatrices = true; ///< True if the matrices so far fit below the formula.
    WorkedWidget* m_matrices;
    WorkedOverview* m_overview;
};

} // namespace headscope::ui
