#include "ui/models/tensor_table_model.h"

#include "ui/widgets/style/theme.h"
#include "ui/widgets/text/string_list.h"

#include <algorithm>

namespace headscope::ui {

namespace {

bool isNumber(int column)
{
    return column == TensorTableModel::Bytes || column == TensorTableModel::Smallest ||
           column == TensorTableModel::Largest;
}

QString significant(float value)
{
    return QString::number(static_cast<double>(value), 'g', 4).replace(u'-', QChar(0x2212));
}

QString shapeText(const std::vector<std::int64_t>& shape)
{
    QStringList sizes;
    for (const std::int64_t size : shape)
        sizes << QString::number(size);
    return sizes.join(QStringLiteral(" \u00D7 "));
}

qint64 elementCount(const std::vector<std::int64_t>& shape)
{
    qint64 elements = 1;
    for (const std::int64_t size : shape)
        elements *= size;
    return elements;
}

QVariant sortValue(const AuditedTensor& tensor, int column, const QString& text)
{
    switch (column) {
    case TensorTableModel::ShapeOf:
        return elementCount(tensor.shape);
    case TensorTableModel::Bytes:
        return static_cast<qulonglong>(tensor.bytes);
    case TensorTableModel::Smallest:
        return tensor.numbers ? QVariant(tensor.numbers->smallest) : QVariant();
    case TensorTableModel::Largest:
        return tensor.numbers ? QVariant(tensor.numbers->largest) : QVariant();
    default:
        return text;
    }
}

} // namespace

void TensorTableModel::setAudit(std::shared_ptr<const LoadAudit> audit)
{
    beginResetModel();
    m_audit = std::move(audit);
    endResetModel();
}

int TensorTableModel::rowCount(const QModelIndex& parent) const
{
    return parent.isValid() || !m_audit ? 0 : static_cast<int>(m_audit->tensors.size());
}

int TensorTableModel::columnCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : kColumns;
}

QString TensorTableModel::text(const AuditedTensor& tensor, int column) const
{
    switch (column) {
    case Name:
        return QString::fromStdString(tensor.name);
    case Type:
        return QString::fromStdString(tensor.type);
    case ShapeOf:
        return shapeText(tensor.shape);
    case Bytes:
        return count(static_cast<long long>(tensor.bytes));
    case Became:
        return tensor.parameters.empty() ? tr("unused")
                                         : stringList(tensor.parameters).join(QStringLiteral(", "));
    case Smallest:
        return tensor.numbers ? significant(tensor.numbers->smallest) : QString();
    case Largest:
        return tensor.numbers ? significant(tensor.numbers->largest) : QString();
    default:
        return {};
    }
}

QVariant TensorTableModel::data(const QModelIndex& index, int role) const
{
    if (!index.isValid() || index.row() >= rowCount() || index.column() >= kColumns)
        return {};
    const AuditedTensor& tensor = m_audit->tensors[static_cast<std::size_t>(index.row())];
    const int column = index.column();
    switch (role) {
    case Qt::DisplayRole:
    case Qt::ToolTipRole:
        return text(tensor, column);
    case kSortRole:
        return sortValue(tensor, column, text(tensor, column));
    case Qt::TextAlignmentRole:
        return QVariant(Qt::AlignVCenter | (isNumber(column) ? Qt::AlignRight : Qt::AlignLeft));
    default:
        return {};
    }
}

QVariant TensorTableModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (role == Qt::TextAlignmentRole)
        return QVariant(Qt::AlignVCenter | (isNumber(section) ? Qt::AlignRight : Qt::AlignLeft));
    if (role != Qt::DisplayRole)
        return {};
    if (orientation != Qt::Horizontal) // not shown, but read by screen readers
        return tr("tensor %1").arg(section + 1);
    switch (section) {
    case Name:
        return tr("Tensor");
    case Type:
        return tr("Type");
    case ShapeOf:
        return tr("Shape");
    case Bytes:
        return tr("Bytes");
    case Became:
        return tr("Stored as");
    case Smallest:
        return tr("Minimum");
    case Largest:
        return tr("Maximum");
    default:
        return {};
    }
}

TensorFilter::TensorFilter(QObject* parent) : QSortFilterProxyModel(parent)
{
    setSortRole(TensorTableModel::kSortRole);
}

void TensorFilter::setText(const QString& words)
{
    m_words = words.split(u' ', Qt::SkipEmptyParts);
    invalidateFilter();
}

bool TensorFilter::filterAcceptsRow(int row, const QModelIndex& parent) const
{
    QString all;
    for (const int column : {TensorTableModel::Name, TensorTableModel::Type,
                             TensorTableModel::ShapeOf, TensorTableModel::Became})
        all += sourceModel()->index(row, column, parent).data().toString() + u'\n';
    return std::all_of(m_words.begin(), m_words.end(), [&](const QString& word) {
        return all.contains(word, Qt::CaseInsensitive);
    });
}

} // namespace headscope::ui
