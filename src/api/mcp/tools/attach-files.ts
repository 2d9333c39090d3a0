import Type, { type Static } from 'typebox'
import {
  addFiles,
  type FileAdded,
  type FilesToAdd,
  previewFiles,
} from '../../../domain/deals/files/add-files.ts'
import { maxFiles } from '../../../domain/deals/files/copy-files.ts'
import { type Folder, folders } from '../../../domain/kernel/folder.ts'
import { Fields, optional } from '../../http/schema-words.ts'
import { type Outcome, writingTool } from '../tool.ts'
import { choice, id, said, Writing, Written } from '../words.ts'

const input = Writing({
  project_id: id('The project’s id or reference'),
  folder: choice<Folder>(folders, 'Where they belong'),
  files: Type.Array(
    Fields({
      url: said(2048, 'A public https address of a document, picture, audio or video of at most 100 MB'),
      name: optional(Type.String({ maxLength: 200, description: 'The address’s own name when absent' })),
    }),
    { minItems: 1, maxItems: maxFiles, description: 'What to copy' },
  ),
})

export const attachFiles = writingTool({
  name: 'attach_files',
  title: 'Attach files to a project',
  description:
    'Copies files from public https addresses into a folder of a project: all of them, or none. What the folder holds already is not added again. Only the installer’s key.',
  of: 'company',
  needs: 'files.addFromAddress',
  destructive: false,
  idempotent: true,
  open: true,
  kept: 'claimed',
  input,
  output: Written,
  async write({ deps, ctx, gone }, asked) {
    return outcomeOf(asked, await addFiles(ctx, deps.copying, asked.project_id, filesOf(asked), gone()))
  },
  async preview({ deps, ctx }, asked) {
    const would = outcomeOf(asked, await previewFiles(ctx, deps.copying, asked.project_id, filesOf(asked)))
    if (would.changed) would.effects.push('Whether the addresses answer is found out when it is done')
    return would
  },
})

function filesOf({ folder, files }: Static<typeof input>): FilesToAdd {
  return { folder, files }
}

function outcomeOf(
  { folder, project_id }: Static<typeof input>,
  files: (Pick<FileAdded, 'added'> & { id?: string })[],
): Outcome {
  const added = files.filter((file) => file.added).length
  const held = files.length - added
  const ids = files.flatMap(({ id }) => id ?? [])
  return {
    changed: added > 0,
    summary: added > 0 ? `Files added to ${folder}: ${added}.` : `${folder} holds all of them already.`,
    effects: held > 0 && added > 0 ? [`Held already, and not added again: ${held}`] : [],
    record: { project_id, folder, ...(ids.length > 0 ? { file_ids: ids } : {}) },
  }
}
