import { displayCount, displayText } from "../provider/errors/displayText.js";
import { argumentInvalid, ProjectServiceError } from "../provider/errors/projectServiceError.js";
import type { ProjectFilter } from "../provider/model/projectFilter.js";
import { readCounter } from "../provider/reading/progress.js";
import type { Settings } from "../provider/settings/resolveSettings.js";
import { withoutCredentials } from "../provider/wire/credentials.js";
import { checkArgument } from "../provider/wire/validate.js";
import { serviceWith } from "./commandSettings.js";
import type { OptionValues } from "./commandLine.js";
import { showProgressLine } from "./standardStreams.js";

export const filterUsage = `\
  --filter <condition>     only these projects: name=shop (whole value),
                           "name*=sho" (a part of it), "type=TYPO3|WORDPRESS"
                           (any of these values); all must match
  --exclude <condition>    not these projects; can be repeated`;

export const filterOptions = {
  filter: { type: "string", multiple: true, default: [] as string[] },
  exclude: { type: "string", multiple: true, default: [] as string[] },
} as const;

/** Which projects a command reads. */
export interface Selection {
  readonly filters: readonly ProjectFilter[];
  readonly excluded: readonly ProjectFilter[];
}

export function parseSelection(options: OptionValues<typeof filterOptions>): Selection {
  return {
    filters: options.filter.map((text) => parseFilter("--filter", text)),
    excluded: options.exclude.map((text) => parseFilter("--exclude", text)),
  };
}

/** Returns the filter that a condition names: `<key>=<value>` or `<key>*=<value>`, with `|` between values. */
function parseFilter(name: string, text: string): ProjectFilter {
  const [, key, operator, value = ""] = /^([^=*]*)(\*?=)(.*)$/s.exec(text) ?? [];
  const option = `${name} ${displayText(text, 200)}`;
  if (operator === undefined) {
    throw argumentInvalid(
      `${option} must be a key, an operator and a value, such as name*=shop. The operators are = for the whole value and *= for a part of it.`,
    );
  }
  const matchBy = operator === "=" ? "exact" : "substring";
  const filter = { key, values: value.split("|"), matchBy };
  const at = (path: string) => `${option}: the ${path === "key" ? "key" : "value"}`;
  return checkArgument("isFilter", filter, option, at);
}

/**
 * Reads the projects that match the filters, without credentials. In a terminal, shows how far it is.
 *
 * @param verb what the command does with the projects, for instance `audit`.
 * @param advice what to do if a project cannot be read. Without it, the command goes on.
 * @throws ProjectServiceError `NOT_FOUND` if there are none, or the code of a project that cannot be read.
 */
export async function readFleet(
  settings: Settings,
  { filters, excluded }: Selection,
  verb: string,
  advice?: string,
) {
  const service = await serviceWith(settings);
  const { onProgress, text } = readCounter(() => service.slowness);
  const onInaccessible = advice === undefined ? "skip" : "fail";
  const options = { excluded, onInaccessible, advice, onProgress } as const;
  const { projects, inaccessible, listed } = await showProgressLine(text, () =>
    service.readProjects(filters, withoutCredentials, options),
  );
  if (projects.length + inaccessible.length === 0) {
    const subject = excluded.length > 0 ? "--filter and --exclude leave" : "--filter matches";
    throw new ProjectServiceError(
      "NOT_FOUND",
      listed.length === 0
        ? `The user in the setting username has access to no project, so there is nothing to ${verb}. Ask for access to projects.`
        : `${subject} none of ${displayCount(listed.length, "project")}, so there is nothing to ${verb}. Check the keys and values, and write | between several values.`,
    );
  }
  return { projects, inaccessible, listed };
}
