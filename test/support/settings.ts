import { resolveSettings, type Settings } from "../../provider/settings.js";

/** Settings from plain values, as a program outside Pulumi would resolve them. */
export function settingsOf(values: Record<string, unknown>): Settings {
  return resolveSettings({
    find: (key) =>
      key in values ? { value: values[key], source: key, remedy: `Change ${key}.` } : undefined,
    remedy: (key) => `set ${key}`,
    proxyFor: () => undefined,
    problems: [],
  });
}
