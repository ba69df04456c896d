/// The console's page. The script inserts all variable content as text.
enum ConsoleMarkup {
  static let icon = """
    <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="7" fill="#1f5fbf"/>\
    <path d="M9 10l6 6-6 6M17 22h7" fill="none" stroke="#fff" stroke-width="3" stroke-linecap="round" \
    stroke-linejoin="round"/></svg>
    """

  static let page = """
    <!DOCTYPE html>
    <html lang="en">
    <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <meta name="color-scheme" content="light dark">
    <title>Console</title>
    <link rel="icon" href="/_console/icon.svg" type="image/svg+xml">
    <link rel="stylesheet" href="/_console/style.css">
    <script src="/_console/script.js" defer></script>
    </head>
    <body>
    <a class="skip" href="#requests">To the requests</a>
    <header>
    <div><h1 id="title">Console</h1><p id="summary"></p></div>
    <p id="connection" role="status">Connecting …</p>
    </header>
    <noscript><p class="notice">The console needs JavaScript, which all comes from this server.</p></noscript>
    <main>

    <div class="side">
    <section id="guide-section" aria-labelledby="guide-title" hidden>
    <h2 id="guide-title">How to connect</h2>
    <div id="guide"></div>
    </section>

    <section aria-labelledby="try-title">
    <h2 id="try-title">Try an operation</h2>
    <form id="try">
    <label for="operation">Operation</label>
    <input id="operation" list="operations" autocomplete="off" spellcheck="false" placeholder="name, method or path" required>
    <datalist id="operations"></datalist>
    <p id="operation-summary" class="quiet"></p>
    <div id="parameters"></div>
    <details id="more"><summary>More query parameters</summary>
    <label for="query">One <code>name=value</code> per line</label>
    <textarea id="query" rows="2" spellcheck="false"></textarea></details>
    <div id="body-field" hidden><label for="body">Body</label>
    <textarea id="body" rows="5" spellcheck="false"></textarea></div>
    <label for="identity">As</label>
    <select id="identity"></select>
    <button type="submit" class="main">Send</button>
    </form>
    <div id="response" role="region" aria-label="The response" aria-live="polite" hidden>
    <p id="response-status"></p>
    <details><summary>Header fields</summary><dl id="response-headers"></dl></details>
    <pre id="response-body" tabindex="0"></pre>
    </div>
    </section>

    <section aria-labelledby="faults-title">
    <h2 id="faults-title">Faults</h2>
    <form id="faults">
    <label for="fault-kind">What goes wrong</label>
    <select id="fault-kind"></select>
    <div id="fault-value-field"><label for="fault-value" id="fault-value-name">Value</label>
    <input id="fault-value" spellcheck="false"></div>
    <label for="fault-operation">For</label>
    <input id="fault-operation" list="fault-operations" value="*" autocomplete="off" spellcheck="false">
    <datalist id="fault-operations"></datalist>
    <label for="fault-times">How many times</label>
    <input id="fault-times" type="number" min="1" max="100000" value="1">
    <button type="submit" class="main">Add</button>
    <button type="button" id="faults-remove">Remove all</button>
    </form>
    <ul id="fault-list" class="plain"></ul>
    </section>

    <section id="time-section" aria-labelledby="time-title" hidden>
    <h2 id="time-title">Time</h2>
    <p><time id="time"></time> <span id="offset" class="quiet"></span></p>
    <div class="buttons">
    <button type="button" data-seconds="60">+1 minute</button>
    <button type="button" data-seconds="900">+15 minutes</button>
    <button type="button" data-seconds="7200">+2 hours</button>
    <button type="button" data-seconds="86400">+1 day</button>
    <button type="button" data-seconds="">Real time</button>
    </div>
    <p class="quiet">Rate windows, tokens and timestamps follow it.</p>
    </section>

    <section id="limits-section" aria-labelledby="limits-title" hidden>
    <h2 id="limits-title">Rate windows</h2>
    <ul id="limits" class="plain"></ul>
    </section>
    </div>

    <section id="requests" aria-labelledby="requests-title" tabindex="-1">
    <div class="bar"><h2 id="requests-title">Requests</h2>
    <label class="filter">Filter <input id="filter" type="search" placeholder="path, status, name"></label>
    <button id="pause" type="button" aria-pressed="false">Pause</button>
    <button id="forget" type="button">Clear</button></div>
    <p id="empty" class="quiet">Nothing has arrived yet. Point a client at <code id="address"></code>, or try an operation.</p>
    <ol id="list" aria-label="Requests, newest first"></ol>
    </section>

    <section id="state-section" class="wide" aria-labelledby="state-title" hidden>
    <h2 id="state-title">State</h2>
    <div id="tables" class="buttons"></div>
    <div id="table" class="scroll" tabindex="0" role="region" aria-label="Rows"></div>
    </section>
    </main>
    <p id="message" role="alert"></p>
    </body>
    </html>

    """
}
