import { expectShape, expectStatus, option } from '../expect.ts'
import type { Kit } from '../kit.ts'
import type { Rule } from '../rule.ts'
import { type Line, lines, told } from './lines.ts'
import { expectRefused } from './records.ts'

const folderIds =
  'contract utility_bill drivers_license materials survey_photos engineering_plansets permits interconnection insurance installation_photos internal_documents'.split(
    ' ',
  )

function uploadRules(line: Line): Rule[] {
  const name = `project_upload_file${line.suffix}`
  const body = async (kit: Kit, url: string) => ({
    fileurl: [url],
    project_id: await line.own(kit),
    folder_id: 'permits',
  })
  const source = (kit: Kit, of: string) => {
    const url = new URL(option(kit.target.fileUrl, '--file-url', 'no file is known that the server may copy'))
    url.searchParams.set('conformance', of)
    return url.href
  }
  return [
    ...['fileurl', 'project_id', 'folder_id'].map(
      (field): Rule => ({
        id: `legacy.${name}.required.${field}`,
        says: `\`${name}\` needs \`${field}\`.`,
        check: async (kit) =>
          expectRefused(
            await kit.legacy.post(`/${name}`, {
              ...(await body(kit, 'https://example.com/conformance.pdf')),
              [field]: undefined,
            }),
          ),
      }),
    ),
    {
      id: `legacy.${name}.folder`,
      says: `\`${name}\` accepts no folder but the eleven.`,
      check: async (kit) =>
        expectRefused(
          await kit.legacy.post(`/${name}`, {
            ...(await body(kit, 'https://example.com/conformance.pdf')),
            folder_id: 'attic',
          }),
        ),
    },
    {
      id: `legacy.${name}.answer`,
      says: `\`${name}\` takes a file into each of the eleven folders and answers \`{success: true, message}\`.`,
      async check(kit) {
        for (const folder_id of folderIds) {
          const answer = await kit.legacy.post(`/${name}`, {
            ...(await body(kit, source(kit, name))),
            folder_id,
          })
          expectStatus(answer, 200)
          expectShape(answer, told)
        }
      },
    },
  ]
}

export const legacyUploadRules: Rule[] = lines.flatMap(uploadRules)
