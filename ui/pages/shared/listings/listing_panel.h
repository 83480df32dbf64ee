#pragma once

#include "core/lessons/lesson_numbers.h"
#include "core/lessons/listings/listing.h"

#include <QJsonObject>
#include <QWidget>

class QPushButton;
class QScrollArea;

namespace headscope::ui {

class ChoiceBox;
class CodeLines;
class SegmentBar;
class TextLabel;

/// Listings of a worked example or lab: the code in C++ or PyTorch with shapes, and for the chosen
/// line its note and the numbers of the example.
class ListingPanel : public QWidget
{
    Q_OBJECT

public:
    explicit ListingPanel(QWidget* parent = nullptr);

    /// Shows the listings of an example, whose current numbers setState() sets.
    void showExample(const QString& example);

    /// Shows the listings of a lab, with the numbers of the worked example that they compute.
    void showLab(const QString& lab);

    /// Numbers for the chosen line; kept until the next call.
    void setState(const ExampleState& state);

    const Listing* listing() const;
    bool isCpp() const;

    QSize sizeHint() const override;

    QJsonObject options() const;
    void setOptions(const QJsonObject& options); ///< Ignores what does not fit.
    void focusMain();

signals:
    void closeWanted();
    void matrixChosen(const QString& name); ///< Matrix of the chosen line; empty: none.

protected:
    void changeEvent(QEvent* event) override;
    void showEvent(QShowEvent* event) override;

private:
    QWidget* makeTop();
    void setListings(std::vector<const Listing*> listings);
    void showListing();
    void chooseLine(int line);
    void scrollToChosen();
    void showLine();
    void showValues(const ListingLine& line);
    void copy();
    void fit();
    const ListingLine* chosenLine() const;
    const ListingCode* shownCode() const;

    std::vector<const Listing*> m_listings;
    bool m_isOfLab = false;
    ExampleState m_state;
    ChoiceBox* m_choice;
    SegmentBar* m_language;
    QPushButton* m_copy;
    QPushButton* m_close;
    TextLabel* m_summary;
    CodeLines* m_code;
    QScrollArea* m_scroll;
    TextLabel* m_part;
    TextLabel* m_note;
    TextLabel* m_source;
    TextLabel* m_values;
};

} // namespace headscope::ui
