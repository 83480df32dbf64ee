#pragma once

#include "core/lessons/worked/example_inputs.h"
#include "ui/pages/example/example_options.h"
#include "ui/pages/shared/page.h"
#include "ui/pages/shared/page_descriptor.h"

#include <QHash>

class QScrollArea;

namespace headscope::ui {

class EmptyState;
class ExampleSide;
class ExampleStage;
class ListingPanel;

/// A calculation worked through number by number: an example of the catalogue, or any head of the
/// open model on the typed sentence.
class ExamplePage : public Page
{
    Q_OBJECT

public:
    explicit ExamplePage(Session& session);

    static PageDescriptor descriptor();

    void choose(const QString& example); ///< Reopens it where it was left.
    void workHead();                     ///< Shows the active head on the typed sentence.

    void showCode(bool on); ///< Shows the listings in place of the explanation.

    void setReducedMotion(bool reduced) override;

    Figure figure() const override;
    QJsonObject options() const override;
    void setOptions(const QJsonObject& options) override;
    QString hint() const override;

    bool wantsInspector() const override { return false; }

    bool escape() override;
    MaybeNumber numberAt(std::optional<QPoint> place) const override;
    QString whyNoNumber() const override;

protected:
    void refresh(ChangeSet changes) override;
    void keyPressEvent(QKeyEvent* event) override;
    bool event(QEvent* event) override;

private:
    void remember();
    void open(const ExampleOptions& options);
    void showHead();
    void fitSide();
    void followListing();
    ExampleOptions present() const;

    QString m_example;
    ExampleOptions m_wanted; ///< Settings to apply to a head once its trace is available.
    QHash<QString, ExampleOptions> m_left; ///< State in which the other examples were left.
    TracePtr m_trace;                      ///< Trace of the worked head; otherwise null.
    Selection m_selection;                 ///< Selection of the worked head.
    ExampleInputs m_first;
    ExampleStage* m_stage;
    ExampleSide* m_side;
    QScrollArea* m_room;
    ListingPanel* m_listing;
    EmptyState* m_empty;
};

} // namespace headscope::ui
