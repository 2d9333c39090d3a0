/** To the owners of a company whose endpoint is told nothing more. */
export function disabledMail({ id, url, reason }: { id: string; url: string; reason: string }) {
  return {
    subject: 'A webhook endpoint was turned off',
    body: [
      `The webhook endpoint ${url} (${id}) was turned off because ${reason}.`,
      'Undelivered and new events are kept for 30 days. Once the endpoint works again, turn it back on under Settings, Webhooks,',
      'or through the API. Waiting events are then delivered in order, and new ones follow.',
    ].join('\n'),
  }
}
