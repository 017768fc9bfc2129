import { resolveSettings, type Settings } from "../../provider/settings/resolveSettings.js";
import { connectionSource } from "../../provider/settings/settingSources.js";

/** Resolves settings from a connection object alone. */
export function settingsOf(
  values: Record<string, unknown>,
  findProxy: (address: string) => string | undefined = () => undefined,
): Settings {
  return resolveSettings([connectionSource(values)], findProxy);
}
