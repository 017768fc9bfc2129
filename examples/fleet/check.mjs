// Checks that the stacks of the shards together record every project of the service exactly once:
//   node check.mjs
// Reads the service that the PROJECT_SERVICE_* variables name; exits with 1 if it is not so.
import { getProjects } from "pulumi-project-service";
import { pulumi, shardStacks } from "./stacks.mjs";

/** Which stacks record a project, by its id. */
async function recorded(stacks) {
  const holders = new Map();
  for (const stack of stacks) {
    // A stack that was never updated has no outputs.
    const { projectIds = [] } = JSON.parse(
      await pulumi("stack", "output", "--json", "--stack", stack),
    );
    for (const id of projectIds) holders.set(id, [...(holders.get(id) ?? []), stack]);
  }
  return holders;
}

const stacks = await shardStacks();
const holders = await recorded(stacks);
const { projects } = await getProjects();
const listed = new Set(projects.map(({ projectId }) => projectId));

const problems = [
  ...[...listed].filter((id) => !holders.has(id)).map((id) => `${id} is in no stack`),
  ...[...holders].flatMap(([id, of]) => [
    ...(of.length > 1 ? [`${id} is in ${of.length} stacks: ${of.join(", ")}`] : []),
    ...(listed.has(id) ? [] : [`${id} is in ${of.join(", ")}, but not in the service`]),
  ]),
];
for (const problem of problems) console.error(problem);
if (problems.length > 0) process.exitCode = 1;
else console.log(`Each of ${listed.size} projects is in one of ${stacks.length} stacks.`);
