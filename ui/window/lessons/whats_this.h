#pragma once

#include <QObject>
#include <QStringList>

#include <vector>

class QWidget;

namespace headscope::ui {

class LessonRun;
struct PageDescriptor;

/// What's This of the pages and the parts of the frame. What has a text of its own keeps it; what is
/// inside is covered by what holds it. Pages, and parts that a lesson is about, end with the way
/// there.
class WhatsThis : public QObject
{
    Q_OBJECT

public:
    explicit WhatsThis(LessonRun& lessons, QObject* parent = nullptr);

    void explain(QWidget& page, const PageDescriptor& descriptor);
    void explain(QWidget& part, const QString& name); ///< "sentence"; see the table

signals:
    void linkActivated(const QString& target); ///< "lesson:ID"

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    struct Part
    {
        QWidget* widget;
        QString name;
        QStringList terms; ///< what it is about, the nearest word first
    };

    void add(const Part& part);
    void addLink(const Part& part);

    LessonRun& m_lessons;
    std::vector<Part> m_linked;
};

} // namespace headscope::ui
