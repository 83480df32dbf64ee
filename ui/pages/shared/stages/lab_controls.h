#pragma once

#include "core/lessons/labs/lab.h"

#include <QStringList>
#include <QWidget>

class QBoxLayout;

namespace headscope::ui {

/// The controls of a lab in a row: a slider with an editable number, segments or a list, a check
/// box, a field. Independent of their effect.
class LabControls : public QWidget
{
    Q_OBJECT

public:
    explicit LabControls(QWidget* parent = nullptr);

    void setControls(const std::vector<LabControl>& controls);
    void show(const LabSettings& settings); ///< Emits no signal; keeps a text that is being typed.
    void hideControls(const QStringList& names);

    bool isAnyShown() const;
    void focusFirst();

signals:
    void edited(const QString& name, const QString& value); ///< Emitted on a change by the user.
    /// Emitted when the text is not a number in its range.
    void textRefused(const QString& name, const QString& written);

private:
    struct Place
    {
        LabControl control;
        QWidget* cell = nullptr;   ///< Editor and title.
        QWidget* editor = nullptr; ///< NamedSlider, SegmentBar, ChoiceBox, QCheckBox or QLineEdit.
    };

    Place makePlace(const LabControl& control);
    QWidget* makeEditor(const LabControl& control);
    QWidget* makeNumber(const LabControl& control);
    QWidget* makeChoice(const LabControl& control);
    QWidget* makeSwitch(const LabControl& control);
    QWidget* makeText(const LabControl& control);

    std::vector<Place> m_places;
    QBoxLayout* m_row;
    int m_widestSegments = 0; ///< Wider choices become a list.
};

} // namespace headscope::ui
