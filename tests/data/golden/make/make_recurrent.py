"""Recurrent layers: torch.nn.RNN (tanh) and torch.nn.LSTM, one and two layers, forward and backward through time."""
import torch
from common import args_, gen, Case, both, add_both

a = args_()
V = a.variant == "b"
T, B, IN, H = (9, 2, 6, 7) if V else (6, 3, 5, 4)
WEIGHTS = ("weight_ih", "weight_hh", "bias_ih", "bias_hh")

for name, make, gates in (("rnn", torch.nn.RNN, 1), ("lstm", torch.nn.LSTM, 4)):
    for layers in (1, 2):
        case = f"{name}_{layers}"
        g = gen(a.seed, "recurrent/" + case)
        c = Case(a.out, "recurrent", case,
                 f"torch.nn.{make.__name__}({IN}, {H}, num_layers={layers}), sequences position by position [T, B, in]; w.lL.* layer L in PyTorch's "
                 "layout and names, gates i, f, g, o; in.h0 and in.c0 [layers, B, H]; out.out [T, B, H], out.h and out.c the last states; gradients "
                 "of sum(out.out * in.dout)", T=T, B=B, inputs=IN, hidden=H, layers=layers)
        rand = lambda *s: torch.randn(*s, generator=g)
        leaves = {"x": rand(T, B, IN), "h0": rand(layers, B, H)}
        if name == "lstm":
            leaves["c0"] = rand(layers, B, H)
        for l in range(layers):
            width = IN if l == 0 else H
            for w, shape in zip(WEIGHTS, ((gates * H, width), (gates * H, H), (gates * H,), (gates * H,))):
                leaves[f"l{l}.{w}"] = rand(*shape) * 0.6
        dout = rand(T, B, H)

        def run(p):
            module = make(IN, H, num_layers=layers).to(p["x"].dtype)
            weights = {f"{w}_l{l}": p[f"l{l}.{w}"] for l in range(layers) for w in WEIGHTS}
            state = (p["h0"], p["c0"]) if name == "lstm" else p["h0"]
            out, last = torch.func.functional_call(module, weights, (p["x"], state))
            h, cell = last if name == "lstm" else (last, None)
            return {"out": out, "h": h, "c": cell}

        for k, v in leaves.items():
            c.add(f"w.{k}" if k[0] == "l" else f"in.{k}", v)
        c.add("in.dout", dout)
        add_both(c, both(run, leaves, dout))
        c.write()
