export function buildDocs(): void
