#pragma once

#include <QByteArray>

namespace headscope::ui {

/// JSON as the content of a <script> element: "<" is escaped, so nothing in it ends the element.
QByteArray scriptJson(QByteArray json);

/// The element of an HTML file that holds a session; empty without one.
QByteArray sessionElement(const QByteArray& session);

/// The content of the first such element; empty when there is none, or no end of it.
QByteArray sessionInHtml(const QByteArray& html);

} // namespace headscope::ui
