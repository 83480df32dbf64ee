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
    QString detail; ///< Shortcut or short name at the end of the line; included in the search.
    std::function<void()> run;
    QString about = {}; ///< What it does; shown after the text and searched.
    QString terms = {}; ///< Further terms by which it is found.
};

/// Command palette "Go to anything": a list filtered with every letter. Words match in any order.
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
    TextLabel* m_note; ///< Shown instead of an empty list, and above a shortened one.
    std::vector<PaletteEntry> m_entries;
};

/// True when every word of `wanted` occurs in `text` at a place of its own, ignoring case.
bool matchesWords(const QString& text, const QString& wanted);

} // namespace headscope::ui
