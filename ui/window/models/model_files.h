#pragma once

#include <QString>

class QFileDialog;
class QWidget;

namespace headscope::ui {

/// Name of the model at `path` for Session::openModel; empty when there is none. A weight file in a
/// model folder stands for the folder, and a folder with a single GGUF file for that file.
QString modelAt(const QString& path);

/// Error for a folder that is neither a model nor a run, with what would be one.
QString noModelSentence(const QString& folder);

// File dialogs, not shown yet; they delete themselves.
QFileDialog* modelFileDialog(QWidget* parent);
QFileDialog* modelFolderDialog(QWidget* parent);

} // namespace headscope::ui
