/// The console's script. It writes all values as text, so none can become markup.
enum ConsoleScript {
  static let text = #"""
    "use strict";
    const byID = id => document.getElementById(id);
    /** An element with a text, or with children. */
    function make(name, content, className) {
      const element = document.createElement(name);
      if (className) element.className = className;
      if (Array.isArray(content)) element.append(...content.filter(Boolean));
      else if (content !== undefined && content !== null) element.textContent = String(content);
      return element;
    }
    const asJSON = {"Content-Type": "application/json"};
    async function ask(path, value) {
      const options = value === undefined ? {} : {method: "POST", headers: asJSON, body: JSON.stringify(value)};
      const response = await fetch("/_console/" + path, {cache: "no-store", ...options});
      if (!response.ok) throw new Error((await response.text()).trim());
      return response.json();
    }
    let messageTimer;
    function say(text) {
      byID("message").textContent = text;
      clearTimeout(messageTimer);
      messageTimer = setTimeout(() => { byID("message").textContent = ""; }, 6000);
    }
    async function attempt(action) {
      try { await action(); } catch (error) { say(error.message || "That did not work."); }
    }

    // Requests
    let facts = {operations: [], identities: [], faults: []};
    let last = 0;
    let isPaused = false;
    const keptRequests = 500;
    const statusClass = status => status >= 200 && status < 400 ? "good" : status >= 400 && status < 500 ? "warn" : "bad";
    const clockText = time => time ? time.slice(11, 19) : "";

    function fields(list) {
      const element = make("dl");
      for (const field of list) element.append(make("dt", field.name), make("dd", field.value));
      return element;
    }
    function pretty(text) {
      try { return JSON.stringify(JSON.parse(text), null, 2); } catch { return text; }
    }
    /** Where two texts begin to differ; -1 where they do not. */
    function firstDifference(one, other) {
      const end = Math.min(one.length, other.length);
      for (let index = 0; index < end; index++) if (one[index] !== other[index]) return index;
      return one.length === other.length ? -1 : end;
    }
    /** A text with its first difference marked. */
    function marked(text, place) {
      const element = make("pre");
      element.tabIndex = 0;
      if (place < 0) { element.textContent = text; return element; }
      const end = Math.min(text.length, place + 1);
      element.append(text.slice(0, place), make("mark", text.slice(place, end) || "\u23CE (ends here)"), text.slice(end));
      return element;
    }
    function comparison(ours, theirs, title) {
      const place = firstDifference(ours, theirs);
      return [
        make("p", place < 0 ? "Both are the same." : "The first difference is at character " + (place + 1) + ".", "verdict"),
        make("h3", title), marked(theirs, place), make("h3", "As the server computes it"), marked(ours, place),
      ];
    }
    function signature(found) {
      const parts = [make("h3", "Signature"), make("p", found.verdict, "verdict " + (found.isValid ? "good" : "bad"))];
      parts.push(fields(found.parts));
      if (found.computed && found.signed) {
        parts.push(...comparison(found.computed, found.signed, "Base string as the client signed it"));
      } else if (found.computed) {
        parts.push(make("h3", "Base string"), marked(found.computed, -1));
      }
      if (found.computed && !found.isValid) {
        const input = make("textarea");
        input.rows = 3;
        input.spellcheck = false;
        const result = make("div");
        input.addEventListener("input", () => {
          result.replaceChildren(...(input.value ? comparison(found.computed, input.value.trim(), "Yours") : []));
        });
        const label = make("label", "Paste your client's base string to compare");
        label.append(input);
        parts.push(label, result);
      }
      return parts;
    }
    function detail(request) {
      const parts = request.problems.map(problem => make("p", problem, "bad"));
      if (request.signature) parts.push(...signature(request.signature));
      parts.push(make("h3", "Header fields"), fields(request.headers));
      if (request.body) {
        const body = make("pre", pretty(request.body));
        body.tabIndex = 0;
        parts.push(make("h3", "Body"), body);
      }
      return make("div", parts, "detail");
    }
    function row(request) {
      const item = make("li", undefined, "new");
      const status = make("span", request.status || "cut", "status " + statusClass(request.status));
      const badge = request.signature && !request.signature.isValid ? " · signature" : "";
      const summary = make("summary", [
        status, make("span", request.method), make("span", request.target, "target"),
        make("span", clockText(request.time) + badge, "when"),
      ]);
      if (request.operation) summary.title = request.operation;
      const element = make("details", [summary]);
      element.addEventListener("toggle", () => {
        if (element.open && element.children.length === 1) element.append(detail(request));
      });
      item.dataset.text =
        [request.method, request.target, request.status || "cut", request.operation || ""].join(" ").toLowerCase();
      item.dataset.number = request.number;
      item.append(element);
      return item;
    }
    function filter() {
      const wanted = byID("filter").value.toLowerCase();
      for (const item of byID("list").children) item.hidden = !item.dataset.text.includes(wanted);
    }
    function arrive(requests) {
      const list = byID("list");
      for (const request of requests) {
        if (request.number <= last) continue;
        last = request.number;
        list.prepend(row(request));
      }
      while (list.children.length > keptRequests) list.lastChild.remove();
      byID("empty").hidden = list.children.length > 0;
      if (requests.length) filter();
    }

    // Time, limits, faults, state
    let shownTables = "";
    let openTable = "";
    function lengthOfTime(seconds) {
      const units = [["d", 86400], ["h", 3600], ["min", 60], ["s", 1]];
      let rest = Math.round(Math.abs(seconds));
      const words = [];
      for (const [name, size] of units) {
        if (rest >= size && words.length < 2) { words.push(Math.floor(rest / size) + " " + name); rest %= size; }
      }
      return words.join(" ") || "0 s";
    }
    function showStatus(status) {
      byID("time-section").hidden = !facts.hasTime || !status.time;
      if (status.time) {
        byID("time").textContent = status.time.slice(0, 19).replace("T", " ") + " UTC";
        byID("time").dateTime = status.time;
        const offset = Math.round(status.offset);
        byID("offset").textContent =
          offset === 0 ? "the real time" : lengthOfTime(offset) + (offset > 0 ? " ahead" : " behind");
      }
      byID("limits-section").hidden = status.limits.length === 0;
      byID("limits").replaceChildren(...status.limits.map(limit => {
        const meter = make("meter");
        meter.max = limit.limit;
        meter.value = limit.remaining;
        meter.low = limit.limit * 0.25;
        meter.setAttribute("aria-label", limit.remaining + " of " + limit.limit + " left");
        return make("li", [
          make("code", limit.operation), make("div", limit.who + ": " + limit.remaining + " of " + limit.limit
            + " left, resets in " + lengthOfTime(limit.seconds), "quiet"), meter,
        ]);
      }));
      const planned = status.faults.map(text => make("li", text));
      if (status.faultCount) planned.push(make("li", "Happened so far: " + status.faultCount));
      byID("fault-list").replaceChildren(...planned);
      byID("state-section").hidden = status.tables.length === 0;
      const tables = JSON.stringify(status.tables);
      if (tables !== shownTables) {
        shownTables = tables;
        const focused = document.activeElement && document.activeElement.dataset.table;
        byID("tables").replaceChildren(...status.tables.map(table => {
          const button = make("button", table.name + " (" + table.count + ")");
          button.type = "button";
          button.dataset.table = table.name;
          button.setAttribute("aria-pressed", String(table.name === openTable));
          button.addEventListener("click", () => { openTable = table.name; shownTables = ""; attempt(news); });
          return button;
        }));
        for (const button of byID("tables").children) if (button.dataset.table === focused) button.focus();
        if (openTable) attempt(showTable);
      }
    }
    async function showTable() {
      const table = await ask("table?name=" + encodeURIComponent(openTable));
      const head = make("tr", table.columns.map(name => { const cell = make("th", name); cell.scope = "col"; return cell; }));
      const body = table.rows.map(cells => make("tr", cells.map(cell => make("td", cell))));
      const caption = make("caption", table.rows.length === 1 ? "One row" : table.rows.length + " rows, newest first");
      byID("table").replaceChildren(make("table", [caption, make("thead", [head]), make("tbody", body)]));
    }

    // News
    let isAsking = false;
    async function news() {
      const found = await ask("news?after=" + last);
      if (!isPaused) arrive(found.requests);
      showStatus(found.status);
    }
    async function poll() {
      if (document.hidden || isAsking) return;
      isAsking = true;
      try {
        await news();
        byID("connection").className = "on";
        byID("connection").textContent = isPaused ? "Paused" : "Connected";
      } catch {
        byID("connection").className = "off";
        byID("connection").textContent = "The server does not respond";
      }
      isAsking = false;
    }

    // Operations
    const label = operation => operation.id === operation.method + " " + operation.path
      ? operation.id : operation.id + " \u2014 " + operation.method + " " + operation.path;
    function chosenOperation() {
      const text = byID("operation").value.trim();
      return facts.operations.find(one => label(one) === text || one.id === text || one.method + " " + one.path === text);
    }
    function showOperation() {
      const operation = chosenOperation();
      byID("operation-summary").textContent = operation && operation.summary || "";
      byID("parameters").replaceChildren(...(operation ? operation.parameters : []).map((parameter, index) => {
        const name = make("label", parameter.name + " ");
        name.htmlFor = "parameter-" + index;
        name.append(make("small", (parameter.isRequired ? "required" : "optional")
          + (parameter.hint ? " · " + parameter.hint : "")));
        const input = make("input");
        input.id = name.htmlFor;
        input.dataset.name = parameter.name;
        input.autocomplete = "off";
        input.spellcheck = false;
        return make("div", [name, input]);
      }));
      byID("body-field").hidden = !operation || operation.body === undefined || operation.body === null;
      byID("body").value = operation && operation.body || "";
    }
    async function send() {
      const operation = chosenOperation();
      if (!operation) throw new Error("Choose an operation from the list.");
      const values = {};
      for (const input of byID("parameters").querySelectorAll("input")) {
        if (input.value !== "") values[input.dataset.name] = input.value;
      }
      const response = await ask("call", {
        operation: operation.id, values, query: byID("query").value,
        body: byID("body-field").hidden ? "" : byID("body").value, identity: byID("identity").value,
      });
      byID("response").hidden = false;
      byID("response-status").className = "verdict " + statusClass(response.status);
      byID("response-status").textContent =
        response.status ? "Status " + response.status : "The connection was closed without a response.";
      byID("response-headers").replaceChildren(...fields(response.headers).childNodes);
      byID("response-body").hidden = response.body === "";
      byID("response-body").textContent = pretty(response.body);
      await news();
    }

    // Faults
    function showFault() {
      const kind = facts.faults.find(one => one.id === byID("fault-kind").value);
      byID("fault-value-field").hidden = !kind || !kind.value;
      byID("fault-value-name").textContent = kind && kind.value || "Value";
      byID("fault-value").value = kind && kind.initial || "";
    }
    async function addFault() {
      const text = byID("fault-operation").value.trim() || "*";
      const operation = facts.operations.find(one => label(one) === text);
      showStatus(await ask("faults", {
        operation: operation ? operation.id : text, kind: byID("fault-kind").value, value: byID("fault-value").value,
        times: Math.max(1, Number(byID("fault-times").value) || 1),
      }));
    }

    function options(list) {
      return list.map(choice => { const option = make("option", choice.label); option.value = choice.id; return option; });
    }
    function onSubmit(id, action) {
      byID(id).addEventListener("submit", event => { event.preventDefault(); attempt(action); });
    }
    async function start() {
      byID("address").textContent = location.origin;
      onSubmit("try", send);
      onSubmit("faults", addFault);
      byID("operation").addEventListener("input", showOperation);
      byID("fault-kind").addEventListener("change", showFault);
      byID("faults-remove").addEventListener("click", () => attempt(async () => showStatus(await ask("faults/remove", {}))));
      byID("filter").addEventListener("input", filter);
      byID("pause").addEventListener("click", () => {
        isPaused = !isPaused;
        byID("pause").setAttribute("aria-pressed", String(isPaused));
        attempt(poll);
      });
      byID("forget").addEventListener("click", () => attempt(async () => {
        await ask("forget", {});
        byID("list").replaceChildren();
        byID("empty").hidden = false;
      }));
      for (const button of document.querySelectorAll("[data-seconds]")) {
        const seconds = button.dataset.seconds === "" ? null : Number(button.dataset.seconds);
        button.addEventListener("click", () => attempt(async () => showStatus(await ask("time", {seconds}))));
      }
      facts = await ask("facts");
      document.title = facts.title;
      byID("title").textContent = facts.title;
      byID("summary").textContent = facts.summary;
      byID("guide").replaceChildren(fields(facts.guide));
      byID("guide-section").hidden = facts.guide.length === 0;
      const names = () => facts.operations.map(one => { const option = make("option"); option.value = label(one); return option; });
      byID("operations").replaceChildren(...names());
      byID("fault-operations").replaceChildren(...names());
      byID("identity").replaceChildren(...options(facts.identities));
      byID("fault-kind").replaceChildren(...options(facts.faults));
      showFault();
      await poll();
      setInterval(poll, 1000);
      document.addEventListener("visibilitychange", poll);
    }
    attempt(start);

    """#
}
