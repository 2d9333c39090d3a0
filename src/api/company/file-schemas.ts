import Type, { type Static } from 'typebox'
import { maxFiles } from '../../domain/deals/files/copy-files.ts'
import { type Folder, folders } from '../../domain/kernel/folder.ts'
import { Answer, Fields, oneOf, optional, orNull, ref, text, timestamp } from '../http/schema-words.ts'
import { cursor, limit } from './request-schemas.ts'

export const FileListQuery = Fields({
  limit,
  cursor,
  folder: optional(oneOf<Folder>(folders, { description: 'Only this one; all of them when absent' })),
})
export type FileListQuery = Static<typeof FileListQuery>

export const FileParams = Type.Object({
  id: Type.String({
    description: "The service's own id of the project, its reference, or those of its lead",
    examples: ['proj_01m7eg5y2a01n1c4d7b6q8se'],
  }),
  fileId: Type.String({ description: 'The id of the file', examples: ['file_01m7eg5y2a01n1c4d7b6q8se'] }),
})

/** Described only: what is sent is looked at as it arrives. */
export const UploadForm = Type.Object(
  {
    folder: oneOf<Folder>(folders, { description: 'Where the files belong' }),
    files: Type.Array(Type.Unsafe({ type: 'string', contentMediaType: 'application/octet-stream' }), {
      minItems: 1,
      maxItems: maxFiles,
      description:
        'Documents, pictures, audio or video of at most 100 MB each, with their file names. Each is a part called `files`',
    }),
  },
  { description: 'Files from a disk' },
)

const fileExample = {
  id: 'file_01m7eg5y2a01n1c4d7b6q8se',
  name: 'Plan set.pdf',
  folder: 'planset',
  size: 482_113,
  type: 'application/pdf',
  sha256: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
  addedAt: '2026-11-02T17:20:11.004Z',
  addedBy: 'Night agent',
  url: 'http://127.0.0.1:8080/files/1001/s2p3vrG59ntGn-0o-MScXoitKDY/Plan%20set.pdf',
}

export const ProjectFile = Answer(
  {
    id: text("The service's own id"),
    name: text('With its ending'),
    folder: oneOf(folders, { description: 'Where it belongs' }),
    size: Type.Integer({ description: 'In bytes' }),
    type: text('What its contents were found to be'),
    sha256: text('Of its contents, in hexadecimal digits'),
    addedAt: timestamp('When it was added'),
    addedBy: orNull(text(), 'The person or the key that added it, where that is known'),
    url: Type.String({ format: 'uri', description: "Address of the service's own copy" }),
  },
  { $id: 'ProjectFile', description: 'A file of a project.', examples: [fileExample] },
)

export const ProjectFilePage = Answer(
  {
    data: Type.Array(ref('ProjectFile'), { description: 'The records of this page' }),
    next: orNull(text(), 'Cursor of the next page; null at the end'),
  },
  {
    $id: 'ProjectFilePage',
    description: 'A page of a list.',
    examples: [{ data: [fileExample], next: null }],
  },
)

export const Checklist = Answer(
  {
    data: Type.Array(
      Answer({
        stageId: text('The stage whose item it is'),
        stage: text('The name of that stage'),
        label: text('What is to be done'),
        done: Type.Boolean({ description: 'Whether it is done' }),
        doneAt: orNull(timestamp(), 'When it was ticked'),
        doneBy: orNull(text(), 'The person who ticked it; null where a program did'),
      }),
      { description: 'Its items, in their order' },
    ),
  },
  {
    $id: 'Checklist',
    description: 'What is to be done on a project.',
    examples: [
      {
        data: [
          {
            stageId: 'stg_01m7egde1e01h969t2e9nkny',
            stage: 'Design',
            label: 'Plan set approved',
            done: true,
            doneAt: '2026-11-02T17:20:11.004Z',
            doneBy: 'Mona Ruiz',
          },
        ],
      },
    ],
  },
)
