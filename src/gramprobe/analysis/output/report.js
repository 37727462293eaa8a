// Sorts and filters tables, and offers each figure as a file. The page is complete without it.
"use strict";
function sortable(cell) {
  const number = parseFloat(cell.textContent.replace(/−/g, "-").replace(/,/g, "").replace(/^< ?\./, "0."));
  return Number.isNaN(number) ? null : number;
}
function sort(table, column, heading) {
  const down = heading.getAttribute("aria-sort") === "ascending";
  for (const other of table.tHead.querySelectorAll("[aria-sort]")) other.removeAttribute("aria-sort");
  heading.setAttribute("aria-sort", down ? "descending" : "ascending");
  const numeric = heading.classList.contains("number");
  const body = table.tBodies[0], runs = [[]];
  for (const row of [...body.rows]) {
    if (row.classList.contains("section")) runs.push([row], []);
    else runs[runs.length - 1].push(row);
  }
  for (const run of runs) {
    const keyed = run.map((row) => [row, row.cells[column]]);
    if (run.length > 1) {
      keyed.sort(([, a], [, b]) => {
        if (!numeric) return (down ? -1 : 1) * a.textContent.localeCompare(b.textContent);
        const [x, y] = [sortable(a), sortable(b)];
        if (x === null || y === null) return (x === null) - (y === null);
        return down ? y - x : x - y;
      });
    }
    for (const [row] of keyed) body.append(row);
  }
}
for (const table of document.querySelectorAll("main table")) {
  const rows = [...table.tBodies[0].rows].filter((row) => !row.classList.contains("section"));
  if (rows.length < 2) continue;
  [...table.tHead.rows[table.tHead.rows.length - 1].cells].forEach((heading, column) => {
    const button = document.createElement("button");
    button.append(...heading.childNodes);
    button.title = "sort by this column";
    button.addEventListener("click", () => sort(table, column, heading));
    heading.append(button);
  });
  if (rows.length < 12) continue;
  const field = document.createElement("input");
  field.type = "search";
  field.placeholder = "only rows with ...";
  field.setAttribute("aria-label", "Only rows with this text in " + table.caption.textContent);
  field.addEventListener("input", () => {
    const wanted = field.value.toLowerCase();
    for (const row of rows) row.hidden = !row.textContent.toLowerCase().includes(wanted);
  });
  table.before(field);
}
for (const figure of document.querySelectorAll("figure[data-name]")) {
  const link = document.createElement("a");
  link.href = figure.querySelector("img").src;
  link.download = figure.dataset.name + ".svg";
  link.textContent = "svg";
  link.className = "file";
  figure.querySelector("figcaption").append(" ", link);
}
addEventListener("beforeprint", () => {
  for (const part of document.querySelectorAll("details")) part.open = true;
  for (const row of document.querySelectorAll("tr[hidden]")) row.hidden = false;
});
