import {
  expectEqual,
  expectError,
  expectInvalid,
  expectMissing,
  expectShape,
  expectStatus,
  option,
} from '../expect.ts'
import type { Kit } from '../kit.ts'
import { fail, need, notApplicable } from '../outcome.ts'
import type { Rule } from '../rule.ts'
import { address, at, boolean, list, record, text } from '../shape.ts'
import { folders } from './project-fields.ts'
import { ownProject, type Row, readProject, unknownId } from './records.ts'

const well = 'https://example.com/conformance.pdf'
const add = async (kit: Kit, body: Row) =>
  kit.installer.post(`/projects/${(await ownProject(kit)).id}/files`, body)

/** The address that was given, or another one that leads to the same. */
function source(kit: Kit, name = ''): string {
  const url = new URL(option(kit.target.fileUrl, '--file-url', 'no file is known that the server may copy'))
  if (name) url.searchParams.set('conformance', name)
  return url.href
}

const added = (kit: Kit) =>
  kit.once('v1 added file', async () => {
    const body = { folder: 'permit', files: [{ url: source(kit), name: 'Conformance permit.pdf' }] }
    return { first: await add(kit, body), second: await add(kit, body) }
  })

const refusals: [name: string, says: string, body: Row][] = [
  ['folder.absent', 'Files without a `folder` are 400 `invalid`.', { files: [{ url: well }] }],
  [
    'folder.unknown',
    'A `folder` that there is not is 400 `invalid`.',
    { folder: 'attic', files: [{ url: well }] },
  ],
  ['files.absent', 'Files without `files` are 400 `invalid`.', { folder: 'permit' }],
  ['files.none', 'No files at all are 400 `invalid`.', { folder: 'permit', files: [] }],
  [
    'files.eleven',
    'More than 10 files in a call are 400 `invalid`.',
    { folder: 'permit', files: Array.from({ length: 11 }, (_, i) => ({ url: `${well}?${i}` })) },
  ],
  [
    'url.absent',
    'A file without a `url` is 400 `invalid`.',
    { folder: 'permit', files: [{ name: 'No.pdf' }] },
  ],
  [
    'url.http',
    'An address that is not https is 400 `invalid`.',
    { folder: 'permit', files: [{ url: 'http://example.com/conformance.pdf' }] },
  ],
  [
    'url.ip',
    'An IP address is 400 `invalid`.',
    { folder: 'permit', files: [{ url: 'https://93.184.215.14/conformance.pdf' }] },
  ],
  [
    'url.private',
    'A private name is 400 `invalid`.',
    { folder: 'permit', files: [{ url: 'https://intranet/conformance.pdf' }] },
  ],
  [
    'url.credentials',
    'An address with credentials in it is 400 `invalid`.',
    { folder: 'permit', files: [{ url: 'https://user:word@example.com/conformance.pdf' }] },
  ],
]

export const fileRules: Rule[] = [
  ...refusals.map(
    ([name, says, body]): Rule => ({
      id: `v1.files.${name}`,
      says,
      check: async (kit) => expectInvalid(await add(kit, body)),
    }),
  ),
  {
    id: 'v1.files.missing',
    says: 'Files for a project that there is not answer 404 `not_found`.',
    check: async (kit) =>
      expectMissing(
        await kit.installer.post(`/projects/${unknownId}/files`, {
          folder: 'permit',
          files: [{ url: well }],
        }),
      ),
  },
  {
    id: 'v1.files.dealer',
    says: "Only an installer's key may add files; by decision a dealer's is answered 403 `forbidden`.",
    decision: true,
    async check(kit) {
      const id = at((await need('a list', kit.dealer.get('/projects?limit=1'))).json, 'data.0.id')
      if (typeof id !== 'string') notApplicable('the dealer has no projects')
      const body = { folder: 'permit', files: [{ url: well }] }
      expectError(await kit.dealer.post(`/projects/${id}/files`, body), 403, 'forbidden')
    },
  },
  {
    id: 'v1.files.added.status',
    says: 'When a file was added the answer is 201.',
    check: async (kit) => expectStatus((await added(kit)).first, 201),
  },
  {
    id: 'v1.files.added.answer',
    says: 'Each file of the answer has `id`, `name`, `folder` and `added`.',
    async check(kit) {
      const { first } = await added(kit)
      expectShape(first, list(record({ id: text, name: text, folder: text, added: boolean })), 'files')
      const { name, folder, added: isNew } = (at(first.json, 'files.0') as Row | undefined) ?? {}
      expectEqual([name, folder, isNew], ['Conformance permit.pdf', 'permit', true], 'name, folder and added')
    },
  },
  {
    id: 'v1.files.added.copy',
    says: 'The service keeps its own copy in the project’s folder, under an address of its own.',
    async check(kit) {
      await added(kit)
      const kept = at(await readProject(kit, (await ownProject(kit)).id), 'files.permit')
      const wrong = list(address)(kept, 'files.permit')
      if (wrong) fail(wrong)
      if ((kept as string[]).length === 0) fail('files.permit is empty')
      if ((kept as string[]).includes(source(kit))) fail('it is the address that was sent, and no copy')
    },
  },
  {
    id: 'v1.files.again.status',
    says: 'When the folder holds every address already the answer is 200.',
    check: async (kit) => expectStatus((await added(kit)).second, 200),
  },
  {
    id: 'v1.files.again.answer',
    says: 'An address that the folder holds is not added again: `added: false`, in the same shape.',
    async check(kit) {
      const { second } = await added(kit)
      expectShape(second, list(record({ id: text, name: text, folder: text, added: boolean })), 'files')
      expectEqual(at(second.json, 'files.0.added'), false, 'added')
    },
  },
  {
    id: 'v1.files.again.partly',
    says: 'When one of several was added the answer is 201, and each item says which.',
    async check(kit) {
      await added(kit)
      const files = [{ url: source(kit) }, { url: source(kit, 'partly') }]
      const answer = await add(kit, { folder: 'permit', files })
      expectStatus(answer, 201)
      expectEqual(
        [at(answer.json, 'files.0.added'), at(answer.json, 'files.1.added')],
        [false, true],
        'added',
      )
    },
  },
  {
    id: 'v1.files.name.default',
    says: "Without a `name` a file has its address's own name.",
    async check(kit) {
      const url = source(kit, 'named')
      const answer = await add(kit, { folder: 'planset', files: [{ url }] })
      const own = decodeURIComponent(new URL(url).pathname.split('/').at(-1)!)
      expectEqual(at(answer.json, 'files.0.name'), own, 'name')
    },
  },
  {
    id: 'v1.files.folders',
    says: 'Each of the twelve folders takes files.',
    async check(kit) {
      for (const folder of folders) {
        const answer = await add(kit, { folder, files: [{ url: source(kit, 'folders') }] })
        expectStatus(answer, 201, 200)
        expectEqual(at(answer.json, 'files.0.folder'), folder, 'folder')
      }
    },
  },
  {
    id: 'v1.files.all-or-nothing',
    says: 'One bad address is 400, and nothing of the call is added.',
    decision: true,
    async check(kit) {
      const files = [{ url: source(kit, 'all') }, { url: 'https://intranet/conformance.pdf' }]
      expectInvalid(await add(kit, { folder: 'homeInsurance', files }))
      const again = await add(kit, { folder: 'homeInsurance', files: files.slice(0, 1) })
      expectEqual(at(again.json, 'files.0.added'), true, 'added')
    },
  },
]
