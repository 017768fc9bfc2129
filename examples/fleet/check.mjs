// Checks that the stacks of all shards together record every project of the service exactly once:
//   node check.mjs
// Reads the service that the PROJECT_SERVICE_* variables name. Exits with 1 if the check fails.
import { getProjects } from "pulumi-project-service";
import { pulumi, shardStacks } from "./stacks.mjs";

/** Returns the stacks that record a project, by project id. */
async function recordingStacks(stacks) {
  const stacksById = new Map();
  for (const stack of stacks) {
    // A stack without any update has no outputs.
    const { projectIds = [] } = JSON.parse(
      await pulumi("stack", "output", "--json", "--stack", stack),
    );
    for (const id of projectIds) stacksById.set(id, [...(stacksById.get(id) ?? []), stack]);
  }
  return stacksById;
}

const stacks = await shardStacks();
const stacksById = await recordingStacks(stacks);
const { projects } = await getProjects();
const listed = new Set(projects.map(({ projectId }) => projectId));

const problems = [
  ...[...listed].filter((id) => !stacksById.has(id)).map((id) => `${id} is in no stack`),
  ...[...stacksById].flatMap(([id, names]) => [
    ...(names.length > 1 ? [`${id} is in ${names.length} stacks: ${names.join(", ")}`] : []),
    ...(listed.has(id) ? [] : [`${id} is in ${names.join(", ")}, but not in the service`]),
  ]),
];
for (const problem of problems) console.error(problem);
if (problems.length > 0) process.exitCode = 1;
else console.log(`Each of ${listed.size} projects is in one of ${stacks.length} stacks.`);
