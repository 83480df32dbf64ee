#pragma once

#include <QFrame>

#include <functional>
#include <optional>

class QCheckBox;
class QLineEdit;

namespace headscope::ui {

class TextLabel;

/// A small field over a page for one value: Enter accepts, Esc or losing focus discards.
class InlineEditor : public QFrame
{
    Q_OBJECT

public:
    struct Request
    {
        QString title;     ///< Title such as "Weight of the -> cat".
        QString text;      ///< Initial text, selected.
        QString checkText; ///< Label of a check box below the field; empty: none.
        /// Meaning of a text; nullopt: it is invalid, and the hint says why.
        std::function<std::optional<QString>(const QString&)> read;
        QString hint;
        /// Replaces `hint` where the reason depends on the text.
        std::function<QString(const QString&)> why;
        std::function<void(const QString& text, bool checked)> apply;
    };

    explicit InlineEditor(QWidget* page);

    /// `place`: its top left corner, in page coordinates.
    void open(Request request, QPoint place);

    bool close(); ///< Returns false when it was not open.

    QLineEdit& field() const { return *m_field; }

    QCheckBox& check() const { return *m_check; }

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;
    void paintEvent(QPaintEvent* event) override;

private:
    void describe();
    void accept();

    Request m_request;
    QWidget* m_before = nullptr; ///< Widget that had the focus.
    TextLabel* m_title;
    QLineEdit* m_field;
    TextLabel* m_message;
    QCheckBox* m_check;
};

} // namespace headscope::ui
