#pragma once

#include <QByteArray>

namespace headscope::ui {

/// A PNG file with an iTXt chunk more, before its pixels. Qt's own writer loses keywords of two
/// words and rewrites spaces.
QByteArray withPngText(const QByteArray& png, const QByteArray& keyword, const QByteArray& utf8);

/// The text of the first uncompressed iTXt chunk of that keyword; empty when there is none.
QByteArray pngText(const QByteArray& png, const QByteArray& keyword);

} // namespace headscope::ui
