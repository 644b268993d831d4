/** Every path of the API begins with it. Specification, "Versioning". */
export const API_PATH = '/partner/v1.0';
