#pragma once

#include "core/io/load_audit.h"

#include <QAbstractTableModel>
#include <QSortFilterProxyModel>
#include <QStringList>

#include <memory>

namespace headscope::ui {

/// The tensors of a model's files, one a row.
class TensorTableModel : public QAbstractTableModel
{
    Q_OBJECT

public:
    enum Column { Name, Type, ShapeOf, Bytes, Became, Smallest, Largest, kColumns };

    /// What a column is sorted by: a number where it shows one.
    static constexpr int kSortRole = Qt::UserRole;

    using QAbstractTableModel::QAbstractTableModel;

    void setAudit(std::shared_ptr<const LoadAudit> audit); ///< null: no rows

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
    QVariant headerData(int section, Qt::Orientation orientation,
                        int role = Qt::DisplayRole) const override;

private:
    QString text(const AuditedTensor& tensor, int column) const;

    std::shared_ptr<const LoadAudit> m_audit;
};

/// The tensors in which every word of the filter is found, whatever the case.
class TensorFilter : public QSortFilterProxyModel
{
    Q_OBJECT

public:
    explicit TensorFilter(QObject* parent = nullptr);

    void setWords(const QString& words);

protected:
    bool filterAcceptsRow(int row, const QModelIndex& parent) const override;

private:
    QStringList m_words;
};

} // namespace headscope::ui
