export const builtFolder: string
export const builtOf: string
export function fingerprint(): string
export function isBuilt(): boolean
