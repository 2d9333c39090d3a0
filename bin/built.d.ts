export const builds: string
export function buildOf(): string
export function entryPoint(): { path: string; isBuilt: boolean }
