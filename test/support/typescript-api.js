// Generators of clients write TypeScript by the compiler's own API, which TypeScript 7 has no more: they are given that of
// an older one. What they write is compiled by ours.
import { registerHooks } from 'node:module'

registerHooks({
  resolve: (name, context, next) =>
    next(name === 'typescript' ? '@ts-morph/common/dist/typescript.js' : name, context),
})
