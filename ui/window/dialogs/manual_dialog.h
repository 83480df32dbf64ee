#pragma once

#include "core/lessons/manual/manual.h"

#include <QDialog>
#include <QStringList>

#include <memory>

class QHBoxLayout;
class QLineEdit;
class QListWidget;
class QPushButton;
class QTextBrowser;
class QUrl;

namespace headscope::ui {

/// The manual: contents with a search on the left, a page on the right. Does not wait; deletes
/// itself when it is closed.
class ManualDialog : public QDialog
{
    Q_OBJECT

public:
    explicit ManualDialog(std::shared_ptr<const Manual> manual, QWidget* parent = nullptr);

    void showPage(const QString& topic); ///< the first page if there is no such topic

signals:
    void linkActivated(const QString& target); ///< "page:NAME" or "lesson:ID"
    void pageShown(const QString& name);

protected:
    void changeEvent(QEvent* event) override;

private:
    void makeContents(QHBoxLayout& row);
    void makeText(QHBoxLayout& row);
    void list(); ///< pages that match the search, under their chapters
    void markCurrent();
    void follow(const QUrl& link);
    void goBack();
    void render();

    std::shared_ptr<const Manual> m_manual;
    QLineEdit* m_search;
    QListWidget* m_contents;
    QTextBrowser* m_text;
    QPushButton* m_back;
    QString m_page;
    QStringList m_visited; ///< pages before this one, the newest last
};

} // namespace headscope::ui
