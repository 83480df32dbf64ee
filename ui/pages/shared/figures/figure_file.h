#pragma once

#include "ui/pages/shared/figures/figure_page.h"
#include "ui/session/session_file.h"

#include <filesystem>
#include <vector>

namespace headscope::ui {

/// Writes PNG, SVG or PDF, by the extension of `path`, atomically, with title, model, sentence,
/// caption, version and the session in the file's metadata. Needs a QApplication, on its thread.
/// Throws Error.
void saveFigure(const Figure& figure, const FigureStyle& style, const std::filesystem::path& path);

/// Same for a PNG whose `image` figureImage() has made. Callable on any thread. Throws Error.
void saveFigureImage(const QImage& image, const Figure& figure, const FigureStyle& style,
                     const std::filesystem::path& path);

/// Content of the figure's .svg file. Throws as saveFigure does.
QByteArray figureSvg(const Figure& figure, const FigureStyle& style);

/// Session embedded in a figure or shared page of Headscope; empty when there is none or the file
/// is neither. Throws FormatError for a file that cannot be read.
QByteArray figureSession(const std::filesystem::path& path);

/// State in a session file, or in a figure or shared page that contains one. Throws FormatError.
SessionState openSession(const std::filesystem::path& path);

/// True for extensions of session files, and of figures and pages that may contain a session.
bool mayHoldSession(const std::filesystem::path& path);

/// Files that saveNumbers() writes: CSV and NPY hold one table, so that several become
/// "F-pattern.csv", "F-scores.csv". Throws Error for another extension, or without tables.
std::vector<std::filesystem::path> numberFiles(const Figure& figure,
                                               const std::filesystem::path& path);

/// Writes the figure's tables as .csv, .npy or .json, by the extension of `path`, each atomically.
/// Returns the paths written. Throws Error.
std::vector<std::filesystem::path> saveNumbers(const Figure& figure,
                                               const std::filesystem::path& path);

/// Tables as tab-separated text, for the clipboard.
QString numbersText(const Figure& figure);

/// File suffix in lower case: ".PNG" of a path as ".png".
std::string endingOf(const std::filesystem::path& path);

} // namespace headscope::ui
