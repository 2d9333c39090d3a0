export function buildServer(): boolean
