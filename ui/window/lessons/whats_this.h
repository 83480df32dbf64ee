#pragma once

#include <QObject>
#include <QStringList>

#include <vector>

class QWidget;

namespace headscope::ui {

class LessonRun;
struct PageDescriptor;

/// Adds What's This help to the pages and the parts of the frame. A widget keeps a text of its own;
/// others use that of the nearest parent. Pages, and parts with a lesson, end with a link to it.
class WhatsThis : public QObject
{
    Q_OBJECT

public:
    explicit WhatsThis(LessonRun& lessons, QObject* parent = nullptr);

    void explain(QWidget& page, const PageDescriptor& descriptor);
    /// Sets the help of a part by name, such as "sentence"; see the table in the source file.
    void explain(QWidget& part, const QString& name);

signals:
    void linkActivated(const QString& target); ///< Emitted with a link such as "lesson:ID".

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    struct Part
    {
        QWidget* widget;
        QString name;
        QStringList terms; ///< Terms that the part is about, the closest first.
    };

    void add(const Part& part);
    void addLink(const Part& part);

    LessonRun& m_lessons;
    std::vector<Part> m_linked;
};

} // namespace headscope::ui
