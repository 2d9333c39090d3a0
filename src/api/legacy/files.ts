import type { FastifyInstance } from 'fastify'
import { addFiles } from '../../domain/deals/files/add-files.ts'
import type { Folder } from '../../domain/kernel/folder.ts'
import type { Deps } from '../deps.ts'
import { answers } from '../http/answers.ts'
import { hangUp } from '../http/hang-up.ts'
import { sendJson } from '../http/send-json.ts'
import { absentIsEmpty } from './absent-is-empty.ts'
import { lineContext, lines } from './line.ts'
import { type FolderId, UploadBody } from './request-schemas.ts'

const folderOf: Record<FolderId, Folder> = {
  contract: 'contract',
  utility_bill: 'utilityBill',
  drivers_license: 'identification',
  materials: 'material',
  survey_photos: 'siteSurvey',
  engineering_plansets: 'planset',
  permits: 'permit',
  interconnection: 'interconnection',
  insurance: 'homeInsurance',
  installation_photos: 'installationPhoto',
  internal_documents: 'internal',
}

const field = (i: number) => `fileurl[${i}]`

export function fileRoutes(app: FastifyInstance, deps: Deps): void {
  for (const { productLine, suffix, kind } of lines) {
    app.post<{ Body: UploadBody }>(
      `/project_upload_file${suffix}`,
      {
        preValidation: absentIsEmpty,
        config: { repeats: { kept: 'claimed' } },
        schema: {
          operationId: `project_upload_file${suffix}`,
          tags: ['Projects'],
          summary: `Add files to a ${kind} project by address`,
          description:
            'Only the installer’s key. The service copies each address into its own store: all of them, or none. An address that the folder holds already is not added again.',
          body: UploadBody,
          response: answers({ 200: ['FileUploaded', 'The folder holds the files'] }, [400, 403, 404]),
        },
      },
      async (request, reply) => {
        const { fileurl, project_id, folder_id } = request.body
        const files = await addFiles(
          lineContext(deps, request, productLine),
          deps.copying,
          project_id,
          { folder: folderOf[folder_id], files: fileurl.map((url) => ({ url })), field },
          hangUp(reply),
        )
        const added = files.filter((file) => file.added).length
        const held = files.length - added
        const message = `${added} ${added === 1 ? 'file' : 'files'} added to ${folder_id}${held > 0 ? `, ${held} held already` : ''}.`
        return sendJson(reply, JSON.stringify({ success: true, message }))
      },
    )
  }
}
