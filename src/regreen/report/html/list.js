// The table of tasks: searched, filtered and sorted; rows are made as they come into sight.

const BATCH = 120;
const place = document.getElementById("list");
let shown = [];
let made = 0;
let body = null;
let watcher = null;

const COLUMNS = columns();

function columns() {
  const all = tasks.flatMap((task) => task.all);
  const label = tasks.some((task) => task.labels.bug_type) ? "bug_type" : Object.keys(tasks[0]?.labels ?? {})[0];
  const found = [{ id: "task", name: "task", of: (task) => task.id, cell: (task) => taskLink(task) }];
  if (label) found.push({ id: "label", name: label, of: (task) => task.labels[label] ?? "", cell: (task) => task.labels[label] ?? "–", wide: true });
  index.runs.forEach((run, number) => found.push({
    id: "outcome" + number,
    name: several ? run.name : "outcome",
    of: (task) => outcomeRank(task.runs[number]),
    cell: (task) => outcomeCell(task.runs[number]),
  }));
  if (several) {
    found.push({ id: "change", name: "change", of: (task) => task.change, cell: (task) => changeCell(task.change) });
    return found;
  }
  if (all.some((sample) => sample.iteration !== null) && !hasMany) {
    found.push(numberColumn("iteration", "iteration", (samples) => samples[0]?.iteration ?? null, count));
  }
  if (all.some((sample) => sample.calls)) found.push(numberColumn("calls", "model calls", (samples) => sum(samples, "calls"), count));
  else if (all.some((sample) => sample.judged)) found.push(numberColumn("judged", "judged", (samples) => sum(samples, "judged"), count));
  if (all.some((sample) => sample.tokens)) {
    found.push(numberColumn("tokens", "tokens", (samples) => sum(samples, "tokens"), count));
    found.push(numberColumn("cost", "cost", (samples) => sum(samples, "usd"), dollars));
  }
  found.push(numberColumn("seconds", "time", (samples) => sum(samples, "seconds"), seconds));
  return found;
}

function numberColumn(id, name, measure, show) {
  return { id, name, number: true, wide: id !== "seconds", of: (task) => measure(task.runs[0]) ?? -1, cell: (task) => show(measure(task.runs[0])) };
}

function taskLink(task) {
  return make("a", { href: routeWith({ task: task.id, run: null, sample: null }), "data-task": task.place }, breakable(task.id));
}

/** A name that a narrow column breaks behind its strokes rather than anywhere. */
function breakable(name) {
  return name.split(/(?<=[/_.])/).map((part, at) => [at ? make("wbr") : null, part]);
}

/** Errors last, then the fewest fixes first; overfitted before unfixed. */
function outcomeRank(samples) {
  if (!samples.length) return 9;
  const worst = Math.max(...samples.map((sample) => OUTCOMES.indexOf(sample.outcome)));
  return samples.length > 1 ? 1 - fixedShare(samples) : worst;
}

function badge(outcome) {
  return make("span", { class: "badge" }, make("span", { class: "dot " + outcome, "aria-hidden": "true" }), outcome);
}

function outcomeCell(samples) {
  if (!samples.length) return make("span", { class: "soft" }, "not in this run");
  if (samples.length === 1) return badge(samples[0].outcome);
  const fixed = samples.filter((sample) => sample.outcome === "fixed").length;
  const errors = samples.filter((sample) => sample.outcome === "error").length;
  const words = fixed + " of " + (samples.length - errors) + " fixed" + (errors ? ", " + counted(errors, "error") : "");
  const marks = samples.slice(0, 20).map((sample) => make("span", { class: "dot " + sample.outcome }));
  return [words, make("span", { class: "dots-row", "aria-hidden": "true" }, marks)];
}

function changeCell(change) {
  const kind = { gained: "gained", lost: "lost" }[change] ?? "none";
  const words = { both: "fixed in both", neither: "fixed in neither", same: "as before" }[change] ?? change;
  return make("span", { class: "change " + kind }, words);
}

function drawList() {
  if (!tasks.length) {
    place.replaceChildren(make("p", { class: "empty card" }, "There are no tasks yet."));
    return;
  }
  body = make("tbody");
  const head = make("tr", {}, COLUMNS.map(headCell));
  const table = make("table", { class: "tasks" }, make("caption", { class: "sr" }, "Tasks with their outcomes"), make("thead", {}, head), body);
  const tail = make("p", { class: "empty", hidden: true }, "No task is left. Loosen the filters.");
  const without = "Of " + counted(index.withoutDetails, "sample") + " the page holds no details, with which it would be too large: they are in the results.jsonl.";
  place.replaceChildren(index.withoutDetails ? make("p", { class: "notice" }, without) : "", make("div", { class: "card" }, tools(), make("div", { class: "scroll" }, table), tail, make("div", { class: "end" })));
  body.addEventListener("click", openRow);
  watcher = new IntersectionObserver((seen) => seen.some((one) => one.isIntersecting) && makeRows(), { rootMargin: "900px" });
  watcher.observe(place.querySelector(".end"));
}

function headCell(column) {
  const flip = () => {
    const now = route().get("sort") ?? "";
    history.replaceState(null, "", routeWith({ sort: now === column.id ? "-" + column.id : now === "-" + column.id ? null : column.id }));
    refresh();
  };
  const name = make("button", { type: "button", click: flip }, column.name);
  const kind = [column.number ? "number" : "", column.wide ? "wide-only" : ""].join(" ").trim();
  return make("th", { scope: "col", class: kind || null, "data-column": column.id }, name);
}

function tools() {
  const search = make("input", { type: "search", id: "search", placeholder: "Search tasks and labels", "aria-label": "Search tasks and labels", autocomplete: "off" });
  search.addEventListener("input", () => setFilter("q", search.value));
  const outcomes = make("span", { class: "choices", role: "group", "aria-label": "Outcome" },
    OUTCOMES.filter((outcome) => tasks.some((task) => task.outcomes.has(outcome))).map((outcome) => choice("outcome", outcome)));
  return make("div", { class: "tools" }, search, outcomes,
    several && select("change", "Every change", [...new Set(tasks.map((task) => task.change))].sort().map((change) => [change, change])),
    labelSelect(), strategySelect(), make("span", { class: "count", id: "count", role: "status" }));
}

function choice(name, value) {
  const flip = () => setFilter(name, route().get(name) === value ? null : value);
  return make("button", { type: "button", class: "choice", "data-filter": name, "data-value": value, "aria-pressed": "false", click: flip }, value);
}

function labelSelect() {
  const values = new Map();
  for (const task of tasks) {
    for (const [name, value] of Object.entries(task.labels)) values.set(name, (values.get(name) ?? new Set()).add(value));
  }
  const groups = [...values].filter(([, found]) => found.size > 1 && found.size <= 80);
  if (!groups.length) return null;
  const options = groups.map(([name, found]) => make("optgroup", { label: visibleLine(name) },
    [...found].sort().map((value) => make("option", { value: name + ":" + value }, value))));
  return listening(make("select", { id: "label", "aria-label": "Label" }, make("option", { value: "" }, "Every label"), options), "label");
}

/** Attributes cannot hold marks: what does not print becomes its escape. */
function visibleLine(text) {
  return text.replace(HIDDEN, escaped);
}

function strategySelect() {
  const found = [...new Set(tasks.flatMap((task) => [...task.strategies]))].sort();
  return found.length > 1 ? select("strategy", "Every strategy", found.map((name) => [name, name])) : null;
}

function select(name, every, pairs) {
  const options = pairs.map(([value, words]) => make("option", { value }, words));
  return listening(make("select", { id: name, "aria-label": every }, make("option", { value: "" }, every), options), name);
}

function listening(node, name) {
  node.addEventListener("change", () => setFilter(name, node.value));
  return node;
}

function setFilter(name, value) {
  history.replaceState(null, "", routeWith({ [name]: value }));
  refresh();
}

/** Shows what the address asks for. */
function refresh() {
  if (!body) return;
  const parts = route();
  shown = sorted(tasks.filter(passing(parts)), parts.get("sort") ?? "");
  made = 0;
  body.replaceChildren();
  makeRows();
  place.querySelector("p.empty").hidden = shown.length > 0;
  document.getElementById("count").textContent = shown.length === tasks.length ? counted(tasks.length, "task") : count(shown.length) + " of " + counted(tasks.length, "task");
  showControls(parts);
}

function passing(parts) {
  const words = (parts.get("q") ?? "").toLowerCase().split(/\s+/).filter(Boolean);
  const outcome = parts.get("outcome"), label = parts.get("label"), strategy = parts.get("strategy"), change = parts.get("change");
  return (task) =>
    words.every((word) => task.words.includes(word)) &&
    (!outcome || task.outcomes.has(outcome)) &&
    (!strategy || task.strategies.has(strategy)) &&
    (!change || task.change === change) &&
    (!label || task.labels[label.slice(0, label.indexOf(":"))] === label.slice(label.indexOf(":") + 1));
}

function sorted(found, sort) {
  const column = COLUMNS.find((one) => one.id === sort.replace(/^-/, ""));
  if (!column) return found;
  const sign = sort.startsWith("-") ? -1 : 1;
  const collator = new Intl.Collator("en", { numeric: true });
  const compare = (one, two) => typeof one === "string" ? collator.compare(one, two) : one - two;
  return found.map((task) => [column.of(task), task])
    .sort((one, two) => sign * compare(one[0], two[0]) || one[1].place - two[1].place)
    .map((pair) => pair[1]);
}

function makeRows() {
  const rows = shown.slice(made, made + BATCH).map((task) => make("tr", {}, COLUMNS.map((column) =>
    make("td", { class: [column.number ? "number" : "", column.wide ? "wide-only" : ""].join(" ").trim() || null }, column.cell(task)))));
  made += rows.length;
  body.append(...rows);
  if (rows.length && made < shown.length) {
    // A sentinel that stays in sight does not report again by itself.
    const end = place.querySelector(".end");
    watcher.unobserve(end);
    watcher.observe(end);
  }
}

function showControls(parts) {
  const search = document.getElementById("search");
  if (search.value !== (parts.get("q") ?? "")) search.value = parts.get("q") ?? "";
  for (const name of ["change", "label", "strategy"]) {
    const node = place.querySelector("select#" + name);
    if (node) node.value = parts.get(name) ?? "";
  }
  for (const node of place.querySelectorAll("[data-filter]")) {
    node.setAttribute("aria-pressed", String(parts.get(node.dataset.filter) === node.dataset.value));
  }
  const sort = parts.get("sort") ?? "";
  for (const node of place.querySelectorAll("th[data-column]")) {
    if (sort.replace(/^-/, "") !== node.dataset.column) node.removeAttribute("aria-sort");
    else node.setAttribute("aria-sort", sort.startsWith("-") ? "descending" : "ascending");
  }
}

function openRow(event) {
  if (event.target.closest("a") || String(getSelection())) return;
  const link = event.target.closest("tr")?.querySelector("a");
  if (link) location.hash = link.getAttribute("href");
}

/** Puts the focus on the task so many rows further down. */
function moveFocus(step) {
  const link = document.activeElement?.closest?.("a[data-task]");
  const now = link ? shown.findIndex((task) => task.place === Number(link.dataset.task)) : step > 0 ? -1 : shown.length;
  focusTask(shown[Math.min(Math.max(now + step, 0), shown.length - 1)]);
}

function focusTask(task) {
  const wanted = shown.indexOf(task);
  if (wanted < 0) return;
  while (made <= wanted) makeRows();
  const link = body.querySelector(`a[data-task="${task.place}"]`);
  link?.focus({ preventScroll: true });
  link?.closest("tr").scrollIntoView({ block: "nearest" });
}
