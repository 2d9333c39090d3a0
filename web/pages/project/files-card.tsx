import { FolderOpen, Plus, Share2, SquareArrowOutUpRight } from 'lucide-react'
import { useState } from 'react'
import type { ProjectFile, ProjectFolder } from '../../../src/api/console/project-responses.ts'
import { files as texts } from '../../texts/en/files.ts'
import { links } from '../../texts/en/links.ts'
import { IconButton } from '../../ui/button.tsx'
import { ChooseFiles } from '../../ui/choose-files.tsx'
import { DropZone } from '../../ui/drop-zone.tsx'
import { EmptyState } from '../../ui/states.tsx'
import { Card, CardHeader } from '../../ui/surface.tsx'
import { DocumentRow, PictureTile } from './file-entries.tsx'
import { PictureViewer } from './picture-viewer.tsx'
import { RemoveFileDialog } from './remove-file-dialog.tsx'
import { ShareDialog, type ToShare } from './share-dialog.tsx'
import { UploadList } from './upload-list.tsx'
import type { ProjectResponse } from './use-project.ts'
import { useUploads } from './use-uploads.ts'

/** The files by folder; each folder takes what is dropped onto it. */
export function FilesCard({ project }: { project: ProjectResponse }) {
  const uploads = useUploads(project)
  const [viewed, setViewed] = useState<{ pictures: ProjectFile[]; at: number } | null>(null)
  const [removed, setRemoved] = useState<ProjectFile | null>(null)
  const [shared, setShared] = useState<ToShare | null>(null)
  const filled = project.folders.filter(({ files }) => files.length > 0)
  const empty = project.folders.filter(({ files, adds }) => files.length === 0 && adds)
  const adderOf = ({ folder, adds }: ProjectFolder) =>
    adds ? (files: File[]) => uploads.add(folder, files) : null

  function view(folder: ProjectFolder, file: ProjectFile) {
    const pictures = folder.files.filter(isViewed)
    setViewed({ pictures, at: pictures.indexOf(file) })
  }

  return (
    <Card>
      <CardHeader title={texts.title}>{project.can.upload && <p>{texts.dropHint}</p>}</CardHeader>
      <UploadList uploads={uploads} />
      {filled.length === 0 && !project.can.upload && (
        <EmptyState icon={<FolderOpen aria-hidden />} title={texts.none}>
          {texts.noneNote}
        </EmptyState>
      )}
      <div className="flex flex-col gap-6 px-5 pt-2 pb-5">
        {filled.map((folder) => (
          <Folder
            key={folder.folder}
            folder={folder}
            onFiles={adderOf(folder)}
            onView={(file) => view(folder, file)}
            onRemove={setRemoved}
            onShare={setShared}
          />
        ))}
        {project.moreFiles && <p className="text-ink-soft">{texts.more}</p>}
        {empty.length > 0 && (
          <div>
            <h3 className="pb-2 text-[0.87rem] font-medium text-ink-soft">{texts.emptyFolders}</h3>
            <ul className="grid grid-cols-2 gap-2 md:grid-cols-3">
              {empty.map((folder) => (
                <li key={folder.folder}>
                  <EmptyFolder folder={folder} onFiles={adderOf(folder)!} />
                </li>
              ))}
            </ul>
          </div>
        )}
      </div>
      <PictureViewer viewed={viewed} onChange={setViewed} />
      {shared && <ShareDialog projectId={project.id} shared={shared} onClose={() => setShared(null)} />}
      {removed && <RemoveFileDialog project={project} file={removed} onClose={() => setRemoved(null)} />}
    </Card>
  )
}

/** What the browser shows without running anything in it. */
function isViewed({ thumbnail, inline }: ProjectFile): boolean {
  return thumbnail !== null && inline
}

interface FolderProps {
  folder: ProjectFolder
  onFiles: ((files: File[]) => void) | null
  onView: (file: ProjectFile) => void
  onRemove: (file: ProjectFile) => void
  onShare: (shared: ToShare) => void
}

function Folder({ folder, onFiles, onView, onRemove, onShare }: FolderProps) {
  const name = texts.folders[folder.folder]
  const pictures = folder.files.filter(({ thumbnail }) => thumbnail)
  const removerOf = (file: ProjectFile) => (file.removable ? () => onRemove(file) : null)
  const documents = folder.files.filter(({ thumbnail }) => !thumbnail)
  return (
    <DropZone onFiles={onFiles} className="rounded-lg">
      {(over) => (
        <section aria-label={name}>
          <header className="flex flex-wrap items-center gap-x-3 gap-y-1 pb-2">
            <h3 className="font-medium">{name}</h3>
            <span className="text-[0.87rem] text-ink-soft">{texts.count(folder.files.length)}</span>
            <a
              href={folder.page}
              target="_blank"
              rel="noreferrer"
              aria-label={texts.allOf(name)}
              title={texts.allOf(name)}
              className="inline-flex size-8 items-center justify-center rounded-lg text-ink-soft hover:bg-sunken hover:text-ink"
            >
              <SquareArrowOutUpRight className="size-4" aria-hidden />
            </a>
            <IconButton
              label={links.shareFolder(name)}
              className="size-8!"
              onClick={() => onShare({ folder: folder.folder })}
            >
              <Share2 className="size-4" aria-hidden />
            </IconButton>
            {onFiles && (
              <ChooseFiles
                small
                kind="quiet"
                className="ml-auto"
                aria-label={texts.addTo(name)}
                onFiles={onFiles}
              >
                <Plus className="size-4" aria-hidden />
                {over ? texts.dropHere : texts.add}
              </ChooseFiles>
            )}
          </header>
          {pictures.length > 0 && (
            <ul className="grid grid-cols-2 gap-3 pb-1 sm:grid-cols-3 xl:grid-cols-4">
              {pictures.map((file) => (
                <li key={file.id}>
                  <PictureTile
                    file={file}
                    onView={isViewed(file) ? () => onView(file) : null}
                    onShare={() => onShare({ file })}
                    onRemove={removerOf(file)}
                  />
                </li>
              ))}
            </ul>
          )}
          <ul className="grid gap-x-3 md:grid-cols-2">
            {documents.map((file) => (
              <li key={file.id} className="min-w-0">
                <DocumentRow file={file} onShare={() => onShare({ file })} onRemove={removerOf(file)} />
              </li>
            ))}
          </ul>
        </section>
      )}
    </DropZone>
  )
}

function EmptyFolder({ folder, onFiles }: { folder: ProjectFolder; onFiles: (files: File[]) => void }) {
  const name = texts.folders[folder.folder]
  return (
    <DropZone onFiles={onFiles} className="rounded-lg">
      {(over) => (
        <ChooseFiles
          kind="quiet"
          onFiles={onFiles}
          aria-label={texts.addTo(name)}
          className="w-full justify-between! border-dashed! border-line! px-3! text-left font-normal! whitespace-normal! text-ink-soft"
        >
          {over ? texts.dropHere : name}
          <Plus className="size-4 shrink-0" aria-hidden />
        </ChooseFiles>
      )}
    </DropZone>
  )
}
