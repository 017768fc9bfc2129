/** The style of the HTML report: light and dark, narrow and wide. */
export const pageStyle = `
:root {
  color-scheme: light dark;
  --page: #f5f6f8; --card: #ffffff; --text: #1b2330; --faint: #5b6678; --line: #dde2ea; --link: #1d4fb8;
  --error: #a61b29; --error-back: #fdebec; --warning: #7a4d00; --warning-back: #fff3d9;
  --note: #1d4a86; --note-back: #e8f0fc; --ok: #1c6b3c;
}
@media screen and (prefers-color-scheme: dark) {
  :root {
    --page: #11151c; --card: #191f29; --text: #e6eaf1; --faint: #9aa6b8; --line: #2c3544; --link: #8fb6ff;
    --error: #ffa8ae; --error-back: #43191f; --warning: #ffd27a; --warning-back: #3b2c0c;
    --note: #a9cbff; --note-back: #172a47; --ok: #86d9a6;
  }
}
* { box-sizing: border-box; }
[hidden] { display: none !important; }
body {
  margin: 0; background: var(--page); color: var(--text); overflow-wrap: anywhere;
  font: 15px/1.5 system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", sans-serif;
}
main { max-width: 64rem; margin: 0 auto; padding: 2rem 1rem 4rem; }
h1 { margin: 0; font-size: 1.75rem; letter-spacing: -0.02em; line-height: 1.2; }
h2 { margin: 2.5rem 0 0.75rem; font-size: 1.2rem; letter-spacing: -0.01em; }
p { margin: 0.25rem 0; }
a { color: var(--link); text-underline-offset: 0.2em; }
:focus-visible { outline: 2px solid var(--link); outline-offset: 2px; border-radius: 4px; }
.faint { color: var(--faint); }

.tiles { display: grid; grid-template-columns: repeat(3, 1fr); gap: 0.75rem; margin: 1.5rem 0 0.5rem; }
.tiles div { border: 1px solid var(--line); border-radius: 10px; padding: 0.7rem 1rem; background: var(--card); }
.tiles dt { font-weight: 600; }
.tiles dd { margin: 0; color: var(--faint); font-size: 0.85rem; }
.tiles dt + dd { color: inherit; font-size: 1.8rem; font-weight: 650; line-height: 1.2; font-variant-numeric: tabular-nums; }

table { width: 100%; border-collapse: collapse; background: var(--card); border: 1px solid var(--line); }
th, td { padding: 0.5rem 1rem; border-top: 1px solid var(--line); text-align: left; vertical-align: top; font-weight: 400; }
td, thead th:not(:first-child) { width: 6rem; text-align: right; font-variant-numeric: tabular-nums; }
td + td { white-space: nowrap; }
thead th { border: 0; color: var(--faint); font-size: 0.85rem; }
th summary { color: var(--faint); font-size: 0.85rem; }
th p { margin: 0.25rem 0 0.25rem 1.1rem; color: var(--faint); }

form {
  position: sticky; top: 0; z-index: 1; display: flex; flex-wrap: wrap; gap: 0.5rem 0.75rem; align-items: end;
  padding: 0.75rem 0; background: var(--page);
}
label { display: grid; max-width: 100%; color: var(--faint); font-size: 0.8rem; }
input, select {
  font: inherit; font-size: 0.95rem; color: var(--text); background: var(--card); height: 2.25rem; min-width: 0;
  border: 1px solid var(--line); border-radius: 7px; padding: 0 0.6rem;
}
label:first-child { flex: 1 1 14rem; }
::placeholder { color: var(--faint); opacity: 1; }
output { flex-basis: 100%; color: var(--faint); font-size: 0.9rem; }

summary { cursor: pointer; }
#projects { margin: 0; padding: 0; background: var(--card); border: 1px solid var(--line); border-top: 0; }
/* As list items, thousands of hidden rows would take Chromium half a minute to number. */
#projects > li { display: block; border-top: 1px solid var(--line); padding: 0 1rem; color: var(--faint); }
#projects summary { padding: 0.5rem 0; }
#projects b { color: var(--text); }
#projects ul { margin: 0 0 0.75rem 1.1rem; padding: 0; }
#projects ul li { display: block; padding: 0.25rem 0; color: var(--text); }
#projects ul a { color: var(--faint); font-size: 0.85rem; }
i {
  display: inline-block; margin: 0 0.35rem 0 0; padding: 0 0.55rem; border: 1px solid var(--line); border-radius: 99px;
  color: var(--faint); font-size: 0.85rem; font-style: normal; white-space: nowrap;
}
.error { color: var(--error); background: var(--error-back); }
.warning { color: var(--warning); background: var(--warning-back); }
.note { color: var(--note); background: var(--note-back); }
.ok { color: var(--ok); }

/* The browser computes the layout of a project only when it comes near the screen. */
@media screen {
  #projects > li { content-visibility: auto; contain-intrinsic-size: auto 2.6rem; }
}
@media (max-width: 40rem) {
  form { position: static; }
  th, td { padding: 0.5rem 0.4rem; }
  td, thead th:not(:first-child) { width: 3.5rem; overflow-wrap: normal; }
  thead th { font-size: 0.75rem; }
  .tiles { gap: 0.4rem; }
  .tiles div { padding: 0.5rem; }
}
`;
