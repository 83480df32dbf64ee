#pragma once

#include <QFrame>

#include <functional>
#include <optional>

class QCheckBox;
class QLineEdit;

namespace headscope::ui {

class TextLabel;

/// A small field over a page for one value: Enter takes it, Esc or leaving it drops it.
class InlineEditor : public QFrame
{
    Q_OBJECT

public:
    struct Request
    {
        QString title;     ///< "Weight of the -> cat"
        QString text;      ///< to begin with, selected
        QString checkText; ///< of a choice below the field; empty: none
        /// What a text means, in words; nullopt: it cannot be taken, the hint says why.
        std::function<std::optional<QString>(const QString&)> read;
        QString hint;
        std::function<QString(const QString&)> why; ///< in place of `hint`, where it depends
        std::function<void(const QString& text, bool checked)> apply;
    };

    explicit InlineEditor(QWidget* page);

    void open(Request request, QPoint place); ///< `place`: of its top left corner, in the page

    bool close(); ///< false when it was not open

    QLineEdit& field() const { return *m_field; }

    QCheckBox& check() const { return *m_check; }

    QString message() const;

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;
    void paintEvent(QPaintEvent* event) override;

private:
    void describe();
    void accept();

    Request m_request;
    QWidget* m_before = nullptr; ///< who had the keyboard
    TextLabel* m_title;
    QLineEdit* m_field;
    TextLabel* m_message;
    QCheckBox* m_check;
};

} // namespace headscope::ui
