import type { FastifyReply } from 'fastify'
import type { Proposal } from '../../../domain/deals/proposals/proposal.ts'
import { escapeHtml, pagesWith } from '../page.ts'
import { paymentText } from './payment-text.ts'
import { productionChart } from './production-chart.ts'
import { proposalStyle } from './proposal-style.ts'
import { moneyText, numberText, partsOf } from './proposal-words.ts'

const send = pagesWith({ style: proposalStyle, pictures: true })

const mark = `<svg viewBox="0 0 24 24" aria-hidden="true" focusable="false"><path d="M3 15.5a9 9 0 0 1 18 0z" fill="#f4b740"/><path d="M3 19h18" stroke="#f7f5ef" stroke-width="2" stroke-linecap="round"/></svg>`

/** A proposal as its customer reads it, on a screen or on paper; `logo` is the address of the seller's. */
export function sendProposalPage(reply: FastifyReply, proposal: Proposal, logo: string | null): FastifyReply {
  const { company, installer, firstName, monthlyKwh } = proposal
  const seller = escapeHtml(company)
  const sign = logo ? `<img class="logo" src="${escapeHtml(logo)}" alt="${seller}">` : `${mark}${seller}`
  const what = proposal.productLine === 'solar' ? 'Your solar system' : 'Your home project'
  const title = firstName ? `${what}, ${escapeHtml(firstName)}` : what
  const builder = installer ? `<p class="who">Installed by ${escapeHtml(installer)}</p>` : ''
  const chart = monthlyKwh
    ? `<section><h2>Expected production by month</h2><p class="soft">In kWh. Estimated from the size of your system and the typical sunshine in your area. Actual production varies with the weather.</p>${productionChart(monthlyKwh)}</section>`
    : ''
  const parts = partsOf(proposal)
    .map(({ name, amount }) => `<li><b>${escapeHtml(name)}</b><span>${escapeHtml(amount)}</span></li>`)
    .join('')
  return send(
    reply,
    `${title} · ${seller}`,
    `<header class="cover"><p class="by">${sign}</p><h1>${title}</h1>${builder}</header>
${figures(proposal)}${chart}
<section class="list"><h2>What’s included</h2>${parts ? `<ul class="parts" role="list">${parts}</ul>` : '<p class="soft">As agreed in your contract.</p>'}</section>
<section><h2>Payment</h2><p>${escapeHtml(paymentText(proposal))}</p></section>
<footer>Questions? Contact ${seller}. This page is meant for you: anyone who has its link can open it.</footer>`,
  )
}

/** There is no proposal at this address: it may have been one, and nobody is told. */
export function sendMissingPage(reply: FastifyReply): FastifyReply {
  return send(
    reply,
    'Page not available',
    '<div class="missing"><h1>This page isn’t available</h1><p class="soft">Check the link, or ask the person who sent it to you for a new one.</p></div>',
  )
}

/** The few numbers that matter most. */
function figures(proposal: Proposal): string {
  const { system, annualKwh, price, monthlyPayment, financing } = proposal
  const figure = (name: string, value: string, note = '') =>
    `<div><dt>${name}</dt><dd>${escapeHtml(value)}${note && ` <small>${note}</small>`}</dd></div>`
  const shown = [
    ...(system?.sizeKw ? [figure('System size', `${numberText(system.sizeKw)} kW`)] : []),
    ...(annualKwh ? [figure('Expected production', `${numberText(annualKwh, 0)} kWh`, 'per year')] : []),
    ...(price ? [figure(financing.type === 'cash' ? 'Price' : 'Contract price', moneyText(price))] : []),
    ...(monthlyPayment
      ? [
          figure(
            'Monthly payment',
            moneyText(monthlyPayment),
            financing.type === 'ppa' ? 'average in the first year' : '',
          ),
        ]
      : []),
  ]
  return shown.length > 0 ? `<dl class="figures">${shown.join('')}</dl>` : ''
}
