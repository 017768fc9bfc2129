import { argumentInvalid } from "../../provider/errors/projectServiceError.js";
import { variableEnd, variablePrefix } from "../../provider/settings/foundSettings.js";
import { settingKeys, settingsTable } from "../../provider/settings/settingsTable.js";
import type { Variable } from "../values/variables.js";

const ends = settingKeys.filter((key) => settingsTable[key].secret).map(variableEnd);

/** Matches the variables of the secret settings, in every namespace. Windows does not distinguish upper and lower case. */
const secretSetting = new RegExp(`^${variablePrefix}([A-Z0-9]+_)*(${ends.join("|")})$`, "i");

/**
 * Returns the variables of this process without the secrets of the settings, and with the given variables.
 *
 * @param unset names that this process may have from another project: they are removed.
 * @throws ProjectServiceError `ARGUMENT_INVALID` that names a variable which no environment can carry unchanged.
 */
export function childEnvironment(
  variables: readonly Variable[],
  unset: readonly string[] = [],
): NodeJS.ProcessEnv {
  const env = Object.entries(process.env).filter(
    ([name]) => !secretSetting.test(name) && !unset.includes(name),
  );
  const own = variables.map(({ name, value }) => {
    const text = String(value);
    // Node would throw an error with the value.
    if (!text.includes("\0")) return [name, text];
    throw argumentInvalid(
      `The command cannot get ${name}: its value contains a NUL character, which no variable can have. Correct it in the service.`,
    );
  });
  return Object.fromEntries([...env, ...own]) as NodeJS.ProcessEnv;
}
