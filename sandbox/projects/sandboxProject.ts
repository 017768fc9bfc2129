import { projectFields } from "../../provider/model/fields.js";
import { checkProject } from "./checkProjects.js";
import { complete, type DeepPartial, givenList, givenObject } from "./givenFields.js";
import { inventNumber, nameAll } from "./invented.js";
import { emptyOf, type SandboxProject } from "./project.js";
import { completeEnvironment } from "./sandboxEnvironment.js";

/** Some fields of a project in the JSON form of the service, at every depth. Only `name` is required. */
export type SandboxProjectFields = DeepPartial<SandboxProject> & { readonly name: string };

/**
 * Builds a complete project for a sandbox from the fields that a test cares about.
 *
 * Given fields are kept, and all other fields fit them: ids, addresses, paths and references. Each
 * element of a given list is completed. Without `projectEnvironments`, the project has the environment
 * `live` with one database and one asset folder. With the status `AWAITING_INITIAL_DEPLOYMENT`, nothing
 * is initialized. Equal arguments give equal projects, with the same invented credentials.
 *
 * @param fields the name, and any other fields in the JSON form of the service. `undefined` stands for
 *   the default.
 * @throws TypeError for a field that the service does not have, an empty id or name, and an environment
 *   that is given twice. The message names the place.
 *
 * @example
 * const shop = sandboxProject({
 *   name: "shop",
 *   projectEnvironments: [{ projectEnvironmentCode: { webroot: "/srv/shop" } }],
 * });
 * const sandbox = await startSandbox({ projects: [shop] });
 */
export function sandboxProject(fields: SandboxProjectFields): SandboxProject {
  const { projectEnvironments, codeRepository, ...given } = givenObject(fields, "project");
  const { name } = given;
  if (typeof name !== "string" || name === "") {
    throw new TypeError('sandboxProject needs a name, such as sandboxProject({ name: "shop" }).');
  }
  const { _id = `p-${name}`, status = "DEPLOYED", hasCode = true } = given;
  const slug = slugOf(name);
  const environments = givenList(projectEnvironments, "project.projectEnvironments") ?? [{}];
  const environmentIds = nameAll(
    environments.map(({ environmentId }) => environmentId),
    (number) => usualEnvironmentIds[number] ?? `environment-${number + 1}`,
  );
  const orders = nameAll(
    environments.map(({ order }) => order?.toString()),
    (number) => String(number),
  ).map(Number);
  const completed = environments
    .map((environment, index) =>
      completeEnvironment(environment, {
        place: `project.projectEnvironments[${index}]`,
        environmentId: environmentIds[index] as string,
        order: orders[index] as number,
        projectId: _id,
        slug,
        isDeployed: status !== "AWAITING_INITIAL_DEPLOYMENT",
        hasCode,
        hasDatabases: given.hasDatabases ?? true,
        hasAssets: given.hasAssets ?? true,
      }),
    )
    .sort((a, b) => a.order - b.order);
  const project = complete<SandboxProject>(
    {
      ...emptyOf(projectFields),
      _id,
      name,
      type: "SYMFONY",
      status,
      domain: `${slug}.example.com`,
      hasCode,
      hasDatabases: completed.some(
        ({ projectEnvironmentDatabases: { databases } }) => databases.length > 0,
      ),
      hasAssets: completed.some(
        ({ projectEnvironmentAssets: { assetGroups } }) => assetGroups.length > 0,
      ),
      codeRepository: completeRepository(
        givenObject(codeRepository, "project.codeRepository"),
        _id,
        slug,
      ),
      projectEnvironments: completed,
    },
    given,
    "project",
  );
  checkProject(project, "project");
  return project;
}

const usualEnvironmentIds = ["live", "stage", "test", "dev"];

type Repository = SandboxProject["codeRepository"];

function completeRepository(
  given: DeepPartial<Repository>,
  projectId: string,
  slug: string,
): Repository {
  const { gitHost = "git.example.com", group = "web", name = slug } = given;
  return complete<Repository>(
    {
      ...emptyOf(projectFields.codeRepository.fields),
      gitHost,
      group,
      name,
      repositoryId: String(inventNumber(projectId)),
      gitProvider: "GITLAB",
      importRepository: null,
      sshrepoUrl: `git@${gitHost}:${group}/${name}.git`,
    },
    given,
    "project.codeRepository",
  );
}

/** Returns the name in a form that fits into addresses and paths. */
function slugOf(name: string): string {
  const words = name.toLowerCase().match(/[a-z0-9]+/g);
  return words?.join("-") ?? "project";
}
