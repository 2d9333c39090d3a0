import { ImageOff } from 'lucide-react'
import { api } from '../../../api/client.ts'
import { useSubmit } from '../../../api/use-submit.ts'
import { company as texts } from '../../../texts/en/company.ts'
import { Button } from '../../../ui/button.tsx'
import { ChooseFiles } from '../../../ui/choose-files.tsx'
import { DropZone } from '../../../ui/drop-zone.tsx'
import { Problem } from '../../../ui/problem.tsx'
import { Card, CardHeader } from '../../../ui/surface.tsx'
import { useToasts } from '../../../ui/toast.tsx'
import { type CompanyResponse, useCompanyChanged } from './use-company.ts'

const maxBytes = 2 * 1024 * 1024

/** The sign on a company's proposals and invoices. */
export function LogoCard({ company: { id, name, logo } }: { company: CompanyResponse }) {
  const { say } = useToasts()
  const changed = useCompanyChanged()
  const change = useSubmit({
    mutationFn: async (file: File | null, submission) => {
      if (file && file.size > maxBytes) throw new Error(texts.logoTooLarge)
      await (file
        ? api.put(`/companies/${id}/logo`, file, submission)
        : api.delete(`/companies/${id}/logo`, submission))
      await changed()
      say(file ? texts.logoSaved : texts.logoRemoved)
    },
  })
  const take = ([file]: File[]) => file && change.mutate(file)
  return (
    <Card>
      <CardHeader title={texts.logo}>{texts.logoNote}</CardHeader>
      <DropZone
        onFiles={change.isPending ? null : take}
        className="mx-5 mb-5 flex flex-wrap items-center gap-4 rounded-lg"
      >
        {() => (
          <>
            {logo ? (
              // The paper that it is printed on is white, in the dark too.
              <div className="rounded-lg border border-line bg-white p-3">
                <img src={logo} alt={texts.logoOf(name)} className="max-h-16 max-w-52" />
              </div>
            ) : (
              <div className="flex h-22 w-44 flex-col items-center justify-center gap-1 rounded-lg border border-dashed border-line-strong/60 text-[0.87rem] text-ink-soft">
                <ImageOff className="size-5" aria-hidden />
                {texts.noLogo}
              </div>
            )}
            <div className="flex flex-wrap gap-2">
              <ChooseFiles onFiles={take} busy={change.isPending}>
                {logo ? texts.anotherLogo : texts.chooseLogo}
              </ChooseFiles>
              {logo && (
                <Button kind="quiet" onClick={() => change.mutate(null)} disabled={change.isPending}>
                  {texts.removeLogo}
                </Button>
              )}
            </div>
            <Problem className="w-full">{change.error?.message}</Problem>
          </>
        )}
      </DropZone>
    </Card>
  )
}
