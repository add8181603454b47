// The script of the report. The data is that of package page: see page.go for what its fields mean.
"use strict";
(() => {
const page = JSON.parse(document.getElementById("data").textContent);
const main = document.getElementById("main");
const said = document.getElementById("said");
const rowHeight = 22;
const svgNS = "http://www.w3.org/2000/svg";

// make returns an element with attributes and children.
function make(tag, attributes, ...children) {
	const e = document.createElement(tag);
	for (const [name, value] of Object.entries(attributes || {})) {
		if (name.startsWith("on")) e.addEventListener(name.slice(2), value);
		else if (value === true) e.setAttribute(name, "");
		else if (value !== false && value !== undefined) e.setAttribute(name, value);
	}
	e.append(...children.filter(c => c !== null && c !== undefined));
	return e;
}

function draw(tag, attributes) {
	const e = document.createElementNS(svgNS, tag);
	for (const [name, value] of Object.entries(attributes)) e.setAttribute(name, value);
	return e;
}

function baseName(file) { return file.slice(Math.max(file.lastIndexOf("/"), file.lastIndexOf("\\")) + 1); }

// ---- The state at a point.

// A States gives the state at any point of a run. Every so many points it keeps all of it, so that going
// back takes no longer than going forwards.
class States {
	constructor(run) {
		this.run = run;
		this.every = 128;
		this.kept = [];
		const state = new Int32Array(run.keys.length).fill(-1);
		run.points.forEach((p, i) => {
			this.apply(state, p);
			if (i % this.every === 0) this.kept.push(state.slice());
		});
		this.index = new Map(run.keys.map((k, i) => [k, i]));
		this.at = -1;
	}
	apply(state, p) {
		const s = p.s || [];
		for (let k = 0; k < s.length; k += 2) state[s[k]] = s[k + 1];
	}
	// of returns the state at a point: for each key the number of its value.
	of(i) {
		if (i === this.at) return this.state;
		let from = Math.floor(i / this.every) * this.every;
		let state;
		if (this.at >= from && this.at < i) {
			from = this.at;
			state = this.state;
		} else {
			state = this.kept[from / this.every].slice();
		}
		for (let k = from + 1; k <= i; k++) this.apply(state, this.run.points[k]);
		this.at = i;
		this.state = state;
		return state;
	}
	// get returns the value of a key in a state, undefined if it has none.
	get(state, key) {
		const k = this.index.get(key);
		return k === undefined || state[k] < 0 ? undefined : this.run.values[state[k]];
	}
}

// ---- A finding.

class FindingView {
	constructor(finding) {
		this.finding = finding;
		this.run = finding.run;
		this.root = make("div", {style: "display:flex;flex-direction:column;flex:1;min-height:0"});
		this.root.append(this.head());
		if (!this.run || this.run.points.length === 0) return;
		this.states = new States(this.run);
		this.at = this.run.at;
		this.lane = -1; // whose variables are shown; -1 for that of the point
		this.onlyMatters = this.run.points.filter(p => p.m).length > 1;
		this.laneWidth = 200;
		this.build();
		this.listRows();
	}

	head() {
		const f = this.finding;
		const list = (name, items) => (items || []).map(text => make("p", {}, make("span", {class: "dim"}, name + " "), make("code", {}, text)));
		// Further lines, as those of a history, may be drawn with characters of one width.
		const [first, ...more] = f.message.split("\n");
		return make("div", {class: "what"},
			make("h2", {}, first), ...(more.length > 0 ? [make("pre", {}, more.join("\n"))] : []),
			make("p", {}, `${f.kind} in ${f.target}, `, make("code", {}, f.where)),
			...list("also", f.others), ...list("why", f.why ? [f.why] : []), ...list("input", f.input), ...list("replay", f.replay ? [f.replay] : []),
			...(f.notes || []).map(text => make("p", {class: "dim"}, text)));
	}

	build() {
		const button = (text, title, go) => make("button", {type: "button", title, "aria-label": title, onclick: go}, text);
		this.slider = make("input", {type: "range", min: 0, max: this.run.points.length - 1, "aria-label": "Step", oninput: () => this.go(Number(this.slider.value))});
		this.label = make("span", {class: "mono"});
		this.controls = make("div", {class: "controls", role: "toolbar", "aria-label": "Steps"},
			button("|◀", "First step (Home)", () => this.go(0)),
			button("◀", "One step back (←)", () => this.move(-1)),
			button("▶", "One step forward (→)", () => this.move(1)),
			button("▶|", "Last step (End)", () => this.go(this.run.points.length - 1)),
			button("▲", "Back in this goroutine (↑)", () => this.moveInLane(-1)),
			button("▼", "Forward in this goroutine (↓)", () => this.moveInLane(1)),
			button("✗ finding", "Where the finding shows (f)", () => this.go(this.run.at)),
			this.slider, this.label,
			make("label", {}, make("input", {type: "checkbox", checked: this.onlyMatters, onchange: e => this.filter(e.target.checked)}), "only steps that matter"));
		const width = this.laneWidth;
		this.lanes = make("div", {class: "lanes"}, ...this.run.goroutines.map((g, i) =>
			make("button", {type: "button", style: `width:${width}px`, title: `${g.name} ${g.title}: show its variables`, "aria-pressed": "false", onclick: () => this.choose(i)},
				g.name, make("small", {}, g.title))));
		this.rows = make("div", {class: "rows"});
		this.timeline = make("div", {class: "timeline", tabindex: 0, role: "listbox", "aria-label": "Time line: a lane for each goroutine", onscroll: () => this.drawRows()}, this.lanes, this.rows);
		this.source = make("section", {"aria-label": "Source"});
		this.variables = make("section", {"aria-label": "Variables"});
		this.heap = make("section", {"aria-label": "Objects"});
		this.goroutines = make("section", {"aria-label": "Goroutines and locks"});
		this.root.append(this.controls, make("div", {class: "panes"}, this.timeline,
			make("div", {class: "side"}, this.source, this.variables, this.heap, this.goroutines)));
	}

	// shown is called when the view has become visible.
	shown() {
		if (!this.states) return;
		const width = Math.floor((this.timeline.clientWidth || 640) / this.run.goroutines.length);
		this.laneWidth = Math.max(150, Math.min(320, width));
		for (const lane of this.lanes.children) lane.style.width = this.laneWidth + "px";
		this.listRows();
		this.go(this.at, true);
	}

	filter(on) {
		this.onlyMatters = on;
		this.listRows();
		this.go(this.at, true);
	}

	// listRows decides which points have rows.
	listRows() {
		const points = this.run.points;
		this.list = [];
		this.rowOf = new Int32Array(points.length);
		points.forEach((p, i) => {
			if (!this.onlyMatters || p.m || p.k === 2 || i === this.run.at) this.list.push(i);
			this.rowOf[i] = Math.max(0, this.list.length - 1);
		});
		this.rows.style.height = this.list.length * rowHeight + "px";
		this.rows.style.width = this.run.goroutines.length * this.laneWidth + "px";
	}

	move(by) {
		let i = this.at + by;
		const step = by < 0 ? -1 : 1;
		if (this.onlyMatters) {
			let row = this.rowOf[this.at]; // the last one up to here, or the first one
			if (step > 0 && this.list[row] <= this.at) row += by;
			if (step < 0 && this.list[row] >= this.at) row += by;
			i = this.list[Math.max(0, Math.min(this.list.length - 1, row))];
		}
		this.go(i);
	}

	moveInLane(step) {
		const lane = this.lane >= 0 ? this.lane : this.run.points[this.at].g;
		for (let i = this.at + step; i >= 0 && i < this.run.points.length; i += step) {
			if (this.run.points[i].g === lane && (!this.onlyMatters || this.list[this.rowOf[i]] === i)) return this.go(i);
		}
	}

	choose(lane) {
		this.lane = this.lane === lane ? -1 : lane;
		this.go(this.at, true);
	}

	// go goes to a point.
	go(i, again) {
		i = Math.max(0, Math.min(this.run.points.length - 1, i));
		if (i === this.at && !again) return;
		this.at = i;
		const p = this.run.points[i];
		this.before = i > 0 ? this.states.of(i - 1).slice() : null;
		this.state = this.states.of(i);
		this.slider.value = i;
		this.label.textContent = `${i + 1} of ${this.run.points.length}, time ${this.states.get(this.state, "T") || "0s"}`;
		said.textContent = `step ${i + 1}: ${p.g >= 0 ? "goroutine " + this.run.goroutines[p.g].name + ", " : ""}${this.rowText(p)}`;
		[...this.lanes.children].forEach((b, k) => b.setAttribute("aria-pressed", String(k === this.shownLane())));
		this.scrollTo(i);
		this.drawRows();
		this.drawSource(p);
		this.drawVariables();
		this.drawHeap();
		this.drawGoroutines();
	}

	shownLane() { return this.lane >= 0 ? this.lane : this.run.points[this.at].g; }

	scrollTo(i) {
		const t = this.timeline, head = this.lanes.offsetHeight;
		const y = this.rowOf[i] * rowHeight;
		if (y < t.scrollTop + rowHeight || y + head + 2 * rowHeight > t.scrollTop + t.clientHeight) t.scrollTop = y - t.clientHeight / 2 + head;
		const lane = this.run.points[i].g;
		if (lane < 0) return;
		const x = lane * this.laneWidth;
		if (x < t.scrollLeft || x + this.laneWidth > t.scrollLeft + t.clientWidth) t.scrollLeft = x - t.clientWidth / 2 + this.laneWidth / 2;
	}

	place(p) { return p.f >= 0 ? `${baseName(page.files[p.f].name)}:${p.l}` : ""; }

	rowText(p) {
		if (p.k === 2) return "end of the run";
		return p.k === 1 ? (p.f >= 0 ? p.l + "  " : "") + p.t : this.place(p);
	}

	// drawRows draws the rows that can be seen, and the edges between them.
	drawRows() {
		const t = this.timeline;
		const first = Math.max(0, Math.floor(t.scrollTop / rowHeight) - 5);
		const last = Math.min(this.list.length - 1, first + Math.ceil((t.clientHeight || 600) / rowHeight) + 10);
		const width = this.laneWidth;
		const out = [];
		this.run.goroutines.forEach((_, k) => out.push(make("div", {class: "lanelines", style: `left:${k * width + 8}px`})));
		for (let r = first; r <= last; r++) {
			const i = this.list[r], p = this.run.points[i];
			const kind = ["line", "step", "end"][p.k];
			out.push(make("div", {
				class: `row ${kind}${p.m ? " matters" : ""}${i === this.at ? " at" : ""}${i === this.run.at ? " failing" : ""}`,
				style: `top:${r * rowHeight}px`, role: "option", title: [this.place(p), p.t].filter(Boolean).join("  "), "aria-selected": String(i === this.at), "data-point": i, onclick: () => this.go(i),
			}, make("span", {class: "mono", style: `left:${Math.max(0, p.g) * width}px;width:${width}px`}, this.rowText(p))));
		}
		const lines = draw("svg", {width: this.run.goroutines.length * width, height: this.list.length * rowHeight, "aria-hidden": "true"});
		const at = i => [Math.max(0, this.run.points[i].g) * width + 8, this.rowOf[i] * rowHeight + rowHeight / 2];
		for (const e of this.run.edges) {
			const a = this.rowOf[e.a], b = this.rowOf[e.b];
			if (b < first || a > last || (a < first && b > last)) continue;
			if (this.onlyMatters && (this.list[a] !== e.a || this.list[b] !== e.b)) continue;
			const [x1, y1] = at(e.a), [x2, y2] = at(e.b);
			const color = e.r ? "var(--reads)" : "var(--sync)";
			const bend = (x1 + x2) / 2;
			lines.append(draw("path", {d: `M${x1},${y1} C${bend},${y1} ${bend},${y2} ${x2},${y2}`, stroke: color, fill: "none", "stroke-width": e.a === this.at || e.b === this.at ? 2.5 : 1.2, "stroke-opacity": e.a === this.at || e.b === this.at ? 1 : 0.45, "stroke-dasharray": e.r ? "" : "4 3"}));
			lines.append(draw("circle", {cx: x2, cy: y2, r: 3, fill: color}));
		}
		for (let r = first; r <= last; r++) {
			const i = this.list[r], p = this.run.points[i];
			if (p.g < 0) continue;
			const [x, y] = at(i);
			lines.append(draw("circle", {cx: x, cy: y, r: p.k === 1 ? 3.5 : 2, fill: p.m ? "var(--bad)" : "var(--dim)"}));
		}
		this.rows.replaceChildren(...out, lines);
	}

	// frames returns the calls of a goroutine, the innermost first.
	frames(lane) { return (lane >= 0 && this.states.get(this.state, "F" + lane)) || []; }

	drawSource(p) {
		let file = p.f, line = p.l;
		if (this.lane >= 0 || file < 0) {
			const frame = this.frames(this.shownLane()).find(f => f.f >= 0);
			if (frame) [file, line] = [frame.f, frame.l];
		}
		if (file < 0) return this.source.replaceChildren(make("h3", {}, "no source"));
		const others = new Set();
		this.run.goroutines.forEach((_, k) => {
			const f = k !== this.shownLane() && this.frames(k).find(f => f.f >= 0);
			if (f && f.f === file) others.add(f.l);
		});
		const code = make("pre", {class: "code", tabindex: 0, "aria-label": "Source of " + page.files[file].name});
		const lines = page.files[file].lines || (page.files[file].lines = page.files[file].text.split("\n"));
		const from = Math.max(1, line - 150), to = Math.min(lines.length, line + 150);
		let here = null;
		for (let n = from; n <= to; n++) {
			const div = make("div", {class: n === line ? "here" : others.has(n) ? "other" : ""}, make("i", {}, String(n)), lines[n - 1]);
			if (n === line) here = div;
			code.append(div);
		}
		this.source.replaceChildren(make("h3", {}, page.files[file].name + ":" + line), code);
		if (here) code.scrollTop = here.offsetTop - code.offsetTop - code.clientHeight / 2;
	}

	drawVariables() {
		const lane = this.shownLane();
		const parts = [make("h3", {}, lane >= 0 ? `variables of ${this.run.goroutines[lane].name} ${this.run.goroutines[lane].title}` : "variables")];
		this.frames(lane).forEach((f, k) => {
			const rows = this.states.get(this.state, f.v) || [];
			const old = this.before && this.states.get(this.before, f.v);
			const was = new Map((old || []).map(r => [r.n, r.t]));
			const table = make("table", {class: "mono"}, make("tbody", {}, ...rows.map(r =>
				make("tr", {class: old && was.get(r.n) !== r.t ? "new" : ""}, make("td", {}, r.n), make("td", {}, r.t || ""), make("td", {class: "dim type", title: r.y}, r.y || "")))));
			parts.push(make("details", {open: k === 0}, make("summary", {class: "mono"}, f.n, make("span", {class: "dim"}, f.f >= 0 ? `  ${baseName(page.files[f.f].name)}:${f.l}` : "")), table));
		});
		this.variables.replaceChildren(...parts);
	}

	// drawHeap draws the objects to which the variables of the innermost calls refer: a column for each
	// number of references that lead there.
	drawHeap() {
		const roots = [];
		for (const f of this.frames(this.shownLane()).slice(0, 3)) {
			for (const r of this.states.get(this.state, f.v) || []) if (r.r) roots.push(r);
		}
		const nodes = new Map();
		let level = [...new Set(roots.map(r => r.r))];
		for (let depth = 0; level.length && nodes.size < 40; depth++) {
			const next = new Set();
			for (const id of level) {
				const o = this.states.get(this.state, "H" + id);
				if (!o || nodes.has(id) || nodes.size >= 40) continue;
				nodes.set(id, {o, depth});
				for (const r of o.r) if (r.r && !nodes.has(r.r)) next.add(r.r);
			}
			level = [...next];
		}
		if (nodes.size === 0) return this.heap.replaceChildren();
		const clip = text => text.length > 34 ? text.slice(0, 33) + "…" : text;
		const gap = 46, lineHeight = 17, columns = [];
		for (const n of nodes.values()) {
			n.lines = n.o.r.map(r => clip(`${r.n}${r.n && r.t ? " " : ""}${r.t || ""}`));
			n.title = clip(n.o.t);
			n.w = 8 * Math.max(n.title.length, ...n.lines.map(l => l.length), 4) + 14;
			n.h = (n.lines.length + 1) * lineHeight + 8;
			(columns[n.depth] || (columns[n.depth] = [])).push(n);
		}
		let x = 6, height = 0;
		for (const column of columns) {
			if (!column) continue;
			let y = 6, widest = 0;
			for (const n of column) {
				n.x = x;
				n.y = y;
				y += n.h + 12;
				widest = Math.max(widest, n.w);
			}
			x += widest + gap;
			height = Math.max(height, y);
		}
		const svg = draw("svg", {width: x, height, role: "img", "aria-label": "Objects and what they refer to"});
		for (const n of nodes.values()) {
			svg.append(draw("rect", {x: n.x, y: n.y, width: n.w, height: n.h, rx: 4}));
			const title = draw("text", {x: n.x + 6, y: n.y + 15, class: "title"});
			title.textContent = n.title;
			svg.append(title);
			n.lines.forEach((text, k) => {
				const t = draw("text", {x: n.x + 6, y: n.y + 15 + (k + 1) * lineHeight});
				t.textContent = text;
				svg.append(t);
			});
		}
		for (const n of nodes.values()) {
			n.o.r.forEach((r, k) => {
				const to = r.r && nodes.get(r.r);
				if (!to) return;
				const x1 = n.x + n.w, y1 = n.y + 11 + (k + 1) * lineHeight;
				const forward = to.x > n.x;
				const x2 = forward ? to.x : to.x + to.w, y2 = to.y + 11;
				const pull = forward ? 20 : 34;
				svg.append(draw("path", {d: `M${x1},${y1} C${x1 + pull},${y1} ${forward ? x2 - 20 : x2 + pull},${y2} ${x2},${y2}`}));
				svg.append(draw("circle", {cx: x2, cy: y2, r: 3, fill: "var(--accent)"}));
			});
		}
		this.heap.replaceChildren(make("h3", {}, "objects"), make("div", {class: "heap", tabindex: 0}, svg));
	}

	drawGoroutines() {
		const status = this.states.get(this.state, "G") || [];
		const rows = this.run.goroutines.map((g, k) => {
			const [what, wait] = status[k] || ["", ""];
			return what && make("tr", {}, make("td", {}, g.name), make("td", {}, g.title), make("td", {class: (what === "waiting" ? "bad" : "dim") + " type"}, what), make("td", {}, wait || ""));
		}).filter(Boolean);
		const parts = [make("h3", {}, "goroutines"), make("table", {}, make("tbody", {}, ...rows))];
		const locks = this.states.get(this.state, "L") || [];
		if (locks.length) {
			parts.push(make("h3", {}, "locks"), make("table", {}, make("thead", {}, make("tr", {}, make("th", {}, "lock"), make("th", {}, "held by"), make("th", {}, "waited for by"))),
				make("tbody", {}, ...locks.map(l => make("tr", {}, ...l.map(text => make("td", {}, text)))))));
		}
		const output = this.states.get(this.state, "O");
		if (output) parts.push(make("h3", {}, "output"), make("pre", {class: "code"}, output));
		this.goroutines.replaceChildren(...parts);
	}

	key(e) {
		if (!this.states) return false;
		switch (e.key) {
		case "ArrowRight": case "n": this.move(1); return true;
		case "ArrowLeft": case "p": this.move(-1); return true;
		case "ArrowDown": this.moveInLane(1); return true;
		case "ArrowUp": this.moveInLane(-1); return true;
		case "PageDown": this.move(20); return true;
		case "PageUp": this.move(-20); return true;
		case "Home": this.go(0); return true;
		case "End": this.go(this.run.points.length - 1); return true;
		case "f": this.go(this.run.at); return true;
		}
		return false;
	}
}

// ---- The searches.

class SearchView {
	constructor() {
		const percent = t => t.branches ? Math.round(100 * t.covered / t.branches) : 0;
		this.root = make("div", {class: "searches"}, make("table", {},
			make("thead", {}, make("tr", {}, ...["target", "verdict", "runs", "branches", "time", ""].map(text => make("th", {scope: "col"}, text)))),
			make("tbody", {}, ...page.targets.map(t => make("tr", {},
				make("td", {}, t.name),
				make("td", {class: t.verdict === "fails" ? "bad" : t.verdict === "holds" ? "good" : "dim"}, t.verdict + (t.cached ? " (cached)" : "")),
				make("td", {}, t.runs),
				make("td", {}, make("span", {class: "bar", role: "img", "aria-label": percent(t) + " percent of the branches"}, make("b", {style: `width:${percent(t)}%`})), ` ${t.covered} of ${t.branches}`),
				make("td", {}, t.seconds.toFixed(2) + "s"),
				make("td", {class: "dim"}, (t.why || []).join("; ")))))));
	}
	shown() {}
	key() { return false; }
}

// ---- The sources, with what was executed.

class SourceView {
	constructor(files) {
		this.code = make("pre", {class: "code", tabindex: 0});
		const select = make("select", {"aria-label": "File", onchange: () => this.show(files[select.selectedIndex])},
			...files.map(f => make("option", {}, `${f.name}${share(f)}`)));
		this.root = make("div", {class: "searches full"}, make("p", {}, select), this.code);
		this.first = files[0];
	}
	shown() {
		if (this.first) this.show(this.first);
		this.first = null;
	}
	key() { return false; }
	show(file) {
		const bytes = new TextEncoder();
		const lines = file.text.split("\n");
		// Of each line the columns at which blocks begin and end, in bytes.
		const cuts = lines.map(() => []);
		for (const b of file.blocks) {
			for (let n = b.l; n <= b.el && n <= lines.length; n++) {
				const from = n === b.l ? b.c - 1 : 0, to = n === b.el ? b.ec - 1 : Infinity;
				if (from < to) cuts[n - 1].push({from, to, x: b.x});
			}
		}
		this.code.replaceChildren(...lines.map((text, i) => {
			const div = make("div", {}, make("i", {}, String(i + 1)));
			const ascii = /^[\x00-\x7f]*$/.test(text);
			const column = n => n === Infinity ? text.length : ascii ? n : new TextDecoder().decode(bytes.encode(text).slice(0, n)).length;
			let done = 0;
			for (const c of cuts[i].sort((a, b) => a.from - b.from)) {
				let from = Math.max(done, column(c.from));
				const to = column(c.to);
				if (done === 0) from = Math.max(from, text.length - text.trimStart().length);
				if (to <= from) continue;
				div.append(text.slice(done, from), make("span", {class: c.x ? "yes" : "no"}, text.slice(from, to)));
				done = to;
			}
			div.append(text.slice(done));
			return div;
		}));
	}
}

function share(file) {
	const done = file.blocks.filter(b => b.x).length;
	return ` (${Math.round(100 * done / file.blocks.length)}% of blocks)`;
}

// ---- The whole.

const views = page.findings.map(f => ({name: `${f.kind}: ${f.target.slice(f.target.lastIndexOf(".") + 1)}`, view: new FindingView(f)}));
if (page.targets && page.targets.length) views.push({name: "searches", view: new SearchView()});
const covered = page.files.filter(f => f.blocks && f.blocks.length);
if (covered.length) views.push({name: "coverage", view: new SourceView(covered)});
if (views.length === 0) main.append(make("p", {class: "searches"}, "Nothing was searched."));

let current = -1;
const tabs = document.getElementById("tabs");
function select(i) {
	if (i < 0 || i >= views.length || i === current) return;
	current = i;
	[...tabs.children].forEach((b, k) => b.setAttribute("aria-selected", String(k === i)));
	main.replaceChildren(views[i].view.root);
	views[i].view.shown();
}
views.forEach((v, i) => tabs.append(make("button", {type: "button", role: "tab", "aria-selected": "false", onclick: () => select(i)}, v.name)));
select(0);

function toggleTheme() {
	const root = document.documentElement;
	const dark = root.dataset.theme ? root.dataset.theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
	root.dataset.theme = dark ? "light" : "dark";
}
document.getElementById("theme").addEventListener("click", toggleTheme);

document.addEventListener("keydown", e => {
	if (e.ctrlKey || e.metaKey || e.altKey || /^(SELECT|TEXTAREA)$/.test(e.target.tagName)) return;
	let handled = true;
	if (e.key === "t") toggleTheme();
	else if (e.key === "]") select(current + 1);
	else if (e.key === "[") select(current - 1);
	else handled = current >= 0 && views[current].view.key(e);
	if (handled) e.preventDefault();
});
addEventListener("resize", () => current >= 0 && views[current].view.shown());
})();
