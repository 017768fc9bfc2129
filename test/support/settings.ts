import { resolveSettings, type Settings } from "../../provider/resolveSettings.js";
import { connectionSource } from "../../provider/settingSources.js";

/** Settings from the values of a connection object alone. */
export function settingsOf(
  values: Record<string, unknown>,
  findProxy: (address: string) => string | undefined = () => undefined,
): Settings {
  return resolveSettings([connectionSource(values)], findProxy);
}
