#pragma once

#include <QWidget>

class QLineEdit;
class QPushButton;

namespace headscope::ui {

class TextLabel;

/// Which settings of a form are shown: those with the words that are typed, the simple ones, or
/// all.
class SettingsSearch : public QWidget
{
    Q_OBJECT

public:
    explicit SettingsSearch(QWidget* parent = nullptr);

    QString words() const;

    bool showsAll() const { return m_showsAll; }

    void setShowsAll(bool all) { m_showsAll = all; } ///< without a signal

    void setShown(qsizetype shown); ///< how many settings are
    bool clear();                   ///< false when nothing was typed

    QLineEdit& field() { return *m_field; }

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
