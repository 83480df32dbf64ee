#pragma once

#include <QObject>
#include <QString>

namespace headscope::ui::test {

/// The descendant of this type, and of this object name where there are several. There must be one.
template<class Child>
Child& childOf(const QObject& parent, const QString& name = {})
{
    auto* child = parent.findChild<Child*>(name);
    if (!child)
        qFatal("no %s with the name '%s'", Child::staticMetaObject.className(), qPrintable(name));
    return *child;
}

} // namespace headscope::ui::test
