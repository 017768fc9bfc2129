import { find } from "./elements.js";

/** A print has at most this number of rows in each section. */
const maxPrintedRows = 1_000;

/**
 * Manages a section of the page with a range ("Projects 1–50 of 4,167"), rows, and buttons for the
 * previous and the next page. Only one page of the rows is in the document, which stays small and quick.
 *
 * @param noun of the rows, plural and in lower case.
 * @param draw shows rows. Gets the index of the first of them.
 * @returns a function that replaces the rows, and shows the page with the row at the index.
 */
export function pagedSection<Row>(
  section: HTMLElement,
  noun: string,
  pageSize: number,
  draw: (rows: readonly Row[], firstIndex: number) => void,
): (newRows: readonly Row[], index?: number) => void {
  const title = find(section, "h2");
  const range = find(section, ".range");
  const pager = find(section, ".pager");
  const [previous, next] = pager.querySelectorAll("button") as unknown as [
    HTMLButtonElement,
    HTMLButtonElement,
  ];
  let rows: readonly Row[] = [];
  let first = 0;

  function drawRows(firstIndex: number, count: number): void {
    const end = Math.min(firstIndex + count, rows.length);
    const of = `of ${rows.length.toLocaleString("en")} ${noun}`;
    range.textContent =
      rows.length === 0
        ? `No ${noun} match the filters.`
        : rows.length <= count
          ? `${rows.length.toLocaleString("en")} ${noun}`
          : `${(firstIndex + 1).toLocaleString("en")}–${end.toLocaleString("en")} ${of}`;
    draw(rows.slice(firstIndex, end), firstIndex);
  }

  function drawPage(index: number): void {
    first = index - (index % pageSize);
    drawRows(first, pageSize);
    pager.hidden = rows.length <= pageSize;
    previous.disabled = first === 0;
    next.disabled = first + pageSize >= rows.length;
  }

  function turnTo(index: number): void {
    drawPage(index);
    title.focus({ preventScroll: true });
    title.scrollIntoView();
  }

  previous.addEventListener("click", () => turnTo(first - pageSize));
  next.addEventListener("click", () => turnTo(first + pageSize));
  addEventListener("beforeprint", () => {
    drawRows(0, maxPrintedRows);
    if (rows.length > maxPrintedRows) {
      range.textContent = `This print shows the first ${maxPrintedRows.toLocaleString("en")} of ${rows.length.toLocaleString("en")} ${noun}.`;
    }
  });
  addEventListener("afterprint", () => drawPage(first));

  return (newRows, index = 0) => {
    rows = newRows;
    drawPage(index);
  };
}
