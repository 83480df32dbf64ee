#pragma once

#include "ui/pages/train/train_content.h"
#include "ui/widgets/heads/head_tiles.h"

namespace headscope::ui {

/// The heads of the document with their scores at the shown step.
HeadTilesContent tilesOf(const TrainPicture& picture);

QString scoreWords(const QString& score);      ///< "Induction"
QString shortScoreWords(const QString& score); ///< "induct."

/// Jumps of heads that overlap become one.
std::vector<ChartJump> jumpsOf(const TrainingRecord& record);

struct TrainReading
{
    QString name;
    QString value;
    bool isSubject = false;
};

/// Validation loss, perplexity, accuracy, learning rate, tokens a second, time left: those that
/// were measured, of the shown step.
std::vector<TrainReading> readingsOf(const TrainPicture& picture);

/// "2 layers × 4 heads · d 64 · ... · AdamW · seed 3".
QString factsOf(const TrainingRecord& record);

QString bytesText(std::uint64_t bytes); ///< "7.9 MB"
QString durationText(double seconds);   ///< "0:28", "1:02:03"

/// What to look for, with what is measured in the head that shows it most.
QString taskText(const TrainPicture& picture);

} // namespace headscope::ui
