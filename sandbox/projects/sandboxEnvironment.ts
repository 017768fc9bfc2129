import { projectFields } from "../../provider/model/fields.js";
import { completeAssets } from "./sandboxAssets.js";
import { complete, type DeepPartial, givenList, givenObject } from "./givenFields.js";
import { inventCredential, inventNumber, inventUsername, nameAll } from "./invented.js";
import { emptyOf, type SandboxDatabase, type SandboxEnvironment } from "./project.js";

/** The place of an environment in its project, and the fields of the project that decide its defaults. */
export interface EnvironmentContext {
  /** For messages. */
  readonly place: string;
  readonly environmentId: string;
  readonly order: number;
  readonly projectId: string;
  /** The name of the project in a form that fits into paths. */
  readonly slug: string;
  readonly isDeployed: boolean;
  readonly hasCode: boolean;
  readonly hasDatabases: boolean;
  readonly hasAssets: boolean;
}

type Code = SandboxEnvironment["projectEnvironmentCode"];
type Databases = SandboxEnvironment["projectEnvironmentDatabases"];

const fields = projectFields.environments.of;
const emptyEnvironment = emptyOf(fields);
const deploymentTime = "2026-03-02T09:30:00Z";
const branches: ReadonlyMap<string, string> = new Map([
  ["live", "main"],
  ["stage", "release"],
]);

/** Returns an environment with every field that is not given. */
export function completeEnvironment(
  fields: DeepPartial<SandboxEnvironment>,
  context: EnvironmentContext,
): SandboxEnvironment {
  const {
    projectEnvironmentAssets,
    projectEnvironmentCode,
    projectEnvironmentDatabases,
    symLinks,
    ...given
  } = fields;
  const { place, environmentId, order, projectId, slug, isDeployed } = context;
  const root = `/var/www/${slug}/${environmentId}`;
  const firstAssociationId = inventNumber(projectId) * 10_000 + order * 1000;
  const code = completeCode(projectEnvironmentCode, root, context);
  const assets = completeAssets(projectEnvironmentAssets, symLinks, {
    place,
    environmentId,
    idPrefix: `${projectId}-${environmentId}`,
    root,
    webroot: code.webroot,
    firstAssociationId,
    hasAssets: context.hasAssets,
    initialized: isDeployed ? deploymentTime : null,
  });
  return complete<SandboxEnvironment>(
    {
      ...emptyEnvironment,
      environmentId,
      order,
      projectEnvironmentAssets: assets.assets,
      projectEnvironmentCode: code,
      projectEnvironmentDatabases: completeDatabases(
        projectEnvironmentDatabases,
        firstAssociationId + 500,
        context,
      ),
      symLinks: assets.symLinks,
    },
    given,
    place,
  );
}

function completeCode(
  fields: DeepPartial<Code> | undefined,
  root: string,
  { place: parent, environmentId, isDeployed, hasCode }: EnvironmentContext,
): Code {
  const place = `${parent}.projectEnvironmentCode`;
  const { branch, ...given } = givenObject(fields, place);
  const { initialized = isDeployed && hasCode ? deploymentTime : null } = given;
  const { deploymentsToKeep = environmentId === "live" ? 5 : 3 } = given;
  const deployments = initialized === null ? [] : ["20260302093000", "20260224141500"];
  return complete<Code>(
    {
      ...emptyEnvironment.projectEnvironmentCode,
      branch: complete<Code["branch"]>(
        {
          ...emptyEnvironment.projectEnvironmentCode.branch,
          name: branches.get(environmentId) ?? "develop",
          guarded: environmentId === "live",
        },
        givenObject(branch, `${place}.branch`),
        `${place}.branch`,
      ),
      currentTag: initialized === null ? "" : "v1.0.0",
      deploymentTargetGroupId: `tg-${environmentId}-code`,
      webroot: `${root}/current/public`,
      webServer: "APACHE",
      initialized,
      importBranchOrTag: null,
      latestDeploymentPaths: deployments
        .filter((_, index) => index < deploymentsToKeep)
        .map((deployment) => `${root}/releases/${deployment}`),
      deploymentsToKeep,
    },
    given,
    place,
  );
}

function completeDatabases(
  givenFields: DeepPartial<Databases> | undefined,
  firstAssociationId: number,
  { place: parent, environmentId, projectId, slug, isDeployed, hasDatabases }: EnvironmentContext,
): Databases {
  const place = `${parent}.projectEnvironmentDatabases`;
  const { databases, ...given } = givenObject(givenFields, place);
  const listPlace = `${place}.databases`;
  const listed = givenList(databases, listPlace) ?? (hasDatabases ? [{}] : []);
  const prefix = slug.replaceAll("-", "_");
  const names = nameAll(
    listed.map(({ name }) => name),
    (number) => `${prefix}${number === 0 ? "" : `_${number + 1}`}_${environmentId}`,
  );
  return complete<Databases>(
    {
      ...emptyEnvironment.projectEnvironmentDatabases,
      deploymentTargetGroupId: `tg-${environmentId}-databases`,
      databases: listed.map((database, index) => {
        const name = names[index] as string;
        return complete<SandboxDatabase>(
          {
            ...emptyOf(fields.databases.of),
            name,
            associationId: firstAssociationId + index,
            databaseType: "MYSQL",
            username: inventUsername(prefix, projectId, environmentId, name),
            password: inventCredential(environmentId, name, projectId),
            allowedIP: "203.0.113.7",
          },
          database,
          `${listPlace}[${index}]`,
        );
      }),
      initialized: isDeployed,
    },
    given,
    place,
  );
}
