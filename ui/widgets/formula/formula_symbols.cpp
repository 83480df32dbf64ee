#include "ui/widgets/formula/formula_symbols.h"

#include "core/base/json_text.h"

#include <QHash>

#include <string>
#include <vector>

namespace headscope::ui {

namespace {

constexpr auto kOrdinary = SignKind::Ordinary;
constexpr auto kOperator = SignKind::Operator;
constexpr auto kFunction = SignKind::Function;

constexpr FormulaSymbol kSymbols[] = {
    {"alpha", "α", "alpha", kOrdinary},
    {"beta", "β", "beta", kOrdinary},
    {"gamma", "γ", "gamma", kOrdinary},
    {"delta", "δ", "delta", kOrdinary},
    {"epsilon", "ε", "epsilon", kOrdinary},
    {"zeta", "ζ", "zeta", kOrdinary},
    {"eta", "η", "eta", kOrdinary},
    {"theta", "θ", "theta", kOrdinary},
    {"iota", "ι", "iota", kOrdinary},
    {"kappa", "κ", "kappa", kOrdinary},
    {"lambda", "λ", "lambda", kOrdinary},
    {"mu", "μ", "mu", kOrdinary},
    {"nu", "ν", "nu", kOrdinary},
    {"xi", "ξ", "xi", kOrdinary},
    {"pi", "π", "pi", kOrdinary},
    {"rho", "ρ", "rho", kOrdinary},
    {"sigma", "σ", "sigma", kOrdinary},
    {"tau", "τ", "tau", kOrdinary},
    {"upsilon", "υ", "upsilon", kOrdinary},
    {"phi", "φ", "phi", kOrdinary},
    {"varphi", "ϕ", "phi", kOrdinary},
    {"chi", "χ", "chi", kOrdinary},
    {"psi", "ψ", "psi", kOrdinary},
    {"omega", "ω", "omega", kOrdinary},
    {"Gamma", "Γ", "capital gamma", kOrdinary},
    {"Delta", "Δ", "delta", kOrdinary},
    {"Theta", "Θ", "capital theta", kOrdinary},
    {"Lambda", "Λ", "capital lambda", kOrdinary},
    {"Xi", "Ξ", "capital xi", kOrdinary},
    {"Pi", "Π", "capital pi", kOrdinary},
    {"Phi", "Φ", "capital phi", kOrdinary},
    {"Psi", "Ψ", "capital psi", kOrdinary},
    {"Omega", "Ω", "capital omega", kOrdinary},
    {"sum", "Σ", "sum", kFunction},
    {"prod", "∏", "product", kFunction},
    {"max", "max", "max", kFunction},
    {"min", "min", "min", kFunction},
    {"arg", "arg", "arg", kFunction},
    {"exp", "exp", "exp", kFunction},
    {"ln", "ln", "ln", kFunction},
    {"log", "log", "log", kFunction},
    {"sin", "sin", "sin", kFunction},
    {"cos", "cos", "cos", kFunction},
    {"tan", "tan", "tan", kFunction},
    {"tanh", "tanh", "tanh", kFunction},
    {"softmax", "softmax", "softmax", kFunction},
    {"cdot", "·", "times", kOperator},
    {"times", "×", "times", kOperator},
    {"odot", "⊙", "times, cell by cell,", kOperator},
    {"oplus", "⊕", "plus", kOperator},
    {"otimes", "⊗", "times", kOperator},
    {"div", "÷", "divided by", kOperator},
    {"pm", "±", "plus or minus", kOperator},
    {"le", "≤", "is at most", kOperator},
    {"leq", "≤", "is at most", kOperator},
    {"ge", "≥", "is at least", kOperator},
    {"geq", "≥", "is at least", kOperator},
    {"lt", "<", "is less than", kOperator},
    {"gt", ">", "is more than", kOperator},
    {"ll", "≪", "is much less than", kOperator},
    {"gg", "≫", "is much more than", kOperator},
    {"ne", "≠", "is not", kOperator},
    {"neq", "≠", "is not", kOperator},
    {"approx", "≈", "is about", kOperator},
    {"sim", "∼", "is distributed as", kOperator},
    {"propto", "∝", "is proportional to", kOperator},
    {"in", "∈", "in", kOperator},
    {"to", "→", "to", kOperator},
    {"rightarrow", "→", "to", kOperator},
    {"leftarrow", "←", "becomes", kOperator},
    {"Rightarrow", "⇒", "so", kOperator},
    {"mid", "|", "given", kOperator},
    {"infty", "∞", "infinity", kOrdinary},
    {"partial", "∂", "partial", kOrdinary},
    {"nabla", "∇", "gradient of", kOrdinary},
    {"forall", "∀", "for all", kOrdinary},
    {"ldots", "…", "and so on", kOrdinary},
    {"dots", "…", "and so on", kOrdinary},
    {"cdots", "⋯", "and so on", kOrdinary},
    {"prime", "′", "prime", kOrdinary},
    {"ell", "ℓ", "l", kOrdinary},
    {"lVert", "‖", "norm of", SignKind::Open},
    {"rVert", "‖", "", SignKind::Close},
    {"lfloor", "⌊", "floor of", SignKind::Open},
    {"rfloor", "⌋", "", SignKind::Close},
    {"lceil", "⌈", "ceiling of", SignKind::Open},
    {"rceil", "⌉", "", SignKind::Close},
    {"{", "{", "", SignKind::Open},
    {"}", "}", "", SignKind::Close},
    {"%", "%", "percent", kOrdinary},
    {"_", "_", "_", kOrdinary},
    {"#", "#", "number", kOrdinary},
    {"&", "&", "and", kOrdinary},
    {"$", "$", "dollars", kOrdinary},
};

} // namespace

const FormulaSymbol* symbolOfCommand(const QString& command)
{
    static const QHash<QString, const FormulaSymbol*> kByCommand = [] {
        QHash<QString, const FormulaSymbol*> table;
        for (const FormulaSymbol& symbol : kSymbols)
            table.insert(QString::fromUtf8(symbol.command), &symbol);
        return table;
    }();
    return kByCommand.value(command, nullptr);
}

QString nearestCommand(const QString& command)
{
    std::vector<std::string> known{"frac", "sqrt",         "text", "mathrm", "mathbf",
                                   "left", "operatorname", "top",  "quad",   "right"};
    for (const FormulaSymbol& symbol : kSymbols)
        known.emplace_back(symbol.command);
    return QString::fromStdString(nearestName(command.toStdString(), known));
}

const FormulaSymbol* symbolOfCharacters(const QString& characters)
{
    static const QHash<QString, const FormulaSymbol*> kByCharacters = [] {
        QHash<QString, const FormulaSymbol*> table;
        for (const FormulaSymbol& symbol : kSymbols) {
            const QString key = QString::fromUtf8(symbol.characters);
            if (!table.contains(key))
                table.insert(key, &symbol);
        }
        return table;
    }();
    return kByCharacters.value(characters, nullptr);
}

} // namespace headscope::ui
