import assert from "node:assert/strict";
import type { Log } from "sarif";
import { type FormatName, formatReport } from "../../audit/formats/formatReport.js";
import { widthOf } from "../../audit/formats/textWidth.js";
import type { AuditReport } from "../../audit/report.js";
import { shown } from "../../provider/shown.js";
import { sampleProjects } from "../../sandbox/index.js";
import { hostileProjects, reportOn } from "../support/auditReport.js";

const plain = { width: 100, hasColors: false };

/** Rule, id of the project, environment as a report shows it or nothing, in one text. */
type Key = string;
const keyOf = (rule: string, projectId: string, environment: string): Key =>
  JSON.stringify([rule, projectId, environment]);

function keysOf({ findings }: AuditReport): Key[] {
  return findings
    .map(({ rule, projectId, environmentId }) =>
      keyOf(rule, projectId, environmentId === undefined ? "" : shown(environmentId)),
    )
    .sort();
}

/** How the findings are read back from each format. */
const readers: Record<FormatName, (text: string) => Key[]> = {
  table: (text) => {
    const [header = "", ...lines] = text.slice(0, text.indexOf("\n\n")).split("\n");
    const titles = ["PROJECT", "ENVIRONMENT", "RULE", "STATE"];
    const starts = titles.map((title) => header.indexOf(title));
    const rows: { project: string; environment: string; rule: string }[] = [];
    for (const line of lines.map(inColumns)) {
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
        // A message is further in than an environment that goes on.
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
      keyOf(rule, projectId, shown(environmentId ?? "")),
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
      return keyOf(ruleId ?? "", projectId ?? "", shown(environmentId ?? ""));
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

/** A character that takes two columns, and is one unit of the text, gets a filler. */
function inColumns(line: string): string {
  return line.replace(/\p{Script=Han}/gu, `$&${filler}`);
}

function unescaped(markdown: string): string {
  return withoutEntities(markdown.replace(/\\(.)/g, "$1").replaceAll("\u200b", ""));
}

function withoutEntities(text: string): string {
  const entities: Record<string, string> = { amp: "&", lt: "<", gt: ">", quot: '"', "#39": "'" };
  return text.replace(/&(amp|lt|gt|quot|#39);/g, (_, name: string) => entities[name] ?? "");
}

describe("the formats of the audit", () => {
  const hostile = reportOn(hostileProjects());

  for (const format of Object.keys(readers) as FormatName[]) {
    it(`agree on the findings: ${format}`, () => {
      assert.ok(hostile.findings.length > 60);
      assert.deepEqual(
        readers[format](formatReport(hostile, format, plain)).sort(),
        keysOf(hostile),
      );
    });
  }

  it("agree that there are none", () => {
    const clean = reportOn(sampleProjects().slice(6, 7));
    for (const format of Object.keys(readers) as FormatName[]) {
      const text = formatReport(clean, format, plain);
      assert.deepEqual(readers[format](text), [], format);
      if (format !== "sarif")
        assert.match(text, /no findings|"violated": 0|violated<\/dt>\s*<dd>0/i);
    }
  });

  it("fit a terminal of 80 to 120 columns, and color only what says by its text the same", () => {
    for (const [width, most] of [
      [20, 80],
      [97, 97],
      [500, 120],
    ] as const) {
      const text = formatReport(hostile, "table", { width, hasColors: false });
      const widths = text.split("\n").map(widthOf);
      assert.ok(Math.max(...widths) <= most && Math.max(...widths) > most - 8, String(width));
    }
    const colored = formatReport(hostile, "table", { width: 100, hasColors: true });
    assert.match(colored, /\u001b\[31mviolated\u001b\[0m/);
    assert.equal(colored.replace(/\u001b\[\d+m/g, ""), formatReport(hostile, "table", plain));
  });

  for (const format of Object.keys(readers) as FormatName[]) {
    it(`let no text of the service move the cursor, turn the reading direction or be unseen: ${format}`, () => {
      const text = formatReport(hostile, format, plain)
        .replaceAll("\n", "")
        .replaceAll(format === "markdown" ? "\u200b" : "\n", ""); // where it parts what would be a link
      assert.doesNotMatch(text, /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/u);
      assert.match(text, /é 漢字 👩 🏴/u);
    });
  }

  it("show a character that is not seen by its code point, above U+FFFF too", () => {
    const text = formatReport(hostile, "markdown", plain);
    assert.ok(text.includes("u\\{e0041\\}\\\\u0085"), text);
  });

  it("let no text of the service be Markdown or HTML, nor mention anybody", () => {
    const rows = formatReport(hostile, "markdown", plain)
      .split("\n")
      .filter((line) => line.startsWith("| "));
    for (const row of rows) {
      assert.doesNotMatch(row, /<(?!details|summary|\/)/);
      assert.doesNotMatch(row, /(?<!\\)[`*[\]]|@(?!\u200b)|https:\/\//);
    }
  });

  it("fit a comment, and count what does not", () => {
    const many = reportOn(Array.from({ length: 60 }, () => hostileProjects()).flat());
    const text = formatReport(many, "markdown", plain);
    assert.ok(text.length < 65_536);
    const shownRows = readers.markdown(text).length;
    const hidden = Number(/^(\d+) more findings/m.exec(text)?.[1]);
    assert.ok(shownRows > 100);
    assert.equal(shownRows + hidden, many.findings.length);
  });

  it("are JSON with the documented fields, texts as the service sent them", () => {
    const report = JSON.parse(formatReport(hostile, "json", plain)) as Record<string, unknown>;
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
    assert.deepEqual(report["projects"], hostile.projects);
  });

  it("are SARIF with a place for each finding, and fingerprints that only it has and keeps", () => {
    const read = (report: AuditReport) =>
      (JSON.parse(formatReport(report, "sarif", plain)) as Log).runs[0]?.results ?? [];
    const results = read(hostile);
    for (const { locations, partialFingerprints } of results) {
      const { artifactLocation, region } = locations?.[0]?.physicalLocation ?? {};
      assert.match(artifactLocation?.uri ?? "", /^projects\/[^/\s<>]+(\/[^/\s<>]+)?$/);
      assert.equal(region?.startLine, 1);
      assert.match(partialFingerprints?.["primaryLocationLineHash"] ?? "", /^[0-9a-f]{32}:1$/);
    }
    const prints = (report: AuditReport) =>
      read(report).map((result) => result.partialFingerprints?.["projectServiceFinding/v1"]);
    assert.equal(new Set(prints(hostile)).size, results.length);
    const reversed = reportOn(hostileProjects().reverse());
    assert.deepEqual(prints(reversed).sort(), prints(hostile).sort());
  });
});
