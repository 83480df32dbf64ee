#pragma once

#include "ui/pages/shared/figures/figure_sheet.h"
#include "ui/session/session_file.h"

#include <filesystem>
#include <vector>

namespace headscope::ui {

/// Writes PNG, SVG or PDF, by the ending of `path`, atomically, with title, model, sentence,
/// caption, version and the session in the file's metadata. Needs a QApplication, on its thread. Throws
/// Error.
void saveFigure(const Figure& figure, const FigureStyle& style, const std::filesystem::path& path);

/// The same for a PNG whose `image` figureImage() has made. Any thread. Throws Error.
void saveFigureImage(const QImage& image, const Figure& figure, const FigureStyle& style,
                     const std::filesystem::path& path);

/// Content of the figure's .svg file. Throws as saveFigure does.
QByteArray figureSvg(const Figure& figure, const FigureStyle& style);

/// The session that a picture or a shared page of ours carries; empty when it has none or is
/// neither. Throws FormatError for a file that cannot be read.
QByteArray figureSession(const std::filesystem::path& path);

/// The state in a session file, or in a figure or shared page that carries one. Throws FormatError.
SessionState openSession(const std::filesystem::path& path);

/// True for endings of session files, and of pictures and pages that may carry a session.
bool mayHoldSession(const std::filesystem::path& path);

/// Writes the figure's tables as .csv, .npy or .json, by the ending of `path`, each atomically.
/// CSV and NPY hold one table: several become "F-pattern.csv", "F-scores.csv". Returns what was
/// written. Throws Error.
std::vector<std::filesystem::path> saveNumbers(const Figure& figure,
                                               const std::filesystem::path& path);

/// The tables as tab-separated text, for the clipboard.
QString numbersText(const Figure& figure);

/// ".PNG" of a path as ".png".
std::string endingOf(const std::filesystem::path& path);

} // namespace headscope::ui
