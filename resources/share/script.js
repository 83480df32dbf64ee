"use strict";
(() => {
  const data = JSON.parse(document.getElementById("page-data").textContent);
  const texts = data.texts;
  const at = (id) => document.getElementById(id);
  if (data.kinds.length === 0) return;

  // ------------------------------------------------------------------------------------- the patterns
  function levelsOf(base64) {
    const text = atob(base64);
    const bytes = new Uint8Array(text.length);
    for (let place = 0; place < text.length; ++place) bytes[place] = text.charCodeAt(place);
    return data.bits === 16 ? new Uint16Array(bytes.buffer, 0, bytes.length >> 1) : bytes;
  }

  const levels = levelsOf(data.patterns);
  const sinks = levelsOf(data.sinks);
  const masked = data.bits === 16 ? 65535 : 255;
  const steps = masked - 1;
  let next = 0;
  let nextSink = 0;
  for (const kind of data.kinds) {
    kind.starts = [0];
    for (const length of kind.lengths) kind.starts.push(kind.starts[kind.starts.length - 1] + length);
    kind.places = new Map();
    kind.stored.forEach(([layer, head, title], index) => {
      kind.places.set(layer + "." + head, { layer, head, title, index, first: next, firstSink: nextSink });
      next += kind.starts[kind.lengths.length];
      if (kind.sinks) nextSink += kind.lengths.length;
    });
  }

  const levelAt = (kind, head, row, column) =>
    column < kind.lengths[row] ? levels[head.first + kind.starts[row] + column] : masked;
  const sinkAt = (kind, head, row) => (kind.sinks ? sinks[head.firstSink + row] : masked);
  const valueOf = (level) => (data.signed ? (2 * level) / steps - 1 : level / steps);

  function numberText(value) {
    const text = Math.abs(value).toFixed(data.decimals);
    const isZero = Number(text) === 0;
    if (value < 0 && !isZero) return "\u2212" + text;
    return data.signed && !isZero ? "+" + text : text;
  }

  const fill = (text, ...parts) => text.replace(/%(\d)/g, (_, place) => parts[place - 1]);

  // ------------------------------------------------------------------------------------- what is chosen
  const state = { kind: data.kinds[0], head: null, query: 0, key: 0 };

  function colours() {
    const dark = document.documentElement.dataset.theme === "dark";
    const table = dark ? data.colours.dark : data.colours.light;
    return (level) => {
      const entry = level === masked ? 255 : Math.round((level / steps) * 254);
      return Number.parseInt(table.substr(entry * 6, 6), 16);
    };
  }

  function sentenceOf(query, key) {
    const { kind, head } = state;
    const level = levelAt(kind, head, query, key);
    const pattern = level === masked ? texts.hiddenCell : texts.cell;
    return fill(pattern, kind.rows[query], kind.columns[key], numberText(valueOf(level)));
  }

  function heaviestKey(query) {
    let best = 0;
    let weight = -1;
    for (let key = 0; key < state.kind.columns.length; ++key) {
      const level = levelAt(state.kind, state.head, query, key);
      const value = level === masked ? -1 : Math.abs(valueOf(level));
      if (value > weight) [best, weight] = [key, value];
    }
    return best;
  }

  // ------------------------------------------------------------------------------------- drawing
  const canvas = at("map").querySelector("canvas");
  let layout = { left: 0, top: 0, cell: 1 };

  function imageOf(kind, head, colour) {
    const image = new ImageData(kind.columns.length, kind.rows.length);
    let place = 0;
    for (let row = 0; row < kind.rows.length; ++row) {
      for (let column = 0; column < kind.columns.length; ++column) {
        const rgb = colour(levelAt(kind, head, row, column));
        image.data[place++] = rgb >> 16;
        image.data[place++] = (rgb >> 8) & 255;
        image.data[place++] = rgb & 255;
        image.data[place++] = 255;
      }
    }
    return image;
  }

  function stillOf(image) {
    const still = document.createElement("canvas");
    still.width = image.width;
    still.height = image.height;
    still.getContext("2d").putImageData(image, 0, 0);
    return still;
  }

  const colourNamed = (name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();
  const shortened = (label) => (label.length > 12 ? label.slice(0, 11) + "\u2026" : label);

  function drawMap() {
    const { kind, head } = state;
    const columns = kind.columns.length;
    const rows = kind.rows.length;
    const labelled = Math.max(rows, columns) <= 64;
    const left = labelled ? 104 : 8;
    const top = labelled ? 96 : 8;
    const right = labelled ? 56 : 8; // the last key's label leans over the map's edge
    const room = Math.max(at("map").clientWidth, 320) - left - right;
    const cell = Math.max(1, Math.min(38, Math.floor(room / columns)));
    layout = { left, top, cell };
    const ratio = window.devicePixelRatio || 1;
    const width = left + cell * columns + right;
    const height = top + cell * rows + 8;
    canvas.width = Math.round(width * ratio);
    canvas.height = Math.round(height * ratio);
    canvas.style.width = width + "px";
    canvas.style.height = height + "px";
    const pen = canvas.getContext("2d");
    pen.scale(ratio, ratio);
    pen.imageSmoothingEnabled = false;
    pen.drawImage(stillOf(imageOf(kind, head, colours())), left, top, cell * columns, cell * rows);
    if (labelled && cell >= 8) drawLabels(pen);
    drawMarks(pen);
  }

  function drawLabels(pen) {
    const { kind, query, key } = state;
    const { left, top, cell } = layout;
    pen.font = Math.min(14, Math.max(9, cell - 2)) + "px system-ui, 'Noto Sans', sans-serif";
    pen.textBaseline = "middle";
    pen.textAlign = "right";
    kind.rows.forEach((label, row) => {
      pen.fillStyle = colourNamed(row === query ? "--accent" : "--text2");
      pen.fillText(shortened(label), left - 8, top + (row + 0.5) * cell);
    });
    pen.textAlign = "left";
    kind.columns.forEach((label, column) => {
      pen.save();
      pen.translate(left + (column + 0.5) * cell, top - 8);
      pen.rotate(-Math.PI / 3);
      pen.fillStyle = colourNamed(column === key ? "--key" : "--text2");
      pen.fillText(shortened(label), 0, 0);
      pen.restore();
    });
  }

  function drawMarks(pen) {
    const { left, top, cell } = layout;
    const side = Math.max(cell, 3);
    pen.lineWidth = 2;
    pen.strokeStyle = colourNamed("--accent");
    if (cell >= 4) pen.strokeRect(left, top + state.query * cell, cell * state.kind.columns.length, cell);
    pen.strokeStyle = colourNamed("--key");
    pen.strokeRect(left + state.key * cell, top + state.query * cell, side, side);
  }

  function drawLegend() {
    const colour = colours();
    const bar = at("legend").querySelector("canvas");
    const image = new ImageData(bar.width, 1);
    for (let x = 0; x < bar.width; ++x) {
      const rgb = colour(Math.round((x / (bar.width - 1)) * steps));
      image.data.set([rgb >> 16, (rgb >> 8) & 255, rgb & 255, 255], 4 * x);
    }
    bar.getContext("2d").putImageData(image, 0, 0);
    const [low, high] = at("legend").querySelectorAll("span");
    low.textContent = data.signed ? "\u22121" : "0";
    high.textContent = data.signed ? "+1" : "1";
  }

  // ------------------------------------------------------------------------------------- words and lists
  function element(name, text, className) {
    const made = document.createElement(name);
    made.textContent = text;
    if (className) made.className = className;
    return made;
  }

  function rowLine(label, value, className) {
    const line = document.createElement("tr");
    line.className = className;
    const name = element("th", label);
    name.scope = "row";
    const space = document.createElement("td");
    const bar = element("div", "", value < 0 ? "bar less" : "bar");
    bar.style.width = Math.max(100 * Math.abs(value), 0.5) + "%";
    space.append(bar);
    line.append(name, space, element("td", numberText(value)));
    return line;
  }

  function showRow() {
    const { kind, head, query } = state;
    const entries = kind.columns
      .map((label, key) => ({ label, key, level: levelAt(kind, head, query, key) }))
      .filter((entry) => entry.level !== masked)
      .map((entry) => ({ ...entry, value: valueOf(entry.level) }));
    entries.sort((a, b) => Math.abs(b.value) - Math.abs(a.value) || a.key - b.key);
    const most = 40;
    const table = at("bars");
    table.caption.textContent = fill(texts.rowOf, kind.rows[query]);
    table.tBodies[0].replaceChildren(
      ...entries.slice(0, most).map((entry) => rowLine(entry.label, entry.value, entry.key === state.key ? "chosen" : "")),
    );
    const sink = sinkAt(kind, head, query);
    table.tFoot.replaceChildren(...(sink === masked ? [] : [rowLine(texts.sink, valueOf(sink), "")]));
    at("more").textContent = entries.length > most ? fill(texts.more, entries.length - most) : "";
  }

  function showScores() {
    const { kind, head } = state;
    const values = kind.scores[head.index] || [];
    at("scores").replaceChildren(
      ...values.flatMap((text, index) => [element("dt", data.scoreTitles[index]), element("dd", text)]),
    );
  }

  function showTokens() {
    const { kind, query, key } = state;
    const list = at("tokens");
    if (list.children.length !== kind.rows.length || list.dataset.kind !== kind.name) {
      list.dataset.kind = kind.name;
      list.replaceChildren(
        ...kind.rows.map((label, index) => {
          const option = element("span", label);
          option.id = "token" + index;
          option.setAttribute("role", "option");
          option.addEventListener("click", () => choose({ query: index, key: null }));
          return option;
        }),
      );
    }
    const isSelf = kind.name !== "cross";
    Array.from(list.children).forEach((option, index) => {
      option.setAttribute("aria-selected", String(index === query));
      option.classList.toggle("key", isSelf && index === key);
    });
    list.setAttribute("aria-activedescendant", "token" + query);
  }

  function makeHeads() {
    const { kind } = state;
    const list = at("heads");
    const colour = colours();
    list.style.gridTemplateColumns = "repeat(" + kind.heads + ", max-content)";
    const options = [];
    for (const head of kind.places.values()) {
      const option = document.createElement("span");
      const still = stillOf(imageOf(kind, head, colour));
      option.id = "head" + head.index;
      option.title = head.title;
      option.style.gridArea = head.layer + 1 + " / " + (head.head + 1);
      option.setAttribute("role", "option");
      option.setAttribute("aria-label", head.title);
      still.setAttribute("aria-hidden", "true");
      option.append(still);
      option.addEventListener("click", () => choose({ head }));
      options.push(option);
    }
    list.replaceChildren(...options);
  }

  function showHeads() {
    for (const option of at("heads").children)
      option.setAttribute("aria-selected", String(option.id === "head" + state.head.index));
    at("heads").setAttribute("aria-activedescendant", "head" + state.head.index);
  }

  function showCell() {
    const { kind, query, key } = state;
    const sentence = sentenceOf(query, key);
    at("readout").textContent = sentence;
    at("row").setAttribute("aria-rowindex", query + 1);
    at("queryName").textContent = kind.rows[query];
    at("cell").setAttribute("aria-colindex", key + 1);
    at("cell").textContent = sentence;
    at("map").setAttribute("aria-rowcount", kind.rows.length);
    at("map").setAttribute("aria-colcount", kind.columns.length);
  }

  function rememberPlace() {
    const { kind, head, query, key } = state;
    const prefix = kind.name ? kind.name + "." : "";
    const place = "#" + prefix + "L" + head.layer + "H" + head.head + "Q" + query + "K" + key;
    try {
      history.replaceState(null, "", place);
    } catch {
      // a page that may not change its own address is still complete
    }
  }

  /// Anything of kind, head, query, key; a key of null is the one with the largest weight.
  function choose(wanted, quietly) {
    const kind = wanted.kind || state.kind;
    const head = wanted.head || (kind === state.kind ? state.head : kind.places.values().next().value);
    const isOtherKind = kind !== state.kind || !state.head;
    Object.assign(state, { kind, head });
    const within = (value, count) => Math.max(0, Math.min(count - 1, value));
    state.query = within(wanted.query ?? state.query, kind.rows.length);
    state.key = within(wanted.key === null ? heaviestKey(state.query) : (wanted.key ?? state.key), kind.columns.length);
    if (isOtherKind) makeHeads();
    at("mapName").textContent = head.title;
    showTokens();
    showHeads();
    showRow();
    showScores();
    showCell();
    drawMap();
    if (quietly) return;
    at("announce").textContent = sentenceOf(state.query, state.key);
    rememberPlace();
  }

  // ------------------------------------------------------------------------------------- keys and pointer
  /// The next head that the page holds in this direction.
  function headBeside(layers, heads) {
    const { kind, head } = state;
    let layer = head.layer + layers;
    let number = head.head + heads;
    while (layer >= 0 && layer < kind.layers && number >= 0 && number < kind.heads) {
      const found = kind.places.get(layer + "." + number);
      if (found) return found;
      layer += layers;
      number += heads;
    }
    return head;
  }

  function onKeys(id, table) {
    at(id).addEventListener("keydown", (event) => {
      if (event.ctrlKey || event.altKey || event.metaKey) return;
      const action = table[(event.shiftKey ? "Shift+" : "") + event.key];
      if (!action) return;
      event.preventDefault();
      action();
    });
  }

  const headKeys = {
    PageDown: () => choose({ head: headBeside(1, 0) }),
    PageUp: () => choose({ head: headBeside(-1, 0) }),
    "Shift+PageDown": () => choose({ head: headBeside(0, 1) }),
    "Shift+PageUp": () => choose({ head: headBeside(0, -1) }),
  };
  onKeys("map", {
    ArrowLeft: () => choose({ key: state.key - 1 }),
    ArrowRight: () => choose({ key: state.key + 1 }),
    ArrowUp: () => choose({ query: state.query - 1 }),
    ArrowDown: () => choose({ query: state.query + 1 }),
    Home: () => choose({ key: 0 }),
    End: () => choose({ key: state.kind.columns.length - 1 }),
    Enter: () => choose({ key: null }),
    ...headKeys,
  });
  onKeys("heads", {
    ArrowLeft: () => choose({ head: headBeside(0, -1) }),
    ArrowRight: () => choose({ head: headBeside(0, 1) }),
    ArrowUp: () => choose({ head: headBeside(-1, 0) }),
    ArrowDown: () => choose({ head: headBeside(1, 0) }),
    ...headKeys,
  });
  onKeys("tokens", {
    ArrowLeft: () => choose({ query: state.query - 1, key: null }),
    ArrowRight: () => choose({ query: state.query + 1, key: null }),
    Home: () => choose({ query: 0, key: null }),
    End: () => choose({ query: state.kind.rows.length - 1, key: null }),
    ...headKeys,
  });

  function cellUnder(event) {
    const box = canvas.getBoundingClientRect();
    const key = Math.floor((event.clientX - box.left - layout.left) / layout.cell);
    const query = Math.floor((event.clientY - box.top - layout.top) / layout.cell);
    const isInside = query >= 0 && query < state.kind.rows.length && key >= 0 && key < state.kind.columns.length;
    return isInside ? { query, key } : null;
  }

  canvas.addEventListener("mousemove", (event) => {
    const cell = cellUnder(event);
    at("readout").textContent = cell ? sentenceOf(cell.query, cell.key) : sentenceOf(state.query, state.key);
  });
  canvas.addEventListener("mouseleave", showCell);
  canvas.addEventListener("click", (event) => {
    const cell = cellUnder(event);
    if (cell) choose(cell);
  });
  window.addEventListener("resize", drawMap);

  // ------------------------------------------------------------------------------------- theme
  const system = window.matchMedia("(prefers-color-scheme: dark)");
  let isChosen = false;

  function useTheme(dark) {
    document.documentElement.dataset.theme = dark ? "dark" : "light";
    at("theme").textContent = dark ? texts.light : texts.dark;
    drawLegend();
    if (!state.head) return;
    makeHeads();
    showHeads();
    drawMap();
  }

  at("theme").addEventListener("click", () => {
    isChosen = true;
    useTheme(document.documentElement.dataset.theme !== "dark");
  });
  system.addEventListener("change", () => {
    if (!isChosen) useTheme(system.matches);
  });

  // ------------------------------------------------------------------------------------- the beginning
  /// "#L1H3", "#cross.L0H2Q4K1": what the address asks for; empty where the page does not have it.
  function placeAsked() {
    const found = /^#(?:([a-z]+)\.)?L(\d+)H(\d+)(?:Q(\d+))?(?:K(\d+))?$/.exec(location.hash);
    if (!found) return null;
    const kind = data.kinds.find((each) => each.name === (found[1] || data.kinds[0].name));
    const head = kind && kind.places.get(Number(found[2]) + "." + Number(found[3]));
    if (!head) return null;
    const number = (text, otherwise) => (text === undefined ? otherwise : Number(text));
    return { kind, head, query: number(found[4], kind.rows.length - 1), key: number(found[5], null) };
  }

  function begin() {
    at("theme").hidden = at("live").hidden = false;
    at("tokensName").textContent = texts.tokens;
    at("headsName").textContent = texts.heads;
    at("kindName").textContent = texts.kind;
    at("keys").textContent = texts.keys;
    at("kindRow").hidden = data.kinds.length < 2;
    at("kind").append(...data.kinds.map((kind) => element("option", kind.title)));
    at("kind").addEventListener("change", () => choose({ kind: data.kinds[at("kind").selectedIndex], key: null }));
    useTheme(system.matches);
    const kind = data.kinds[0];
    const head = kind.places.get(data.start.layer + "." + data.start.head) || kind.places.values().next().value;
    choose(placeAsked() || { kind, head, query: data.start.query, key: data.start.key }, true);
    at("kind").selectedIndex = data.kinds.indexOf(state.kind);
  }

  window.addEventListener("hashchange", () => {
    const place = placeAsked();
    if (place) choose(place);
  });
  begin();
})();
