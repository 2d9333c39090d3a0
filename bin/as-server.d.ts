export const serverFlags: string[]
export const serverMemory: Record<string, string>
export function serverStart(): { execArgv: string[]; env: Record<string, string> }
export function becomeServer(): void
