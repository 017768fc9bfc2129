/** The maximal size of a token response. */
export const maxTokenResponseBytes = 64 * 1024;

/** The maximal size of a response of the project API, both compressed and decompressed. */
export const maxApiResponseBytes = 10 * 1024 * 1024;

/** The maximal size of all pages of a list, decompressed. */
export const maxListBytes = 256 * 1024 * 1024;
