import { resolveSettings, type Settings } from "../../provider/settings/resolveSettings.js";
import { findInConnection } from "../../provider/settings/foundSettings.js";

/** Resolves settings from a connection object alone. */
export function settingsOf(values: Record<string, unknown>): Settings {
  return resolveSettings(findInConnection(values));
}
