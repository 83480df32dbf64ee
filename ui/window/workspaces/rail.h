#pragma once

#include <QListView>

class QStandardItemModel;

namespace headscope::ui {

/// The pages of a workspace. Group names are items that cannot be chosen.
class Rail : public QListView
{
    Q_OBJECT

public:
    explicit Rail(QWidget* parent = nullptr);

    void clear();
    void reserve(const QStringList& titles); ///< its width does not change with these
    void addGroup(const QString& name);
    void addPage(const QString& name, const QString& title,
                 const QString& icon);        ///< see iconPixmap()
    void setCurrentPage(const QString& name); ///< emits nothing
    QString currentPage() const;
    void setCompact(bool compact); ///< icons only

    bool isCompact() const { return m_compact; }

    /// Height of a page's row: less where not all fit, but never too small to hit.
    int rowHeight() const { return m_rowHeight; }

signals:
    void pageChosen(const QString& name);

protected:
    void currentChanged(const QModelIndex& current, const QModelIndex& previous) override;
    void selectionChanged(const QItemSelection& chosen, const QItemSelection& before) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    void fitRows();
    int widthOfTitles() const;

    QStandardItemModel* m_pages;
    QStringList m_reserved;
    bool m_compact = false;
    int m_rowHeight;
};

} // namespace headscope::ui
