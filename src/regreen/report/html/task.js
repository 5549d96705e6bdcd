// One task: why, the diff, the checks, every attempt, and what it took.

const article = document.getElementById("task");
const WITHOUT = "The details of this sample are not in this page, which would be too large with them: they are in the run's results.jsonl.";

async function drawTask(task, parts) {
  // Of several runs the newest is what one came to see.
  const last = task.runs.findLastIndex((samples) => samples.length);
  const asked = Number(parts.get("run") ?? last);
  const run = task.runs[asked]?.length ? asked : last;
  const wanted = task.runs[run].findIndex((sample) => String(sample.number) === parts.get("sample"));
  const at = Math.max(wanted, 0);
  const sample = task.runs[run][at];
  let details = null, fault = "";
  try {
    details = await detailsOf(task);
  } catch (error) {
    fault = "The details of this task cannot be unpacked: " + error.message;
  }
  const told = details?.runs[run]?.[at];
  const read = (number) => (number === undefined || number === null ? "" : details.texts[number]);
  article.replaceChildren(...[
    crumbs(task),
    make("div", { class: "task-head" }, make("h1", { tabindex: "-1" }, task.id), badge(sample.outcome)),
    make("p", { class: "lead small" }, labelWords(task)),
    switches(task, run, at),
    facts(sample, told),
    ...(told ? sections(told, sample, read) : [make("p", { class: "notice" }, fault || WITHOUT)]),
  ].filter(Boolean));
  document.title = task.id + " · Regreen report";
}

function crumbs(task) {
  const at = shown.indexOf(task);
  const near = (step, words) => {
    const other = at < 0 ? undefined : shown[at + step];
    return other && make("a", { class: "plain", href: routeWith({ task: other.id, run: route().get("run"), sample: null }) }, words);
  };
  return make("nav", { class: "crumbs", "aria-label": "Tasks" }, make("a", { class: "plain", href: listRoute() }, "← All tasks"),
    make("span", { class: "place" }, at < 0 ? "" : count(at + 1) + " of " + count(shown.length)), near(-1, "Previous"), near(1, "Next"));
}

function labelWords(task) {
  return Object.entries(task.labels).map(([name, value]) => spaced(name) + ": " + value).join(" · ");
}

function switches(task, run, at) {
  const runs = several && make("nav", { class: "choices", "aria-label": "Run" }, index.runs.map((one, number) => task.runs[number].length
    ? link(one.name, { run: number, sample: task.runs[run][at].number }, number === run, task.runs[number].length === 1 ? task.runs[number][0].outcome : null) : null));
  const samples = task.runs[run].length > 1 && make("nav", { class: "choices", "aria-label": "Sample" }, task.runs[run].map((one, number) =>
    link("Sample " + one.number, { run, sample: one.number }, number === at, one.outcome)));
  return runs || samples ? make("div", { class: "switches" }, runs, samples) : null;
}

function link(words, changes, current, outcome) {
  const mark = outcome && make("span", { class: "dot " + outcome, role: "img", "aria-label": outcome });
  return make("a", { class: "choice", href: routeWith(changes), "aria-current": current ? "page" : null }, mark, words);
}

function facts(sample, told) {
  const rows = [
    ["strategy", strategyOf(sample)],
    ["feedback", sample.feedback],
    ["stopped because", spaced(sample.stop)],
    ["iteration of the fix", sample.iteration === null ? null : count(sample.iteration)],
    ["candidates", told?.candidates ? count(told.candidates) + " tried, " + count(sample.judged) + " judged" : sample.judged ? count(sample.judged) + " judged" : null],
    ["model calls", sample.calls ? count(sample.calls) : null],
    ["tokens", sample.tokens ? count(told?.prompt ?? 0) + " prompt, " + count(told?.completion ?? 0) + " reply" : null],
    ["cost", sample.calls || sample.tokens ? dollars(sample.usd) : null],
    ["time", seconds(sample.seconds)],
    ["checks passed", told?.checks_total ? count(told.checks_passed ?? 0) + " of " + count(told.checks_total) : null],
    ["extra checks passed", told?.extra_total ? count(told.extra_passed ?? 0) + " of " + count(told.extra_total) : null],
    ["seed", told?.seed === undefined ? null : String(told.seed)],
    ["isolation", told?.isolation],
    ["no wall", told?.no_wall],
  ].filter(([, value]) => value !== null && value !== undefined);
  return make("div", { class: "task-facts card" }, make("dl", { class: "facts" }, rows.map(([name, value]) => make("div", {}, make("dt", {}, name), make("dd", {}, value)))));
}

function sections(told, sample, read) {
  return [
    told.error && section("Error", make("pre", { class: "box fault" }, told.error.kind + ": " + read(told.error.message))),
    told.why !== undefined && section("Why", make("p", { class: "why" }, read(told.why))),
    section("Change", change(told, read)),
    told.checks && section("Checks", checks(told.checks, read)),
    attempts(told, read),
    told.detail !== undefined && section("The program as a whole", make("pre", { class: "box" }, read(told.detail))),
    output(told, read),
    spending(told),
    told.flaky && section("Set aside as flaky", make("ul", {}, told.flaky.map((name) => make("li", { class: "code" }, name)))),
  ].filter(Boolean);
}

function section(title, ...content) {
  return make("section", {}, make("h2", {}, title), ...content);
}

function change(told, read) {
  if (told.blocks) return diffTable(read(told.before), read(told.after), told.blocks);
  if (told.diff !== undefined) return patchText(read(told.diff));
  const nothing = make("p", { class: "soft" }, told.after === undefined ? "No program was handed over." : "The program to repair is not recorded.");
  const source = read(told.before) || read(told.after);
  return source ? [nothing, make("pre", { class: "card" }, source)] : nothing;
}

function checks(rows, read) {
  const cell = (text) => make("td", { class: "code" }, text || "–");
  const has = (place) => rows.some((row) => row[place] !== null);
  const head = ["check", "outcome", has(2) && "expected", has(3) && "actual", has(4) && "detail"].filter(Boolean);
  const named = (id, code) => make("td", { class: "code" }, read(id) || "–", code === null || code === undefined ? null : make("div", { class: "soft" }, read(code)));
  const line = ([id, outcome, expected, actual, detail, code]) => make("tr", { class: outcome === "passed" ? null : "bad" },
    named(id, code), make("td", {}, make("span", { class: "badge" }, make("span", { class: "dot " + (outcome === "passed" ? "passed" : "unfixed"), "aria-hidden": "true" }), spaced(outcome))),
    has(2) && cell(read(expected)), has(3) && cell(read(actual)), has(4) && cell(read(detail)));
  const bad = rows.filter((row) => row[1] !== "passed"), good = rows.filter((row) => row[1] === "passed");
  const body = make("tbody", {}, [...bad, ...good].slice(0, 60).map(line));
  const rest = [...bad, ...good].slice(60);
  const more = make("button", { class: "plain", type: "button" }, "Show " + counted(rest.length, "more check"));
  more.addEventListener("click", () => { body.append(...rest.map(line)); more.remove(); });
  return make("div", { class: "card scroll" }, make("table", { class: "checks" }, make("thead", {}, make("tr", {}, head.map((name) => make("th", { scope: "col" }, name)))), body), rest.length ? more : null);
}

/** Turns of a model with what was judged of each; then what was judged without one. */
function attempts(told, read) {
  const judged = told.attempts ?? [], turns = told.turns ?? [];
  if (!judged.length && !turns.length) return null;
  const numbers = new Set(turns.map((turn) => turn.number));
  const own = judged.filter((attempt) => !numbers.has(attempt.turn));
  return section("Attempts", turns.map((turn, number) => turnCard(turn, judged.filter((attempt) => attempt.turn === turn.number), read, number === turns.length - 1)),
    own.length ? attemptTable(own, read) : null);
}

function turnCard(turn, judged, read, open) {
  const last = judged[judged.length - 1];
  const name = (turn.iteration === 0 ? "Draft" : turn.iteration === undefined ? "Turn " + (turn.number ?? "") : "Iteration " + turn.iteration) + (turn.node && !(turn.iteration === 0 && turn.node === "draft") ? " · " + spaced(turn.node) : "");
  const facts = [
    last && judgedWords(last),
    turn.temperature === undefined ? null : "temperature " + Number(turn.temperature.toFixed(2)),
    turn.in || turn.out ? count(turn.in ?? 0) + " + " + count(turn.out ?? 0) + " tokens" : null,
    turn.usd === undefined ? null : dollars(turn.usd),
    turn.seconds === undefined ? null : seconds(turn.seconds),
  ].filter(Boolean);
  const summary = make("summary", {}, make("h3", {}, name), last && make("span", { class: "dot " + (last.outcome === "passed" ? "passed" : "unfixed"), "aria-hidden": "true" }), facts.map((words) => make("span", {}, words)));
  const node = make("details", { class: "attempt card" }, summary);
  const fill = () => node.childElementCount === 1 && node.append(make("div", { class: "inside" },
    turn.fault === undefined ? null : make("p", { class: "fault" }, "No candidate could be taken from the reply (" + spaced(read(turn.fault)) + ")" + (turn.faultDetail === undefined ? "." : ": " + read(turn.faultDetail))),
    turn.finish === "length" ? make("p", { class: "fault" }, "The service cut the reply off: it reached the limit of its length.") : null,
    make("div", { class: "talk" }, (turn.prompt ?? []).map(([role, text]) => talk(spaced(role), read(text))), turn.reasoning === undefined ? null : talk("Reasoning" + (turn.thought ? ", " + counted(turn.thought, "token") : ""), read(turn.reasoning)), talk("Reply", read(turn.reply))),
    rawTurn(turn, read),
    judged.length > 1 || judged.some((one) => one.note !== undefined || one.detail !== undefined) ? attemptTable(judged, read) : null));
  node.addEventListener("toggle", () => node.open && fill());
  if (open) { fill(); node.open = true; }
  return node;
}

function talk(title, content) {
  return make("div", {}, make("h4", {}, title, content ? copier(() => content) : null), make("pre", { class: "box" }, content || "(empty)"));
}

/** A button that copies a text; where the browser does not let it, it says so. */
function copier(content) {
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(content());
      button.textContent = "Copied";
    } catch {
      button.textContent = "Not allowed here";
    }
  };
  const button = make("button", { class: "plain copy", type: "button", click: copy }, "Copy");
  return button;
}

/** The turn as JSON, as a service would be sent it. */
function rawTurn(turn, read) {
  const messages = (turn.prompt ?? []).map(([role, text]) => ({ role, content: read(text) }));
  const told = JSON.stringify({ messages, reply: read(turn.reply), temperature: turn.temperature, finish: turn.finish, fault: read(turn.fault) || undefined }, null, 2);
  const node = make("details", { class: "raw" }, make("summary", { class: "soft" }, "Raw JSON"));
  node.addEventListener("toggle", () => node.childElementCount === 1 && node.append(copier(() => told), make("pre", { class: "box" }, told)));
  return node;
}

function judgedWords(attempt) {
  const outcome = attempt.outcome ? spaced(attempt.outcome) : "not run";
  return attempt.total ? outcome + ", " + count(attempt.passed ?? 0) + " of " + counted(attempt.total, "check") : outcome;
}

function attemptTable(judged, read) {
  const row = (attempt) => make("tr", {},
    make("td", { class: "code" }, attempt.origin ?? "–"),
    make("td", {}, make("span", { class: "badge" }, make("span", { class: "dot " + (attempt.outcome === "passed" ? "passed" : "unfixed"), "aria-hidden": "true" }), judgedWords(attempt))),
    make("td", { class: "code" }, [read(attempt.note), read(attempt.detail)].filter(Boolean).join("\n") || "–",
      attempt.source === undefined ? null : make("details", {}, make("summary", { class: "soft" }, "program"), make("pre", { class: "box" }, read(attempt.source)))),
    make("td", { class: "number" }, seconds(attempt.seconds)));
  const head = ["origin", "outcome", "what", "time"].map((name) => make("th", { scope: "col", class: name === "time" ? "number" : null }, name));
  return make("div", { class: "card scroll attempt" }, make("table", { class: "checks" }, make("thead", {}, make("tr", {}, head)), make("tbody", {}, judged.map(row))));
}

function output(told, read) {
  if (told.stdout === undefined && told.stderr === undefined) return null;
  const box = (name, number) => number !== undefined && make("div", {}, make("h3", { class: "soft small" }, name), make("pre", { class: "box" }, read(number)));
  return section("Printed", box("stdout", told.stdout), box("stderr", told.stderr), told.exit ? make("p", { class: "soft small" }, "exit code " + told.exit) : null);
}

function spending(told) {
  const stages = Object.entries(told.timings ?? {}).filter(([, value]) => value > 0);
  const nodes = Object.entries(told.nodes ?? {}).map(([name, [sent, got]]) => [name, sent + got]).filter(([, value]) => value > 0);
  if (!stages.length && !nodes.length) return null;
  return section("What it took", make("div", { class: "split" }, meter("Time by stage", stages, seconds), meter("Tokens by node", nodes, count)));
}

function meter(title, rows, show) {
  if (!rows.length) return null;
  const most = Math.max(...rows.map(([, value]) => value));
  return make("div", { class: "card meter", role: "group", "aria-label": title }, rows.map(([name, value]) => [make("span", {}, spaced(name)), make("progress", { max: most, value, "aria-label": spaced(name) }), make("span", { class: "number" }, show(value))]));
}
