/** A response that breaks the contract. The message names a place in it and a rule, never a value. */
export class InvalidResponseError extends Error {
  constructor(
    message: string,
    /** What to do, in complete sentences. Default: to check the address. */
    readonly advice?: string,
  ) {
    super(message);
  }
}

/** A list that does not reach its end. The message says why, to follow "the list is incomplete:". */
export class IncompleteListError extends Error {}
