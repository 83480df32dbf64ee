import json, sys, torch
from safetensors.torch import save_file
from transformers import AutoModel, AutoTokenizer

name, text, path = sys.argv[1:4]  # python capture.py MODEL TEXT FILE.safetensors
tokenizer = AutoTokenizer.from_pretrained(name)
model = AutoModel.from_pretrained(name, attn_implementation="eager", dtype="auto").eval()
inputs = tokenizer(text, return_tensors="pt")
with torch.no_grad():  # the inputs go where the model is: device_map="auto" may have spread it
    out = model(**inputs.to(model.device), output_attentions=True, output_hidden_states=True)

tensors = {}
for layer, pattern in enumerate(out.attentions):  # [1, heads, n, n]
    tensors[f"blocks.{layer}.attn.hook_pattern"] = pattern[0]
    tensors[f"blocks.{layer}.hook_resid_pre"] = out.hidden_states[layer][0]  # [n, d]
    if layer + 1 < len(out.attentions):  # the last one has been through the final norm
        tensors[f"blocks.{layer}.hook_resid_post"] = out.hidden_states[layer + 1][0]

ids = inputs["input_ids"][0].tolist()
sees_later = any(pattern.triu(1).any() for pattern in out.attentions)
metadata = {
    "format": "headscope-trace",
    "version": "1",
    "model": name,
    "ids": json.dumps(ids),
    "tokens": json.dumps(tokenizer.convert_ids_to_tokens(ids)),
    "settings": json.dumps({"mask": "none" if sees_later else "causal"}),
}
if tokenizer.is_fast:  # where each token stands, in bytes
    byte = [len(text[:i].encode()) for i in range(len(text) + 1)]
    places = tokenizer(text, return_offsets_mapping=True)["offset_mapping"]
    metadata |= {"text": text, "offsets": json.dumps([[byte[a], byte[b]] for a, b in places])}
save_file({key: value.cpu().clone() for key, value in tensors.items()}, path, metadata)
