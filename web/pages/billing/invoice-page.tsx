import { useQuery, useQueryClient } from '@tanstack/react-query'
import { getRouteApi, useNavigate } from '@tanstack/react-router'
import { Download, FileText } from 'lucide-react'
import { useState } from 'react'
import { ApiError, api, type SubmissionKey } from '../../api/client.ts'
import { useSession } from '../../session/session.tsx'
import { NotFound } from '../../shell/not-found.tsx'
import { useRecordName } from '../../shell/page-title.ts'
import { billing as texts } from '../../texts/en/billing.ts'
import { BackLink } from '../../ui/back-link.tsx'
import { Button, buttonClass } from '../../ui/button.tsx'
import { Loaded } from '../../ui/states.tsx'
import { Page, PageHeader } from '../../ui/surface.tsx'
import { ConfirmDialog } from './confirm-dialog.tsx'
import { DraftEditor, draftKey } from './draft-editor.tsx'
import { DetailsCard, LinesCard, PaymentsCard } from './invoice-cards.tsx'
import { StatusBadge } from './invoice-list.tsx'
import { lastList } from './last-list.ts'
import { formatAmount } from './money.ts'
import { PayDialog } from './pay-dialog.tsx'
import { type InvoiceRead, invoiceQuery, pdfAddress } from './use-billing.ts'
import { VoidDialog } from './void-dialog.tsx'

const route = getRouteApi('/inside/billing/invoices/$id')

/** One invoice: what it says, its PDF, and what may be done with it. */
export function InvoicePage() {
  const { can } = useSession()
  const { id } = route.useParams()
  const query = useQuery({ ...invoiceQuery(id), enabled: can.runCompany })
  if (!can.runCompany || (query.error instanceof ApiError && query.error.status === 404)) return <NotFound />
  return (
    <Page>
      <BackLink to="/billing" search={lastList()}>
        {texts.back}
      </BackLink>
      <Loaded query={query}>{(invoice) => <InvoiceDetails key={id} invoice={invoice} />}</Loaded>
    </Page>
  )
}

type Asking = 'finalize' | 'pay' | 'void' | 'delete'

function InvoiceDetails({ invoice }: { invoice: InvoiceRead }) {
  const { id, status, number } = invoice
  useRecordName([number, invoice.customer.name].filter(Boolean).join(', '))
  const [asking, setAsking] = useState<Asking | null>(null)
  const [editing, setEditing] = useState(() => sessionStorage.getItem(draftKey(id)) !== null)
  const isEditing = editing && status === 'draft'
  return (
    <>
      <PageHeader
        title={number === null ? texts.draftInvoice : texts.invoice(number)}
        note={
          <span className="flex flex-wrap items-center gap-2">
            <StatusBadge invoice={invoice} />
            {invoice.customer.name}
          </span>
        }
        actions={
          <>
            <a className={buttonClass()} href={pdfAddress(id)} target="_blank" rel="noreferrer">
              <FileText className="size-4" aria-hidden />
              {texts.pdf}
            </a>
            <a className={buttonClass()} href={pdfAddress(id, true)} download>
              <Download className="size-4" aria-hidden />
              {texts.download}
            </a>
            {!isEditing && <Actions status={status} onAsk={setAsking} onEdit={() => setEditing(true)} />}
          </>
        }
      />
      {isEditing ? (
        <DraftEditor invoice={invoice} onClose={() => setEditing(false)} />
      ) : (
        <div className="grid items-start gap-5 lg:grid-cols-[minmax(0,1fr)_21rem]">
          <div className="flex min-w-0 flex-col gap-5">
            <LinesCard invoice={invoice} />
            {invoice.payments.length > 0 && <PaymentsCard invoice={invoice} />}
          </div>
          <DetailsCard invoice={invoice} />
        </div>
      )}
      <Question asking={asking} invoice={invoice} onClose={() => setAsking(null)} />
    </>
  )
}

interface ActionsProps {
  status: InvoiceRead['status']
  onAsk: (what: Asking) => void
  onEdit: () => void
}

function Actions({ status, onAsk, onEdit }: ActionsProps) {
  if (status === 'draft')
    return (
      <>
        <Button onClick={onEdit}>{texts.edit}</Button>
        <Button kind="danger" onClick={() => onAsk('delete')}>
          {texts.delete}
        </Button>
        <Button kind="primary" onClick={() => onAsk('finalize')}>
          {texts.finalize}
        </Button>
      </>
    )
  if (status !== 'open') return null
  return (
    <>
      <Button kind="danger" onClick={() => onAsk('void')}>
        {texts.void}
      </Button>
      <Button kind="primary" onClick={() => onAsk('pay')}>
        {texts.pay}
      </Button>
    </>
  )
}

interface QuestionProps {
  asking: Asking | null
  invoice: InvoiceRead
  onClose: () => void
}

function Question({ asking, invoice, onClose }: QuestionProps) {
  const navigate = useNavigate()
  const client = useQueryClient()
  const { id, version } = invoice
  const send = (action: string) => async (submission: SubmissionKey) => {
    const next = await api.post<InvoiceRead>(`/billing/invoices/${id}/${action}`, { version }, submission)
    client.setQueryData(invoiceQuery(id).queryKey, next)
    return next
  }
  if (asking === 'pay') return <PayDialog invoice={invoice} onClose={onClose} />
  if (asking === 'finalize')
    return (
      <ConfirmDialog
        title={texts.finalizeTitle}
        note={texts.finalizeNote(formatAmount(invoice.amountDue, invoice.currency))}
        confirm={texts.finalize}
        kind="primary"
        work={send('finalize')}
        done={(open) => texts.finalized(open.number ?? '')}
        onClose={onClose}
      />
    )
  if (asking === 'void') return <VoidDialog invoice={invoice} onClose={onClose} />
  if (asking === 'delete')
    return (
      <ConfirmDialog
        title={texts.deleteTitle}
        note={texts.deleteNote}
        confirm={texts.deleteConfirm}
        kind="danger"
        work={(submission) => api.post(`/billing/invoices/${id}/delete`, { version }, submission)}
        done={() => texts.deleted}
        onDone={() => navigate({ to: '/billing', search: lastList() })}
        onClose={onClose}
      />
    )
  return null
}
