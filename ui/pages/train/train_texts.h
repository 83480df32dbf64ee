#pragma once

#include "ui/pages/train/train_content.h"
#include "ui/widgets/heads/head_tiles.h"

namespace headscope::ui {

/// The document's heads with their scores at the shown step.
HeadTilesContent tilesOf(const TrainContent& trainContent);

QString scoreText(const QString& score);      ///< Score name such as "Induction".
QString shortScoreText(const QString& score); ///< Short score name such as "induct."

/// Merges overlapping jumps of heads.
std::vector<ChartJump> jumpsOf(const TrainingRecord& record);

/// The first step at which the induction score of some head reaches 0.5.
std::optional<LevelReached> inductionOf(const TrainingRecord& record);

/// Text such as "Induction passed 0.5 at step 572 (head 1.3)"; empty before that.
QString inductionText(const TrainingRecord& record);

struct TrainReading
{
    QString name;
    QString value;
    bool isSubject = false;
};

/// Validation loss, perplexity, accuracy, learning rate, tokens per second and time left at the
/// shown step, if measured.
std::vector<TrainReading> readingsOf(const TrainContent& trainContent);

/// Facts: "2 layers × 4 heads · d 64 · ... · AdamW · seed 3".
QString factsOf(const TrainingRecord& record);

QString bytesText(std::uint64_t bytes); ///< Size text such as "7.9 MB".
QString durationText(double seconds);   ///< Duration text such as "0:28", "1:02:03".

/// What to watch, with the measurement of the head that shows it most.
QString taskText(const TrainContent& trainContent);

} // namespace headscope::ui
