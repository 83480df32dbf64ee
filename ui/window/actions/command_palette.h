#pragma once

#include <QFrame>

#include <functional>
#include <vector>

class QLineEdit;
class QListWidget;

namespace headscope::ui {

class TextLabel;

/// A place to go to or a command to run.
struct PaletteEntry
{
    QString text;
    QString detail; ///< shortcut or short name, at the end of the line; found, too
    std::function<void()> run;
    QString about = {}; ///< what it does, after the text; found, too
    QString terms = {}; ///< other words by which it is found
};

/// "Go to anything": a list that narrows with every letter. Words may stand in any order.
class CommandPalette : public QFrame
{
    Q_OBJECT

public:
    explicit CommandPalette(QWidget* parent);

    void open(std::vector<PaletteEntry> entries);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;
    void paintEvent(QPaintEvent* event) override;

private:
    void narrow(const QString& text);
    void runCurrent();
    void move(int rows);

    QLineEdit* m_field;
    QListWidget* m_list;
    TextLabel* m_nothing; ///< instead of an empty list
    std::vector<PaletteEntry> m_entries;
};

/// True when every word of `wanted` occurs in `text`, each in a place of its own, whatever the
/// case.
bool matchesWords(const QString& text, const QString& wanted);

} // namespace headscope::ui
