export function buildSdk(): void
