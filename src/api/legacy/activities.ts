import type { FastifyInstance } from 'fastify'
import { writeNote } from '../../domain/deals/activities/write-note.ts'
import { legacyId } from '../../domain/deals/renderings/legacy-text.ts'
import { requireInstallerNamed } from '../../domain/kernel/tenant/require-company.ts'
import type { Deps } from '../deps.ts'
import { answers } from '../http/answers.ts'
import { sendJson } from '../http/send-json.ts'
import { absentIsEmpty } from './absent-is-empty.ts'
import { lineContext, lines } from './line.ts'
import { ActivityBody } from './request-schemas.ts'

export function activityRoutes(app: FastifyInstance, deps: Deps): void {
  for (const { productLine, suffix, kind } of lines) {
    app.post<{ Body: ActivityBody }>(
      `/create_activity${suffix}`,
      {
        preValidation: absentIsEmpty,
        schema: {
          operationId: `create_activity${suffix}`,
          tags: ['Projects'],
          summary: `Write a note on a ${kind} project`,
          description: 'The note is in the activity of the project’s lead.',
          body: ActivityBody,
          response: answers({ 200: ['ActivityCreated', 'The note was written'] }, [400, 403, 404]),
        },
      },
      async (request, reply) => {
        const { project_id, installer_id, notes } = request.body
        const ctx = lineContext(deps, request, productLine)
        await requireInstallerNamed(ctx, String(installer_id))
        const { deal } = await writeNote(ctx, { project: project_id }, { body: notes })
        return sendJson(
          reply,
          JSON.stringify({
            success: true,
            message: 'The note was written.',
            data: { project_id: legacyId(deal.project!), installer_id: deal.project!.installerId },
          }),
        )
      },
    )
  }
}
