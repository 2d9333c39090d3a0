import type { ProjectUpdate } from '../../domain/deals/projects/update-project.ts'
import { DomainError } from '../../domain/kernel/domain-error.ts'
import { namedPerson } from './person-schema.ts'
import type { ProjectPatchBody } from './request-schemas.ts'

/** A body in the words of the domain. */
export function projectUpdate(body: ProjectPatchBody): ProjectUpdate {
  const { milestones, checklist, salesRep, setter, projectManager, siteSurveyor, subcontractor, ...rest } =
    body
  return {
    ...rest,
    ...daysOf(milestones ?? {}, rest.installDate),
    people: {
      salesRep: namedPerson(salesRep, 'salesRep'),
      setter: namedPerson(setter, 'setter'),
      projectManager: namedPerson(projectManager, 'projectManager'),
      siteSurveyor: namedPerson(siteSurveyor, 'siteSurveyor'),
      subcontractor: namedPerson(subcontractor, 'subcontractor'),
    },
    ...(checklist
      ? {
          checklist: checklist.map(({ stageId, stage, label, done }) => ({
            stage: stageId ?? stage,
            label,
            done,
          })),
        }
      : {}),
  }
}

/** Days that more hangs on have fields of their own in the domain. */
function daysOf(days: NonNullable<ProjectPatchBody['milestones']>, installDate: string | null | undefined) {
  const { installScheduled, siteSurveyScheduled, contractSigned, ...milestones } = days
  if (installScheduled !== undefined && installDate !== undefined && installScheduled !== installDate)
    throw new DomainError(
      'invalid',
      'milestones.installScheduled: installDate says another day. Send one of the two.',
    )
  return {
    milestones,
    ...(installScheduled === undefined ? {} : { installDate: installScheduled }),
    ...(siteSurveyScheduled === undefined ? {} : { surveyDate: siteSurveyScheduled }),
    ...(contractSigned === undefined ? {} : { contractSignedOn: contractSigned }),
  }
}
