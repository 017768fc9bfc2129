/* Mocha loads this file before all tests: the variables of the developer's own service are not for them. */
import { variablePrefix } from "../../provider/settings/foundSettings.js";

for (const name of Object.keys(process.env)) {
  if (name.startsWith(variablePrefix)) delete process.env[name];
}
