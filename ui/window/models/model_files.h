#pragma once

#include <QString>

class QFileDialog;
class QWidget;

namespace headscope::ui {

/// What to hand to Session::openModel when a person gives `path`; empty when that is no model. One
/// of the weight files of a model folder stands for the folder, and a folder for the only GGUF file
/// in it.
QString modelAt(const QString& path);

/// Why a folder is neither a model nor a run, and what is.
QString noModelSentence(const QString& folder);

// Not shown yet; they delete themselves.
QFileDialog* modelFileDialog(QWidget* parent);
QFileDialog* modelFolderDialog(QWidget* parent);

} // namespace headscope::ui
