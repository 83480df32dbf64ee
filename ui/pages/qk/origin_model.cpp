#include "ui/pages/qk/origin_model.h"

#include "ui/widgets/text/message_text.h"

#include <algorithm>
#include <cmath>

namespace headscope::ui {

QString exactNumber(double value)
{
    QString text = QString::number(value, 'g', 6);
    return text.replace(QLatin1Char('-'), QChar(0x2212));
}

void OriginModel::setTerms(std::vector<Term> terms, bool largestFirst)
{
    beginResetModel();
    m_terms = std::move(terms);
    if (largestFirst)
        std::stable_sort(m_terms.begin(), m_terms.end(), [](const Term& a, const Term& b) {
            return std::abs(a.value) > std::abs(b.value);
        });
    endResetModel();
}

const Factor* OriginModel::factorAt(const QModelIndex& index) const
{
    if (!index.isValid() || index.row() >= rowCount())
        return nullptr;
    const Term& term = m_terms[static_cast<std::size_t>(index.row())];
    const int column = index.column() == kProduct ? 0 : index.column();
    return column < static_cast<int>(term.factors.size())
               ? &term.factors[static_cast<std::size_t>(column)]
               : nullptr;
}

int OriginModel::rowCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_terms.size());
}

int OriginModel::columnCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : kFactors + 1;
}

QVariant OriginModel::data(const QModelIndex& index, int role) const
{
    const bool isProduct = index.column() == kProduct;
    const Factor* factor = factorAt(index);
    if (role == Qt::TextAlignmentRole)
        return QVariant(Qt::AlignVCenter | (isProduct ? Qt::AlignRight : Qt::AlignLeft));
    if (role == Qt::ToolTipRole && factor)
        return messageText(toString(factor->of));
    if (role != Qt::DisplayRole && role != Qt::AccessibleTextRole)
        return {};
    if (isProduct)
        return exactNumber(m_terms[static_cast<std::size_t>(index.row())].value);
    if (!factor)
        return {};
    return QStringLiteral("%1 = %2").arg(messageText(factor->name), exactNumber(factor->value));
}

QVariant OriginModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (role == Qt::TextAlignmentRole && section == kProduct)
        return QVariant(Qt::AlignVCenter | Qt::AlignRight);
    if (role != Qt::DisplayRole)
        return {};
    if (orientation != Qt::Horizontal) // not shown, but read aloud
        return tr("term %1").arg(section + 1);
    switch (section) {
    case 0:
        return tr("Operand");
    case kProduct:
        return tr("Term");
    default:
        return tr("times");
    }
}

} // namespace headscope::ui
