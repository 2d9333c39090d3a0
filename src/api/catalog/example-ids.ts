/** Ids as they look, for examples. */
export const exampleIds = {
  panel: 'pnl_01m7egde1e01h969t2e9nkny',
  installation: 'inst_01m7egdc4k01gv5p8x3wz7ra',
  project: 'proj_01m7eg5y2a01n1c4d7b6q8se',
  alert: 'alrt_01m7ehx3vq01r2k6m9y4t8wb',
  invoice: 'inv_01m7f2c5pd01xk8j3q6n9vzt',
  laterInvoice: 'inv_01m7h9w2rt01a4e7c8g5k3mp',
  payment: 'pay_01m7g1n8sb01d5f2h7w4c9xe',
  refund: 'rfnd_01m7j4k7ya01b8q3r6t2v5nz',
  credit: 'cred_01m7g6d3wf01m9p4s7x2z5ck',
  reading: 'qrd_01m7h2e9xk01f6j3n8q5t7vb',
  webhook: 'we_01m7ekq4th01w3z6c9f2j5ny',
  delivery: 'evt_01a1d9b1040000005p8x3wz7ra',
}
