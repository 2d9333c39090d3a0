export { ApiError, type ErrorCode, type FieldError } from './api-error.ts'
export type { FileContent, FileUpload, Lines } from './body.ts'
export type { ApiCall, ApiResponse, CallOptions, ItemOf, ListCall } from './call.ts'
export {
  type Client,
  type ClientOptions,
  createClient,
  type EventsOptions,
  type RecordsOptions,
} from './client.ts'
export type { Download } from './download.ts'
export type * as Catalog from './generated/catalog.ts'
export type { WebhookEvent } from './generated/catalog.ts'
export type * from './generated/company.ts'
export type * as Legacy from './generated/legacy.ts'
export type { Batch, Change, FeedRestarted, Sync, SyncOptions, SyncStore } from './sync.ts'
export type { Retry } from './transport.ts'
export {
  type VerifiedWebhook,
  verifyWebhook,
  WebhookError,
  type WebhookRefusal,
  type WebhookToVerify,
} from './webhook.ts'
