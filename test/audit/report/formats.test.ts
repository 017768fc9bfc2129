import assert from "node:assert/strict";
import stringWidth from "fast-string-width";
import type { Log } from "sarif";
import { type FormatName, formatReport } from "../../../audit/report/formatReport.js";
import type { AuditReport } from "../../../audit/report/report.js";
import { displayText } from "../../../provider/errors/displayText.js";
import { sampleProjects } from "../../../sandbox/index.js";
import { hostileProjects, reportOn } from "../../support/auditReport.js";

const plainTerminal = { width: 100, hasColors: false };

/** One text with the rule, the project id, and the environment as a report shows it, if there is one. */
type Key = string;
const keyOf = (rule: string, projectId: string, environment: string): Key =>
  JSON.stringify([rule, projectId, environment]);

function keysOf({ findings }: AuditReport): Key[] {
  return findings
    .map(({ rule, projectId, environmentId }) =>
      keyOf(rule, projectId, environmentId === undefined ? "" : displayText(environmentId)),
    )
    .sort();
}

/** Read the findings back from each format. */
const readers: Record<FormatName, (text: string) => Key[]> = {
  table: (text) => {
    const [header = "", ...lines] = text.slice(0, text.indexOf("\n\n")).split("\n");
    const titles = ["PROJECT", "ENVIRONMENT", "RULE", "STATE"];
    const starts = titles.map((title) => header.indexOf(title));
    const rows: { project: string; environment: string; rule: string }[] = [];
    for (const line of lines.map(withFillers)) {
      const [name = "", environment = "", rule = "", state = ""] = starts.map((start, column) =>
        line
          .slice(start, starts[column + 1])
          .replaceAll(filler, "")
          .trimEnd(),
      );
      const last = rows.at(-1);
      if (/^(violated|unknown)$/.test(state)) {
        rows.push({ project: name || (last?.project ?? ""), environment, rule });
      } else if (last !== undefined) {
        last.project += name;
        // A message is indented further than a continued environment.
        if (/^\S/.test(environment)) last.environment += environment;
      }
    }
    return rows.map(({ project, environment, rule }) =>
      keyOf(rule, /\(([^()]*)\)$/.exec(project)?.[1] ?? "", environment.replace(/^-$/, "")),
    );
  },
  json: (text) => {
    const { findings } = JSON.parse(text) as AuditReport;
    return findings.map(({ rule, projectId, environmentId }) =>
      keyOf(rule, projectId, displayText(environmentId ?? "")),
    );
  },
  markdown: (text) =>
    text
      .split("\n")
      .filter((line) => /^\| (❌|❔)/.test(line))
      .map((line) => {
        const cells = line.split(/(?<!\\)\|/).map((cell) => unescaped(cell.trim()));
        assert.equal(cells.length, 7, line);
        return keyOf(
          cells[4] ?? "",
          /\(([^()]*)\)$/.exec(cells[2] ?? "")?.[1] ?? "",
          cells[3] ?? "",
        );
      }),
  sarif: (text) => {
    const [run] = (JSON.parse(text) as Log).runs;
    return (run?.results ?? []).map(({ ruleId, ruleIndex, properties }) => {
      assert.equal(run?.tool.driver.rules?.[ruleIndex ?? -1]?.id, ruleId);
      const { projectId, environmentId } = properties as Record<string, string>;
      return keyOf(ruleId ?? "", projectId ?? "", displayText(environmentId ?? ""));
    });
  },
  html: (text) =>
    text
      .split('<section class="project"')
      .slice(1)
      .flatMap((section) => {
        const projectId = /<span class="id"><bdi>(.*?)<\/bdi>/.exec(section)?.[1] ?? "";
        return [...section.matchAll(/data-rule="(.*?)"[^>]*?data-environment="(.*?)"/g)].map(
          ([, rule = "", environment = ""]) => keyOf(rule, projectId, withoutEntities(environment)),
        );
      }),
};

const filler = "\u0000";

/** Adds a filler to each character that takes two columns, so that columns equal string positions. */
function withFillers(line: string): string {
  return line.replace(/\p{Script=Han}/gu, `$&${filler}`);
}

function unescaped(markdown: string): string {
  return withoutEntities(markdown.replace(/\\(.)/g, "$1").replaceAll("\u200b", ""));
}

function withoutEntities(text: string): string {
  const entities: Record<string, string> = { amp: "&", lt: "<", gt: ">", quot: '"', "#39": "'" };
  return text.replace(/&(amp|lt|gt|quot|#39);/g, (_, name: string) => entities[name] ?? "");
}

describe("the report formats", () => {
  const hostileReport = reportOn(hostileProjects());

  for (const format of Object.keys(readers) as FormatName[]) {
    it(`${format} contains all findings of the report, and no others`, () => {
      assert.ok(hostileReport.findings.length > 60);
      assert.deepEqual(
        readers[format](formatReport(hostileReport, format, plainTerminal)).sort(),
        keysOf(hostileReport),
      );
    });
  }

  it("every format says that there are no findings", () => {
    const clean = reportOn(sampleProjects().slice(6, 7));
    for (const format of Object.keys(readers) as FormatName[]) {
      const text = formatReport(clean, format, plainTerminal);
      assert.deepEqual(readers[format](text), [], format);
      if (format !== "sarif")
        assert.match(text, /no findings|"violated": 0|violated<\/dt>\s*<dd>0/i);
    }
  });

  it("the table fits a terminal of 80 to 120 columns, and colors add nothing that the text does not say", () => {
    for (const [width, most] of [
      [20, 80],
      [97, 97],
      [500, 120],
    ] as const) {
      const text = formatReport(hostileReport, "table", { width, hasColors: false });
      const widths = text.split("\n").map((line) => stringWidth(line));
      assert.ok(Math.max(...widths) <= most && Math.max(...widths) > most - 8, String(width));
    }
    const colored = formatReport(hostileReport, "table", { width: 100, hasColors: true });
    assert.match(colored, /\u001b\[31mviolated\u001b\[0m/);
    assert.equal(
      colored.replace(/\u001b\[\d+m/g, ""),
      formatReport(hostileReport, "table", plainTerminal),
    );
  });

  for (const format of Object.keys(readers) as FormatName[]) {
    it(`${format} lets no text of the service move the cursor, change the reading direction or be invisible`, () => {
      const text = formatReport(hostileReport, format, plainTerminal)
        .replaceAll("\n", "")
        .replaceAll(format === "markdown" ? "\u200b" : "\n", ""); // Markdown uses it to break links
      assert.doesNotMatch(text, /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/u);
      assert.match(text, /é 漢字 👩 🏴/u);
    });
  }

  it("Markdown shows the code point of an invisible character, also above U+FFFF", () => {
    const text = formatReport(hostileReport, "markdown", plainTerminal);
    assert.ok(text.includes("u\\{e0041\\}\\\\u0085"), text);
  });

  it("Markdown lets no text of the service be Markdown or HTML, or mention anybody", () => {
    const rows = formatReport(hostileReport, "markdown", plainTerminal)
      .split("\n")
      .filter((line) => line.startsWith("| "));
    for (const row of rows) {
      assert.doesNotMatch(row, /<(?!details|summary|\/)/);
      assert.doesNotMatch(row, /(?<!\\)[`*[\]]|@(?!\u200b)|https:\/\//);
    }
  });

  it("Markdown fits a comment, and counts the findings that do not fit", () => {
    const many = reportOn(Array.from({ length: 60 }, () => hostileProjects()).flat());
    const text = formatReport(many, "markdown", plainTerminal);
    assert.ok(text.length < 65_536);
    const visibleRows = readers.markdown(text).length;
    const hidden = Number(/^(\d+) more findings/m.exec(text)?.[1]);
    assert.ok(visibleRows > 100);
    assert.equal(visibleRows + hidden, many.findings.length);
  });

  it("JSON has the documented fields, with the texts that the service sent", () => {
    const report = JSON.parse(formatReport(hostileReport, "json", plainTerminal)) as Record<
      string,
      unknown
    >;
    assert.deepEqual(Object.keys(report), [
      "formatVersion",
      "tool",
      "service",
      "createdAt",
      "rules",
      "projects",
      "findings",
      "summary",
    ]);
    assert.deepEqual(report["projects"], hostileReport.projects);
  });

  it("SARIF has a place and a unique, stable fingerprint for each finding", () => {
    const read = (report: AuditReport) =>
      (JSON.parse(formatReport(report, "sarif", plainTerminal)) as Log).runs[0]?.results ?? [];
    const results = read(hostileReport);
    for (const { locations, partialFingerprints } of results) {
      const { artifactLocation, region } = locations?.[0]?.physicalLocation ?? {};
      assert.match(artifactLocation?.uri ?? "", /^projects\/[^/\s<>]+(\/[^/\s<>]+)?$/);
      assert.equal(region?.startLine, 1);
      assert.match(partialFingerprints?.["primaryLocationLineHash"] ?? "", /^[0-9a-f]{32}:1$/);
    }
    const prints = (report: AuditReport) =>
      read(report).map((result) => result.partialFingerprints?.["projectServiceFinding/v1"]);
    assert.equal(new Set(prints(hostileReport)).size, results.length);
    const reversed = reportOn(hostileProjects().reverse());
    assert.deepEqual(prints(reversed).sort(), prints(hostileReport).sort());
  });
});
