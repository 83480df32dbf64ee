#pragma once

#include "ui/pages/shared/page.h"
#include "ui/pages/shared/page_descriptor.h"
#include "ui/workers/lessons/lab_worker.h"

class QPushButton;

namespace headscope::ui {

class FactTable;
class LabChooser;
class LabStage;
class ListingPanel;
class TextLabel;

/// Interactive labs, one at a time, each with its question and answer.
class LabPage : public Page
{
    Q_OBJECT

public:
    explicit LabPage(Session& session);
    ~LabPage() override;

    static PageDescriptor descriptor();

    void choose(const QString& name); ///< Selects a lab; an unknown name changes nothing.
    void showLab(const LabPtr& lab);

    void showCode(bool on); ///< Shows the listings in place of question and numbers.

    Figure figure() const override;
    void focusMain() override;
    QJsonObject options() const override;
    void setOptions(const QJsonObject& options) override;
    QString hint() const override;
    QString whyNoNumber() const override;

    MaybeNumber numberAt(std::optional<QPoint>) const override { return std::nullopt; }

    bool isSettled() const override;
    bool escape() override;

    bool wantsInspector() const override { return false; }

protected:
    void refresh(ChangeSet) override {}

    void changeEvent(QEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    QWidget* makeSide();
    void connectAll();
    void showText();
    void showNumbers();
    void fitSide();
    void fitNumbers(); ///< A long answer takes the room of the numbers.

    LabStage* m_stage;
    QWidget* m_side = nullptr;
    LabChooser* m_chooser;
    TextLabel* m_title;
    TextLabel* m_question;
    QPushButton* m_showAnswer;
    QPushButton* m_code;
    TextLabel* m_answer;
    QPushButton* m_experiments;
    QWidget* m_numberPart = nullptr;
    TextLabel* m_figureTitle;
    TextLabel* m_figureNumber;
    FactTable* m_numbers;
    ListingPanel* m_listing;
    bool m_isAnswerShown = false;
};

} // namespace headscope::ui
