import { type IncomingMessage, type ServerResponse } from "node:http";
import { connectionTo, sendJson, startScriptedServer } from "./scriptedServer.js";
import { sampleProjects, type SandboxProject } from "./testSandbox.js";

/** A service whose answers lack projects, in the ways that services and what stands before them do so. */
export interface FleetServer {
  readonly url: string;
  readonly connection: ReturnType<typeof connectionTo>;
  /** Its settings, for a command. */
  readonly variables: Readonly<Record<string, string>>;
  projects: SandboxProject[];
  /** The list omits these. They can be read. */
  readonly unlisted: Set<string>;
  /** What the list has of a project, in place of its full form. */
  readonly listForms: Map<string, object>;
  /** Neither the list of this user nor a read has these. */
  readonly hiddenFrom: Map<string, ReadonlySet<string>>;
  /** Responds to the reads of projects, or with the key `projects` to that of the list. */
  readonly reads: Map<string, (response: ServerResponse) => void>;
  /** One of so many servers behind a balancer has no `lostIds`. The balancer chooses for each connection. */
  nodes: number;
  readonly lostIds: Set<string>;
  /** How many requests there were for the list, and for each project. */
  readonly counts: Map<string, number>;
  reset(): void;
}

/** Starts the service, with the first projects of the sandbox. */
export async function startFleetServer(size = 5): Promise<FleetServer> {
  const server = await startScriptedServer();
  const initial = () => sampleProjects().slice(0, size);
  const nodeOf = new WeakMap<object, number>();
  let connections = 0;
  const connection = connectionTo(server.url);
  const { baseUrl, realm, clientId, username, password } = connection;
  const fleet: FleetServer = {
    url: server.url,
    connection,
    variables: {
      ...{ PROJECT_SERVICE_BASE_URL: baseUrl, PROJECT_SERVICE_AUTH_URL: baseUrl },
      ...{ PROJECT_SERVICE_REALM: realm, PROJECT_SERVICE_CLIENT_ID: clientId },
      ...{ PROJECT_SERVICE_USERNAME: username, PROJECT_SERVICE_PASSWORD: password },
    },
    projects: initial(),
    unlisted: new Set(),
    listForms: new Map(),
    hiddenFrom: new Map(),
    reads: new Map(),
    nodes: 1,
    lostIds: new Set(),
    counts: new Map(),
    reset() {
      this.projects = initial();
      this.nodes = 1;
      const { unlisted, listForms, hiddenFrom, reads, lostIds, counts } = this;
      for (const each of [unlisted, listForms, hiddenFrom, reads, lostIds, counts]) each.clear();
    },
  };
  server.respond = (request, response, body) => {
    const id = (request.url ?? "").split("/").at(-1) as string;
    if (id === "token") {
      // The token says who has signed in.
      const token = new URLSearchParams(body).get("username");
      return sendJson(response, 200, { access_token: token, expires_in: 900 });
    }
    fleet.counts.set(id, (fleet.counts.get(id) ?? 0) + 1);
    const respond = fleet.reads.get(id);
    if (respond !== undefined) return respond(response);
    const visible = visibleTo(request);
    if (id === "projects") {
      const projectResources = visible
        .filter(({ _id }) => !fleet.unlisted.has(_id))
        .map((project) => fleet.listForms.get(project._id) ?? project);
      return sendJson(response, 200, { _embedded: { projectResources } });
    }
    const project = visible.find(({ _id }) => _id === id);
    sendJson(response, project === undefined ? 404 : 200, project ?? { error: "Not Found" });
  };

  function visibleTo({ socket, headers }: IncomingMessage): SandboxProject[] {
    if (!nodeOf.has(socket)) nodeOf.set(socket, connections++);
    const hasLost = fleet.nodes > 1 && (nodeOf.get(socket) as number) % fleet.nodes === 0;
    const user = (headers.authorization ?? "").replace(/^Bearer /, "");
    const hidden = fleet.hiddenFrom.get(user);
    return fleet.projects.filter(
      ({ _id }) => !(hasLost && fleet.lostIds.has(_id)) && !hidden?.has(_id),
    );
  }

  return fleet;
}

/** Responds as a gateway: with a page that is not JSON. */
export const page =
  (status: number) =>
  (response: ServerResponse): void =>
    void response.writeHead(status, { "content-type": "text/plain" }).end(`${status} page`);
