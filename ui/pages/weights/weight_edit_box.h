#pragma once

#include "ui/pages/weights/weights_content.h"

#include <QWidget>

class QLineEdit;
class QPushButton;
class QSpinBox;

namespace headscope::ui {

class ChoiceBox;
class TextLabel;

/// Controls for one edit of the shown matrix: what is changed, and how.
class WeightEditBox : public QWidget
{
    Q_OBJECT

public:
    /// Selected part of the matrix.
    enum class Target { Weight, Row, Column, Head, Matrix, TwoHeads };
    enum class Action { Set, Scale, Zero, Take };

    explicit WeightEditBox(QWidget* parent = nullptr);

    /// Offers what the matrix has; `value` is the selected weight.
    void show(const WeightMatrix& matrix, const WeightsOptions& options,
              std::optional<float> value);

    Target target() const;
    void setTarget(Target target);
    Action action() const;

    /// The edit as set; empty, with a message, while the text is no number or no name.
    std::optional<WeightEdit> edit();

signals:
    void editWanted(const headscope::WeightEdit& edit);
    void refused(const QString& sentence);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    QLayout* makeFields();
    void connectFields();
    void offerTargets();
    void refreshFields();
    void refreshPlaceholder();
    void apply();
    void browse();
    std::optional<double> typedNumber();
    void place(WeightEdit& edit) const;

    WeightMatrix m_matrix;
    WeightsOptions m_options;
    QString m_now; ///< Placeholder with the selected weight.
    ChoiceBox* m_target;
    ChoiceBox* m_action;
    QLineEdit* m_text; ///< Number, or name of a checkpoint.
    QPushButton* m_browse;
    TextLabel* m_headLabel;
    QSpinBox* m_head;
    TextLabel* m_otherLabel;
    QSpinBox* m_other;
    QPushButton* m_apply;
};

} // namespace headscope::ui
