#pragma once

#include <QLineEdit>

namespace headscope::ui {

/// The text that is looked at. Undo belongs to the session, so the field gives those keys away.
class SentenceField : public QLineEdit
{
    Q_OBJECT

public:
    explicit SentenceField(QWidget* parent = nullptr);

    void showText(const QString& text); ///< keeps the cursor where it can

signals:
    void left();           ///< Escape or Return
    void cut(int longest); ///< a paste did not fit into `longest` characters

protected:
    bool event(QEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void contextMenuEvent(QContextMenuEvent* event) override;
    void dragEnterEvent(QDragEnterEvent* event) override;
};

} // namespace headscope::ui
