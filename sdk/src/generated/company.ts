// Written by "npm run sdk" from openapi/company-key-api.json.

import type { FileUpload } from '../body.ts'
import type { ApiCall, CallOptions, ListCall } from '../call.ts'
import type { Operation } from '../operation.ts'

export interface CompanyApi {
  adders: {
    /**
     * List adders and HI products: `GET /v1/adders`.
     *
     * The installer’s active ones, in the installer’s own order. Only the installer’s key.
     */
    list(options?: CallOptions): ListCall<AdderList>
  }

  batch: {
    /**
     * Create and change many leads: `POST /v1/batch/leads`.
     *
     * Up to 500 items in at most 1 MiB, done one after the other. One with an `id` changes that lead, as `PATCH /v1/leads/{id}` does; one without creates a lead, as `POST /v1/leads` does.
     *
     * Each item stands by itself: what is refused hinders no other, and says why in its result. The call answers 200 when all were tried, and counts as one call.
     *
     * A call that was broken off may be sent again: a change that was made changes nothing, and a create with an `externalId` finds its lead.
     */
    leads(body: BatchLeadsRequest, options?: CallOptions): ApiCall<BatchResults>
  }

  equipment: {
    /**
     * List panels, inverters and batteries: `GET /v1/equipment`.
     *
     * The installer’s active equipment. Only the installer’s key.
     */
    list(query?: ListEquipmentQuery, options?: CallOptions): ListCall<EquipmentList>
  }

  events: {
    /**
     * Read what happened: `GET /v1/events`.
     *
     * Everything that happened, from the oldest, each with the record as it was then: an installer’s whole tenant, a dealer’s own records as a dealer sees them. Webhooks tell the same, under the same ids.
     *
     * Send `next` as `after` to go on. It is there on every page, also on an empty one: keep it, and nothing is missed, whatever is written meanwhile, and however long you are away, up to 90 days.
     *
     * To keep a copy of all records: read the feed with `after=now` and keep its `next`, read the lists, then go on from the `next`. Of two events of one record the one with the greater `version` is the newer.
     */
    list(query?: ListEventsQuery, options?: CallOptions): ListCall<EventPage>
  }

  leads: {
    /**
     * Create a lead: `POST /v1/leads`.
     *
     * In the key’s company. A known `externalId` answers 200 with the lead that exists.
     */
    create(body: CreateLeadRequest, options?: CallOptions): ApiCall<LeadCreated>

    /** Read a lead: `GET /v1/leads/{id}`. */
    get(id: string, options?: CallOptions): ApiCall<Lead>

    /**
     * List leads: `GET /v1/leads`.
     *
     * Newest change first, or oldest with `order=asc`. An installer sees its dealers’ leads too. Filters narrow each other; with several, a page may have fewer rows than `limit` though there are more: `next` says so.
     */
    list(query?: ListLeadsQuery, options?: CallOptions): ListCall<LeadPage>

    /**
     * Read a lead’s activity: `GET /v1/leads/{id}/activities`.
     *
     * Newest first, with the activity of its project.
     */
    listActivities(id: string, query?: ListActivitiesQuery, options?: CallOptions): ListCall<ActivityPage>

    /**
     * Mark a lead as sold: `POST /v1/leads/{id}/sale`.
     *
     * The lead becomes a project on the first stage of its ladder; what follows from that stage (checklist, alerts, messages to the customer) follows at once.
     *
     * A solar lead is sold with a `system`, a home-improvement lead with `products`: both from the installer’s catalogue, at its prices. What the customer pays is the contract’s `price`.
     *
     * A lead that is sold already answers 200 with the project that it became, and nothing is changed.
     */
    sell(id: string, body: SellLeadRequest, options?: CallOptions): ApiCall<Project>

    /**
     * Change a lead: `PATCH /v1/leads/{id}`.
     *
     * Absent fields are kept. What changes nothing does not move `updatedAt`.
     */
    update(id: string, body: ChangeLeadRequest, options?: CallOptions): ApiCall<Lead>

    /**
     * Write a note on a lead: `POST /v1/leads/{id}/activity`.
     *
     * Into the feed of the lead, which is its project’s too; or as a reply to a note of that feed. It does not change the lead, so `updatedAt` stays.
     */
    writeNote(id: string, body: WriteNoteRequest, options?: CallOptions): ApiCall<Activity>
  }

  me: {
    /** Prove that a key works: `GET /v1/me`. */
    get(options?: CallOptions): ApiCall<KeyInfo>
  }

  members: {
    /**
     * List members: `GET /v1/members`.
     *
     * In the order in which they were added. An installer sees its dealers’ members too.
     */
    list(query?: ListMembersQuery, options?: CallOptions): ListCall<MemberPage>
  }

  projects: {
    /**
     * Add files: `POST /v1/projects/{id}/files`.
     *
     * Only the installer’s key. All of a call’s files are added, or none.
     *
     * By their addresses, as JSON: the service copies each into its own store. An address that the folder holds already is not added again.
     *
     * Or from a disk, as a form (`multipart/form-data`): up to 10 parts called `files` and a field `folder`. What the folder holds already, whatever its name, is not added again.
     */
    addFiles(id: string, body: AddFilesRequest | FileUpload<AddFilesRequest['folder']>, options?: CallOptions): ApiCall<FilesAdded>

    /**
     * Remove a file: `DELETE /v1/projects/{id}/files/{fileId}`.
     *
     * Only the installer’s key. Its addresses answer no more, and its contents are gone.
     */
    deleteFile(id: string, fileId: string, options?: CallOptions): ApiCall<void>

    /** Read a project: `GET /v1/projects/{id}`. */
    get(id: string, options?: CallOptions): ApiCall<Project>

    /**
     * Read a project’s checklist: `GET /v1/projects/{id}/checklist`.
     *
     * The items of every stage that the project has entered, in the order of the ladder; those of stages that are no longer in use come last. They are ticked by `PATCH /v1/projects/{id}`.
     */
    getChecklist(id: string, options?: CallOptions): ApiCall<Checklist>

    /**
     * List projects: `GET /v1/projects`.
     *
     * Newest change first, or oldest with `order=asc`. An installer sees its dealers’ projects too. Filters narrow each other; with several, a page may have fewer rows than `limit` though there are more: `next` says so.
     */
    list(query?: ListProjectsQuery, options?: CallOptions): ListCall<ProjectPage>

    /**
     * List a project’s files: `GET /v1/projects/{id}/files`.
     *
     * The newest first. A dealer’s key sees none of `internal`.
     */
    listFiles(id: string, query?: ListFilesQuery, options?: CallOptions): ListCall<ProjectFilePage>

    /**
     * Move a project to another stage: `POST /v1/projects/{id}/stage`.
     *
     * Only the installer’s key. The stage’s checklist, alerts and messages follow. A name that the ladder does not have answers 400 with those it has.
     */
    moveStage(id: string, body: MoveStageRequest, options?: CallOptions): ApiCall<StageMoved>

    /**
     * Change a project: `PATCH /v1/projects/{id}`.
     *
     * Its days, notice to proceed, people and checklist: all of a call or nothing of it. Only the installer’s key. A value it already holds changes nothing.
     */
    update(id: string, body: ChangeProjectRequest, options?: CallOptions): ApiCall<Changed>
  }

  stages: {
    /**
     * List stages: `GET /v1/stages`.
     *
     * The stages of both ladders of the installer, each ladder in its order.
     */
    list(options?: CallOptions): ListCall<StageList>
  }
}

export const companyOperations: readonly Operation[] = [
  { id: 'listAdders', name: 'adders.list', method: 'GET', path: '/v1/adders', takes: null, answers: 'json', pages: 'single', repeat: 'always' },
  { id: 'batchLeads', name: 'batch.leads', method: 'POST', path: '/v1/batch/leads', takes: 'json', answers: 'json', pages: null, repeat: 'keyed' },
  { id: 'listEquipment', name: 'equipment.list', method: 'GET', path: '/v1/equipment', takes: 'query', answers: 'json', pages: 'single', repeat: 'always' },
  { id: 'listEvents', name: 'events.list', method: 'GET', path: '/v1/events', takes: 'query', answers: 'json', pages: 'feed', repeat: 'always' },
  { id: 'createLead', name: 'leads.create', method: 'POST', path: '/v1/leads', takes: 'json', answers: 'json', pages: null, repeat: 'keyed' },
  { id: 'readLead', name: 'leads.get', method: 'GET', path: '/v1/leads/{id}', takes: null, answers: 'json', pages: null, repeat: 'always' },
  { id: 'listLeads', name: 'leads.list', method: 'GET', path: '/v1/leads', takes: 'query', answers: 'json', pages: 'cursor', repeat: 'always' },
  { id: 'listActivities', name: 'leads.listActivities', method: 'GET', path: '/v1/leads/{id}/activities', takes: 'query', answers: 'json', pages: 'cursor', repeat: 'always' },
  { id: 'sellLead', name: 'leads.sell', method: 'POST', path: '/v1/leads/{id}/sale', takes: 'json', answers: 'json', pages: null, repeat: 'keyed' },
  { id: 'changeLead', name: 'leads.update', method: 'PATCH', path: '/v1/leads/{id}', takes: 'json', answers: 'json', pages: null, repeat: 'matched' },
  { id: 'writeNote', name: 'leads.writeNote', method: 'POST', path: '/v1/leads/{id}/activity', takes: 'json', answers: 'json', pages: null, repeat: 'keyed' },
  { id: 'readMe', name: 'me.get', method: 'GET', path: '/v1/me', takes: null, answers: 'json', pages: null, repeat: 'always' },
  { id: 'listMembers', name: 'members.list', method: 'GET', path: '/v1/members', takes: 'query', answers: 'json', pages: 'cursor', repeat: 'always' },
  { id: 'addFiles', name: 'projects.addFiles', method: 'POST', path: '/v1/projects/{id}/files', takes: 'files', answers: 'json', pages: null, repeat: 'keyed' },
  { id: 'deleteFile', name: 'projects.deleteFile', method: 'DELETE', path: '/v1/projects/{id}/files/{fileId}', takes: null, answers: 'none', pages: null, repeat: 'always' },
  { id: 'readProject', name: 'projects.get', method: 'GET', path: '/v1/projects/{id}', takes: null, answers: 'json', pages: null, repeat: 'always' },
  { id: 'readChecklist', name: 'projects.getChecklist', method: 'GET', path: '/v1/projects/{id}/checklist', takes: null, answers: 'json', pages: null, repeat: 'always' },
  { id: 'listProjects', name: 'projects.list', method: 'GET', path: '/v1/projects', takes: 'query', answers: 'json', pages: 'cursor', repeat: 'always' },
  { id: 'listFiles', name: 'projects.listFiles', method: 'GET', path: '/v1/projects/{id}/files', takes: 'query', answers: 'json', pages: 'cursor', repeat: 'always' },
  { id: 'moveStage', name: 'projects.moveStage', method: 'POST', path: '/v1/projects/{id}/stage', takes: 'json', answers: 'json', pages: null, repeat: 'keyed' },
  { id: 'changeProject', name: 'projects.update', method: 'PATCH', path: '/v1/projects/{id}', takes: 'json', answers: 'json', pages: null, repeat: 'matched' },
  { id: 'listStages', name: 'stages.list', method: 'GET', path: '/v1/stages', takes: null, answers: 'json', pages: 'single', repeat: 'always' },
]

/** List panels, inverters and batteries */
export interface ListEquipmentQuery {
  /** All three when absent */
  kind?: 'panel' | 'inverter' | 'battery' | undefined
}

/** Read what happened */
export interface ListEventsQuery {
  /** Where to go on: the `next` of the page before, or the `id` of an event. `now` begins at the end; when absent, it begins with the oldest event that is kept, for at least 90 days */
  after?: string | undefined
  /** Only these, separated by commas; `lead.*` stands for all of leads. There are lead.created, lead.updated, project.created, project.updated, project.stage_changed, project.deleted, note.created, message.queued, proposal.opened, team.alerted, checklist.updated, activity.deleted, file.added, file.deleted, panel.created, panel.updated, panel.deleted, installation.created, installation.updated, installation.deleted, alert.triggered, alert.updated, alert.acknowledged, alert.resolved, invoice.created, invoice.updated, invoice.deleted, invoice.finalized, invoice.payment_recorded, invoice.paid, invoice.voided, credit.created */
  types?: string | undefined
  /** Events per page */
  limit?: number | undefined
}

/** List leads */
export interface ListLeadsQuery {
  /** Rows per page */
  limit?: number | undefined
  /** The `next` of the page before, with the same other query fields */
  cursor?: string | undefined
  /** Only rows changed after this time: any ISO 8601 timestamp with offset. In an address a `+` is written `%2B` */
  updatedSince?: string | Date | undefined
  /** Both lines when absent */
  productLine?: 'solar' | 'hi' | undefined
  /** `desc` when absent: newest change first. `asc`: oldest change first, so that a sync can stop after any page and go on with the `updatedAt` of the last row as `updatedSince`; a row that changes meanwhile comes again, at the end */
  order?: 'desc' | 'asc' | undefined
  /** The caller’s own id, as sent on create */
  externalId?: string | undefined
  /** The customer’s email; case does not matter */
  email?: string | undefined
  /** The customer’s phone in any form: numbers are compared as E.164 */
  phone?: string | undefined
  /** Only leads of this status */
  status?: 'new' | 'contacted' | 'nurture' | 'appointmentSet' | 'proposalSent' | 'sold' | 'lost' | 'unqualified' | undefined
  /** The sales rep’s member id or email */
  salesRep?: string | undefined
  /** Only records of this company: the installer’s own, or a dealer’s */
  companyId?: string | undefined
  /** Only where the customer’s name, email, phone or address, or an id, holds every word, in any place and without case or accents; at most 6 words */
  search?: string | undefined
  /** `project`: the whole Project instead of its ids */
  expand?: string | undefined
}

/** Read a lead’s activity */
export interface ListActivitiesQuery {
  /** Rows per page */
  limit?: number | undefined
  /** The `next` of the page before, with the same other query fields */
  cursor?: string | undefined
}

/** List members */
export interface ListMembersQuery {
  /** Rows per page */
  limit?: number | undefined
  /** The `next` of the page before, with the same other query fields */
  cursor?: string | undefined
  /** Only the members of this company */
  companyId?: string | undefined
}

/** List projects */
export interface ListProjectsQuery {
  /** Rows per page */
  limit?: number | undefined
  /** The `next` of the page before, with the same other query fields */
  cursor?: string | undefined
  /** Only rows changed after this time: any ISO 8601 timestamp with offset. In an address a `+` is written `%2B` */
  updatedSince?: string | Date | undefined
  /** Both lines when absent */
  productLine?: 'solar' | 'hi' | undefined
  /** `desc` when absent: newest change first. `asc`: oldest change first, so that a sync can stop after any page and go on with the `updatedAt` of the last row as `updatedSince`; a row that changes meanwhile comes again, at the end */
  order?: 'desc' | 'asc' | undefined
  /** A stage’s id or name; case does not matter. Where both ladders have the name, of both */
  stage?: string | undefined
  /** The sales rep’s member id or email */
  salesRep?: string | undefined
  /** Only records of this company: the installer’s own, or a dealer’s */
  companyId?: string | undefined
  /** Only where the customer’s name, email, phone or address, or an id, holds every word, in any place and without case or accents; at most 6 words */
  search?: string | undefined
  /** Only projects whose install is scheduled for this day or later */
  installDateFrom?: string | undefined
  /** Only projects whose install is scheduled for this day or earlier */
  installDateTo?: string | undefined
  /** `milestones`, `files`: these fields of the Project in each row. `project`: the whole Project instead of its row */
  expand?: string | undefined
}

/** List a project’s files */
export interface ListFilesQuery {
  /** Rows per page */
  limit?: number | undefined
  /** The `next` of the page before, with the same other query fields */
  cursor?: string | undefined
  /** Only this one; all of them when absent */
  folder?: 'contract' | 'utilityBill' | 'identification' | 'material' | 'siteSurvey' | 'planset' | 'permit' | 'interconnection' | 'other' | 'homeInsurance' | 'installationPhoto' | 'internal' | undefined
}


/** A homeowner. */
export type Contact = {
  /** First name */
  firstName: string | null
  /** Last name */
  lastName: string | null
  /** Email address */
  email: string | null
  /** As it was given */
  phone: string | null
}

/** A member of the company's team. */
export type Staff = {
  /** First and last name */
  name: string | null
  /** Email address */
  email: string | null
  /** As it was given */
  phone: string | null
}

/** Where the house stands. */
export type Address = {
  /** Street and number */
  line1: string | null
  /** What else, such as a unit */
  line2: string | null
  /** City */
  city: string | null
  /** State, in two letters where it is one of the United States */
  state: string | null
  /** Postal code */
  postalCode: string | null
  /** Two-letter code */
  country: string | null
}

/** A project as the list shows it; `milestones` and `files` where `expand` asks for them. */
export type ProjectRow = {
  /** The service's own id */
  id: string
  /** 10-character UID carried over from an older system */
  reference: string | null
  /** The lead that became this project */
  leadId: string
  /** What was sold */
  productLine: 'solar' | 'hi'
  /** Where the project stands on its ladder, and since when */
  stage: {
    /** As in the list of stages */
    id: string
    /** The stage’s name */
    name: string | null
    /** When it was entered */
    enteredAt: string | null
  }
  /** When it was sold */
  soldAt: string | null
  /** Unique and strictly increasing within an installer: keep the newest and send it as updatedSince */
  updatedAt: string | null
  /** Whether notice to proceed is granted */
  ntpGranted: boolean
  customer: Contact
  address: Address
  /** A key is there when its day is known */
  milestones?: {
    /** The day of contract signed */
    contractSigned?: string | undefined
    /** The day of site survey scheduled */
    siteSurveyScheduled?: string | undefined
    /** The day of site survey completed */
    siteSurveyCompleted?: string | undefined
    /** The day of planset completed */
    plansetCompleted?: string | undefined
    /** The day of permit submitted */
    permitSubmitted?: string | undefined
    /** The day of permit received */
    permitReceived?: string | undefined
    /** The day of interconnection submitted */
    interconnectionSubmitted?: string | undefined
    /** The day of interconnection approved */
    interconnectionApproved?: string | undefined
    /** The day of install scheduled */
    installScheduled?: string | undefined
    /** The day of install completed */
    installCompleted?: string | undefined
    /** The day of inspection passed */
    inspectionPassed?: string | undefined
    /** The day of pto granted */
    ptoGranted?: string | undefined
  } | undefined
  /** Addresses by folder. A dealer's key sees internal empty */
  files?: {
    /** The files of the folder `contract` */
    contract: string[]
    /** The files of the folder `utilityBill` */
    utilityBill: string[]
    /** The files of the folder `identification` */
    identification: string[]
    /** The files of the folder `material` */
    material: string[]
    /** The files of the folder `siteSurvey` */
    siteSurvey: string[]
    /** The files of the folder `planset` */
    planset: string[]
    /** The files of the folder `permit` */
    permit: string[]
    /** The files of the folder `interconnection` */
    interconnection: string[]
    /** The files of the folder `other` */
    other: string[]
    /** The files of the folder `homeInsurance` */
    homeInsurance: string[]
    /** The files of the folder `installationPhoto` */
    installationPhoto: string[]
    /** The files of the folder `internal` */
    internal: string[]
  } | undefined
}

/** How it is paid for. */
export type Financing = {
  /** What kind of financing it is */
  type: 'cash' | 'loan' | 'lease' | 'ppa'
  /** Who lends */
  lender: string | null
  /** Dollars */
  amount: number | null
  /** The yearly rate, in percent */
  aprPercent: number | null
  /** How long it runs, in months */
  termMonths: number | null
  /** Dollars */
  monthlyPayment: number | null
  /** What the lender keeps, in percent */
  dealerFeePercent: number | null
}

/** The solar system that was sold. */
export type System = {
  /** Kilowatts of all panels together */
  sizeKw: number | null
  /** What it is expected to make in a year */
  annualProductionKwh: number | null
  /** Its panels */
  panels: {
    /** How many there are */
    count: number | null
    /** Who made them */
    manufacturer: string | null
    /** What their maker calls them */
    model: string | null
  }
  /** Its inverters */
  inverters: {
    /** How many there are */
    count: number | null
    /** Who made them */
    manufacturer: string | null
    /** What their maker calls them */
    model: string | null
    /** As the catalogue calls it */
    name: string | null
    /** Whether each panel has its own */
    microinverter: boolean
  }
  /** Its batteries; null where it has none */
  batteries: {
    /** How many there are */
    count: number | null
    /** Who made them */
    manufacturer: string | null
    /** What their maker calls them */
    model: string | null
    /** What one of them stores */
    capacityKwh: number | null
  } | null
  /** What a watt costs */
  pricePerWatt: {
    /** Dollars, before adders */
    base: number | null
    /** Dollars, with all that was added */
    final: number | null
  }
  /** What was added to it */
  adders: ({
    /** The adder’s name */
    name: string
    /** How many of its units */
    quantity: number
    /** Dollars */
    total: number | null
  })[]
}

/** A project as the single read shows it. */
export type Project = {
  /** The service's own id */
  id: string
  /** 10-character UID carried over from an older system */
  reference: string | null
  /** The lead that became this project */
  leadId: string
  /** What was sold */
  productLine: 'solar' | 'hi'
  /** Where the project stands on its ladder, and since when */
  stage: {
    /** As in the list of stages */
    id: string
    /** The stage’s name */
    name: string | null
    /** When it was entered */
    enteredAt: string | null
  }
  /** When it was sold */
  soldAt: string | null
  /** Unique and strictly increasing within an installer: keep the newest and send it as updatedSince */
  updatedAt: string | null
  /** Whether notice to proceed is granted */
  ntpGranted: boolean
  customer: Contact
  address: Address
  /** Who signs with the customer; null where nobody does */
  coBorrower: Contact | null
  /** What somebody wrote down */
  notes: {
    /** What is known about the customer */
    customer: string | null
    /** What is known about the project */
    project: string | null
  }
  /** The company that sold it */
  company: {
    /** Who sold it */
    name: string
  } | null
  /** Who sold it; null where nobody is assigned */
  salesRep: Staff | null
  /** Who set the appointment; null where nobody did */
  setter: Staff | null
  /** Who manages it; null where nobody is assigned */
  projectManager: Staff | null
  /** Who surveys the site; null where nobody is assigned */
  siteSurveyor: Staff | null
  /** Who works on it from outside; null where nobody is assigned */
  subcontractor: Staff | null
  /** What was agreed */
  contract: {
    /** When it was signed */
    signedAt: string | null
    /** Dollars */
    price: number | null
    /** The files of the folder `contract` */
    files: string[]
  }
  financing: Financing
  /** Null for HI projects */
  system: System | null
  /** The HI products sold; null for solar projects */
  products: ({
    /** The product’s name */
    name: string
    /** Dollars */
    price: number | null
  })[] | null
  /** A key is there when its day is known */
  milestones: {
    /** The day of contract signed */
    contractSigned?: string | undefined
    /** The day of site survey scheduled */
    siteSurveyScheduled?: string | undefined
    /** The day of site survey completed */
    siteSurveyCompleted?: string | undefined
    /** The day of planset completed */
    plansetCompleted?: string | undefined
    /** The day of permit submitted */
    permitSubmitted?: string | undefined
    /** The day of permit received */
    permitReceived?: string | undefined
    /** The day of interconnection submitted */
    interconnectionSubmitted?: string | undefined
    /** The day of interconnection approved */
    interconnectionApproved?: string | undefined
    /** The day of install scheduled */
    installScheduled?: string | undefined
    /** The day of install completed */
    installCompleted?: string | undefined
    /** The day of inspection passed */
    inspectionPassed?: string | undefined
    /** The day of pto granted */
    ptoGranted?: string | undefined
  }
  /** Addresses by folder. A dealer's key sees internal empty */
  files: {
    /** The files of the folder `contract` */
    contract: string[]
    /** The files of the folder `utilityBill` */
    utilityBill: string[]
    /** The files of the folder `identification` */
    identification: string[]
    /** The files of the folder `material` */
    material: string[]
    /** The files of the folder `siteSurvey` */
    siteSurvey: string[]
    /** The files of the folder `planset` */
    planset: string[]
    /** The files of the folder `permit` */
    permit: string[]
    /** The files of the folder `interconnection` */
    interconnection: string[]
    /** The files of the folder `other` */
    other: string[]
    /** The files of the folder `homeInsurance` */
    homeInsurance: string[]
    /** The files of the folder `installationPhoto` */
    installationPhoto: string[]
    /** The files of the folder `internal` */
    internal: string[]
  }
  /** Where people find it */
  links: {
    /** The project in the console */
    project: string
    /** Its proposal; null where it has none */
    proposal: string | null
  }
}

/** A customer, before and after they bought. */
export type Lead = {
  /** The service's own id */
  id: string
  /** 10-character UID carried over from an older system */
  reference: string | null
  /** What they are interested in */
  productLine: 'solar' | 'hi'
  /** `sold` exactly when `project` is not null */
  status: 'new' | 'contacted' | 'nurture' | 'appointmentSet' | 'proposalSent' | 'sold' | 'lost' | 'unqualified'
  /** Also true where the customer was erased: then `customer`, `address` and the like are null for good */
  archived: boolean
  /** When it came to be */
  createdAt: string | null
  /** Unique and strictly increasing within an installer: keep the newest and send it as updatedSince */
  updatedAt: string | null
  customer: Contact
  /** Who signs with them; null where nobody does */
  coBorrower: Contact | null
  address: Address
  /** What they pay for power */
  utility: {
    /** Who delivers their power */
    name: string | null
    /** Dollars */
    monthlyBill: number | null
  }
  /** Where the lead came from */
  source: {
    /** Such as a campaign */
    name: string | null
    /** Such as a part of the campaign */
    subSource: string | null
  }
  /** The caller's own id, as sent on create */
  externalId: string | null
  /** What is known about the customer */
  notes: string | null
  /** Who sells; null where nobody is assigned */
  salesRep: Staff | null
  /** Who set the appointment; null where nobody did */
  setter: Staff | null
  /** Null until the customer bought; in a list with `expand=project` the whole project */
  project: {
    /** The project’s id */
    id: string
    /** 10-character UID carried over from an older system */
    reference: string | null
  } | Project | null
  /** Where people find it */
  links: {
    /** The lead in the console */
    record: string
  }
}

/** The lead that was made, or was there already. */
export type LeadCreated = {
  /** The lead’s id */
  leadId: string
  /** False where the externalId was known already */
  created: boolean
  /** The rep's or setter's emails that are no active member's */
  unassigned: string[]
}

/** An entry of a lead’s feed. */
export type Activity = {
  /** The entry’s id */
  id: string
  /** What happened */
  type: 'note' | 'leadCreated' | 'leadUpdated' | 'assigned' | 'projectCreated' | 'stageChanged' | 'installScheduled' | 'ntpChanged' | 'fileAdded' | 'checklistDone' | 'message' | 'alert'
  /** In words */
  body: string
  /** Only the company's admins see it */
  internal: boolean
  /** Whether the customer was told */
  customerFacing: boolean
  /** The id of the entry that it answers; null where it answers none */
  replyTo: string | null
  /** Who wrote it or did it */
  author: string | null
  /** When it happened */
  createdAt: string | null
}

/** An adder or an HI product. */
export type Adder = {
  /** The adder’s id */
  id: string
  /** What it is called */
  name: string
  /** What it is */
  description: string | null
  /** Where it is sold */
  productLine: 'solar' | 'hi'
  /** Null for plain adders */
  productKind: 'roofing' | 'windows' | 'doors' | 'siding' | 'insulation' | 'hvac' | 'waterHeater' | 'electrical' | 'battery' | 'evCharger' | 'other' | null
  /** What its price is for */
  unit: 'perWatt' | 'flat' | 'each' | 'perPanel' | 'perFoot' | 'perSquareFoot'
  /** Dollars; dollars per watt when the unit is perWatt */
  unitPrice: number
  /** Whether its price depends on how many are sold */
  tiered: boolean
  /** Whether the rep pays for it */
  repSponsored: boolean
  /** Whether customers see it on their proposal */
  showOnProposal: boolean
  /** Who makes it */
  brand: string | null
  /** What its maker calls it */
  model: string | null
  /** How long it is guaranteed */
  warrantyYears: number | null
}

/** Which optional fields are there follows from the kind. */
export type Equipment = {
  /** The equipment’s id */
  id: string
  /** What it is */
  kind: 'panel' | 'inverter' | 'battery'
  /** Who makes it */
  manufacturer: string
  /** What its maker calls it */
  model: string | null
  /** Whether it is what is usually sold */
  default?: boolean | undefined
  /** Panels */
  watts?: number | undefined
  /** Inverters */
  ratedOutputWatts?: number | null | undefined
  /** Panels and inverters */
  efficiencyPercent?: number | null | undefined
  /** Inverters */
  microinverter?: boolean | undefined
  /** Batteries */
  capacityKwh?: number | null | undefined
  /** Batteries */
  continuousOutputWatts?: number | null | undefined
  /** How long it is guaranteed */
  warrantyYears?: number | null | undefined
}

/** A key and whose it is. */
export type KeyInfo = {
  /** The key itself */
  key: {
    /** The key’s id */
    id: string
    /** What its company calls it */
    name: string
    /** psk_ and the first 8 digits */
    prefix: string
    /** What the key was made for */
    scopes: {
      /** `read`: it changes nothing */
      access: 'full' | 'read'
      /** Which interfaces it may call */
      interfaces: ('company' | 'legacy' | 'catalog')[]
      /** Whether it only proposes to move stages, sell and bill, through `/mcp`: a person then decides. Elsewhere these calls answer 403 */
      proposes: boolean
    }
    /** The agent that it was made for, as activity names it; null: none */
    agent: string | null
    /** When it ends by itself; null: never */
    expiresAt: string | null
  }
  /** Whose key it is */
  company: {
    /** The service's own id */
    id: string
    /** What it is called */
    name: string
    /** A dealer sells for its installer */
    kind: 'installer' | 'dealer'
    /** The company’s number, which the legacy API calls `org_id` */
    orgId: number
    /** Where its days begin and end, as IANA names it */
    timezone: string
  }
}

/** A step of the ladder that projects climb. */
export type Stage = {
  /** As in the `stage` of a project */
  id: string
  /** As the ladder shows it */
  name: string
  /** Whose ladder it is on */
  productLine: 'solar' | 'hi'
  /** Where on its ladder it stands, from 1 */
  position: number
  /** The milestone that is set to the day of entry */
  milestone: 'contractSigned' | 'siteSurveyScheduled' | 'siteSurveyCompleted' | 'plansetCompleted' | 'permitSubmitted' | 'permitReceived' | 'interconnectionSubmitted' | 'interconnectionApproved' | 'installScheduled' | 'installCompleted' | 'inspectionPassed' | 'ptoGranted' | null
  /** For how many days a project may stand in it before it is late */
  allowedDays: number | null
}

/** Somebody who works for the company. */
export type Member = {
  /** The service's own id */
  id: string
  /** Whose member it is: the key’s company, or a dealer of it */
  companyId: string
  /** First and last name */
  name: string
  /** Email address */
  email: string
  /** As it was given */
  phone: string | null
  /** What they may do in the console */
  role: 'owner' | 'admin' | 'manager' | 'rep' | 'setter' | 'surveyor' | 'subcontractor'
  /** False for who has left; records may still show them */
  active: boolean
}

/** Where the project stands now. */
export type StageMoved = {
  /** False where it stood there already */
  changed: boolean
  /** The stage's name */
  stage: string
}

/** Whether anything changed. */
export type Changed = {
  /** False where it was so already */
  changed: boolean
}

/** What became of the addresses. */
export type FilesAdded = {
  /** One for each address, in the order in which they were sent */
  files: ({
    /** The file’s id */
    id: string
    /** What it is called */
    name: string
    /** Where it is */
    folder: 'contract' | 'utilityBill' | 'identification' | 'material' | 'siteSurvey' | 'planset' | 'permit' | 'interconnection' | 'other' | 'homeInsurance' | 'installationPhoto' | 'internal'
    /** False where the folder held the address already */
    added: boolean
  })[]
}

/** A file of a project. */
export type ProjectFile = {
  /** The service's own id */
  id: string
  /** With its ending */
  name: string
  /** Where it belongs */
  folder: 'contract' | 'utilityBill' | 'identification' | 'material' | 'siteSurvey' | 'planset' | 'permit' | 'interconnection' | 'other' | 'homeInsurance' | 'installationPhoto' | 'internal'
  /** In bytes */
  size: number
  /** What its contents were found to be */
  type: string
  /** Of its contents, in hexadecimal digits */
  sha256: string
  /** When it was added */
  addedAt: string
  /** The person or the key that added it, where that is known */
  addedBy: string | null
  /** Address of the service's own copy */
  url: string
}

/** A page of a list. */
export type ProjectFilePage = {
  /** The records of this page */
  data: ProjectFile[]
  /** Cursor of the next page; null at the end */
  next: string | null
}

/** What is to be done on a project. */
export type Checklist = {
  /** Its items, in their order */
  data: ({
    /** The stage whose item it is */
    stageId: string
    /** The name of that stage */
    stage: string
    /** What is to be done */
    label: string
    /** Whether it is done */
    done: boolean
    /** When it was ticked */
    doneAt: string | null
    /** The person who ticked it; null where a program did */
    doneBy: string | null
  })[]
}

/** What became of each item. */
export type BatchResults = {
  /** One for each item, in their order */
  results: ({
    /** Which item, from 0 */
    index: number
    /** As the call for this item alone answers it: 201 created, 200 changed or there already, 4xx refused */
    status: number
    /** The lead that was created, changed or found */
    leadId?: string | undefined
    /** Of a create: false where its `externalId` was known */
    created?: boolean | undefined
    /** Of a create: the rep's or setter's emails that are no active member's */
    unassigned?: string[] | undefined
    /** Why it was refused; then the item changed nothing */
    error?: {
      /** What is wrong */
      code: 'unauthorized' | 'forbidden' | 'not_found' | 'invalid' | 'rate_limited' | 'unavailable' | 'internal'
      /** Which field of the item is wrong, and what it must be */
      message: string
      /** Where the code is explained */
      docs: string
      /** The fields that are at fault; absent where none is */
      fields?: ({
        /** Where it stands in the body or query: `address.line1`, `files[0].url` */
        path: string
        /** What is wrong with it */
        message: string
      })[] | undefined
    } | undefined
  })[]
}

/** What went wrong, and what to do about it. */
export type ErrorResponse = {
  /** The error */
  error: {
    /** What kind of error it is */
    code: 'unauthorized' | 'forbidden' | 'not_found' | 'invalid' | 'rate_limited' | 'unavailable' | 'internal'
    /** Says what to change */
    message: string
    /** Where the code is explained */
    docs: string
    /** The fields that are at fault; absent where none is */
    fields?: ({
      /** Where it stands in the body or query: `address.line1`, `files[0].url` */
      path: string
      /** What is wrong with it */
      message: string
    })[] | undefined
  }
}

/** A page of a list. */
export type ProjectPage = {
  /** The records of this page */
  data: (ProjectRow | Project)[]
  /** Cursor of the next page; null at the end */
  next: string | null
}

/** A page of a list. */
export type LeadPage = {
  /** The records of this page */
  data: Lead[]
  /** Cursor of the next page; null at the end */
  next: string | null
}

/** A page of a list. */
export type ActivityPage = {
  /** The records of this page */
  data: Activity[]
  /** Cursor of the next page; null at the end */
  next: string | null
}

/** A page of a list. */
export type MemberPage = {
  /** The records of this page */
  data: Member[]
  /** Cursor of the next page; null at the end */
  next: string | null
}

/** A list. */
export type StageList = {
  /** All of them */
  data: Stage[]
}

/** A list. */
export type AdderList = {
  /** All of them */
  data: Adder[]
}

/** A list. */
export type EquipmentList = {
  /** All of them */
  data: Equipment[]
}

/** Who did it. */
export type EventActor = {
  /** A company key, a person, or the system itself */
  kind: 'key' | 'member' | 'job'
  /** Of the key or the person */
  id: string | null
  /** As an activity shows it */
  name: string | null
}

/** What it happened to. */
export type EventRecord = {
  /** What kind of record it is */
  type: 'lead' | 'project' | 'activity' | 'file' | 'panel' | 'installation' | 'alert' | 'invoice' | 'credit'
  /** Of the record that the event is about */
  id: string
  /** The lead that it belongs to, where it belongs to one */
  leadId: string | null
}

/** The lead as `GET /v1/leads/{id}` read it then. */
export type LeadEventData = {
  /** The service's own id */
  id: string
  /** 10-character UID carried over from an older system */
  reference: string | null
  /** What they are interested in */
  productLine: 'solar' | 'hi'
  /** `sold` exactly when `project` is not null */
  status: 'new' | 'contacted' | 'nurture' | 'appointmentSet' | 'proposalSent' | 'sold' | 'lost' | 'unqualified'
  /** Also true where the customer was erased: then `customer`, `address` and the like are null for good */
  archived: boolean
  /** When it came to be */
  createdAt: string | null
  /** Unique and strictly increasing within an installer: keep the newest and send it as updatedSince */
  updatedAt: string | null
  customer: Contact
  /** Who signs with them; null where nobody does */
  coBorrower: Contact | null
  address: Address
  /** What they pay for power */
  utility: {
    /** Who delivers their power */
    name: string | null
    /** Dollars */
    monthlyBill: number | null
  }
  /** Where the lead came from */
  source: {
    /** Such as a campaign */
    name: string | null
    /** Such as a part of the campaign */
    subSource: string | null
  }
  /** The caller's own id, as sent on create */
  externalId: string | null
  /** What is known about the customer */
  notes: string | null
  /** Who sells; null where nobody is assigned */
  salesRep: Staff | null
  /** Who set the appointment; null where nobody did */
  setter: Staff | null
  /** Null until the customer bought; in a list with `expand=project` the whole project */
  project: {
    /** The project’s id */
    id: string
    /** 10-character UID carried over from an older system */
    reference: string | null
  } | Project | null
  /** Where people find it */
  links: {
    /** The lead in the console */
    record: string
  }
  /** True where the customer was erased: forget them too. Absent otherwise */
  erased?: boolean | undefined
}

/** The project as `GET /v1/projects/{id}` read it then. */
export type ProjectEventData = {
  /** The service's own id */
  id: string
  /** 10-character UID carried over from an older system */
  reference: string | null
  /** The lead that became this project */
  leadId: string
  /** What was sold */
  productLine: 'solar' | 'hi'
  /** Where the project stands on its ladder, and since when */
  stage: {
    /** As in the list of stages */
    id: string
    /** The stage’s name */
    name: string | null
    /** When it was entered */
    enteredAt: string | null
  }
  /** When it was sold */
  soldAt: string | null
  /** Unique and strictly increasing within an installer: keep the newest and send it as updatedSince */
  updatedAt: string | null
  /** Whether notice to proceed is granted */
  ntpGranted: boolean
  customer: Contact
  address: Address
  /** Who signs with the customer; null where nobody does */
  coBorrower: Contact | null
  /** What somebody wrote down */
  notes: {
    /** What is known about the customer */
    customer: string | null
    /** What is known about the project */
    project: string | null
  }
  /** The company that sold it */
  company: {
    /** Who sold it */
    name: string
  } | null
  /** Who sold it; null where nobody is assigned */
  salesRep: Staff | null
  /** Who set the appointment; null where nobody did */
  setter: Staff | null
  /** Who manages it; null where nobody is assigned */
  projectManager: Staff | null
  /** Who surveys the site; null where nobody is assigned */
  siteSurveyor: Staff | null
  /** Who works on it from outside; null where nobody is assigned */
  subcontractor: Staff | null
  /** What was agreed */
  contract: {
    /** When it was signed */
    signedAt: string | null
    /** Dollars */
    price: number | null
    /** The files of the folder `contract` */
    files: string[]
  }
  financing: Financing
  /** Null for HI projects */
  system: System | null
  /** The HI products sold; null for solar projects */
  products: ({
    /** The product’s name */
    name: string
    /** Dollars */
    price: number | null
  })[] | null
  /** A key is there when its day is known */
  milestones: {
    /** The day of contract signed */
    contractSigned?: string | undefined
    /** The day of site survey scheduled */
    siteSurveyScheduled?: string | undefined
    /** The day of site survey completed */
    siteSurveyCompleted?: string | undefined
    /** The day of planset completed */
    plansetCompleted?: string | undefined
    /** The day of permit submitted */
    permitSubmitted?: string | undefined
    /** The day of permit received */
    permitReceived?: string | undefined
    /** The day of interconnection submitted */
    interconnectionSubmitted?: string | undefined
    /** The day of interconnection approved */
    interconnectionApproved?: string | undefined
    /** The day of install scheduled */
    installScheduled?: string | undefined
    /** The day of install completed */
    installCompleted?: string | undefined
    /** The day of inspection passed */
    inspectionPassed?: string | undefined
    /** The day of pto granted */
    ptoGranted?: string | undefined
  }
  /** Addresses by folder. A dealer's key sees internal empty */
  files: {
    /** The files of the folder `contract` */
    contract: string[]
    /** The files of the folder `utilityBill` */
    utilityBill: string[]
    /** The files of the folder `identification` */
    identification: string[]
    /** The files of the folder `material` */
    material: string[]
    /** The files of the folder `siteSurvey` */
    siteSurvey: string[]
    /** The files of the folder `planset` */
    planset: string[]
    /** The files of the folder `permit` */
    permit: string[]
    /** The files of the folder `interconnection` */
    interconnection: string[]
    /** The files of the folder `other` */
    other: string[]
    /** The files of the folder `homeInsurance` */
    homeInsurance: string[]
    /** The files of the folder `installationPhoto` */
    installationPhoto: string[]
    /** The files of the folder `internal` */
    internal: string[]
  }
  /** Where people find it */
  links: {
    /** The project in the console */
    project: string
    /** Its proposal; null where it has none */
    proposal: string | null
  }
  /** True where the customer was erased: forget them too. Absent otherwise */
  erased?: boolean | undefined
}

/** An entry of a lead’s activity. */
export type ActivityEventData = {
  /** Of the entry in the lead’s activity */
  id: string
  /** As `GET /v1/leads/{id}/activities` has it */
  type: string
  /** What it says */
  body: string
  /** Told to the company alone that wrote it */
  internal: boolean
  /** The customer sees it */
  customerFacing: boolean
  /** The note that it answers */
  replyTo: string | null
  /** Who wrote it */
  author: string | null
  /** When it was written */
  createdAt: string
  /** Whose activity it is in */
  leadId: string
  /** The lead’s project, where it has one */
  projectId: string | null
  /** Of `checklist.updated`: what was ticked */
  item?: {
    /** The stage whose checklist it is on */
    stage: string | null
    /** What is to be done */
    label: string
    /** False where it was taken back */
    done: boolean
  } | undefined
  /** True where the customer was erased: forget them too. Absent otherwise */
  erased?: boolean | undefined
}

/** An entry of a lead’s activity that was taken back. */
export type WithdrawnEventData = {
  /** Of the entry that is no more */
  id: string
  /** In whose activity it was */
  leadId: string
  /** The lead’s project, where it had one */
  projectId: string | null
  /** True where the customer was erased: forget them too. Absent otherwise */
  erased?: boolean | undefined
}

/** A file of a project. */
export type FileEventData = {
  /** Of the file */
  id: string
  /** As it is called; absent where the customer was erased */
  name?: string | undefined
  /** Where it is; absent where the customer was erased */
  folder?: 'contract' | 'utilityBill' | 'identification' | 'material' | 'siteSurvey' | 'planset' | 'permit' | 'interconnection' | 'other' | 'homeInsurance' | 'installationPhoto' | 'internal' | undefined
  /** Where it is served, as long as it is there */
  url?: string | undefined
  /** The project that it belongs to; spelled as webhooks have always had it */
  project_id: string
  /** True where the customer was erased: forget them too. Absent otherwise */
  erased?: boolean | undefined
}

/** A panel, installation, alert, invoice or credit as the catalogue API reads it; what its webhooks are sent is described there. */
export type CatalogueEventData = {
  /** Of the record */
  id: string
  [name: string]: unknown
}

/** Of a lead. */
export type LeadEvent = {
  /** Also the `webhook-id` under which endpoints are sent it */
  id: string
  /** Of the record: grows with every change of it, so what is older than you have can be dropped */
  version: number
  /** What happened */
  type: 'lead.created' | 'lead.updated'
  /** When it happened */
  at: string
  actor: EventActor
  record: EventRecord
  /** The fields of `data` that this change made otherwise, each as it was */
  previous: Record<string, unknown>
  data: LeadEventData
}

/** Of a project. */
export type ProjectEvent = {
  /** Also the `webhook-id` under which endpoints are sent it */
  id: string
  /** Of the record: grows with every change of it, so what is older than you have can be dropped */
  version: number
  /** What happened */
  type: 'project.created' | 'project.updated' | 'project.stage_changed' | 'project.deleted'
  /** When it happened */
  at: string
  actor: EventActor
  record: EventRecord
  /** The fields of `data` that this change made otherwise, each as it was */
  previous: Record<string, unknown>
  data: ProjectEventData
}

/** Something that stands in a lead’s activity and changes no record: a note or a reply, a message to the customer, that they opened the proposal, that people were alerted, an item of a checklist. */
export type ActivityEvent = {
  /** Also the `webhook-id` under which endpoints are sent it */
  id: string
  /** Of the record: grows with every change of it, so what is older than you have can be dropped */
  version: number
  /** What happened */
  type: 'note.created' | 'message.queued' | 'proposal.opened' | 'team.alerted' | 'checklist.updated'
  /** When it happened */
  at: string
  actor: EventActor
  record: EventRecord
  /** The fields of `data` that this change made otherwise, each as it was */
  previous: Record<string, unknown>
  data: ActivityEventData
}

/** A message or an alert that was taken back, as the move or the sale that had made it was undone. */
export type WithdrawnEvent = {
  /** Also the `webhook-id` under which endpoints are sent it */
  id: string
  /** Of the record: grows with every change of it, so what is older than you have can be dropped */
  version: number
  /** What happened */
  type: 'activity.deleted'
  /** When it happened */
  at: string
  actor: EventActor
  record: EventRecord
  /** The fields of `data` that this change made otherwise, each as it was */
  previous: Record<string, unknown>
  data: WithdrawnEventData
}

/** Of a file. */
export type FileEvent = {
  /** Also the `webhook-id` under which endpoints are sent it */
  id: string
  /** Of the record: grows with every change of it, so what is older than you have can be dropped */
  version: number
  /** What happened */
  type: 'file.added' | 'file.deleted'
  /** When it happened */
  at: string
  actor: EventActor
  record: EventRecord
  /** The fields of `data` that this change made otherwise, each as it was */
  previous: Record<string, unknown>
  data: FileEventData
}

/** Of a record of the catalogue API. */
export type CatalogueEvent = {
  /** Also the `webhook-id` under which endpoints are sent it */
  id: string
  /** Of the record: grows with every change of it, so what is older than you have can be dropped */
  version: number
  /** What happened */
  type: 'panel.created' | 'panel.updated' | 'panel.deleted' | 'installation.created' | 'installation.updated' | 'installation.deleted' | 'alert.triggered' | 'alert.updated' | 'alert.acknowledged' | 'alert.resolved' | 'invoice.created' | 'invoice.updated' | 'invoice.deleted' | 'invoice.finalized' | 'invoice.payment_recorded' | 'invoice.paid' | 'invoice.voided' | 'credit.created'
  /** When it happened */
  at: string
  actor: EventActor
  record: EventRecord
  /** The fields of `data` that this change made otherwise, each as it was */
  previous: Record<string, unknown>
  data: CatalogueEventData
}

/** Something that happened. Its `type` says what `data` is. */
export type Event = LeadEvent | ProjectEvent | ActivityEvent | WithdrawnEvent | FileEvent | CatalogueEvent

/** A page of the feed. */
export type EventPage = {
  /** From the oldest */
  data: Event[]
  /** Where to go on: send it as `after`. It is there on every page */
  next: string
}

export type CreateLeadRequest = {
  /** Homeowner's first name */
  firstName: string
  /** Homeowner's last name */
  lastName: string
  /** Where the house stands */
  address: {
    /** Street and number */
    line1: string
    /** Unit, floor */
    line2?: string | undefined
    /** City */
    city: string
    /** State */
    state: string
    /** Postal code */
    postalCode: string
    /** Two-letter code; US when absent */
    country?: string | undefined
  }
  /** Homeowner's email */
  email?: string | undefined
  /** Homeowner's phone, kept as sent */
  phone?: string | undefined
  /** An active member of the company; any other is listed in `unassigned` */
  salesRepEmail?: string | undefined
  /** Same rule, for the setter */
  setterEmail?: string | undefined
  /** Saved on the lead and posted to its activity */
  notes?: string | undefined
  /** The caller's id: sent again, it answers the lead that exists */
  externalId?: string | undefined
  /** `solar` when absent */
  productLine?: 'solar' | 'hi' | undefined
}

export type ChangeLeadRequest = {
  /** Homeowner's first name. Null only where the lead has none either */
  firstName?: string | null | undefined
  /** Homeowner's last name. Null only where the lead has none either */
  lastName?: string | null | undefined
  /** Empty text or null clears it */
  email?: string | null | undefined
  /** Empty text or null clears it */
  phone?: string | null | undefined
  /** The lead's notes, posted to its activity when they changed; empty text or null clears them */
  notes?: string | null | undefined
  /** Where the house stands, as a whole */
  address?: {
    /** Street and number. Null only where the lead has none either */
    line1: string | null
    /** Unit, floor. When absent it is kept with the same `line1`, and cleared with another */
    line2?: string | null | undefined
    /** City. Null only where the lead has none either */
    city: string | null
    /** State. Null only where the lead has none either */
    state: string | null
    /** Postal code. Null only where the lead has none either */
    postalCode: string | null
    /** Two-letter code; US when absent */
    country?: string | null | undefined
  } | undefined
  /** Null, or with every field cleared, it becomes null */
  coBorrower?: {
    /** Empty text or null clears it */
    firstName?: string | null | undefined
    /** Empty text or null clears it */
    lastName?: string | null | undefined
    /** Empty text or null clears it */
    email?: string | null | undefined
    /** Empty text or null clears it */
    phone?: string | null | undefined
  } | null | undefined
  /** Where the sale stands. A lead becomes `sold` by `POST /v1/leads/{id}/sale` only, and a sold one stays so */
  status?: 'new' | 'contacted' | 'nurture' | 'appointmentSet' | 'proposalSent' | 'sold' | 'lost' | 'unqualified' | undefined
  /** Out of sight in the console, or brought back */
  archived?: boolean | undefined
  /** Who sells it, an active member of the lead’s company or of the installer: an email or a member id as text, or an object as a read answers it, or with `id`. Null takes them off */
  salesRep?: {
    /** The id of the member */
    id?: string | undefined
    /** The email of the member, where no id is sent */
    email?: string | null | undefined
    /** Not looked at */
    name?: string | null | undefined
    /** Not looked at */
    phone?: string | null | undefined
  } | string | null | undefined
  /** Who set the appointment, by the same rule: an email or a member id as text, or an object as a read answers it, or with `id`. Null takes them off */
  setter?: {
    /** The id of the member */
    id?: string | undefined
    /** The email of the member, where no id is sent */
    email?: string | null | undefined
    /** Not looked at */
    name?: string | null | undefined
    /** Not looked at */
    phone?: string | null | undefined
  } | string | null | undefined
  /** An absent part is kept */
  source?: {
    /** Where the lead came from; empty text or null clears it */
    name?: string | null | undefined
    /** Which part of that; empty text or null clears it */
    subSource?: string | null | undefined
  } | undefined
  /** An absent part is kept */
  utility?: {
    /** The company that sells them energy; empty text or null clears it */
    name?: string | null | undefined
    /** What they pay it in a month, in dollars; at most 2 decimal places */
    monthlyBill?: number | null | undefined
  } | undefined
}

export type WriteNoteRequest = {
  /** What the note says */
  body: string
  /** The id of the note that it answers */
  replyTo?: string | null | undefined
  /** Only for the keys, owners and admins of the company that writes it. What answers an internal note is internal too */
  internal?: boolean | undefined
  /** Marked as meant for the customer; an internal one cannot be */
  customerFacing?: boolean | undefined
}

export type SellLeadRequest = {
  /** What was signed */
  contract: {
    /** What the customer pays, in dollars as they signed it; at most 2 decimal places */
    price: number
    /** When they signed: a day as YYYY-MM-DD, or an ISO 8601 timestamp with offset. Not in the future */
    signedAt: string
  }
  /** What does not belong to its type is left out of the project */
  financing: {
    /** How it is paid for; a PPA is for solar only */
    type: 'cash' | 'loan' | 'lease' | 'ppa'
    /** Who lends */
    lender?: string | null | undefined
    /** What is financed; of a loan the contract’s price where absent; at most 2 decimal places */
    amount?: number | null | undefined
    /** A loan needs it; at most 3 decimal places */
    aprPercent?: number | null | undefined
    /** All but cash need it */
    termMonths?: number | null | undefined
    /** A lease needs it; of a loan or a PPA it is worked out where absent; at most 2 decimal places */
    monthlyPayment?: number | null | undefined
    /** Of a loan; at most 3 decimal places */
    dealerFeePercent?: number | null | undefined
    /** Of a PPA in dollars by the kWh, which needs it; at most 6 decimal places */
    rate?: number | null | undefined
    /** By how much a lease or a PPA grows each year; at most 3 decimal places */
    escalatorPercent?: number | null | undefined
  }
  /** What was sold, for a solar lead */
  system?: {
    /** Its panels */
    panels: {
      /** The id of a panel of the catalogue */
      id: string
      /** How many */
      count: number
    }
    /** Its inverters */
    inverters: {
      /** The id of an inverter of the catalogue */
      id: string
      /** How many */
      count: number
    }
    /** Its batteries, where it has any */
    batteries?: {
      /** The id of a battery of the catalogue */
      id: string
      /** How many */
      count: number
    } | null | undefined
    /** What is added to it */
    adders?: ({
      /** The id of an adder of the catalogue */
      id: string
      /** The system’s own measure where absent: its watts, its panels, or one */
      quantity?: number | undefined
    })[] | undefined
    /** Estimated from size and state where absent; needed where there is no estimate; at most 2 decimal places */
    annualProductionKwh?: number | null | undefined
    /** What the house uses; at most 2 decimal places */
    annualConsumptionKwh?: number | null | undefined
    /** What a watt costs */
    pricePerWatt?: {
      /** Without adders, in dollars; what is left of the price after them where absent; at most 4 decimal places */
      base?: number | null | undefined
    } | undefined
  } | undefined
  /** What was sold, for a home-improvement lead */
  products?: ({
    /** The id of a product of the catalogue */
    id: string
    /** How many */
    quantity: number
  })[] | undefined
  /** Notes on the project */
  notes?: string | null | undefined
}

export type ChangeProjectRequest = {
  /** The day of the Install Scheduled milestone; null clears it */
  installDate?: string | null | undefined
  /** Whether notice to proceed is granted */
  ntpGranted?: boolean | undefined
  /** Days by their key; an absent one is kept */
  milestones?: {
    /** Also the day of `contract.signedAt` */
    contractSigned?: string | null | undefined
    /** Places the survey on the calendar; null takes it off */
    siteSurveyScheduled?: string | null | undefined
    /** The day, null where it is not known after all */
    siteSurveyCompleted?: string | null | undefined
    /** The day, null where it is not known after all */
    plansetCompleted?: string | null | undefined
    /** The day, null where it is not known after all */
    permitSubmitted?: string | null | undefined
    /** The day, null where it is not known after all */
    permitReceived?: string | null | undefined
    /** The day, null where it is not known after all */
    interconnectionSubmitted?: string | null | undefined
    /** The day, null where it is not known after all */
    interconnectionApproved?: string | null | undefined
    /** The same as `installDate` */
    installScheduled?: string | null | undefined
    /** The day, null where it is not known after all */
    installCompleted?: string | null | undefined
    /** The day, null where it is not known after all */
    inspectionPassed?: string | null | undefined
    /** The day, null where it is not known after all */
    ptoGranted?: string | null | undefined
  } | undefined
  /** Who sold it, an active member of the lead’s company or of the installer: an email or a member id as text, or an object as a read answers it, or with `id`. Null takes them off */
  salesRep?: {
    /** The id of the member */
    id?: string | undefined
    /** The email of the member, where no id is sent */
    email?: string | null | undefined
    /** Not looked at */
    name?: string | null | undefined
    /** Not looked at */
    phone?: string | null | undefined
  } | string | null | undefined
  /** Who set the appointment, by the same rule: an email or a member id as text, or an object as a read answers it, or with `id`. Null takes them off */
  setter?: {
    /** The id of the member */
    id?: string | undefined
    /** The email of the member, where no id is sent */
    email?: string | null | undefined
    /** Not looked at */
    name?: string | null | undefined
    /** Not looked at */
    phone?: string | null | undefined
  } | string | null | undefined
  /** Who runs the project, an active member of the installer: an email or a member id as text, or an object as a read answers it, or with `id`. Null takes them off */
  projectManager?: {
    /** The id of the member */
    id?: string | undefined
    /** The email of the member, where no id is sent */
    email?: string | null | undefined
    /** Not looked at */
    name?: string | null | undefined
    /** Not looked at */
    phone?: string | null | undefined
  } | string | null | undefined
  /** Who surveys the site, an active member of the installer: an email or a member id as text, or an object as a read answers it, or with `id`. Null takes them off */
  siteSurveyor?: {
    /** The id of the member */
    id?: string | undefined
    /** The email of the member, where no id is sent */
    email?: string | null | undefined
    /** Not looked at */
    name?: string | null | undefined
    /** Not looked at */
    phone?: string | null | undefined
  } | string | null | undefined
  /** Who builds it, an active member of the installer: an email or a member id as text, or an object as a read answers it, or with `id`. Null takes them off */
  subcontractor?: {
    /** The id of the member */
    id?: string | undefined
    /** The email of the member, where no id is sent */
    email?: string | null | undefined
    /** Not looked at */
    name?: string | null | undefined
    /** Not looked at */
    phone?: string | null | undefined
  } | string | null | undefined
  /** Items of `GET /v1/projects/{id}/checklist`, as they are read or with less in them */
  checklist?: ({
    /** Name or id of the stage; not needed where only one has an item of this label */
    stage?: string | undefined
    /** As the checklist reads it */
    label: string
    /** Whether it is done */
    done: boolean
    /** Id of the stage; goes before `stage` */
    stageId?: string | undefined
    /** When it was ticked, as it is read; changes nothing */
    doneAt?: string | null | undefined
    /** Who ticked it, as it is read; changes nothing */
    doneBy?: string | null | undefined
  })[] | undefined
}

export type MoveStageRequest = {
  /** As the ladder shows it; case does not matter */
  stage: string
}

export type AddFilesRequest = {
  /** Where the files belong */
  folder: 'contract' | 'utilityBill' | 'identification' | 'material' | 'siteSurvey' | 'planset' | 'permit' | 'interconnection' | 'other' | 'homeInsurance' | 'installationPhoto' | 'internal'
  /** The addresses to copy from */
  files: ({
    /** A public https address of a document, picture, audio or video of at most 100 MB */
    url: string
    /** The address's own name when absent */
    name?: string | undefined
  })[]
}

/** Files from a disk */
export type AddFilesForm = {
  /** Where the files belong */
  folder: 'contract' | 'utilityBill' | 'identification' | 'material' | 'siteSurvey' | 'planset' | 'permit' | 'interconnection' | 'other' | 'homeInsurance' | 'installationPhoto' | 'internal'
  /** Documents, pictures, audio or video of at most 100 MB each, with their file names. Each is a part called `files` */
  files: string[]
}

export type BatchLeadsRequest = {
  /** Done in this order */
  items: ({
    /** Homeowner's first name */
    firstName: string
    /** Homeowner's last name */
    lastName: string
    /** Where the house stands */
    address: {
      /** Street and number */
      line1: string
      /** Unit, floor */
      line2?: string | undefined
      /** City */
      city: string
      /** State */
      state: string
      /** Postal code */
      postalCode: string
      /** Two-letter code; US when absent */
      country?: string | undefined
    }
    /** Homeowner's email */
    email?: string | undefined
    /** Homeowner's phone, kept as sent */
    phone?: string | undefined
    /** An active member of the company; any other is listed in `unassigned` */
    salesRepEmail?: string | undefined
    /** Same rule, for the setter */
    setterEmail?: string | undefined
    /** Saved on the lead and posted to its activity */
    notes?: string | undefined
    /** The caller's id: sent again, it answers the lead that exists */
    externalId?: string | undefined
    /** `solar` when absent */
    productLine?: 'solar' | 'hi' | undefined
  } | {
    /** The lead's id or reference */
    id: string
    /** Homeowner's first name. Null only where the lead has none either */
    firstName?: string | null | undefined
    /** Homeowner's last name. Null only where the lead has none either */
    lastName?: string | null | undefined
    /** Empty text or null clears it */
    email?: string | null | undefined
    /** Empty text or null clears it */
    phone?: string | null | undefined
    /** The lead's notes, posted to its activity when they changed; empty text or null clears them */
    notes?: string | null | undefined
    /** Where the house stands, as a whole */
    address?: {
      /** Street and number. Null only where the lead has none either */
      line1: string | null
      /** Unit, floor. When absent it is kept with the same `line1`, and cleared with another */
      line2?: string | null | undefined
      /** City. Null only where the lead has none either */
      city: string | null
      /** State. Null only where the lead has none either */
      state: string | null
      /** Postal code. Null only where the lead has none either */
      postalCode: string | null
      /** Two-letter code; US when absent */
      country?: string | null | undefined
    } | undefined
    /** Null, or with every field cleared, it becomes null */
    coBorrower?: {
      /** Empty text or null clears it */
      firstName?: string | null | undefined
      /** Empty text or null clears it */
      lastName?: string | null | undefined
      /** Empty text or null clears it */
      email?: string | null | undefined
      /** Empty text or null clears it */
      phone?: string | null | undefined
    } | null | undefined
    /** Where the sale stands. A lead becomes `sold` by `POST /v1/leads/{id}/sale` only, and a sold one stays so */
    status?: 'new' | 'contacted' | 'nurture' | 'appointmentSet' | 'proposalSent' | 'sold' | 'lost' | 'unqualified' | undefined
    /** Out of sight in the console, or brought back */
    archived?: boolean | undefined
    /** Who sells it, an active member of the lead’s company or of the installer: an email or a member id as text, or an object as a read answers it, or with `id`. Null takes them off */
    salesRep?: {
      /** The id of the member */
      id?: string | undefined
      /** The email of the member, where no id is sent */
      email?: string | null | undefined
      /** Not looked at */
      name?: string | null | undefined
      /** Not looked at */
      phone?: string | null | undefined
    } | string | null | undefined
    /** Who set the appointment, by the same rule: an email or a member id as text, or an object as a read answers it, or with `id`. Null takes them off */
    setter?: {
      /** The id of the member */
      id?: string | undefined
      /** The email of the member, where no id is sent */
      email?: string | null | undefined
      /** Not looked at */
      name?: string | null | undefined
      /** Not looked at */
      phone?: string | null | undefined
    } | string | null | undefined
    /** An absent part is kept */
    source?: {
      /** Where the lead came from; empty text or null clears it */
      name?: string | null | undefined
      /** Which part of that; empty text or null clears it */
      subSource?: string | null | undefined
    } | undefined
    /** An absent part is kept */
    utility?: {
      /** The company that sells them energy; empty text or null clears it */
      name?: string | null | undefined
      /** What they pay it in a month, in dollars; at most 2 decimal places */
      monthlyBill?: number | null | undefined
    } | undefined
  })[]
}

