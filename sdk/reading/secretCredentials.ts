import type * as pulumi from "@pulumi/pulumi";
import type { CredentialsMapper } from "../../provider/wire/mapping.js";
import type { CodeRepositoryWithImport, DatabaseWithCredentials } from "./credentials.js";
import { secretWithoutText } from "./secretWithoutText.js";

/**
 * Makes each credential a secret Output of its own, so that the fields beside it stay plain.
 *
 * A secret Output costs about 6 KB and 30 µs. It is created when a program first reads the property.
 */
export const secretCredentials: CredentialsMapper<
  CodeRepositoryWithImport,
  DatabaseWithCredentials
> = {
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

interface SecretGetter {
  (): pulumi.Output<unknown>;
  captureReplacement?: typeof captureReplacement;
}

type Field = "username" | "password" | "importRepository";

/** Defines a property that becomes a secret Output when it is first read. */
function defineSecret(object: object, key: Field, value: unknown): void {
  let secret: pulumi.Output<unknown> | undefined;
  const get: SecretGetter = () => (secret ??= secretWithoutText(key, value));
  get.captureReplacement = captureReplacement;
  descriptor.get = get;
  Object.defineProperty(object, key, descriptor);
}

/** One object for all properties: with thousands of credentials, an object for each is measurable. */
const descriptor: PropertyDescriptor = { enumerable: true, configurable: true };

/**
 * Returns what Pulumi serializes instead of a getter.
 *
 * Pulumi serializes a closure together with the getters of the objects that it captures, and with
 * the plain values that those getters capture. This replacement captures the Output instead. Pulumi
 * then knows that the text contains a secret, and encrypts it.
 */
function captureReplacement(this: SecretGetter): () => pulumi.Output<unknown> {
  const secret = this();
  return () => secret;
}
