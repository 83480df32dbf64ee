#pragma once

#include "core/analysis/derivation/derivation.h"

#include <QAbstractTableModel>

namespace headscope::ui {

/// The operands of one number as rows: three columns of factors, then their product.
class OriginModel : public QAbstractTableModel
{
    Q_OBJECT

public:
    static constexpr int kFactors = 3;
    static constexpr int kProduct = kFactors;

    using QAbstractTableModel::QAbstractTableModel;

    /// `largestFirst`: by magnitude; otherwise in the order of the formula.
    void setTerms(std::vector<Term> terms, bool largestFirst);

    /// Factor in a cell; for a product, its first factor. Null for an empty cell.
    const Factor* factorAt(const QModelIndex& index) const;

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    std::vector<Term> m_terms;
};

/// Six significant digits, with a real minus sign.
QString exactNumber(double value);

} // namespace headscope::ui
