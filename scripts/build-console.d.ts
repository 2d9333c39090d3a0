export function buildConsole(): void
