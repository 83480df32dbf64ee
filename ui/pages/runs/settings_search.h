#pragma once

#include <QWidget>

class QLineEdit;
class QPushButton;

namespace headscope::ui {

class TextLabel;

/// Filter for the settings of a form: those that match the typed words, the simple ones, or all.
class SettingsSearch : public QWidget
{
    Q_OBJECT

public:
    explicit SettingsSearch(QWidget* parent = nullptr);

    QString text() const;

    bool showsAll() const { return m_showsAll; }

    void setShowsAll(bool all) { m_showsAll = all; } ///< Emits no signal.

    void setShown(qsizetype shown); ///< Sets the number of settings shown.
    bool clear();                   ///< Returns false when the field was empty.

signals:
    void changed();

private:
    QString foundText(qsizetype shown) const;

    bool m_showsAll = false;
    QLineEdit* m_field;
    TextLabel* m_found;
    QPushButton* m_all;
};

} // namespace headscope::ui
