// Written by "npm run sdk" from openapi/catalogue-api.json.

import type { Lines } from '../body.ts'
import type { ApiCall, CallOptions, ListCall } from '../call.ts'
import type { Download } from '../download.ts'
import type { Operation } from '../operation.ts'

export interface CatalogApi {
  billing: {
    /**
     * Draft an invoice: `POST /v1/billing/invoices`.
     *
     * For an installation or any customer. Amounts are computed; a draft has no number yet.
     */
    createInvoice(body: CreateInvoiceRequest, options?: CallOptions): ApiCall<Invoice>

    /** Delete a draft: `DELETE /v1/billing/invoices/{id}`. */
    deleteInvoice(id: string, options?: CallOptions): ApiCall<void>

    /**
     * Finalize a draft: `POST /v1/billing/invoices/{id}/finalize`.
     *
     * Gives it its number and due date and makes it open, less what the customer has in credits; paid at once where nothing is due.
     */
    finalizeInvoice(id: string, options?: CallOptions): ApiCall<Invoice>

    /** Read a credit: `GET /v1/billing/credits/{id}`. */
    getCredit(id: string, options?: CallOptions): ApiCall<Credit>

    /** Read an invoice: `GET /v1/billing/invoices/{id}`. */
    getInvoice(id: string, options?: CallOptions): ApiCall<Invoice>

    /**
     * Read an invoice as PDF: `GET /v1/billing/invoices/{id}/pdf`.
     *
     * Letter or A4 by the installation’s country, else by the currency. A draft, a paid and a void one are marked as such. Latin, Greek, Cyrillic and more are shown; a sign that the font does not have is shown as �. Also under `/billing/invoices/{id}.pdf`.
     */
    getInvoicePdf(id: string, options?: CallOptions): ApiCall<Download>

    /** Read an installation’s billing plan: `GET /v1/billing/plans/{installation_id}`. */
    getPlan(installationId: string, options?: CallOptions): ApiCall<BillingPlan>

    /**
     * List credits: `GET /v1/billing/credits`.
     *
     * Newest first. An installer sees its dealers’ credits too.
     */
    listCredits(query?: ListCreditsQuery, options?: CallOptions): ListCall<CreditList>

    /**
     * List the payments of an invoice: `GET /v1/billing/invoices/{id}/payments`.
     *
     * In the order in which they were noted.
     */
    listInvoicePayments(id: string, query?: ListInvoicePaymentsQuery, options?: CallOptions): ListCall<PaymentList>

    /**
     * List invoices: `GET /v1/billing/invoices`.
     *
     * Newest first; with `updated_since` what changed first first. An installer sees its dealers’ invoices too.
     */
    listInvoices(query?: ListInvoicesQuery, options?: CallOptions): ListCall<InvoiceList>

    /**
     * List billing plans: `GET /v1/billing/plans`.
     *
     * Those that bill, of the newest installation first. An installer sees its dealers’ plans too.
     */
    listPlans(query?: ListBillingPlansQuery, options?: CallOptions): ListCall<BillingPlanList>

    /**
     * Note a payment: `POST /v1/billing/invoices/{id}/pay`.
     *
     * Of an open invoice: all that remains, or an amount of at most that. Sent again with the same `Idempotency-Key`, it is noted once, also after the 24 hours for which its answer is kept.
     */
    payInvoice(id: string, body?: PayInvoiceRequest, options?: CallOptions): ApiCall<Invoice>

    /**
     * Note a refund: `POST /v1/billing/credits/{id}/refund`.
     *
     * All that is left of the credit, or an amount of at most that. Sent again with the same `Idempotency-Key`, it is noted once, also after the 24 hours for which its answer is kept.
     */
    refundCredit(id: string, body?: RefundCreditRequest, options?: CallOptions): ApiCall<Credit>

    /**
     * Bill a month that is held: `POST /v1/billing/plans/{installation_id}/months/{month}/release`.
     *
     * Although readings are missing. Its draft is made at once; what comes in later changes the draft, or is trued up.
     */
    releaseHeldMonth(installationId: string, month: string, body?: ReleaseHeldMonthRequest, options?: CallOptions): ApiCall<ReleasedMonth>

    /**
     * End an installation’s billing: `DELETE /v1/billing/plans/{installation_id}`.
     *
     * With this day: what was made until then is billed by a last draft, and held months stay held. Drafts and invoices stay. Where readings that come later change what was billed, the monthly run drafts a closing invoice of the difference.
     */
    removePlan(installationId: string, options?: CallOptions): ApiCall<void>

    /**
     * Set an installation’s billing plan: `PUT /v1/billing/plans/{installation_id}`.
     *
     * In place of the one before. It cannot begin so late that days between what that one has billed and its own first day would never be billed. Each month is drafted soon after it ends; drafts that nobody changed follow the plan.
     */
    setPlan(installationId: string, body: SetBillingPlanRequest, options?: CallOptions): ApiCall<BillingPlan>

    /**
     * Change a draft: `PATCH /v1/billing/invoices/{id}`.
     *
     * Absent fields are kept. The monthly run leaves a draft alone that was changed.
     */
    updateInvoice(id: string, body: ChangeInvoiceRequest, options?: CallOptions): ApiCall<Invoice>

    /**
     * Void an open invoice: `POST /v1/billing/invoices/{id}/void`.
     *
     * It keeps its number. Credits that it used come back. What was paid on it becomes a credit that the customer’s next invoices use, or is noted as a refund.
     */
    voidInvoice(id: string, body?: VoidInvoiceRequest, options?: CallOptions): ApiCall<Invoice>
  }

  installations: {
    /**
     * Register an installation: `POST /v1/installations`.
     *
     * In the key’s company. A solar project that is installed becomes an installation by itself.
     */
    create(body: CreateInstallationRequest, options?: CallOptions): ApiCall<Installation>

    /**
     * Remove an installation for good: `DELETE /v1/installations/{installation_id}`.
     *
     * With its panels. The energy it made stays in the account’s history, and its invoices and drafts stay. Its alerts are resolved, its quarantined readings are dropped, and its billing ends with this day, as if its plan had been removed.
     */
    delete(installationId: string, options?: CallOptions): ApiCall<void>

    /** Read an installation: `GET /v1/installations/{installation_id}`. */
    get(installationId: string, options?: CallOptions): ApiCall<Installation>

    /**
     * List installations: `GET /v1/installations`.
     *
     * Newest registered first; with `updated_since` what changed first first. A page past the end is empty.
     */
    list(query?: ListInstallationsQuery, options?: CallOptions): ListCall<InstallationPage>

    /**
     * Change an installation: `PATCH /v1/installations/{installation_id}`.
     *
     * Absent fields are kept. Days are those of the time zone: with another one every bucket is counted anew. One that became of a project follows the name and the address of its customer as long as it has them.
     */
    update(installationId: string, body: ChangeInstallationRequest, options?: CallOptions): ApiCall<Installation>
  }

  monitoring: {
    /**
     * Acknowledge an alert: `POST /v1/monitoring/alerts/{id}/acknowledge`.
     *
     * Says that somebody looks after it. Only an active alert can be acknowledged.
     */
    acknowledgeAlert(id: string, options?: CallOptions): ApiCall<Alert>

    /**
     * Drop a quarantined reading: `POST /v1/monitoring/quarantine/{id}/drop`.
     *
     * It is wrong: it is gone, and sending the same again does not bring it back. What counts at its time stays.
     */
    dropQuarantinedReading(id: string, options?: CallOptions): ApiCall<QuarantinedReading>

    /** Read an alert: `GET /v1/monitoring/alerts/{id}`. */
    getAlert(id: string, options?: CallOptions): ApiCall<Alert>

    /**
     * Read the energy made: `GET /v1/monitoring/energy`.
     *
     * By one panel, by an installation, or by all that the key reaches, in buckets of the local clock: days of 23 and 25 hours are right, and an hour that the clock shows twice is there twice, with its offsets. Where a clock changes by half an hour, the hour in which it does is shorter or longer.
     */
    getEnergy(query: ReadEnergyQuery, options?: CallOptions): ApiCall<Energy>

    /**
     * List alerts: `GET /v1/monitoring/alerts`.
     *
     * Newest first; with `updated_since` what changed first first. Panels are looked at every 15 minutes and compared with their siblings, their own past and what their neighbourhood’s weather lets them make, so that a cloudy day, a foggy week or snow raises nothing. One cause is one alert, with its members.
     */
    listAlerts(query?: ListAlertsQuery, options?: CallOptions): ListCall<AlertList>

    /**
     * List quarantined readings: `GET /v1/monitoring/quarantine`.
     *
     * Those that wait to be released, dropped or replaced; what came last first.
     */
    listQuarantine(query?: ListQuarantineQuery, options?: CallOptions): ListCall<QuarantinePage>

    /**
     * List readings: `GET /v1/monitoring/readings`.
     *
     * The readings that count, of a panel or of an installation, panel by panel in order of time, each rounded to a millionth of a kWh. What is quarantined is in no total and not here: it is listed under `/monitoring/quarantine`.
     */
    listReadings(query: ListReadingsQuery, options?: CallOptions): ListCall<StoredReadingPage>

    /**
     * Let a quarantined reading count: `POST /v1/monitoring/quarantine/{id}/release`.
     *
     * It is right after all: it takes the place of what counts at its time, and moves every total.
     */
    releaseQuarantinedReading(id: string, options?: CallOptions): ApiCall<QuarantinedReading>

    /**
     * Resolve an alert: `POST /v1/monitoring/alerts/{id}/resolve`.
     *
     * Says that it is mended. An alert whose fault is gone resolves by itself. If the fault is still measured after this, a new alert is opened.
     */
    resolveAlert(id: string, options?: CallOptions): ApiCall<Alert>

    /**
     * Send readings: `POST /v1/monitoring/readings`.
     *
     * At most 10,000 readings in at most 8 MiB of JSON, or any number of them as `application/x-ndjson`, taken as they arrive.
     *
     * A panel has one reading of a time: the value that is sent last stands, and late or corrected ones move every total. Sending the same again changes nothing, so a call that failed may be repeated as it is. A reading that is not valid is rejected by itself; the others are taken.
     *
     * A reading that is more than its panel can make (its capacity and 30 % above it, for the time since the reading before it, a day at most) is quarantined: kept and listed under `/monitoring/quarantine`, and in no total until somebody releases it or a value that can be is sent for the same time. What was there of that time stays.
     */
    takeReadings(body: TakeReadingsRequest | Lines<TakeReadingsRequest['readings'][number]>, options?: CallOptions): ApiCall<ReadingsTaken>
  }

  panels: {
    /**
     * Register a panel: `POST /v1/panels`.
     *
     * It is `active`, and belongs to the company of its installation.
     */
    create(body: CreatePanelRequest, options?: CallOptions): ApiCall<Panel>

    /**
     * Remove a panel for good: `DELETE /v1/panels/{panel_id}`.
     *
     * The energy it made stays in its installation’s history.
     */
    delete(panelId: string, options?: CallOptions): ApiCall<void>

    /** Read a panel: `GET /v1/panels/{panel_id}`. */
    get(panelId: string, options?: CallOptions): ApiCall<Panel>

    /**
     * List panels: `GET /v1/panels`.
     *
     * Newest registered first; with `updated_since` what changed first first. A page past the end is empty. What a panel makes is no change of it.
     */
    list(query?: ListPanelsQuery, options?: CallOptions): ListCall<PanelPage>

    /**
     * Change a panel: `PATCH /v1/panels/{panel_id}`.
     *
     * Absent fields are kept. What changes nothing tells nobody.
     */
    update(panelId: string, body: ChangePanelRequest, options?: CallOptions): ApiCall<Panel>
  }

  webhooks: {
    /**
     * Register a webhook endpoint: `POST /v1/webhooks`.
     *
     * It is told of what happens from now on. An installer’s endpoint hears of the whole tenant, a dealer’s of its own company’s records.
     */
    create(body: CreateWebhookRequest, options?: CallOptions): ApiCall<WebhookCreated>

    /**
     * Remove a webhook endpoint: `DELETE /v1/webhooks/{webhook_id}`.
     *
     * Events stop at once, also those under way.
     */
    delete(webhookId: string, options?: CallOptions): ApiCall<void>

    /**
     * Turn an endpoint on again: `POST /v1/webhooks/{webhook_id}/enable`.
     *
     * What happened while it was disabled, 30 days ago at most, is delivered in order and one at a time; what happens from now on follows.
     */
    enable(webhookId: string, options?: CallOptions): ApiCall<Webhook>

    /**
     * List webhook endpoints: `GET /v1/webhooks`.
     *
     * Oldest first. An installer sees its dealers’ endpoints too.
     */
    list(query?: ListWebhooksQuery, options?: CallOptions): ListCall<WebhookPage>

    /**
     * List what was sent to an endpoint: `GET /v1/webhooks/{webhook_id}/deliveries`.
     *
     * The newest event first, with every attempt. Kept for 30 days.
     */
    listDeliveries(webhookId: string, query?: ListWebhookDeliveriesQuery, options?: CallOptions): ListCall<WebhookDeliveryPage>

    /**
     * Send again: `POST /v1/webhooks/{webhook_id}/redeliver`.
     *
     * One delivery, or all of the events of a time: the same bytes under the same ids.
     */
    redeliver(webhookId: string, body: RedeliverWebhookRequest, options?: CallOptions): ApiCall<WebhookRedelivered>

    /**
     * Give an endpoint a new secret: `POST /v1/webhooks/{webhook_id}/secret`.
     *
     * For a while messages carry two signatures, of the new secret and of the one before.
     */
    rotateSecret(webhookId: string, body?: RotateWebhookSecretRequest, options?: CallOptions): ApiCall<WebhookSecret>

    /**
     * Send a test event: `POST /v1/webhooks/{webhook_id}/test`.
     *
     * An event `webhook.test`, signed as any other, is sent at once and once.
     */
    test(webhookId: string, options?: CallOptions): ApiCall<WebhookTested>

    /**
     * Change a webhook endpoint: `PATCH /v1/webhooks/{webhook_id}`.
     *
     * Absent fields are kept, and so is its secret. What it was not told so far is not sent now that it asks for it.
     */
    update(webhookId: string, body: ChangeWebhookRequest, options?: CallOptions): ApiCall<Webhook>
  }
}

export const catalogOperations: readonly Operation[] = [
  { id: 'createInvoice', name: 'billing.createInvoice', method: 'POST', path: '/v1/billing/invoices', takes: 'json', answers: 'json', pages: null, repeat: 'keyed' },
  { id: 'deleteInvoice', name: 'billing.deleteInvoice', method: 'DELETE', path: '/v1/billing/invoices/{id}', takes: null, answers: 'none', pages: null, repeat: 'always' },
  { id: 'finalizeInvoice', name: 'billing.finalizeInvoice', method: 'POST', path: '/v1/billing/invoices/{id}/finalize', takes: null, answers: 'json', pages: null, repeat: 'keyed' },
  { id: 'readCredit', name: 'billing.getCredit', method: 'GET', path: '/v1/billing/credits/{id}', takes: null, answers: 'json', pages: null, repeat: 'always' },
  { id: 'readInvoice', name: 'billing.getInvoice', method: 'GET', path: '/v1/billing/invoices/{id}', takes: null, answers: 'json', pages: null, repeat: 'always' },
  { id: 'readInvoicePdf', name: 'billing.getInvoicePdf', method: 'GET', path: '/v1/billing/invoices/{id}/pdf', takes: null, answers: 'file', pages: null, repeat: 'always' },
  { id: 'readBillingPlan', name: 'billing.getPlan', method: 'GET', path: '/v1/billing/plans/{installation_id}', takes: null, answers: 'json', pages: null, repeat: 'always' },
  { id: 'listCredits', name: 'billing.listCredits', method: 'GET', path: '/v1/billing/credits', takes: 'query', answers: 'json', pages: 'numbered', repeat: 'always' },
  { id: 'listInvoicePayments', name: 'billing.listInvoicePayments', method: 'GET', path: '/v1/billing/invoices/{id}/payments', takes: 'query', answers: 'json', pages: 'numbered', repeat: 'always' },
  { id: 'listInvoices', name: 'billing.listInvoices', method: 'GET', path: '/v1/billing/invoices', takes: 'query', answers: 'json', pages: 'numbered', repeat: 'always' },
  { id: 'listBillingPlans', name: 'billing.listPlans', method: 'GET', path: '/v1/billing/plans', takes: 'query', answers: 'json', pages: 'numbered', repeat: 'always' },
  { id: 'payInvoice', name: 'billing.payInvoice', method: 'POST', path: '/v1/billing/invoices/{id}/pay', takes: 'json', answers: 'json', pages: null, repeat: 'keyed' },
  { id: 'refundCredit', name: 'billing.refundCredit', method: 'POST', path: '/v1/billing/credits/{id}/refund', takes: 'json', answers: 'json', pages: null, repeat: 'keyed' },
  { id: 'releaseHeldMonth', name: 'billing.releaseHeldMonth', method: 'POST', path: '/v1/billing/plans/{installation_id}/months/{month}/release', takes: 'json', answers: 'json', pages: null, repeat: 'keyed' },
  { id: 'removeBillingPlan', name: 'billing.removePlan', method: 'DELETE', path: '/v1/billing/plans/{installation_id}', takes: null, answers: 'none', pages: null, repeat: 'matched' },
  { id: 'setBillingPlan', name: 'billing.setPlan', method: 'PUT', path: '/v1/billing/plans/{installation_id}', takes: 'json', answers: 'json', pages: null, repeat: 'matched' },
  { id: 'changeInvoice', name: 'billing.updateInvoice', method: 'PATCH', path: '/v1/billing/invoices/{id}', takes: 'json', answers: 'json', pages: null, repeat: 'matched' },
  { id: 'voidInvoice', name: 'billing.voidInvoice', method: 'POST', path: '/v1/billing/invoices/{id}/void', takes: 'json', answers: 'json', pages: null, repeat: 'keyed' },
  { id: 'createInstallation', name: 'installations.create', method: 'POST', path: '/v1/installations', takes: 'json', answers: 'json', pages: null, repeat: 'keyed' },
  { id: 'deleteInstallation', name: 'installations.delete', method: 'DELETE', path: '/v1/installations/{installation_id}', takes: null, answers: 'none', pages: null, repeat: 'always' },
  { id: 'readInstallation', name: 'installations.get', method: 'GET', path: '/v1/installations/{installation_id}', takes: null, answers: 'json', pages: null, repeat: 'always' },
  { id: 'listInstallations', name: 'installations.list', method: 'GET', path: '/v1/installations', takes: 'query', answers: 'json', pages: 'numbered', repeat: 'always' },
  { id: 'changeInstallation', name: 'installations.update', method: 'PATCH', path: '/v1/installations/{installation_id}', takes: 'json', answers: 'json', pages: null, repeat: 'matched' },
  { id: 'acknowledgeAlert', name: 'monitoring.acknowledgeAlert', method: 'POST', path: '/v1/monitoring/alerts/{id}/acknowledge', takes: null, answers: 'json', pages: null, repeat: 'keyed' },
  { id: 'dropQuarantinedReading', name: 'monitoring.dropQuarantinedReading', method: 'POST', path: '/v1/monitoring/quarantine/{id}/drop', takes: null, answers: 'json', pages: null, repeat: 'keyed' },
  { id: 'readAlert', name: 'monitoring.getAlert', method: 'GET', path: '/v1/monitoring/alerts/{id}', takes: null, answers: 'json', pages: null, repeat: 'always' },
  { id: 'readEnergy', name: 'monitoring.getEnergy', method: 'GET', path: '/v1/monitoring/energy', takes: 'query', answers: 'json', pages: null, repeat: 'always' },
  { id: 'listAlerts', name: 'monitoring.listAlerts', method: 'GET', path: '/v1/monitoring/alerts', takes: 'query', answers: 'json', pages: 'numbered', repeat: 'always' },
  { id: 'listQuarantine', name: 'monitoring.listQuarantine', method: 'GET', path: '/v1/monitoring/quarantine', takes: 'query', answers: 'json', pages: 'numbered', repeat: 'always' },
  { id: 'listReadings', name: 'monitoring.listReadings', method: 'GET', path: '/v1/monitoring/readings', takes: 'query', answers: 'json', pages: 'cursor', repeat: 'always' },
  { id: 'releaseQuarantinedReading', name: 'monitoring.releaseQuarantinedReading', method: 'POST', path: '/v1/monitoring/quarantine/{id}/release', takes: null, answers: 'json', pages: null, repeat: 'keyed' },
  { id: 'resolveAlert', name: 'monitoring.resolveAlert', method: 'POST', path: '/v1/monitoring/alerts/{id}/resolve', takes: null, answers: 'json', pages: null, repeat: 'keyed' },
  { id: 'takeReadings', name: 'monitoring.takeReadings', method: 'POST', path: '/v1/monitoring/readings', takes: 'lines', answers: 'json', pages: null, repeat: 'keyed' },
  { id: 'createPanel', name: 'panels.create', method: 'POST', path: '/v1/panels', takes: 'json', answers: 'json', pages: null, repeat: 'keyed' },
  { id: 'deletePanel', name: 'panels.delete', method: 'DELETE', path: '/v1/panels/{panel_id}', takes: null, answers: 'none', pages: null, repeat: 'always' },
  { id: 'readPanel', name: 'panels.get', method: 'GET', path: '/v1/panels/{panel_id}', takes: null, answers: 'json', pages: null, repeat: 'always' },
  { id: 'listPanels', name: 'panels.list', method: 'GET', path: '/v1/panels', takes: 'query', answers: 'json', pages: 'numbered', repeat: 'always' },
  { id: 'changePanel', name: 'panels.update', method: 'PATCH', path: '/v1/panels/{panel_id}', takes: 'json', answers: 'json', pages: null, repeat: 'matched' },
  { id: 'createWebhook', name: 'webhooks.create', method: 'POST', path: '/v1/webhooks', takes: 'json', answers: 'json', pages: null, repeat: 'keyed' },
  { id: 'deleteWebhook', name: 'webhooks.delete', method: 'DELETE', path: '/v1/webhooks/{webhook_id}', takes: null, answers: 'none', pages: null, repeat: 'always' },
  { id: 'enableWebhook', name: 'webhooks.enable', method: 'POST', path: '/v1/webhooks/{webhook_id}/enable', takes: null, answers: 'json', pages: null, repeat: 'keyed' },
  { id: 'listWebhooks', name: 'webhooks.list', method: 'GET', path: '/v1/webhooks', takes: 'query', answers: 'json', pages: 'numbered', repeat: 'always' },
  { id: 'listWebhookDeliveries', name: 'webhooks.listDeliveries', method: 'GET', path: '/v1/webhooks/{webhook_id}/deliveries', takes: 'query', answers: 'json', pages: 'numbered', repeat: 'always' },
  { id: 'redeliverWebhook', name: 'webhooks.redeliver', method: 'POST', path: '/v1/webhooks/{webhook_id}/redeliver', takes: 'json', answers: 'json', pages: null, repeat: 'keyed' },
  { id: 'rotateWebhookSecret', name: 'webhooks.rotateSecret', method: 'POST', path: '/v1/webhooks/{webhook_id}/secret', takes: 'json', answers: 'json', pages: null, repeat: 'keyed' },
  { id: 'testWebhook', name: 'webhooks.test', method: 'POST', path: '/v1/webhooks/{webhook_id}/test', takes: null, answers: 'json', pages: null, repeat: 'keyed' },
  { id: 'changeWebhook', name: 'webhooks.update', method: 'PATCH', path: '/v1/webhooks/{webhook_id}', takes: 'json', answers: 'json', pages: null, repeat: 'matched' },
]

/** List credits */
export interface ListCreditsQuery {
  /** Pages are counted from 1 */
  page?: number | undefined
  /** Records a page; 20 when absent */
  per_page?: number | undefined
}

/** List the payments of an invoice */
export interface ListInvoicePaymentsQuery {
  /** Pages are counted from 1 */
  page?: number | undefined
  /** Records a page; 20 when absent */
  per_page?: number | undefined
}

/** List invoices */
export interface ListInvoicesQuery {
  /** Only those in this status */
  status?: 'draft' | 'open' | 'paid' | 'void' | undefined
  /** Only those of this installation, which must be one of yours */
  installation_id?: string | undefined
  /** Pages are counted from 1 */
  page?: number | undefined
  /** Records a page; 20 when absent */
  per_page?: number | undefined
  /** Only what changed after this time, what changed first first, and page by page by `cursor`. What was deleted is not among it */
  updated_since?: string | Date | undefined
  /** With `updated_since`: the `next` of the page before, with the same other fields */
  cursor?: string | undefined
}

/** List billing plans */
export interface ListBillingPlansQuery {
  /** Pages are counted from 1 */
  page?: number | undefined
  /** Records a page; 20 when absent */
  per_page?: number | undefined
  /** Only those of this kind */
  kind?: 'ppa' | 'lease' | undefined
}

/** List installations */
export interface ListInstallationsQuery {
  /** Pages are counted from 1 */
  page?: number | undefined
  /** Records a page; 20 when absent */
  per_page?: number | undefined
  /** Only what changed after this time, what changed first first, and page by page by `cursor`. What was deleted is not among it */
  updated_since?: string | Date | undefined
  /** With `updated_since`: the `next` of the page before, with the same other fields */
  cursor?: string | undefined
  /** Only installations of this region, written as on create */
  region?: string | undefined
}

/** Read the energy made */
export interface ReadEnergyQuery {
  /** What one panel made; with an `installation_id`, the panel must be of it */
  panel_id?: string | undefined
  /** What all panels of an installation made, deleted ones included */
  installation_id?: string | undefined
  /** The first local day, YYYY-MM-DD */
  start_date: string
  /** The last local day, inclusive. Hourly at most 366 days, otherwise 20 years */
  end_date: string
  /** `daily` when absent */
  granularity?: 'hourly' | 'daily' | 'weekly' | 'monthly' | undefined
}

/** List alerts */
export interface ListAlertsQuery {
  /** Pages are counted from 1 */
  page?: number | undefined
  /** Records a page; 20 when absent */
  per_page?: number | undefined
  /** Only what changed after this time, what changed first first, and page by page by `cursor`. What was deleted is not among it */
  updated_since?: string | Date | undefined
  /** With `updated_since`: the `next` of the page before, with the same other fields */
  cursor?: string | undefined
  /** Only those in this status */
  status?: 'active' | 'acknowledged' | 'resolved' | undefined
  /** Only those of this severity */
  severity?: 'low' | 'medium' | 'high' | 'critical' | undefined
  /** Only those of this type */
  type?: 'outage' | 'underperformance' | 'data_gap' | 'anomaly' | undefined
  /** Only those of this installation, which must be one of yours */
  installation_id?: string | undefined
}

/** List quarantined readings */
export interface ListQuarantineQuery {
  /** Pages are counted from 1 */
  page?: number | undefined
  /** Records a page; 20 when absent */
  per_page?: number | undefined
  /** Those of one installation */
  installation_id?: string | undefined
}

/** List readings */
export interface ListReadingsQuery {
  /** Those of a panel */
  panel_id?: string | undefined
  /** Or of all panels of an installation, deleted ones included */
  installation_id?: string | undefined
  /** From this time on */
  start: string | Date
  /** and before this one, at most 366 days later; the present when absent */
  end?: string | Date | undefined
  /** Readings a page; 1,000 when absent */
  per_page?: number | undefined
  /** The `next` of the page before, with the same other fields */
  cursor?: string | undefined
}

/** List panels */
export interface ListPanelsQuery {
  /** Pages are counted from 1 */
  page?: number | undefined
  /** Records a page; 20 when absent */
  per_page?: number | undefined
  /** Only what changed after this time, what changed first first, and page by page by `cursor`. What was deleted is not among it */
  updated_since?: string | Date | undefined
  /** With `updated_since`: the `next` of the page before, with the same other fields */
  cursor?: string | undefined
  /** Only panels in this status */
  status?: 'active' | 'inactive' | 'maintenance' | undefined
  /** Only those of this installation, which must be one of yours */
  installation_id?: string | undefined
}

/** List webhook endpoints */
export interface ListWebhooksQuery {
  /** Pages are counted from 1 */
  page?: number | undefined
  /** Records a page; 20 when absent */
  per_page?: number | undefined
}

/** List what was sent to an endpoint */
export interface ListWebhookDeliveriesQuery {
  /** Pages are counted from 1 */
  page?: number | undefined
  /** Records a page; 20 when absent */
  per_page?: number | undefined
  /** Only those in this status */
  status?: 'due' | 'delivered' | 'failed' | undefined
}


/** A panel as a list shows it. */
export type PanelItem = {
  /** The panel’s id */
  id: string
  /** How it is shown */
  name: string
  /** Kilowatts */
  capacity_kw: number
  /** Whether it is in service */
  status: 'active' | 'inactive' | 'maintenance'
  /** What it made on its latest local day with readings; 0 before the first */
  daily_output_kwh: number
  /** The installation it is part of */
  installation_id: string
  /** When it changed last */
  updated_at: string
}

/** What makes energy. */
export type Panel = {
  /** The panel’s id */
  id: string
  /** How it is shown */
  name: string
  /** Kilowatts */
  capacity_kw: number
  /** Whether it is in service */
  status: 'active' | 'inactive' | 'maintenance'
  /** What it made on its latest local day with readings; 0 before the first */
  daily_output_kwh: number
  /** The installation it is part of */
  installation_id: string
  /** When it changed last */
  updated_at: string
  /** Whatever was kept with it */
  metadata: Record<string, unknown>
  /** When it was registered */
  created_at: string
}

/** A page of a list */
export type PanelPage = {
  /** The records of this page */
  data: PanelItem[]
  /** Where in the list the page is */
  meta: {
    /** The number of this page */
    page: number
    /** How many records a page has */
    per_page: number
    /** How many records the list has; with `updated_since` counted among the first 10000 changes */
    total: number
    /** With `updated_since`: the `cursor` of the next page; null when there are no more. A page that is narrowed by other fields may have few records, or none, before that */
    next?: string | null | undefined
  }
}

/** An installation as a list shows it. */
export type InstallationItem = {
  /** The installation’s id */
  id: string
  /** How it is shown */
  name: string
  /** Where it stands, in one text */
  address: string
  /** Region code */
  region: string
  /** How many panels it has now */
  panel_count: number
  /** When it or the number of its panels changed last */
  updated_at: string
}

/** Where panels are. */
export type Installation = {
  /** The installation’s id */
  id: string
  /** How it is shown */
  name: string
  /** Where it stands, in one text */
  address: string
  /** Region code */
  region: string
  /** How many panels it has now */
  panel_count: number
  /** When it or the number of its panels changed last */
  updated_at: string
  /** IANA name of the zone whose days its energy is counted by */
  timezone: string
  /** As it was stated, else what its panels have together */
  capacity_kw: number
  /** The project that became it; null where it was registered by itself */
  project_id: string | null
  /** When it was registered */
  created_at: string
}

/** A page of a list */
export type InstallationPage = {
  /** The records of this page */
  data: InstallationItem[]
  /** Where in the list the page is */
  meta: {
    /** The number of this page */
    page: number
    /** How many records a page has */
    per_page: number
    /** How many records the list has; with `updated_since` counted among the first 10000 changes */
    total: number
    /** With `updated_since`: the `cursor` of the next page; null when there are no more. A page that is narrowed by other fields may have few records, or none, before that */
    next?: string | null | undefined
  }
}

/** A reading as it counts. */
export type StoredReading = {
  /** The panel that made it */
  panel_id: string
  /** The time that it was sent for */
  timestamp: string
  /** Made since then, with at most 6 decimals */
  kwh: number
}

/** A page of readings. */
export type StoredReadingPage = {
  /** Panel by panel, in order of time */
  data: StoredReading[]
  /** Where the list goes on */
  meta: {
    /** How many readings a page has at most */
    per_page: number
    /** The `cursor` of the next page; null when there are no more. A page may have few readings, or none, before that */
    next: string | null
  }
}

/** What was made in a time. */
export type EnergyBucket = {
  /** When the bucket begins, by the clock of the installation (over the whole account: of the key’s company). Weeks begin on Monday. A week or month that the range cuts has its own beginning here and in `kwh` only what lies in the range */
  timestamp: string
  /** With at most 6 decimals */
  kwh: number
}

/** What was made, bucket by bucket. */
export type Energy = {
  /** In order of time. A bucket without readings is left out */
  data: EnergyBucket[]
  /** All of it together */
  summary: {
    /** Of all that is listed */
    total_kwh: number
    /** Over the days that have readings; 0 where none has */
    average_daily_kwh: number
    /** Of the hours of daylight in which its panels should have reported, those in which they did, over the range’s days that are over: panel by panel that was there on that day, as often as the panel usually reports (learnt from its last 14 days of data before each month). A logger that sends by the hour, by the quarter of an hour or one total a day is complete when it kept its own. Quarantined readings cover nothing. Rounded down to hundredths; 0 where nothing is expected */
    completeness_percent: number
  }
}

/** What became of readings that were sent. */
export type ReadingsTaken = {
  /** Readings that were taken, those that changed nothing included */
  accepted: number
  /** How many of these gave another value to a panel’s time that had one */
  updated: number
  /** Readings that their panels cannot have made: kept aside, and in no total */
  quarantined: number
  /** What was not taken, in order; of NDJSON the first 1,000 */
  rejected: ({
    /** The reading’s place in the list, or its line, counted from 0 */
    index: number
    /** Says what to change */
    message: string
  })[]
  /** How many were not taken in all */
  rejected_count: number
}

/** A reading that its panel cannot have made. */
export type QuarantinedReading = {
  /** The quarantined reading’s id */
  id: string
  /** The panel that it was sent for */
  panel_id: string
  /** The installation of the panel */
  installation_id: string
  /** The time that it is of */
  timestamp: string
  /** As it was sent */
  kwh: number
  /** What the panel could have made at most: its capacity × 1.3 × the interval */
  most_kwh: number
  /** Since the reading before it, a day at most */
  interval_seconds: number
  /** When it came */
  received_at: string
}

/** A page of a list */
export type QuarantinePage = {
  /** The records of this page */
  data: QuarantinedReading[]
  /** Where in the list the page is */
  meta: {
    /** The number of this page */
    page: number
    /** How many records a page has */
    per_page: number
    /** How many records the list has */
    total: number
  }
}

/** What is wrong with panels. */
export type Alert = {
  /** The alert’s id */
  id: string
  /** `outage`: reports that nothing is made while there is sun; `underperformance`: makes less than siblings and past lead to expect; `data_gap`: does not report; `anomaly`: its readings cannot be right, so that its siblings are judged without it */
  type: 'outage' | 'underperformance' | 'data_gap' | 'anomaly'
  /** May rise while the alert is open */
  severity: 'low' | 'medium' | 'high' | 'critical'
  /** active → acknowledged → resolved, or active → resolved; what recurs is a new alert */
  status: 'active' | 'acknowledged' | 'resolved'
  /** The installation that it is about */
  installation_id: string
  /** Null where it is about several panels or the whole installation */
  panel_id: string | null
  /** The panels that it is about: one, or those whose fault has the same cause, which may become more while it is open. Empty where it is the whole installation */
  members: string[]
  /** What is wrong, in a line */
  title: string
  /** What was seen, and since when */
  description: string
  /** What to do about it */
  recommended_action: string
  /** When it was raised */
  triggered_at: string
  /** When somebody acknowledged it; null before */
  acknowledged_at: string | null
  /** When it was resolved; null before */
  resolved_at: string | null
  /** When it changed last */
  updated_at: string
}

/** A page of a list */
export type AlertList = {
  /** The records of this page */
  data: Alert[]
  /** Where in the list the page is */
  meta: {
    /** The number of this page */
    page: number
    /** How many records a page has */
    per_page: number
    /** How many records the list has; with `updated_since` counted among the first 10000 changes */
    total: number
    /** With `updated_since`: the `cursor` of the next page; null when there are no more. A page that is narrowed by other fields may have few records, or none, before that */
    next?: string | null | undefined
  }
}

/** What came of a month that was held. */
export type ReleasedMonth = {
  /** The installation that is billed */
  installation_id: string
  /** YYYY-MM */
  month: string
  /** `drafted`, or what else the monthly run makes of it */
  outcome: string
  /** The draft */
  invoice_id: string | null
  /** Why it has none */
  detail: string | null
}

/** Who is billed. */
export type BilledCustomer = {
  /** As it stands on the invoice */
  name: string
  /** Where invoices go; null where nobody said */
  email: string | null
  /** In one text; null where nobody said */
  address: string | null
}

/** Computed in exact decimals; amounts are numbers of whole cents. */
export type Invoice = {
  /** The service's own id */
  id: string
  /** The company’s number and its next one, without gaps; null while it is a draft */
  number: string | null
  /** draft → open → paid, open → void; paid and void are final */
  status: 'draft' | 'open' | 'paid' | 'void'
  /** ISO 4217 */
  currency: string
  /** What the lines come to, in whole cents */
  subtotal: number
  /** What of it is covered by the customer’s credits: a draft takes those that are there, and once more when it is finalized, in whole cents */
  credit_applied: number
  /** The subtotal less the credit, in whole cents */
  amount_due: number
  /** What was paid so far; stays on a void one, where it became a credit or a refund, in whole cents */
  amount_paid: number
  /** What was not; nothing on a void one, in whole cents */
  amount_remaining: number
  /** The installation that is billed; null where it is for none */
  installation_id: string | null
  customer: BilledCustomer
  /** The first day that is billed; null where it bills no time */
  period_start: string | null
  /** Included */
  period_end: string | null
  /** Null in a draft where none is set: the payment term begins when it is finalized */
  due_date: string | null
  /** What is billed, line by line */
  line_items: ({
    /** What is billed */
    description: string
    /** Up to six decimal places */
    quantity: number
    /** What is counted, such as kWh */
    unit: string
    /** Up to six decimal places */
    unit_price: number
    /** Quantity by price, half a cent away from zero, in whole cents */
    amount: number
  })[]
  /** When it was drafted */
  created_at: string
  /** When it got its number; null while it is a draft */
  finalized_at: string | null
  /** When the whole was paid; null before */
  paid_at: string | null
  /** When it was voided; null unless it is */
  voided_at: string | null
  /** When it changed last */
  updated_at: string
}

/** What an installation’s customer pays. */
export type BillingPlan = {
  /** The installation that it bills */
  installation_id: string
  /** `ppa` bills each kWh, `lease` each month */
  kind: 'ppa' | 'lease'
  /** For a kWh or a month, in the first year */
  rate: number
  /** By how much the rate grows on each anniversary of the start */
  escalator_percent: number
  /** The first day that is billed */
  start_date: string
  /** ISO 4217 */
  currency: string
  customer: BilledCustomer
  /** From when an invoice is finalized to when it is due */
  payment_term_days: number
  /** A month of which less than this came in is held */
  completeness_percent: number
  /** Months that are not billed yet because readings are missing. They are billed when enough has come in, or when somebody releases them */
  held_months: ({
    /** YYYY-MM */
    month: string
    /** What is missing */
    reason: string
  })[]
  /** When the installation got a plan */
  created_at: string
  /** When the plan was set as it is */
  updated_at: string
}

/** A payment of an invoice. It is never changed. */
export type Payment = {
  /** The payment’s id */
  id: string
  /** What was paid, in whole cents */
  amount: number
  /** How the money moved; null where nobody said */
  method: 'ach' | 'bank_transfer' | 'card' | 'cash' | 'check' | 'other' | null
  /** The number of a check or a transfer, for example */
  reference: string | null
  /** The day the money came */
  received_on: string
  /** When it was noted */
  created_at: string
}

/** What a customer paid on an invoice that was voided, or what the closing invoice of a plan that has ended leaves in their favour. Their next invoices in the same currency use it, the oldest credit first; a draft that is deleted and an invoice that is voided give it back. */
export type Credit = {
  /** The credit’s id */
  id: string
  /** `voided_invoice`: it was paid on an invoice that was voided; `closing_invoice`: after the end of its plan, too much was found to have been billed */
  reason: 'voided_invoice' | 'closing_invoice'
  /** The invoice that it comes from */
  invoice_id: string
  /** The installation of that invoice; null where it was for none */
  installation_id: string | null
  customer: BilledCustomer
  /** ISO 4217 */
  currency: string
  /** What was paid too much, in whole cents */
  amount: number
  /** What invoices use of it, in whole cents */
  amount_used: number
  /** What was paid back, in whole cents */
  amount_refunded: number
  /** What is left, in whole cents */
  amount_remaining: number
  /** Which invoices use it */
  uses: ({
    /** The invoice that uses it */
    invoice_id: string
    /** How much it uses, in whole cents */
    amount: number
  })[]
  /** What was paid back */
  refunds: ({
    /** The refund’s id */
    id: string
    /** What was paid back, in whole cents */
    amount: number
    /** How the money moved; null where nobody said */
    method: 'ach' | 'bank_transfer' | 'card' | 'cash' | 'check' | 'other' | null
    /** The number of a check or a transfer, for example */
    reference: string | null
    /** The day it was paid back */
    refunded_on: string
    /** When it was noted */
    created_at: string
  })[]
  /** When it came to be */
  created_at: string
}

/** A page of a list */
export type InvoiceList = {
  /** The records of this page */
  data: Invoice[]
  /** Where in the list the page is */
  meta: {
    /** The number of this page */
    page: number
    /** How many records a page has */
    per_page: number
    /** How many records the list has; with `updated_since` counted among the first 10000 changes */
    total: number
    /** With `updated_since`: the `cursor` of the next page; null when there are no more. A page that is narrowed by other fields may have few records, or none, before that */
    next?: string | null | undefined
  }
}

/** A page of a list */
export type BillingPlanList = {
  /** The records of this page */
  data: BillingPlan[]
  /** Where in the list the page is */
  meta: {
    /** The number of this page */
    page: number
    /** How many records a page has */
    per_page: number
    /** How many records the list has */
    total: number
  }
}

/** A page of a list */
export type PaymentList = {
  /** The records of this page */
  data: Payment[]
  /** Where in the list the page is */
  meta: {
    /** The number of this page */
    page: number
    /** How many records a page has */
    per_page: number
    /** How many records the list has */
    total: number
  }
}

/** A page of a list */
export type CreditList = {
  /** The records of this page */
  data: Credit[]
  /** Where in the list the page is */
  meta: {
    /** The number of this page */
    page: number
    /** How many records a page has */
    per_page: number
    /** How many records the list has */
    total: number
  }
}

/** An endpoint that is told what happens. */
export type Webhook = {
  /** The service's own id */
  id: string
  /** Where events are posted to */
  url: string
  /** What it is told; `*` stands for everything */
  events: ('lead.created' | 'lead.updated' | 'project.created' | 'project.updated' | 'project.stage_changed' | 'project.deleted' | 'note.created' | 'message.queued' | 'proposal.opened' | 'team.alerted' | 'checklist.updated' | 'activity.deleted' | 'file.added' | 'file.deleted' | 'panel.created' | 'panel.updated' | 'panel.deleted' | 'installation.created' | 'installation.updated' | 'installation.deleted' | 'alert.triggered' | 'alert.updated' | 'alert.acknowledged' | 'alert.resolved' | 'invoice.created' | 'invoice.updated' | 'invoice.deleted' | 'invoice.finalized' | 'invoice.payment_recorded' | 'invoice.paid' | 'invoice.voided' | 'credit.created' | '*')[]
  /** Disabled by a person, by an answer of 410, or after 5 days in which every delivery failed. What happens then waits for 30 days */
  status: 'enabled' | 'disabled'
  /** When it was registered */
  created_at: string
  /** The newest attempt; null before the first */
  last_delivery: {
    /** The delivery’s id */
    id: string
    /** What was told */
    event: string
    /** When it was tried */
    at: string
    /** Whether it arrived */
    delivered: boolean
    /** What the endpoint answered */
    status: number | null
  } | null
}

/** A new endpoint with its secret. */
export type WebhookCreated = {
  /** The service's own id */
  id: string
  /** Where events are posted to */
  url: string
  /** What it is told; `*` stands for everything */
  events: ('lead.created' | 'lead.updated' | 'project.created' | 'project.updated' | 'project.stage_changed' | 'project.deleted' | 'note.created' | 'message.queued' | 'proposal.opened' | 'team.alerted' | 'checklist.updated' | 'activity.deleted' | 'file.added' | 'file.deleted' | 'panel.created' | 'panel.updated' | 'panel.deleted' | 'installation.created' | 'installation.updated' | 'installation.deleted' | 'alert.triggered' | 'alert.updated' | 'alert.acknowledged' | 'alert.resolved' | 'invoice.created' | 'invoice.updated' | 'invoice.deleted' | 'invoice.finalized' | 'invoice.payment_recorded' | 'invoice.paid' | 'invoice.voided' | 'credit.created' | '*')[]
  /** Disabled by a person, by an answer of 410, or after 5 days in which every delivery failed. What happens then waits for 30 days */
  status: 'enabled' | 'disabled'
  /** When it was registered */
  created_at: string
  /** The newest attempt; null before the first */
  last_delivery: {
    /** The delivery’s id */
    id: string
    /** What was told */
    event: string
    /** When it was tried */
    at: string
    /** Whether it arrived */
    delivered: boolean
    /** What the endpoint answered */
    status: number | null
  } | null
  /** What messages are signed with. Shown here and never again */
  secret: string
}

/** A secret in place of the one before. */
export type WebhookSecret = {
  /** The endpoint’s id */
  id: string
  /** The new one. Shown here and never again */
  secret: string
  /** Until when the one before signs too */
  previous_expires_at: string | null
}

/** An attempt to deliver. */
export type WebhookAttempt = {
  /** When it was made */
  at: string
  /** How long it took, in milliseconds */
  duration_ms: number
  /** What the endpoint answered; null where no answer came */
  status: number | null
  /** What went wrong; null where nothing did */
  error: string | null
  /** How the answer begins */
  answer: string | null
}

/** What is sent to an endpoint of an event. */
export type WebhookDelivery = {
  /** Also the `webhook-id` of every attempt */
  id: string
  /** What is told */
  event: string
  /** When it happened */
  event_at: string
  /** Whether it is still to arrive, has arrived, or was given up */
  status: 'due' | 'delivered' | 'failed'
  /** Null unless it is due */
  next_attempt_at: string | null
  /** Every attempt so far */
  attempts: WebhookAttempt[]
}

/** How a test went. */
export type WebhookTested = {
  /** The `webhook-id` of the test */
  delivery_id: string
  /** Whether it arrived */
  delivered: boolean
  attempt: WebhookAttempt
}

/** What is sent again. */
export type WebhookRedelivered = {
  /** How many deliveries are sent again */
  redelivered: number
}

/** A page of a list */
export type WebhookPage = {
  /** The records of this page */
  data: Webhook[]
  /** Where in the list the page is */
  meta: {
    /** The number of this page */
    page: number
    /** How many records a page has */
    per_page: number
    /** How many records the list has */
    total: number
  }
}

/** A page of a list */
export type WebhookDeliveryPage = {
  /** The records of this page */
  data: WebhookDelivery[]
  /** Where in the list the page is */
  meta: {
    /** The number of this page */
    page: number
    /** How many records a page has */
    per_page: number
    /** How many records the list has */
    total: number
  }
}

/** A homeowner. */
export type Contact = {
  /** First name */
  firstName: string | null
  /** Last name */
  lastName: string | null
  /** Email address */
  email: string | null
  /** As it was given */
  phone: string | null
}

/** A member of the company's team. */
export type Staff = {
  /** First and last name */
  name: string | null
  /** Email address */
  email: string | null
  /** As it was given */
  phone: string | null
}

/** Where the house stands. */
export type Address = {
  /** Street and number */
  line1: string | null
  /** What else, such as a unit */
  line2: string | null
  /** City */
  city: string | null
  /** State, in two letters where it is one of the United States */
  state: string | null
  /** Postal code */
  postalCode: string | null
  /** Two-letter code */
  country: string | null
}

/** How it is paid for. */
export type Financing = {
  /** What kind of financing it is */
  type: 'cash' | 'loan' | 'lease' | 'ppa'
  /** Who lends */
  lender: string | null
  /** Dollars */
  amount: number | null
  /** The yearly rate, in percent */
  aprPercent: number | null
  /** How long it runs, in months */
  termMonths: number | null
  /** Dollars */
  monthlyPayment: number | null
  /** What the lender keeps, in percent */
  dealerFeePercent: number | null
}

/** The solar system that was sold. */
export type System = {
  /** Kilowatts of all panels together */
  sizeKw: number | null
  /** What it is expected to make in a year */
  annualProductionKwh: number | null
  /** Its panels */
  panels: {
    /** How many there are */
    count: number | null
    /** Who made them */
    manufacturer: string | null
    /** What their maker calls them */
    model: string | null
  }
  /** Its inverters */
  inverters: {
    /** How many there are */
    count: number | null
    /** Who made them */
    manufacturer: string | null
    /** What their maker calls them */
    model: string | null
    /** As the catalogue calls it */
    name: string | null
    /** Whether each panel has its own */
    microinverter: boolean
  }
  /** Its batteries; null where it has none */
  batteries: {
    /** How many there are */
    count: number | null
    /** Who made them */
    manufacturer: string | null
    /** What their maker calls them */
    model: string | null
    /** What one of them stores */
    capacityKwh: number | null
  } | null
  /** What a watt costs */
  pricePerWatt: {
    /** Dollars, before adders */
    base: number | null
    /** Dollars, with all that was added */
    final: number | null
  }
  /** What was added to it */
  adders: ({
    /** The adder’s name */
    name: string
    /** How many of its units */
    quantity: number
    /** Dollars */
    total: number | null
  })[]
}

/** A project as the single read shows it. */
export type Project = {
  /** The service's own id */
  id: string
  /** 10-character UID carried over from an older system */
  reference: string | null
  /** The lead that became this project */
  leadId: string
  /** What was sold */
  productLine: 'solar' | 'hi'
  /** Where the project stands on its ladder, and since when */
  stage: {
    /** As in the list of stages */
    id: string
    /** The stage’s name */
    name: string | null
    /** When it was entered */
    enteredAt: string | null
  }
  /** When it was sold */
  soldAt: string | null
  /** Unique and strictly increasing within an installer: keep the newest and send it as updatedSince */
  updatedAt: string | null
  /** Whether notice to proceed is granted */
  ntpGranted: boolean
  customer: Contact
  address: Address
  /** Who signs with the customer; null where nobody does */
  coBorrower: Contact | null
  /** What somebody wrote down */
  notes: {
    /** What is known about the customer */
    customer: string | null
    /** What is known about the project */
    project: string | null
  }
  /** The company that sold it */
  company: {
    /** Who sold it */
    name: string
  } | null
  /** Who sold it; null where nobody is assigned */
  salesRep: Staff | null
  /** Who set the appointment; null where nobody did */
  setter: Staff | null
  /** Who manages it; null where nobody is assigned */
  projectManager: Staff | null
  /** Who surveys the site; null where nobody is assigned */
  siteSurveyor: Staff | null
  /** Who works on it from outside; null where nobody is assigned */
  subcontractor: Staff | null
  /** What was agreed */
  contract: {
    /** When it was signed */
    signedAt: string | null
    /** Dollars */
    price: number | null
    /** The files of the folder `contract` */
    files: string[]
  }
  financing: Financing
  /** Null for HI projects */
  system: System | null
  /** The HI products sold; null for solar projects */
  products: ({
    /** The product’s name */
    name: string
    /** Dollars */
    price: number | null
  })[] | null
  /** A key is there when its day is known */
  milestones: {
    /** The day of contract signed */
    contractSigned?: string | undefined
    /** The day of site survey scheduled */
    siteSurveyScheduled?: string | undefined
    /** The day of site survey completed */
    siteSurveyCompleted?: string | undefined
    /** The day of planset completed */
    plansetCompleted?: string | undefined
    /** The day of permit submitted */
    permitSubmitted?: string | undefined
    /** The day of permit received */
    permitReceived?: string | undefined
    /** The day of interconnection submitted */
    interconnectionSubmitted?: string | undefined
    /** The day of interconnection approved */
    interconnectionApproved?: string | undefined
    /** The day of install scheduled */
    installScheduled?: string | undefined
    /** The day of install completed */
    installCompleted?: string | undefined
    /** The day of inspection passed */
    inspectionPassed?: string | undefined
    /** The day of pto granted */
    ptoGranted?: string | undefined
  }
  /** Addresses by folder. A dealer's key sees internal empty */
  files: {
    /** The files of the folder `contract` */
    contract: string[]
    /** The files of the folder `utilityBill` */
    utilityBill: string[]
    /** The files of the folder `identification` */
    identification: string[]
    /** The files of the folder `material` */
    material: string[]
    /** The files of the folder `siteSurvey` */
    siteSurvey: string[]
    /** The files of the folder `planset` */
    planset: string[]
    /** The files of the folder `permit` */
    permit: string[]
    /** The files of the folder `interconnection` */
    interconnection: string[]
    /** The files of the folder `other` */
    other: string[]
    /** The files of the folder `homeInsurance` */
    homeInsurance: string[]
    /** The files of the folder `installationPhoto` */
    installationPhoto: string[]
    /** The files of the folder `internal` */
    internal: string[]
  }
  /** Where people find it */
  links: {
    /** The project in the console */
    project: string
    /** Its proposal; null where it has none */
    proposal: string | null
  }
}

/** A customer, before and after they bought. */
export type Lead = {
  /** The service's own id */
  id: string
  /** 10-character UID carried over from an older system */
  reference: string | null
  /** What they are interested in */
  productLine: 'solar' | 'hi'
  /** `sold` exactly when `project` is not null */
  status: 'new' | 'contacted' | 'nurture' | 'appointmentSet' | 'proposalSent' | 'sold' | 'lost' | 'unqualified'
  /** Also true where the customer was erased: then `customer`, `address` and the like are null for good */
  archived: boolean
  /** When it came to be */
  createdAt: string | null
  /** Unique and strictly increasing within an installer: keep the newest and send it as updatedSince */
  updatedAt: string | null
  customer: Contact
  /** Who signs with them; null where nobody does */
  coBorrower: Contact | null
  address: Address
  /** What they pay for power */
  utility: {
    /** Who delivers their power */
    name: string | null
    /** Dollars */
    monthlyBill: number | null
  }
  /** Where the lead came from */
  source: {
    /** Such as a campaign */
    name: string | null
    /** Such as a part of the campaign */
    subSource: string | null
  }
  /** The caller's own id, as sent on create */
  externalId: string | null
  /** What is known about the customer */
  notes: string | null
  /** Who sells; null where nobody is assigned */
  salesRep: Staff | null
  /** Who set the appointment; null where nobody did */
  setter: Staff | null
  /** Null until the customer bought; in a list with `expand=project` the whole project */
  project: {
    /** The project’s id */
    id: string
    /** 10-character UID carried over from an older system */
    reference: string | null
  } | Project | null
  /** Where people find it */
  links: {
    /** The lead in the console */
    record: string
  }
}

/** An entry of a lead’s activity. */
export type ActivityEventData = {
  /** Of the entry in the lead’s activity */
  id: string
  /** As `GET /v1/leads/{id}/activities` has it */
  type: string
  /** What it says */
  body: string
  /** Told to the company alone that wrote it */
  internal: boolean
  /** The customer sees it */
  customerFacing: boolean
  /** The note that it answers */
  replyTo: string | null
  /** Who wrote it */
  author: string | null
  /** When it was written */
  createdAt: string
  /** Whose activity it is in */
  leadId: string
  /** The lead’s project, where it has one */
  projectId: string | null
  /** Of `checklist.updated`: what was ticked */
  item?: {
    /** The stage whose checklist it is on */
    stage: string | null
    /** What is to be done */
    label: string
    /** False where it was taken back */
    done: boolean
  } | undefined
  /** True where the customer was erased: forget them too. Absent otherwise */
  erased?: boolean | undefined
}

/** An entry of a lead’s activity that was taken back. */
export type WithdrawnEventData = {
  /** Of the entry that is no more */
  id: string
  /** In whose activity it was */
  leadId: string
  /** The lead’s project, where it had one */
  projectId: string | null
  /** True where the customer was erased: forget them too. Absent otherwise */
  erased?: boolean | undefined
}

/** A file of a project. */
export type FileEventData = {
  /** Of the file */
  id: string
  /** As it is called; absent where the customer was erased */
  name?: string | undefined
  /** Where it is; absent where the customer was erased */
  folder?: 'contract' | 'utilityBill' | 'identification' | 'material' | 'siteSurvey' | 'planset' | 'permit' | 'interconnection' | 'other' | 'homeInsurance' | 'installationPhoto' | 'internal' | undefined
  /** Where it is served, as long as it is there */
  url?: string | undefined
  /** The project that it belongs to; spelled as webhooks have always had it */
  project_id: string
  /** True where the customer was erased: forget them too. Absent otherwise */
  erased?: boolean | undefined
}

/** What comes with a record that is told of. */
export type Snapshot = {
  /** Grows with every change of the record: drop what is older than you have */
  version: number
  /** The fields that this change made otherwise, each as it was; empty where the record is new */
  previous: Record<string, unknown>
  /** True where the customer was erased: forget them too */
  erased?: boolean | undefined
}

/** A lead was created */
export type LeadCreatedEvent = {
  /** What happened */
  type: 'lead.created'
  /** When it happened */
  timestamp: string
  /** The lead as `GET /v1/leads/{id}` reads it */
  data: Lead & Snapshot
}

/** A lead was changed */
export type LeadUpdatedEvent = {
  /** What happened */
  type: 'lead.updated'
  /** When it happened */
  timestamp: string
  /** The lead as `GET /v1/leads/{id}` reads it; with `erased: true` where its customer was erased: forget them too */
  data: Lead & Snapshot
}

/** A lead was sold */
export type ProjectCreatedEvent = {
  /** What happened */
  type: 'project.created'
  /** When it happened */
  timestamp: string
  /** The project as `GET /v1/projects/{id}` reads it */
  data: Project & Snapshot
}

/** A project was changed */
export type ProjectUpdatedEvent = {
  /** What happened */
  type: 'project.updated'
  /** When it happened */
  timestamp: string
  /** The project as `GET /v1/projects/{id}` reads it; with `erased: true` where its customer was erased */
  data: Project & Snapshot
}

/** A project entered another stage */
export type ProjectStageChangedEvent = {
  /** What happened */
  type: 'project.stage_changed'
  /** When it happened */
  timestamp: string
  /** The project as `GET /v1/projects/{id}` reads it */
  data: Project & Snapshot
}

/** A sale was undone right after it was made */
export type ProjectDeletedEvent = {
  /** What happened */
  type: 'project.deleted'
  /** When it happened */
  timestamp: string
  /** The project as it was */
  data: Project & Snapshot
}

/** A note was written on a lead or project */
export type NoteCreatedEvent = {
  /** What happened */
  type: 'note.created'
  /** When it happened */
  timestamp: string
  /** The note as `GET /v1/leads/{id}/activities` reads it, with `leadId` and `projectId`. An internal one is told to the company alone that wrote it */
  data: ActivityEventData & Snapshot
}

/** A message to the customer was queued, as a project entered a stage */
export type MessageQueuedEvent = {
  /** What happened */
  type: 'message.queued'
  /** When it happened */
  timestamp: string
  /** The message as `GET /v1/leads/{id}/activities` reads it, with `leadId` and `projectId` */
  data: ActivityEventData & Snapshot
}

/** The customer opened the proposal; told once a day */
export type ProposalOpenedEvent = {
  /** What happened */
  type: 'proposal.opened'
  /** When it happened */
  timestamp: string
  /** The entry as `GET /v1/leads/{id}/activities` reads it, with `leadId` and `projectId` */
  data: ActivityEventData & Snapshot
}

/** People were alerted, as a project entered a stage */
export type TeamAlertedEvent = {
  /** What happened */
  type: 'team.alerted'
  /** When it happened */
  timestamp: string
  /** The entry as `GET /v1/leads/{id}/activities` reads it, with `leadId` and `projectId` */
  data: ActivityEventData & Snapshot
}

/** An item of a project’s checklist was done, or is not after all */
export type ChecklistUpdatedEvent = {
  /** What happened */
  type: 'checklist.updated'
  /** When it happened */
  timestamp: string
  /** The entry as `GET /v1/leads/{id}/activities` reads it, with `leadId`, `projectId` and the `item`: `stage`, `label`, `done` */
  data: ActivityEventData & Snapshot
}

/** A message to the customer or an alert was taken back, as the move or the sale that had made it was undone */
export type ActivityDeletedEvent = {
  /** What happened */
  type: 'activity.deleted'
  /** When it happened */
  timestamp: string
  /** Of which entry: `id`, `leadId`, `projectId` */
  data: WithdrawnEventData & Snapshot
}

/** A file was added to a project */
export type FileAddedEvent = {
  /** What happened */
  type: 'file.added'
  /** When it happened */
  timestamp: string
  /** The file: `id`, `name`, `folder`, `url`, `project_id`. Dealers are not told of internal files */
  data: FileEventData & Snapshot
}

/** A file was removed from a project */
export type FileDeletedEvent = {
  /** What happened */
  type: 'file.deleted'
  /** When it happened */
  timestamp: string
  /** The file as it was */
  data: FileEventData & Snapshot
}

/** A panel was registered */
export type PanelCreatedEvent = {
  /** What happened */
  type: 'panel.created'
  /** When it happened */
  timestamp: string
  /** The panel as `GET /panels/{panel_id}` reads it */
  data: Panel & Snapshot
}

/** A panel was changed */
export type PanelUpdatedEvent = {
  /** What happened */
  type: 'panel.updated'
  /** When it happened */
  timestamp: string
  /** The panel as `GET /panels/{panel_id}` reads it */
  data: Panel & Snapshot
}

/** A panel was removed */
export type PanelDeletedEvent = {
  /** What happened */
  type: 'panel.deleted'
  /** When it happened */
  timestamp: string
  /** The panel as it was */
  data: Panel & Snapshot
}

/** An installation was registered, or a project was finished */
export type InstallationCreatedEvent = {
  /** What happened */
  type: 'installation.created'
  /** When it happened */
  timestamp: string
  /** The installation as `GET /installations/{installation_id}` reads it */
  data: Installation & Snapshot
}

/** An installation was changed, or panels were added or removed */
export type InstallationUpdatedEvent = {
  /** What happened */
  type: 'installation.updated'
  /** When it happened */
  timestamp: string
  /** The installation as `GET /installations/{installation_id}` reads it */
  data: Installation & Snapshot
}

/** An installation was removed, by a caller or as the move that had made it was undone */
export type InstallationDeletedEvent = {
  /** What happened */
  type: 'installation.deleted'
  /** When it happened */
  timestamp: string
  /** The installation as it was */
  data: Installation & Snapshot
}

/** An alert was raised */
export type AlertTriggeredEvent = {
  /** What happened */
  type: 'alert.triggered'
  /** When it happened */
  timestamp: string
  /** The alert as `GET /monitoring/alerts/{id}` reads it */
  data: Alert & Snapshot
}

/** An alert became more severe, more panels joined it, or the customer that it named was erased */
export type AlertUpdatedEvent = {
  /** What happened */
  type: 'alert.updated'
  /** When it happened */
  timestamp: string
  /** The alert as `GET /monitoring/alerts/{id}` reads it */
  data: Alert & Snapshot
}

/** An alert was acknowledged */
export type AlertAcknowledgedEvent = {
  /** What happened */
  type: 'alert.acknowledged'
  /** When it happened */
  timestamp: string
  /** The alert as `GET /monitoring/alerts/{id}` reads it */
  data: Alert & Snapshot
}

/** An alert was resolved */
export type AlertResolvedEvent = {
  /** What happened */
  type: 'alert.resolved'
  /** When it happened */
  timestamp: string
  /** The alert as `GET /monitoring/alerts/{id}` reads it */
  data: Alert & Snapshot
}

/** An invoice was drafted */
export type InvoiceCreatedEvent = {
  /** What happened */
  type: 'invoice.created'
  /** When it happened */
  timestamp: string
  /** The invoice as `GET /billing/invoices/{invoice_id}` reads it */
  data: Invoice & Snapshot
}

/** A draft was changed, by hand or by the monthly run, or an invoice’s customer was erased */
export type InvoiceUpdatedEvent = {
  /** What happened */
  type: 'invoice.updated'
  /** When it happened */
  timestamp: string
  /** The invoice as `GET /billing/invoices/{invoice_id}` reads it; with `erased: true` where its customer was erased */
  data: Invoice & Snapshot
}

/** A draft was deleted */
export type InvoiceDeletedEvent = {
  /** What happened */
  type: 'invoice.deleted'
  /** When it happened */
  timestamp: string
  /** The invoice as it was */
  data: Invoice & Snapshot
}

/** An invoice was opened */
export type InvoiceFinalizedEvent = {
  /** What happened */
  type: 'invoice.finalized'
  /** When it happened */
  timestamp: string
  /** The invoice as `GET /billing/invoices/{invoice_id}` reads it */
  data: Invoice & Snapshot
}

/** A payment was noted, of the whole or of a part */
export type InvoicePaymentRecordedEvent = {
  /** What happened */
  type: 'invoice.payment_recorded'
  /** When it happened */
  timestamp: string
  /** The invoice as `GET /billing/invoices/{invoice_id}` reads it, with the `payment` */
  data: Invoice & Snapshot & {
    payment: Payment
  }
}

/** An invoice was paid */
export type InvoicePaidEvent = {
  /** What happened */
  type: 'invoice.paid'
  /** When it happened */
  timestamp: string
  /** The invoice as `GET /billing/invoices/{invoice_id}` reads it */
  data: Invoice & Snapshot
}

/** An invoice was voided */
export type InvoiceVoidedEvent = {
  /** What happened */
  type: 'invoice.voided'
  /** When it happened */
  timestamp: string
  /** The invoice as `GET /billing/invoices/{invoice_id}` reads it */
  data: Invoice & Snapshot
}

/** What was paid on a voided invoice became a credit, or was refunded; or a closing invoice left something in the customer’s favour */
export type CreditCreatedEvent = {
  /** What happened */
  type: 'credit.created'
  /** When it happened */
  timestamp: string
  /** The credit as `GET /billing/credits/{credit_id}` reads it */
  data: Credit & Snapshot
}

/** What went wrong, and what to do about it. */
export type ErrorResponse = {
  /** The error */
  error: {
    /** What kind of error it is */
    code: 'unauthorized' | 'forbidden' | 'not_found' | 'invalid' | 'rate_limited' | 'unavailable' | 'internal'
    /** Says what to change */
    message: string
    /** Where the code is explained */
    docs: string
    /** The fields that are at fault; absent where none is */
    fields?: ({
      /** Where it stands in the body or query: `address.line1`, `files[0].url` */
      path: string
      /** What is wrong with it */
      message: string
    })[] | undefined
  }
}

export type CreatePanelRequest = {
  /** How it is shown */
  name: string
  /** Kilowatts; four decimals are kept */
  capacity_kw: number
  /** The installation it is part of, which must be one of yours */
  installation_id: string
  /** Whatever you keep with it; at most 16 KiB as JSON */
  metadata?: Record<string, unknown> | undefined
}

export type ChangePanelRequest = {
  /** How it is shown */
  name?: string | undefined
  /** Any status may follow any other */
  status?: 'active' | 'inactive' | 'maintenance' | undefined
  /** The names sent are set, a null removes one; at most 16 KiB as JSON together with what is kept */
  metadata?: Record<string, unknown> | undefined
}

export type CreateInstallationRequest = {
  /** How it is shown */
  name: string
  /** Where it stands, in one text */
  address: string
  /** Region code; ISO 3166-2, such as US-CA, is recommended */
  region: string
  /** Kilowatts of the whole; four decimals are kept. The sum of its panels when absent */
  capacity_kw?: number | undefined
  /** IANA name; that of the region when absent, else your company’s */
  timezone?: string | undefined
}

export type ChangeInstallationRequest = {
  /** How it is shown */
  name?: string | undefined
  /** Where it stands, in one text */
  address?: string | undefined
  /** A time zone that is its region’s follows it */
  region?: string | undefined
  /** IANA name; its days are counted anew */
  timezone?: string | undefined
}

export type TakeReadingsRequest = {
  /** In any order; of a panel’s time the last one stands */
  readings: ({
    /** The panel that made it */
    panel_id: string
    /** ISO 8601 with offset, to the millisecond; from 2000 to an hour ahead. The energy counts where this instant lies: send the beginning of the time in which it was made */
    timestamp: string
    /** Made since then; rounded to millionths */
    kwh: number
  })[]
}

export type CreateInvoiceRequest = {
  /** Or a customer */
  installation_id?: string | undefined
  /** Who is billed; the installation’s name and address when absent */
  customer?: {
    /** As it stands on the invoice */
    name: string
    /** Where invoices go */
    email?: string | null | undefined
    /** In one text */
    address?: string | null | undefined
  } | undefined
  /** ISO 4217, with two decimal places; that of the plan, or USD, when absent */
  currency?: string | undefined
  /** With period_end */
  period_start?: string | undefined
  /** Included */
  period_end?: string | undefined
  /** When absent, the payment term after it is finalized: the plan’s, or 30 days */
  due_date?: string | undefined
  /** Amounts are computed; together not below zero */
  line_items: ({
    /** What is billed */
    description: string
    /** 1 when absent; up to six decimal places */
    quantity?: number | undefined
    /** `each` when absent */
    unit?: string | undefined
    /** Below zero for a credit; up to six decimal places */
    unit_price: number
  })[]
}

export type ChangeInvoiceRequest = {
  /** Who is billed; the installation’s name and address when absent */
  customer?: {
    /** As it stands on the invoice */
    name: string
    /** Where invoices go */
    email?: string | null | undefined
    /** In one text */
    address?: string | null | undefined
  } | undefined
  /** ISO 4217, with two decimal places; that of the plan, or USD, when absent */
  currency?: string | undefined
  /** Null clears it, with period_end */
  period_start?: string | null | undefined
  /** Null clears it, with period_start */
  period_end?: string | null | undefined
  /** Null: the payment term after it is finalized */
  due_date?: string | null | undefined
  /** Amounts are computed; together not below zero */
  line_items?: ({
    /** What is billed */
    description: string
    /** 1 when absent; up to six decimal places */
    quantity?: number | undefined
    /** `each` when absent */
    unit?: string | undefined
    /** Below zero for a credit; up to six decimal places */
    unit_price: number
  })[] | undefined
}

export type PayInvoiceRequest = {
  /** All that remains when absent; a part keeps the invoice open */
  amount?: number | undefined
  /** How the money moved */
  method?: 'ach' | 'bank_transfer' | 'card' | 'cash' | 'check' | 'other' | null | undefined
  /** The number of a check or a transfer, for example */
  reference?: string | null | undefined
  /** The day the money came; today when absent, not a later one */
  received_on?: string | undefined
}

export type VoidInvoiceRequest = {
  /** What becomes of what was paid: a credit that the customer’s next invoices use (when absent), or a refund */
  paid_as?: 'credit' | 'refund' | undefined
  /** How the money moved */
  method?: 'ach' | 'bank_transfer' | 'card' | 'cash' | 'check' | 'other' | null | undefined
  /** The number of a check or a transfer, for example */
  reference?: string | null | undefined
  /** Of a refund: the day it was paid back; today when absent, not a later one */
  refunded_on?: string | undefined
}

export type RefundCreditRequest = {
  /** All that is left of the credit when absent */
  amount?: number | undefined
  /** How the money moved */
  method?: 'ach' | 'bank_transfer' | 'card' | 'cash' | 'check' | 'other' | null | undefined
  /** The number of a check or a transfer, for example */
  reference?: string | null | undefined
  /** The day it was paid back; today when absent, not a later one */
  refunded_on?: string | undefined
}

export type SetBillingPlanRequest = {
  /** `ppa` bills each kWh, `lease` each month */
  kind: 'ppa' | 'lease'
  /** For a kWh (up to six decimal places) or a month (two), in the first year */
  rate: number
  /** By how much the rate grows on each anniversary; 0 when absent, up to four places */
  escalator_percent?: number | undefined
  /** The first day that is billed */
  start_date: string
  /** ISO 4217, with two decimal places; that of the plan, or USD, when absent */
  currency?: string | undefined
  /** Who is billed; the installation’s name and address when absent */
  customer?: {
    /** As it stands on the invoice */
    name: string
    /** Where invoices go */
    email?: string | null | undefined
    /** In one text */
    address?: string | null | undefined
  } | undefined
  /** 30 when absent */
  payment_term_days?: number | undefined
  /** A month of which less than this came in is held; 95 when absent, up to two places */
  completeness_percent?: number | undefined
}

export type ReleaseHeldMonthRequest = {
  /** `measured`, when absent: what came in; `estimate`: that, and an estimate of the rest, which the invoice names as one and which is trued up when the readings come */
  as?: 'measured' | 'estimate' | undefined
}

export type CreateWebhookRequest = {
  /** A public https address */
  url: string
  /** What to tell; `*` stands for everything */
  events: ('lead.created' | 'lead.updated' | 'project.created' | 'project.updated' | 'project.stage_changed' | 'project.deleted' | 'note.created' | 'message.queued' | 'proposal.opened' | 'team.alerted' | 'checklist.updated' | 'activity.deleted' | 'file.added' | 'file.deleted' | 'panel.created' | 'panel.updated' | 'panel.deleted' | 'installation.created' | 'installation.updated' | 'installation.deleted' | 'alert.triggered' | 'alert.updated' | 'alert.acknowledged' | 'alert.resolved' | 'invoice.created' | 'invoice.updated' | 'invoice.deleted' | 'invoice.finalized' | 'invoice.payment_recorded' | 'invoice.paid' | 'invoice.voided' | 'credit.created' | '*')[]
  /** Your own signing secret of 16 to 256 characters: its bytes are the key. One that begins with `whsec_` and goes on in base64 also signs by what that decodes to, as the Standard Webhooks libraries expect. Made when absent */
  secret?: string | undefined
}

export type ChangeWebhookRequest = {
  /** A public https address */
  url?: string | undefined
  /** What to tell; `*` stands for everything */
  events?: ('lead.created' | 'lead.updated' | 'project.created' | 'project.updated' | 'project.stage_changed' | 'project.deleted' | 'note.created' | 'message.queued' | 'proposal.opened' | 'team.alerted' | 'checklist.updated' | 'activity.deleted' | 'file.added' | 'file.deleted' | 'panel.created' | 'panel.updated' | 'panel.deleted' | 'installation.created' | 'installation.updated' | 'installation.deleted' | 'alert.triggered' | 'alert.updated' | 'alert.acknowledged' | 'alert.resolved' | 'invoice.created' | 'invoice.updated' | 'invoice.deleted' | 'invoice.finalized' | 'invoice.payment_recorded' | 'invoice.paid' | 'invoice.voided' | 'credit.created' | '*')[] | undefined
  /** Turned on again, it is told in order of what happened meanwhile, 30 days ago at most; turned off, that waits */
  status?: 'enabled' | 'disabled' | undefined
}

export type RotateWebhookSecretRequest = {
  /** Your own signing secret of 16 to 256 characters: its bytes are the key. One that begins with `whsec_` and goes on in base64 also signs by what that decodes to, as the Standard Webhooks libraries expect. Made when absent */
  secret?: string | undefined
  /** How long the secret of before signs too; 24 when absent */
  grace_hours?: number | undefined
}

export type RedeliverWebhookRequest = {
  /** One delivery */
  delivery_id?: string | undefined
  /** Or those of events from this time on */
  since?: string | undefined
  /** and before this one; now when absent */
  until?: string | undefined
}

/** What endpoints are sent. */
export type WebhookEvent =
  | LeadCreatedEvent
  | LeadUpdatedEvent
  | ProjectCreatedEvent
  | ProjectUpdatedEvent
  | ProjectStageChangedEvent
  | ProjectDeletedEvent
  | NoteCreatedEvent
  | MessageQueuedEvent
  | ProposalOpenedEvent
  | TeamAlertedEvent
  | ChecklistUpdatedEvent
  | ActivityDeletedEvent
  | FileAddedEvent
  | FileDeletedEvent
  | PanelCreatedEvent
  | PanelUpdatedEvent
  | PanelDeletedEvent
  | InstallationCreatedEvent
  | InstallationUpdatedEvent
  | InstallationDeletedEvent
  | AlertTriggeredEvent
  | AlertUpdatedEvent
  | AlertAcknowledgedEvent
  | AlertResolvedEvent
  | InvoiceCreatedEvent
  | InvoiceUpdatedEvent
  | InvoiceDeletedEvent
  | InvoiceFinalizedEvent
  | InvoicePaymentRecordedEvent
  | InvoicePaidEvent
  | InvoiceVoidedEvent
  | CreditCreatedEvent
