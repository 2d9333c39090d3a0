/** To the owners of a company whose endpoint is told nothing more. */
export function disabledMail({ id, url, reason }: { id: string; url: string; reason: string }) {
  return {
    subject: 'A webhook endpoint was turned off',
    body: [
      `The webhook endpoint ${url} (${id}) was turned off, because ${reason}.`,
      'What has not arrived and what happens meanwhile is kept for 30 days. Once the endpoint works again, turn it on with',
      `POST /webhooks/${id}/enable: what is waiting is then delivered in order, and new events follow.`,
    ].join('\n'),
  }
}
