/** The proposal's own style, on top of that of every page. On paper it is always light. */
export const proposalStyle = `
:root { --brand: #16302b; --brand-ink: #f7f5ef; --sun: #f4b740; --bar: #b9770f; --card: #faf9f6 }
@media (prefers-color-scheme: dark) { :root { --page: #121716; --line: #2d3734; --ink: #eceeea; --soft: #a8b2ad; --brand: #1d3530; --bar: #f4b740; --card: #1a211f } }
body { font-family: 'Inter Variable', Inter, system-ui, sans-serif; -webkit-print-color-adjust: exact; print-color-adjust: exact }
main { max-width: 56rem; padding: 1.5rem 1.25rem 3rem }
.cover { padding: 2rem 2.25rem 2.1rem; background: var(--brand); color: var(--brand-ink); border-radius: 16px }
.cover .by { display: flex; align-items: center; gap: .65rem; margin: 0 0 2.4rem; font-weight: 600 } .cover svg { width: 1.75rem; height: 1.75rem; flex: none }
.cover .logo { display: block; max-width: min(16rem, 70%); max-height: 4.5rem; padding: .6rem .8rem; background: #fff; border-radius: 10px }
.cover h1 { margin: 0; font-size: clamp(1.7rem, 5vw, 2.4rem); line-height: 1.15; letter-spacing: -.02em; text-wrap: balance }
.cover .who { margin: .55rem 0 0; opacity: .85 }
.figures { display: grid; grid-template-columns: repeat(auto-fit, minmax(11rem, 1fr)); gap: .75rem; margin: .75rem 0 0 }
.figures div { padding: 1rem 1.15rem 1.05rem; background: var(--card); border: 1px solid var(--line); border-radius: 12px }
.figures dt { color: var(--soft); font-size: .875rem } .figures dd { margin: .15rem 0 0; font-size: 1.45rem; font-weight: 650; line-height: 1.25; letter-spacing: -.015em; font-variant-numeric: tabular-nums }
.figures small { display: block; color: var(--soft); font-size: .82rem; font-weight: 400; letter-spacing: 0 }
section { margin-top: 2.25rem } section h2 { margin: 0 0 .35rem; font-size: 1.2rem; letter-spacing: -.01em }
.chart { margin: 1rem 0 .25rem } .chart svg { display: block; width: 100%; height: auto }
.chart text { fill: var(--ink); font-size: 13px; text-anchor: middle; font-variant-numeric: tabular-nums } .chart .value { fill: var(--soft); font-size: 11.5px } .chart .scale { fill: var(--soft); font-size: 11.5px; text-anchor: end }
.chart rect { fill: var(--bar) } .lines line { stroke: var(--line) }
.unseen { position: absolute; width: 1px; height: 1px; margin: -1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap }
.parts { margin: .5rem 0 0; padding: 0; list-style: none } .parts li { display: flex; flex-wrap: wrap; gap: .1rem 1.5rem; padding: .7rem 0; border-bottom: 1px solid var(--line); break-inside: avoid }
.parts b { flex: 1 1 16rem; font-weight: 500 } .parts span { color: var(--soft) }
footer { margin-top: 2.5rem; padding-top: 1rem; border-top: 1px solid var(--line); color: var(--soft); font-size: .875rem }
.missing { padding: 18vh 0; text-align: center }
@media (max-width: 34rem) {
  main { padding: .75rem .75rem 2rem } .cover { padding: 1.4rem 1.35rem 1.6rem } .cover .by { margin-bottom: 1.75rem }
  .figures { grid-template-columns: 1fr 1fr; gap: .5rem } .figures div { padding: .8rem .9rem } .figures dd { font-size: 1.2rem } section { padding: 0 .35rem }
  .chart text { font-size: 21px } .chart .scale { font-size: 19px } .chart .value { display: none } .parts b { flex-basis: 9rem }
}
@media print {
  @page { margin: 13mm }
  :root { color-scheme: light; --page: #fff; --ink: #1c2422; --soft: #565f5b; --line: #dcd9d0; --brand: #16302b; --bar: #b9770f; --card: #faf9f6 }
  html { font-size: 13px } body { font-size: 1rem } main { max-width: none; padding: 0 } .cover { padding: 1.5rem 1.75rem } .cover .by { margin-bottom: 1.25rem }
  section { margin-top: 1.5rem; break-inside: avoid } section.list { break-inside: auto } h2 { break-after: avoid } .figures { grid-template-columns: repeat(auto-fit, minmax(9rem, 1fr)) } .parts li { padding: .45rem 0 } footer { margin-top: 1.5rem }
}
`
