#pragma once

#include "core/io/load_audit.h"

#include <QAbstractTableModel>
#include <QSortFilterProxyModel>
#include <QStringList>

#include <memory>

namespace headscope::ui {

/// Tensors in a model's files, one per row.
class TensorTableModel : public QAbstractTableModel
{
    Q_OBJECT

public:
    enum Column { Name, Type, ShapeOf, Bytes, Became, Smallest, Largest, kColumns };

    /// Sort value of a column: a number where the column shows one.
    static constexpr int kSortRole = Qt::UserRole;

    using QAbstractTableModel::QAbstractTableModel;

    void setAudit(std::shared_ptr<const LoadAudit> audit); ///< Sets the audit; null: no rows.

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
    QVariant headerData(int section, Qt::Orientation orientation,
                        int role = Qt::DisplayRole) const override;

private:
    QString text(const AuditedTensor& tensor, int column) const;

    std::shared_ptr<const LoadAudit> m_audit;
};

/// Tensors that match every word of the filter, ignoring case.
class TensorFilter : public QSortFilterProxyModel
{
    Q_OBJECT

public:
    explicit TensorFilter(QObject* parent = nullptr);

    void setText(const QString& words);

protected:
    bool filterAcceptsRow(int row, const QModelIndex& parent) const override;

private:
    QStringList m_words;
};

} // namespace headscope::ui
