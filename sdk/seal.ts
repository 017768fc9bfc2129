import * as pulumi from "@pulumi/pulumi";
import type { Sealer } from "../provider/mapping.js";
import type { CodeRepository, Database } from "../provider/project.js";
import type { CodeRepositoryWithImport, DatabaseWithCredentials } from "./credentials.js";

/**
 * Wraps each credential by itself, so that what stands beside it stays plain.
 *
 * A secret Output costs about 6 KB and 30 µs; one is made when it is first read.
 */
export const sealed: Sealer<CodeRepositoryWithImport, DatabaseWithCredentials> = {
  database(database, { username, password }) {
    defineSecret(database, "username", username);
    defineSecret(database, "password", password);
    return database as DatabaseWithCredentials;
  },
  repository(repository, importRepository) {
    if (importRepository === undefined || importRepository === null) {
      return { ...repository, importRepository: importRepository as null };
    }
    defineSecret(repository, "importRepository", importRepository);
    return repository as CodeRepositoryWithImport;
  },
};

/** Gives the secret Output of a credential, which it makes at the first call. */
interface SecretGetter {
  (): pulumi.Output<unknown>;
  captureReplacement?: typeof captureReplacement;
}

/** Defines a property that becomes a secret Output when it is first read. */
function defineSecret(object: object, key: string, value: unknown): void {
  let secret: pulumi.Output<unknown> | undefined;
  const get: SecretGetter = () => (secret ??= pulumi.secret(value));
  get.captureReplacement = captureReplacement;
  descriptor.get = get;
  Object.defineProperty(object, key, descriptor);
}

/** One object for all properties: a fleet has thousands, and each object more is measurable. */
const descriptor: PropertyDescriptor = { enumerable: true, configurable: true };

/**
 * What Pulumi serializes in place of a getter.
 *
 * Pulumi serializes a closure together with the getters of the objects that it captures, and with
 * the raw values behind those getters. The replacement has the Output behind it instead. Pulumi then
 * knows that the text holds a secret, and encrypts it.
 */
function captureReplacement(this: SecretGetter): () => pulumi.Output<unknown> {
  const secret = this();
  return () => secret;
}

/** Leaves the credentials out, keys and all. */
export const withoutCredentials: Sealer<CodeRepository, Database> = {
  database: (facts) => facts,
  repository: (facts) => facts,
};
