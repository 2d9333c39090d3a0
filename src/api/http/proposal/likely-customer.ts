import type { FastifyRequest } from 'fastify'

/** Programs that open every address they come across: search, link previews, mail scanners, tools. */
const programs =
  /bot\b|bot[/;]|crawl|spider|slurp|preview|facebookexternalhit|whatsapp|telegram|slack|discord|skype|linkedin|pinterest|embed|scan|monitor|curl|wget|python|java\/|go-http|okhttp|axios|node|undici|libwww|feed/i

/** Whether a person is likely to look at the page, and not a program, or a browser that fetches ahead. */
export function isLikelyCustomer({ method, headers }: FastifyRequest): boolean {
  const agent = headers['user-agent'] ?? ''
  const ahead = `${headers['sec-purpose'] ?? ''} ${headers['purpose'] ?? ''}`.includes('prefetch')
  return method === 'GET' && agent !== '' && !programs.test(agent) && !ahead
}
