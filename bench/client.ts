/*
 * `client.js <contender> <mode> <url> <warm-up url>`: reads all projects of a server once, 16 at the same time, and
 * prints how many ms that took. Before, it reads another server, so that all code is loaded.
 */
import * as pulumi from "@pulumi/pulumi";
import axios from "axios";
import { getProjects } from "../sdk/index.js";

/** Whose values the program uses, as one that passes them to a resource. */
export type Mode = "no credentials" | "one credential of each project" | "all credentials";

interface ReadProject {
  environments: { databases: Record<string, unknown>[] }[];
}

const settings = { realm: "bench", clientId: "bench", username: "bench", password: "bench" };

type Read = (url: string, mode: Mode) => Promise<ReadProject[]>;

export const contenders: Record<"package" | "axios", Read> = {
  package: async (url, mode) => {
    const opts = { connection: { ...settings, baseUrl: url, authUrl: url } };
    const { projects } =
      mode === "no credentials"
        ? await getProjects({ details: true, includeCredentials: false }, opts)
        : await getProjects({ details: true }, opts);
    return projects as unknown as ReadProject[];
  },

  /** As a program does without the package. Node keeps the connections alive. */
  axios: async (url, mode) => {
    const form = new URLSearchParams({ grant_type: "password", ...settings });
    const tokenUrl = `${url}/auth/realms/bench/protocol/openid-connect/token`;
    const { data: token } = await axios.post<{ access_token: string }>(tokenUrl, form);
    const headers = { authorization: `Bearer ${token.access_token}` };
    const listUrl = `${url}/api/project/v5/projects`;
    const { data: list } = await axios.get<WireList>(listUrl, { headers });
    const ids = list._embedded.projectResources.map(({ _id }) => _id);
    const projects: ReadProject[] = [];
    async function readNext(): Promise<void> {
      for (let id = ids.pop(); id !== undefined; id = ids.pop()) {
        const { data } = await axios.get<WireProject>(`${listUrl}/${id}`, { headers });
        projects.push(toProject(data, mode));
      }
    }
    await Promise.all(Array.from({ length: 16 }, readNext));
    return projects;
  },
};

type WireList = { _embedded: { projectResources: { _id: string }[] } };
type WireProject = {
  projectEnvironments: { projectEnvironmentDatabases: { databases: Record<string, unknown>[] } }[];
};

/** Returns the keys of the credentials of a database that the program uses. */
function usedKeys(mode: Mode, isFirstDatabase: boolean): string[] {
  if (mode === "all credentials") return ["username", "password"];
  return mode === "one credential of each project" && isFirstDatabase ? ["password"] : [];
}

function toProject(wire: WireProject, mode: Mode): ReadProject {
  const first = wire.projectEnvironments[0]?.projectEnvironmentDatabases.databases[0];
  const environments = wire.projectEnvironments.map((environment) => ({
    ...environment,
    databases: environment.projectEnvironmentDatabases.databases.map((database) => {
      const used = usedKeys(mode, database === first);
      const secrets = used.map((key) => [key, pulumi.secret(database[key])] as const);
      return { ...database, ...Object.fromEntries<unknown>(secrets) };
    }),
  }));
  return { ...wire, environments };
}

/** Waits for the value of every secret that the program uses, and returns how many there are. */
async function settleSecrets(projects: readonly ReadProject[], mode: Mode): Promise<number> {
  let count = 0;
  for (const { environments } of projects) {
    const databases = environments.flatMap((environment) => environment.databases);
    const used = databases.flatMap((database, index) =>
      usedKeys(mode, index === 0).map((key) => database[key]),
    );
    const secrets = used.filter((value): value is pulumi.Output<unknown> =>
      pulumi.Output.isInstance(value),
    );
    await Promise.all(secrets.map((secret) => new Promise((resolve) => secret.apply(resolve))));
    count += secrets.length;
  }
  return count;
}

async function main([name, mode, url, warmUpUrl]: readonly string[]): Promise<void> {
  const read = contenders[name as keyof typeof contenders];
  await settleSecrets(await read(warmUpUrl as string, mode as Mode), mode as Mode);
  const startMs = performance.now();
  const projects = await read(url as string, mode as Mode);
  const secrets = await settleSecrets(projects, mode as Mode);
  const ms = performance.now() - startMs;
  const printed = JSON.stringify({ ms, projects: projects.length, secrets });
  process.stdout.write(printed, () => process.exit());
}

if (require.main === module) void main(process.argv.slice(2));
