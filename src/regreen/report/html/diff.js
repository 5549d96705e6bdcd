// Two programs side by side, from the blocks of lines that were compared when the page was made.

const CONTEXT = 4;
const WORDS = /\w+|\s+|[<>=!+\-*/%&|^~@]+|[^\w\s]/gu;

function diffTable(before, after, blocks) {
  const old = before.split("\n"), fresh = after.split("\n");
  const body = make("tbody", {}, make("tr", { class: "pad" }, make("td", { colspan: 6 })));
  blocks.forEach(([kind, i, j, k, m], number) => {
    if (kind === "=") equalRows(body, old.slice(i, j), i, k, number === 0, number === blocks.length - 1);
    else changedRows(body, old.slice(i, j), fresh.slice(k, m), i, k);
  });
  body.append(make("tr", { class: "pad" }, make("td", { colspan: 6 })));
  const side = (name) => make("th", { scope: "colgroup", colspan: 3 }, name);
  const widths = ["line", "sign", null, "line", "sign", null].map((kind) => make("col", { class: kind }));
  const head = make("thead", {}, make("tr", {}, side("Before"), side("After")));
  const caption = make("caption", { class: "sr" }, "The program before and after");
  return make("div", { class: "diff card code" }, make("table", {}, caption, make("colgroup", {}, widths), head, body));
}

/** Lines that stayed: all of them where they are few, else those near a change, and a way to the rest. */
function equalRows(body, lines, i, k, first, last) {
  // What follows the last line end is no line.
  if (last && lines[lines.length - 1] === "") lines.pop();
  const head = first ? 0 : CONTEXT, tail = last ? 0 : CONTEXT;
  const row = (line, at) => make("tr", { class: "same" }, lineCells(line, i + at + 1), lineCells(line, k + at + 1, "right"));
  if (lines.length <= head + tail + 12) {
    lines.forEach((line, at) => body.append(row(line, at)));
    return;
  }
  lines.slice(0, head).forEach((line, at) => body.append(row(line, at)));
  const start = head, end = lines.length - tail;
  const fold = make("tr", { class: "fold" });
  const open = () => fold.replaceWith(...lines.slice(start, end).map((line, at) => row(line, start + at)));
  fold.append(make("td", { colspan: 6 }, make("button", { class: "plain", type: "button", click: open }, "Show " + counted(end - start, "line") + " that stayed")));
  body.append(fold);
  lines.slice(end).forEach((line, at) => body.append(row(line, end + at)));
}

function lineCells(content, number, side = "") {
  return [make("td", { class: ("line " + side).trim() }, String(number)), make("td", { class: "sign" }), make("td", {}, content)];
}

function changedRows(body, old, fresh, i, k) {
  for (let at = 0; at < Math.max(old.length, fresh.length); at++) {
    const marks = at < old.length && at < fresh.length ? changedPart(old[at], fresh[at]) : null;
    body.append(make("tr", {},
      at < old.length ? changedCells(old[at], i + at + 1, "removed", "−", marks?.[0]) : voidCells(),
      at < fresh.length ? changedCells(fresh[at], k + at + 1, "added", "+", marks?.[1], "right") : voidCells("right")));
  }
}

function changedCells(line, number, kind, sign, part, side = "") {
  const content = part && part[0] < part[1] ? [line.slice(0, part[0]), make("mark", {}, line.slice(part[0], part[1])), line.slice(part[1])] : line;
  const word = make("span", { class: "sr" }, kind + ": ");
  return [make("td", { class: ("line " + side).trim() + " " + kind }, String(number)),
    make("td", { class: "sign " + kind, "aria-hidden": "true" }, sign), make("td", { class: kind }, word, content)];
}

function voidCells(side = "") {
  return [make("td", { class: ("line void " + side).trim() }), make("td", { class: "sign void" }), make("td", { class: "void" })];
}

/** The part of two lines, by whole words, in which they differ; null where they have nothing in common. */
function changedPart(one, two) {
  const left = one.match(WORDS) ?? [], right = two.match(WORDS) ?? [];
  let head = 0, tail = 0;
  while (head < left.length && head < right.length && left[head] === right[head]) head++;
  while (tail < left.length - head && tail < right.length - head && left[left.length - 1 - tail] === right[right.length - 1 - tail]) tail++;
  const ends = (tokens) => {
    const start = tokens.slice(0, head).join("").length;
    return [start, start + tokens.slice(head, tokens.length - tail).join("").length];
  };
  const meaning = (tokens) => tokens.slice(0, head).concat(tokens.slice(tokens.length - tail)).some((token) => token.trim());
  return meaning(left) ? [ends(left), ends(right)] : null;
}

/** A patch as it stands, where the programs themselves are not recorded. */
function patchText(patch) {
  const lines = patch.split("\n").map((line) => make("span", { class: line.startsWith("+") ? "sign-added" : line.startsWith("-") ? "sign-removed" : null }, line + "\n"));
  return make("pre", { class: "card" }, lines);
}
