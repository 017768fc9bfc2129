/** The style of the HTML report: light and dark, narrow and wide, screen and paper. */
export const pageStyle = `
:root {
  color-scheme: light dark;
  --page: #f5f6f8; --card: #ffffff; --text: #1b2330; --faint: #5b6678; --line: #dde2ea;
  --link: #1d4fb8; --focus: #1d4fb8; --stripe: #fafbfc;
  --error: #a61b29; --error-back: #fdebec; --error-line: #f3b9be;
  --warning: #7a4d00; --warning-back: #fff3d9; --warning-line: #ecd08e;
  --note: #1d4a86; --note-back: #e8f0fc; --note-line: #b4cdf0;
  --ok: #1c6b3c; --ok-mark: #2f9e5f;
}
@media screen and (prefers-color-scheme: dark) {
  :root {
    --page: #11151c; --card: #191f29; --text: #e6eaf1; --faint: #9aa6b8; --line: #2c3544;
    --link: #8fb6ff; --focus: #8fb6ff; --stripe: #1c232e;
    --error: #ffa8ae; --error-back: #43191f; --error-line: #7a2d36;
    --warning: #ffd27a; --warning-back: #3b2c0c; --warning-line: #6d5318;
    --note: #a9cbff; --note-back: #172a47; --note-line: #31507f;
    --ok: #86d9a6; --ok-mark: #4cc17f;
  }
}
* { box-sizing: border-box; }
html { scroll-padding-top: 8.5rem; }
body {
  margin: 0; background: var(--page); color: var(--text);
  font: 15px/1.5 system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", sans-serif;
}
main { max-width: 88rem; margin: 0 auto; padding: 2rem 1.5rem 4rem; }
h1 { margin: 0; font-size: 1.75rem; letter-spacing: -0.02em; line-height: 1.2; }
h2 { margin: 2.75rem 0 0.75rem; font-size: 1.2rem; letter-spacing: -0.01em; }
h3 { margin: 0; font-size: 1rem; }
p { margin: 0.25rem 0; }
a { color: var(--link); text-underline-offset: 0.2em; text-decoration-thickness: 1px; }
:focus-visible { outline: 2px solid var(--focus); outline-offset: 2px; border-radius: 4px; }
.faint { color: var(--faint); }
.id { display: inline-block; color: var(--faint); font-size: 0.85em; font-weight: normal; overflow-wrap: anywhere; }
.address { overflow-wrap: anywhere; }

.tiles { display: grid; grid-template-columns: repeat(auto-fit, minmax(10rem, 1fr)); gap: 0.75rem; margin: 1.5rem 0; padding: 0; }
.tile { background: var(--card); border: 1px solid var(--line); border-radius: 10px; padding: 0.9rem 1.1rem; }
.tile dt { color: var(--faint); font-size: 0.85rem; }
.tile dd { margin: 0; font-size: 1.9rem; font-weight: 650; line-height: 1.2; font-variant-numeric: tabular-nums; }
.tile.violated dd { color: var(--error); }
.tile.unknown dd { color: var(--warning); }
.tile.ok dd { color: var(--ok); }
.tile a { color: inherit; text-decoration-color: var(--line); }
.tile a:hover { text-decoration-color: currentcolor; }

.filters {
  position: sticky; top: 0; z-index: 3; display: flex; flex-wrap: wrap; gap: 0.75rem; align-items: end;
  padding: 0.75rem 0; background: var(--page); border-bottom: 1px solid var(--line);
}
.filters label { display: grid; gap: 0.15rem; font-size: 0.8rem; color: var(--faint); }
input, select, button {
  font: inherit; font-size: 0.95rem; color: var(--text); background: var(--card); height: 2.25rem;
  border: 1px solid var(--line); border-radius: 7px; padding: 0 0.6rem;
}
.filters input { width: 16rem; max-width: 100%; }
.filters select { max-width: 100%; }
button { cursor: pointer; }
.filters output { flex-basis: 100%; margin-top: -0.25rem; color: var(--faint); font-size: 0.9rem; }
::placeholder { color: var(--faint); opacity: 1; }
#projects h2 { margin-top: 1.5rem; }

.range { margin-left: 0.5rem; color: var(--faint); font-size: 0.9rem; font-weight: normal; letter-spacing: normal; }
.pager { display: flex; gap: 0.5rem; margin-top: 0.75rem; }
button:disabled { cursor: default; opacity: 0.45; }
.printed-filters { display: none; }
.level { color: var(--faint); font-size: 0.8rem; font-weight: normal; }

.matrix { overflow: auto; max-height: 80vh; background: var(--card); border: 1px solid var(--line); border-radius: 10px; }
table { width: 100%; border-collapse: separate; border-spacing: 0; }
caption { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
th, td { text-align: left; padding: 0.5rem 0.8rem; border-bottom: 1px solid var(--line); vertical-align: top; }
tbody tr:nth-child(even) > * { background: var(--stripe); }
tbody tr:last-child > * { border-bottom: 0; }
thead th { font-size: 0.85rem; vertical-align: bottom; position: sticky; top: 0; z-index: 1; background: var(--card); }
thead th a { color: inherit; text-decoration-color: var(--line); }
thead .count { display: block; font-weight: normal; color: var(--faint); }
tbody th { font-weight: 600; min-width: 11rem; max-width: 20rem; overflow-wrap: anywhere; position: sticky; left: 0; background: var(--card); }
thead th:first-child { left: 0; z-index: 2; }
td { min-width: 7.5rem; }

.state { display: inline-block; margin-bottom: 0.15rem; white-space: nowrap; font-size: 0.85rem; }
.state.ok { color: var(--ok); }
.state.ok::first-letter { color: var(--ok-mark); }
.state:not(.ok) {
  padding: 0.05rem 0.55rem; border: 1px solid; border-radius: 99px; font-weight: 600; text-decoration: none;
}
.state.error { color: var(--error); background: var(--error-back); border-color: var(--error-line); }
.state.warning { color: var(--warning); background: var(--warning-back); border-color: var(--warning-line); }
.state.note { color: var(--note); background: var(--note-back); border-color: var(--note-line); }
.state.accepted { color: var(--faint); border: 1px dashed var(--faint); font-weight: normal; }
a.state:hover { text-decoration: underline; }

.project { background: var(--card); border: 1px solid var(--line); border-radius: 10px; margin: 0 0 0.9rem; padding: 0.9rem 1.1rem 0.2rem; overflow-wrap: anywhere; }
.project ul { list-style: none; margin: 0.5rem 0 0; padding: 0; }
.project li {
  display: grid; grid-template-columns: 7rem 8rem minmax(0, 1fr); gap: 0.25rem 0.9rem; align-items: start;
  padding: 0.6rem 0; border-top: 1px solid var(--line);
}
.project li:focus { outline: none; box-shadow: -6px 0 0 -2px var(--focus); }
.project li > div:first-child { display: flex; flex-direction: column; align-items: flex-start; gap: 0.15rem; }
.project li > div:first-child .level { padding-left: 0.6rem; }
.project li p:first-child { margin-top: 0; }
.accepted > *, .accepted .environment { color: var(--faint); }
.accepted .environment { font-weight: normal; }
.acceptance { border-left: 3px solid var(--line); padding-left: 0.6rem; }
.project li:not(.accepted) .acceptance { color: var(--warning); border-color: var(--warning-line); }
.stale { margin: 0; background: var(--card); border: 1px solid var(--line); border-radius: 10px; padding: 0.9rem 1.1rem 0.9rem 2.2rem; overflow-wrap: anywhere; }
.environment { font-weight: 600; }
.remedy { color: var(--faint); }
.rules { margin: 0; background: var(--card); border: 1px solid var(--line); border-radius: 10px; padding: 0.2rem 1.1rem 1.1rem; }
.rules dt { font-weight: 650; margin-top: 0.9rem; }
.rules dd { margin: 0; max-width: 70rem; }
[hidden] { display: none !important; }

/* The browser computes the layout of a card only when it comes near the screen. */
@media screen {
  .project { content-visibility: auto; contain-intrinsic-size: auto 20rem; }
}
@media (max-width: 45rem) {
  main { padding: 1.25rem 0.9rem 3rem; }
  .project li { grid-template-columns: auto 1fr; }
  .project li > :last-child { grid-column: 1 / -1; }
  .project li > div:first-child { flex-direction: row; align-items: baseline; }
  html { scroll-padding-top: 1rem; }
  .filters { position: static; display: grid; grid-template-columns: 1fr 1fr; }
  .filters label:first-child, .filters output { grid-column: 1 / -1; }
  .filters label, .filters input, .filters select { width: 100%; min-width: 0; }
  .range { display: block; margin: 0; }
  tbody th { min-width: 8rem; max-width: 9rem; }
}
@media print {
  :root { color-scheme: light; --page: #fff; --stripe: #fff; }
  body { font-size: 9pt; }
  main { max-width: none; padding: 0; }
  .filters, .pager { display: none; }
  .printed-filters:not(:empty) { display: block; }
  .matrix { overflow: visible; max-height: none; border: 0; }
  tbody th, thead th { position: static; }
  thead { display: table-header-group; }
  tr, .project li, .tile { break-inside: avoid; }
  th, td { padding: 0.3rem 0.4rem; min-width: 0 !important; }
  table { table-layout: fixed; }
  thead th { font-size: 0.75rem; overflow-wrap: anywhere; }
  .state { font-size: 0.7rem; white-space: normal; }
  .state:not(.ok) { padding: 0 0.3rem; border-radius: 6px; }
  a { color: inherit; text-decoration: none; }
}
`;
