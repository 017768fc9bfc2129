/*
 * How runners read commands in a log, written after their source: `ActionCommand.TryParse` and
 * `TryParseV2` of actions/runner, `Command.TryParse` of microsoft/azure-pipelines-agent, and the
 * documentation of TeamCity's service messages. That .NET ignores some characters is left out.
 */

/** Returns the commands that a runner finds in a text, each as its line. */
export function commandsIn(log: string): string[] {
  return log
    .split(/\r\n|\r|\n/)
    .filter((line) => isGithubCommand(line) || /##\[|##vso\[|##teamcity\[/i.test(line));
}

/** The registered commands, and one word after which the runner of a job could have been stopped. */
const githubCommands = new Set([
  ...["add-mask", "add-matcher", "add-path", "debug", "echo", "endgroup", "error", "group"],
  ...["internal-set-repo-path", "notice", "remove-matcher", "save-state", "set-env", "set-output"],
  ...["stop-commands", "warning", "resume-token"],
]);

function isGithubCommand(line: string): boolean {
  const message = line.replace(/^[\s\u0085]+/, "");
  if (!message.startsWith("::")) return false;
  const end = message.indexOf("::", 2);
  if (end < 0) return false;
  const [name = ""] = message.slice(2, end).split(" ");
  return githubCommands.has(name.toLowerCase());
}
