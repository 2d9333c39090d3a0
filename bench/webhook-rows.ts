export const webhookRowNames = ['webhook-fanout'] as const
export type WebhookRowName = (typeof webhookRowNames)[number]
