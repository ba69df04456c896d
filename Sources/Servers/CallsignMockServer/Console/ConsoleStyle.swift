/// The style of the console and the login pages, light and dark.
enum ConsoleStyle {
  static let text = """
    :root {
      --page: #f6f7f9; --card: #fff; --ink: #16191d; --quiet: #5a6472; --line: #d8dde4; --accent: #1f5fbf;
      --on-accent: #fff; --good: #11692f; --warn: #8a5300; --bad: #b3261e; --mark: #ffe08a; --code: #f0f2f5;
      color-scheme: light dark;
    }
    @media (prefers-color-scheme: dark) {
      :root {
        --page: #101317; --card: #191d23; --ink: #e7eaee; --quiet: #9aa5b3; --line: #323a45; --accent: #8ab4f8;
        --on-accent: #0b1a33; --good: #7bd88f; --warn: #f2c063; --bad: #ff8f86; --mark: #6b5200; --code: #12161b;
      }
    }
    * { box-sizing: border-box; }
    html { -webkit-text-size-adjust: 100%; }
    body {
      margin: 0; background: var(--page); color: var(--ink);
      font: 1rem/1.5 system-ui, -apple-system, "Segoe UI", Roboto, "DejaVu Sans", sans-serif;
    }
    [hidden] { display: none !important; }
    code, pre, kbd, textarea, .mono, #list summary, input[list] {
      font-family: ui-monospace, SFMono-Regular, Menlo, "DejaVu Sans Mono", monospace; font-size: .875rem;
    }
    h1 { font-size: 1.25rem; margin: 0; line-height: 1.3; }
    h2 { font-size: 1.0625rem; margin: 0 0 .5rem; }
    h3 { font-size: .875rem; margin: 1rem 0 .25rem; }
    p { margin: .25rem 0; }
    a { color: var(--accent); }
    .quiet { color: var(--quiet); font-size: .875rem; }
    .skip { position: absolute; left: -100rem; }
    .skip:focus { left: 1rem; top: .5rem; background: var(--card); padding: .5rem 1rem; z-index: 1; }
    :focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; border-radius: 4px; }

    header { display: flex; flex-wrap: wrap; gap: .25rem 2rem; align-items: baseline; justify-content: space-between;
      padding: 1rem 1.25rem .25rem; max-width: 90rem; margin: 0 auto; }
    header p { color: var(--quiet); font-size: .875rem; }
    #connection::before { content: "\\25CF\\00A0"; color: var(--quiet); }
    #connection.on::before { color: var(--good); }
    #connection.off::before { color: var(--bad); }
    main { display: grid; gap: 1rem; padding: .75rem 1.25rem 3rem; max-width: 90rem; margin: 0 auto;
      grid-template-columns: minmax(0, 1fr) 24rem; align-items: start; }
    .side { display: grid; gap: 1rem; min-width: 0; grid-column: 2; grid-row: 1; }
    #requests { grid-column: 1; grid-row: 1; }
    .wide { grid-column: 1 / -1; }
    section { background: var(--card); border: 1px solid var(--line); border-radius: 12px; padding: 1rem; min-width: 0; }
    section:focus { outline: none; }
    .bar { display: flex; flex-wrap: wrap; gap: .5rem; align-items: center; margin-bottom: .75rem; }
    .bar h2 { margin: 0 auto 0 0; }
    .filter { display: flex; gap: .5rem; align-items: center; margin: 0; }
    .filter input { width: 14rem; font-weight: 400; }

    label { display: block; font-size: .875rem; font-weight: 600; margin: .75rem 0 .25rem; }
    label small { font-weight: 400; color: var(--quiet); font-size: .8125rem; overflow-wrap: anywhere; }
    input, select, textarea, button {
      font: inherit; color: inherit; background: var(--card); border: 1px solid #818b98; border-radius: 8px;
      padding: .4375rem .625rem; min-height: 2.5rem; max-width: 100%;
    }
    form input, form select, textarea { display: block; width: 100%; font-weight: 400; }
    textarea { resize: vertical; }
    input[type=radio] { width: auto; min-height: 0; accent-color: var(--accent); }
    button { cursor: pointer; }
    button:hover { border-color: var(--accent); }
    button.main, input.main { background: var(--accent); border-color: var(--accent); color: var(--on-accent);
      font-weight: 600; }
    button[aria-pressed=true] { border-color: var(--accent); color: var(--accent); font-weight: 600; }
    form button { margin-top: 1rem; margin-right: .25rem; }
    .buttons { display: flex; flex-wrap: wrap; gap: .5rem; margin: .5rem 0; }
    .plain { list-style: none; margin: .5rem 0 0; padding: 0; }
    .plain li { border-top: 1px solid var(--line); padding: .5rem 0; overflow-wrap: anywhere; font-size: .875rem; }

    #list { list-style: none; margin: 0; padding: 0; }
    #list > li { border-top: 1px solid var(--line); }
    #list summary { display: grid; grid-template-columns: 3.25rem 4.25rem minmax(0, 1fr) auto; gap: .5rem;
      padding: .5rem .25rem; cursor: pointer; list-style: none; align-items: baseline; }
    #list summary::-webkit-details-marker { display: none; }
    #list summary:hover { background: var(--code); }
    .target { overflow-wrap: anywhere; }
    .when { color: var(--quiet); font-size: .8125rem; }
    .status { font-weight: 700; }
    .good { color: var(--good); } .warn { color: var(--warn); } .bad { color: var(--bad); }
    .detail { padding: 0 .25rem 1rem 1rem; border-left: 3px solid var(--line); margin: 0 0 .75rem .25rem; }
    .verdict { font-weight: 600; }
    pre { background: var(--code); border: 1px solid var(--line); border-radius: 8px; padding: .625rem; margin: .25rem 0;
      white-space: pre-wrap; overflow-wrap: anywhere; max-height: 26rem; overflow: auto; }
    mark { background: var(--mark); color: inherit; border-radius: 3px; outline: 1px solid var(--bad); }
    dl { display: grid; grid-template-columns: minmax(6rem, max-content) minmax(0, 1fr); gap: .125rem .75rem; margin: .25rem 0;
      font-size: .8125rem; }
    dt { color: var(--quiet); overflow-wrap: anywhere; }
    dd { margin: 0; overflow-wrap: anywhere; font-family: ui-monospace, SFMono-Regular, Menlo, "DejaVu Sans Mono", monospace; }
    #guide dd { font-family: inherit; }
    details > summary { cursor: pointer; }
    meter { width: 100%; height: .75rem; }
    .scroll { overflow-x: auto; }
    table { border-collapse: collapse; font-size: .8125rem; width: 100%; }
    caption { text-align: left; color: var(--quiet); padding: .25rem 0; }
    th, td { text-align: left; vertical-align: top; padding: .375rem .75rem .375rem 0; border-top: 1px solid var(--line);
      max-width: 28rem; overflow-wrap: break-word; }
    td { min-width: 6rem; }
    th { color: var(--quiet); font-weight: 600; white-space: nowrap; }
    .notice { margin: 1rem 1.25rem; }
    #message { position: fixed; left: 1rem; right: 1rem; bottom: 1rem; margin: 0 auto; max-width: 40rem; background: var(--ink);
      color: var(--page); border-radius: 8px; padding: .625rem 1rem; }
    #message:empty { display: none; }

    main.login { display: block; max-width: 27rem; margin: 0 auto; padding: 2rem 1rem; }
    .login h2 { margin-top: 1rem; }
    .login h1 { font-size: 1.375rem; margin-bottom: .75rem; }
    .login section { padding: 1.5rem; }
    .login ul { margin: .25rem 0 1rem; padding-left: 1.25rem; }
    .login li { margin: .25rem 0; }
    .login li small { display: block; color: var(--quiet); overflow-wrap: anywhere; }
    .login fieldset { border: 1px solid var(--line); border-radius: 8px; margin: 0 0 1rem; padding: .25rem 1rem .75rem; }
    .login legend { font-size: .875rem; font-weight: 600; padding: 0 .25rem; }
    .login .choice { display: flex; gap: .625rem; align-items: center; font-weight: 400; font-size: 1rem; margin: .375rem 0;
      min-height: 2rem; }
    .login .decide { display: grid; gap: .5rem; margin-top: 1.25rem; }
    .login input[type=submit] { cursor: pointer; min-height: 2.75rem; font-weight: 600; }
    .login kbd code { display: inline-block; font-size: 2rem; letter-spacing: .15em; padding: .5rem 1rem; margin: .5rem 0;
      background: var(--code); border: 1px solid var(--line); border-radius: 8px; user-select: all; }
    [role=alert].wrong { border-left: 4px solid var(--bad); padding: .25rem .75rem; margin-bottom: 1rem; }

    @media (max-width: 56rem) {
      main { grid-template-columns: minmax(0, 1fr); padding: .75rem .75rem 3rem; }
      .side, #requests { grid-column: auto; grid-row: auto; }
      header { padding: 1rem .75rem .25rem; }
    }
    @media (max-width: 30rem) {
      #list summary { grid-template-columns: 2.75rem minmax(0, 1fr) auto; }
      #list .target { grid-row: 2; grid-column: 1 / -1; }
      #list .when { grid-row: 1; grid-column: 3; }
      .bar h2 { width: 100%; }
      .filter { flex: 1 1 100%; }
      .filter input { flex: 1; width: auto; min-width: 0; }
      dl { grid-template-columns: minmax(0, 1fr); }
      dd { margin-bottom: .25rem; }
    }
    @media (prefers-reduced-motion: no-preference) {
      #list > li.new { animation: arrive 1.2s ease-out; }
      @keyframes arrive { from { background: var(--mark); } }
    }

    """
}
