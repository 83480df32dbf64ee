#include "ui/pages/shared/position_titles.h"

#include "ui/widgets/tr.h"

#include <algorithm>

namespace headscope::ui {

namespace {

Math waveFormula(const QString& function, const QString& index)
{
    using namespace math;
    return row({variable("PE"), text("("), variable("p"), text(", "), variable(index), text(") = "),
                text(function), text("("), variable("p"), text(" / "),
                scripts(variable("N"), row({text("2"), variable("i"), text("/"), variable("d")})),
                text(")")});
}

/// Su et al. 2021, equation 16.
Math ropeFormula()
{
    using namespace math;
    const auto turned = [](const char* letter, const char* position) {
        return row({scripts(variable("R"), nullptr, variable(position)), variable(letter)});
    };
    return row(
        {text("("), turned("q", "m"), text(") · ("), turned("k", "n"), text(") = "), variable("q"),
         text(" · "),
         scripts(variable("R"), nullptr, row({variable("n"), text("−"), variable("m")})),
         variable("k"), space(1.6), scripts(variable("θ"), nullptr, variable("i")), text(" = "),
         scripts(variable("N"), row({text("−2"), variable("i"), text("/"), variable("R")}))});
}

/// Press et al. 2022, section 3.
Math alibiFormula()
{
    using namespace math;
    return row({variable("score"), text(" = "), variable("q"), text("·"), variable("k"),
                text(" − "), scripts(variable("s"), nullptr, variable("h")), text(" · ("),
                variable("m"), text(" − "), variable("n"), text(")"), space(1.6),
                scripts(variable("s"), nullptr, variable("h")), text(" = "),
                scripts(text("2"), row({text("−8"), variable("h"), text("/"), variable("H")}))});
}

/// Raffel et al. 2020, section 2.1.
Math bucketFormula()
{
    using namespace math;
    return row({variable("score"), text(" = "), variable("q"), text("·"), variable("k"),
                text(" + "), scripts(variable("b"), nullptr, variable("h")), text("[bucket("),
                variable("n"), text(" − "), variable("m"), text(")]")});
}

Math sinusoidalFormula()
{
    return math::row({waveFormula("sin", "2i"), math::space(1.6), waveFormula("cos", "2i+1")});
}

Math learnedFormula()
{
    using namespace math;
    return row({variable("PE"), text("("), variable("p"), text(") = row "), variable("p"),
                text(" of a learned matrix")});
}

Math noneFormula()
{
    using namespace math;
    return row({variable("PE"), text("("), variable("p"), text(") = 0")});
}

} // namespace

std::vector<PositionTitle> positionTitles()
{
    return {{Positions::Sinusoidal, "sinusoidal", tr("Sinusoidal"), tr("Sinusoidal"),
             tr("Positions"), tr("Adds sines and cosines"), sinusoidalFormula},
            {Positions::Learned,
             "learned",
             tr("Learned"),
             tr("Learned"),
             tr("Positions"),
             {},
             learnedFormula},
            {Positions::Rope, "rope", tr("RoPE"), tr("RoPE"), tr("Rotary positions"),
             tr("Rotates queries and keys"), ropeFormula},
            {Positions::Alibi, "alibi", tr("ALiBi"), tr("ALiBi"), tr("ALiBi"),
             tr("Lowers the scores of distant keys"), alibiFormula},
            {Positions::RelativeBuckets, "t5", tr("Relative"), tr("T5"),
             tr("Relative position buckets"), tr("Adds a learned bias per distance bucket"),
             bucketFormula},
            {Positions::None, "none", tr("None"), tr("None"), tr("Positions"),
             tr("Positions are indistinguishable"), noneFormula}};
}

PositionTitle positionTitle(Positions kind)
{
    const std::vector<PositionTitle> all = positionTitles();
    const auto found =
        std::find_if(all.begin(), all.end(), [&](const auto& one) { return one.kind == kind; });
    return found == all.end() ? all.back() : *found;
}

} // namespace headscope::ui
