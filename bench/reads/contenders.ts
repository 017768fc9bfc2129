import * as http from "node:http";
import * as pulumi from "@pulumi/pulumi";
import axios from "axios";
import { Pool } from "undici";
import { createReport } from "../../audit/report/createReport.js";
import { houseRules } from "../../audit/houseRules/houseRules.js";
import { readProjects } from "../../command/readProjects.js";
import { getProjectService } from "../../provider/service/projectService.js";
import { resolveSettings } from "../../provider/settings/resolveSettings.js";
import { findInConfig } from "../../provider/settings/settingSources.js";
import { getProjects } from "../../sdk/index.js";
import { connectionTo } from "./serverProcess.js";

/**
 * How a contender treats credentials: it leaves them out (`none`), it returns them as secret Outputs
 * (`available`), or it also waits for the value of each one (`settled`), as a program does that passes
 * each of them to a resource.
 */
export type CredentialsMode = "none" | "available" | "settled";
export const credentialsModes: readonly CredentialsMode[] = ["none", "available", "settled"];

interface ReadProject {
  environments: { databases: object[] }[];
}

/** A way to read all projects of a server, at most 16 of them at the same time. */
export type Contender = (url: string, mode: CredentialsMode) => Promise<ReadProject[]>;

const concurrency = 16;

/** Reads as a hand-written program does: sign in, list, read each project, mark the secrets. */
function byHand(createGet: (url: string) => Get): Contender {
  return async (url, mode) => {
    const get = createGet(url);
    const form = new URLSearchParams({ grant_type: "password", ...connectionTo(url) });
    const tokenUrl = `${url}/auth/realms/bench/protocol/openid-connect/token`;
    const { access_token } = (await get(tokenUrl, {}, form.toString())) as { access_token: string };
    const headers = { authorization: `Bearer ${access_token}` };
    const projectsUrl = `${url}/api/project/v5/projects`;
    const list = (await get(projectsUrl, headers)) as WireList;
    const ids = list._embedded.projectResources.map(({ _id }) => _id);
    const projects = new Array<ReadProject>(ids.length);
    let next = 0;
    async function readNext(): Promise<void> {
      while (next < ids.length) {
        const index = next++;
        const wire = (await get(`${projectsUrl}/${ids[index]}`, headers)) as WireProject;
        projects[index] = toProject(wire, mode !== "none");
      }
    }
    await Promise.all(Array.from({ length: concurrency }, readNext));
    return projects;
  };
}

type Get = (url: string, headers: Record<string, string>, form?: string) => Promise<unknown>;

interface WireList {
  _embedded: { projectResources: { _id: string }[] };
}

interface WireProject {
  projectEnvironments: { projectEnvironmentDatabases: { databases: Record<string, unknown>[] } }[];
}

function toProject(wire: WireProject, withCredentials: boolean): ReadProject {
  const environments = wire.projectEnvironments.map((environment) => ({
    ...environment,
    databases: environment.projectEnvironmentDatabases.databases.map((database) =>
      withCredentials
        ? {
            ...database,
            username: pulumi.secret(database["username"]),
            password: pulumi.secret(database["password"]),
          }
        : database,
    ),
  }));
  return { ...wire, environments };
}

const formType = { "content-type": "application/x-www-form-urlencoded" };

/** axios with its default settings. */
const withAxios = byHand(() => async (url, headers, form) => {
  const { data } = await (form === undefined
    ? axios.get<unknown>(url, { headers })
    : axios.post<unknown>(url, form, { headers: formType }));
  return data;
});

/** The client of Node, with keep-alive. */
const withNodeHttp = byHand(() => {
  const agent = new http.Agent({ keepAlive: true, maxSockets: concurrency });
  return async (url, headers, form) => {
    const body = await new Promise<Buffer>((resolve, reject) => {
      const method = form === undefined ? "GET" : "POST";
      const allHeaders = form === undefined ? headers : formType;
      const request = http.request(url, { agent, method, headers: allHeaders }, (response) => {
        const chunks: Buffer[] = [];
        response.on("data", (chunk: Buffer) => chunks.push(chunk));
        response.on("end", () => resolve(Buffer.concat(chunks)));
      });
      request.on("error", reject);
      request.end(form);
    });
    return JSON.parse(body.toString("utf8")) as unknown;
  };
});

/** undici with the same number of connections. */
const withUndici = byHand((origin) => {
  const pool = new Pool(origin, { connections: concurrency });
  return async (url, headers, form) => {
    const { body } = await pool.request(
      form === undefined
        ? { path: url.slice(origin.length), method: "GET", headers }
        : { path: url.slice(origin.length), method: "POST", headers: formType, body: form },
    );
    return body.json();
  };
});

const withPackage: Contender = async (url, mode) => {
  const opts = { connection: connectionTo(url) };
  const { projects } =
    mode === "none"
      ? await getProjects({ details: true, includeCredentials: false }, opts)
      : await getProjects({ details: true }, opts);
  return projects;
};

const auditContext = {
  tool: { name: "pulumi-project-service", version: "0.0.0" },
  service: "https://projects.example.com/api/project/v5",
  createdAt: "2026-03-02T09:30:00.000Z",
  failOn: "note" as const,
  acceptedEntries: [],
};
/** With more findings than the defaults make. */
const rules = houseRules({ keptDeployments: { minimum: 6 } });

/** Reads the projects without their credentials and judges them, as `project-service audit` does. */
const withAudit: Contender = async (url) => {
  const connection: Record<string, string> = connectionTo(url);
  const configured = (fullKey: string) => connection[fullKey.replace("bench:", "")];
  const service = getProjectService(resolveSettings(findInConfig("bench", configured)), () => {});
  const { projects } = await readProjects(service, [], "fail", undefined);
  const { findings } = createReport(
    { ...auditContext, scope: { filters: [], listedProjects: projects.length } },
    projects,
    rules.filter(({ snapshotsOnly }) => !snapshotsOnly),
  );
  if (findings.length < projects.length) throw new Error("The audit has too few findings.");
  return projects as ReadProject[];
};

/** The clients that are compared with each other. */
export const clients = ["package", "axios", "node:http", "undici"];

/** All contenders by name. `audit` is compared with `package` alone. */
export const contenders: Record<string, Contender> = {
  package: withPackage,
  axios: withAxios,
  "node:http": withNodeHttp,
  undici: withUndici,
  audit: withAudit,
};
