// Written by "npm run sdk" from openapi/legacy-workflow-api.json.

import type { ApiCall, CallOptions, ListCall } from '../call.ts'
import type { Operation } from '../operation.ts'

export interface LegacyApi {
  /**
   * Write a note on a solar project: `POST /create_activity`.
   *
   * The note is in the activity of the project’s lead.
   */
  createActivity(body: CreateActivityRequest, options?: CallOptions): ApiCall<ActivityCreated>

  /**
   * Write a note on a home-improvement project: `POST /create_activity_hi`.
   *
   * The note is in the activity of the project’s lead.
   */
  createActivityHi(body: CreateActivityHiRequest, options?: CallOptions): ApiCall<ActivityCreated>

  /**
   * Create a solar lead: `POST /create-lead`.
   *
   * In the key’s company. The address is one text.
   */
  createLead(body: CreateLeadRequest, options?: CallOptions): ApiCall<LeadCreated>

  /**
   * Create a sold solar lead and its project: `POST /create_project`.
   *
   * Both in one transaction. A sales rep or setter who is no active member of the company is left empty and named in `message`.
   */
  createProject(body: CreateProjectRequest, options?: CallOptions): ApiCall<ProjectCreated>

  /**
   * List the installer’s adders and HI products: `GET /fetch_all_adders`.
   *
   * Only the installer’s key.
   */
  fetchAllAdders(query?: FetchAllAddersQuery, options?: CallOptions): ListCall<AdderList>

  /**
   * List the installer’s inverters: `GET /fetch_all_inverter`.
   *
   * Only the installer’s key.
   */
  fetchAllInverter(query: FetchAllInverterQuery, options?: CallOptions): ListCall<InverterList>

  /**
   * List a company’s solar leads: `GET /fetch_all_lead`.
   *
   * Newest change first, a hundred a page. A page past the end is empty. A dealer’s key lists its own records.
   */
  fetchAllLead(query: FetchAllLeadQuery, options?: CallOptions): ListCall<LeadList>

  /**
   * List a company’s home-improvement leads: `GET /fetch_all_lead_hi`.
   *
   * Newest change first, a hundred a page. A page past the end is empty. A dealer’s key lists its own records.
   */
  fetchAllLeadHi(query: FetchAllLeadHiQuery, options?: CallOptions): ListCall<HiLeadList>

  /**
   * List an installer’s home-improvement leads: `GET /fetch_all_lead_hi_installer`.
   *
   * Newest change first, a hundred a page. A page past the end is empty. A dealer’s key lists its own records.
   */
  fetchAllLeadHiInstaller(query: FetchAllLeadHiInstallerQuery, options?: CallOptions): ListCall<HiLeadList>

  /**
   * List an installer’s solar leads: `GET /fetch_all_lead_installer`.
   *
   * Newest change first, a hundred a page. A page past the end is empty. A dealer’s key lists its own records.
   */
  fetchAllLeadInstaller(query: FetchAllLeadInstallerQuery, options?: CallOptions): ListCall<LeadList>

  /**
   * List the installer’s panels: `GET /fetch_all_panel`.
   *
   * Only the installer’s key.
   */
  fetchAllPanel(query: FetchAllPanelQuery, options?: CallOptions): ListCall<PanelList>

  /**
   * List a company’s solar projects: `GET /fetch_all_project`.
   *
   * Newest change first, a hundred a page. A page past the end is empty. A dealer’s key lists its own records.
   */
  fetchAllProject(query: FetchAllProjectQuery, options?: CallOptions): ListCall<ProjectList>

  /**
   * List a company’s home-improvement projects: `GET /fetch_all_project_hi`.
   *
   * Newest change first, a hundred a page. A page past the end is empty. A dealer’s key lists its own records.
   */
  fetchAllProjectHi(query: FetchAllProjectHiQuery, options?: CallOptions): ListCall<HiProjectList>

  /**
   * List an installer’s solar projects: `GET /fetch_all_project_installer`.
   *
   * Newest change first, a hundred a page. A page past the end is empty. A dealer’s key lists its own records.
   */
  fetchAllProjectInstaller(query?: FetchAllProjectInstallerQuery, options?: CallOptions): ListCall<ProjectList>

  /**
   * List an installer’s home-improvement projects: `GET /fetch_all_project_installer_hi`.
   *
   * Newest change first, a hundred a page. A page past the end is empty. A dealer’s key lists its own records.
   */
  fetchAllProjectInstallerHi(query: FetchAllProjectInstallerHiQuery, options?: CallOptions): ListCall<HiProjectList>

  /** Read a solar lead: `GET /fetch_lead`. */
  fetchLead(query: FetchLeadQuery, options?: CallOptions): ApiCall<Lead>

  /** Read a home-improvement lead: `GET /fetch_lead_hi`. */
  fetchLeadHi(query: FetchLeadHiQuery, options?: CallOptions): ApiCall<HiLead>

  /** Read a solar project: `GET /fetch_project`. */
  fetchProject(query: FetchProjectQuery, options?: CallOptions): ApiCall<Project>

  /** Read a home-improvement project: `GET /fetch_project_hi`. */
  fetchProjectHi(query: FetchProjectHiQuery, options?: CallOptions): ApiCall<HiProject>

  /**
   * Add files to a solar project by address: `POST /project_upload_file`.
   *
   * Only the installer’s key. The service copies each address into its own store: all of them, or none. An address that the folder holds already is not added again.
   */
  projectUploadFile(body: ProjectUploadFileRequest, options?: CallOptions): ApiCall<FileUploaded>

  /**
   * Add files to a home-improvement project by address: `POST /project_upload_file_hi`.
   *
   * Only the installer’s key. The service copies each address into its own store: all of them, or none. An address that the folder holds already is not added again.
   */
  projectUploadFileHi(body: ProjectUploadFileHiRequest, options?: CallOptions): ApiCall<FileUploaded>

  /**
   * Change a lead’s two customers: `POST /update_lead`.
   *
   * Absent fields are kept, empty text and null clear. `home_improvement` says of which product line the lead is.
   */
  updateLead(body: UpdateLeadRequest, options?: CallOptions): ApiCall<LeadRecord>

  /**
   * Move a solar project to another stage: `POST /update_stage`.
   *
   * Only the installer’s key. The fields stand in the query. A name that the ladder does not have answers 400 with those it has.
   */
  updateStage(query: UpdateStageQuery, options?: CallOptions): ApiCall<StageUpdated>

  /**
   * Move a home-improvement project to another stage: `POST /update_stage_hi`.
   *
   * Only the installer’s key. The fields stand in the query. A name that the ladder does not have answers 400 with those it has.
   */
  updateStageHi(query: UpdateStageHiQuery, options?: CallOptions): ApiCall<StageUpdated>
}

export const legacyOperations: readonly Operation[] = [
  { id: 'create_activity', name: 'createActivity', method: 'POST', path: '/create_activity', takes: 'json', answers: 'json', pages: null, repeat: 'keyed' },
  { id: 'create_activity_hi', name: 'createActivityHi', method: 'POST', path: '/create_activity_hi', takes: 'json', answers: 'json', pages: null, repeat: 'keyed' },
  { id: 'create_lead', name: 'createLead', method: 'POST', path: '/create-lead', takes: 'json', answers: 'json', pages: null, repeat: 'keyed' },
  { id: 'create_project', name: 'createProject', method: 'POST', path: '/create_project', takes: 'json', answers: 'json', pages: null, repeat: 'keyed' },
  { id: 'fetch_all_adders', name: 'fetchAllAdders', method: 'GET', path: '/fetch_all_adders', takes: 'query', answers: 'json', pages: 'single', repeat: 'always' },
  { id: 'fetch_all_inverter', name: 'fetchAllInverter', method: 'GET', path: '/fetch_all_inverter', takes: 'query', answers: 'json', pages: 'single', repeat: 'always' },
  { id: 'fetch_all_lead', name: 'fetchAllLead', method: 'GET', path: '/fetch_all_lead', takes: 'query', answers: 'json', pages: 'legacy', repeat: 'always' },
  { id: 'fetch_all_lead_hi', name: 'fetchAllLeadHi', method: 'GET', path: '/fetch_all_lead_hi', takes: 'query', answers: 'json', pages: 'legacy', repeat: 'always' },
  { id: 'fetch_all_lead_hi_installer', name: 'fetchAllLeadHiInstaller', method: 'GET', path: '/fetch_all_lead_hi_installer', takes: 'query', answers: 'json', pages: 'legacy', repeat: 'always' },
  { id: 'fetch_all_lead_installer', name: 'fetchAllLeadInstaller', method: 'GET', path: '/fetch_all_lead_installer', takes: 'query', answers: 'json', pages: 'legacy', repeat: 'always' },
  { id: 'fetch_all_panel', name: 'fetchAllPanel', method: 'GET', path: '/fetch_all_panel', takes: 'query', answers: 'json', pages: 'single', repeat: 'always' },
  { id: 'fetch_all_project', name: 'fetchAllProject', method: 'GET', path: '/fetch_all_project', takes: 'query', answers: 'json', pages: 'legacy', repeat: 'always' },
  { id: 'fetch_all_project_hi', name: 'fetchAllProjectHi', method: 'GET', path: '/fetch_all_project_hi', takes: 'query', answers: 'json', pages: 'legacy', repeat: 'always' },
  { id: 'fetch_all_project_installer', name: 'fetchAllProjectInstaller', method: 'GET', path: '/fetch_all_project_installer', takes: 'query', answers: 'json', pages: 'legacy', repeat: 'always' },
  { id: 'fetch_all_project_installer_hi', name: 'fetchAllProjectInstallerHi', method: 'GET', path: '/fetch_all_project_installer_hi', takes: 'query', answers: 'json', pages: 'legacy', repeat: 'always' },
  { id: 'fetch_lead', name: 'fetchLead', method: 'GET', path: '/fetch_lead', takes: 'query', answers: 'json', pages: null, repeat: 'always' },
  { id: 'fetch_lead_hi', name: 'fetchLeadHi', method: 'GET', path: '/fetch_lead_hi', takes: 'query', answers: 'json', pages: null, repeat: 'always' },
  { id: 'fetch_project', name: 'fetchProject', method: 'GET', path: '/fetch_project', takes: 'query', answers: 'json', pages: null, repeat: 'always' },
  { id: 'fetch_project_hi', name: 'fetchProjectHi', method: 'GET', path: '/fetch_project_hi', takes: 'query', answers: 'json', pages: null, repeat: 'always' },
  { id: 'project_upload_file', name: 'projectUploadFile', method: 'POST', path: '/project_upload_file', takes: 'json', answers: 'json', pages: null, repeat: 'keyed' },
  { id: 'project_upload_file_hi', name: 'projectUploadFileHi', method: 'POST', path: '/project_upload_file_hi', takes: 'json', answers: 'json', pages: null, repeat: 'keyed' },
  { id: 'update_lead', name: 'updateLead', method: 'POST', path: '/update_lead', takes: 'json', answers: 'json', pages: null, repeat: 'keyed' },
  { id: 'update_stage', name: 'updateStage', method: 'POST', path: '/update_stage', takes: 'query', answers: 'json', pages: null, repeat: 'keyed' },
  { id: 'update_stage_hi', name: 'updateStageHi', method: 'POST', path: '/update_stage_hi', takes: 'query', answers: 'json', pages: null, repeat: 'keyed' },
]

/** List the installer’s adders and HI products */
export interface FetchAllAddersQuery {
  /** The installer’s id or number */
  installer_id?: string | number | undefined
}

/** List the installer’s inverters */
export interface FetchAllInverterQuery {
  /** The installer’s id or number */
  installer_id: string | number
}

/** List a company’s solar leads */
export interface FetchAllLeadQuery {
  /** The company’s number */
  org_id: string | number
  /** Pages are counted from 1, which is read when absent */
  page?: string | number | undefined
}

/** List a company’s home-improvement leads */
export interface FetchAllLeadHiQuery {
  /** The company’s number */
  org_id: string | number
  /** Pages are counted from 1, which is read when absent */
  page: string | number
}

/** List an installer’s home-improvement leads */
export interface FetchAllLeadHiInstallerQuery {
  /** The installer’s id or number */
  installer_id: string | number
  /** Pages are counted from 1, which is read when absent */
  page?: string | number | undefined
}

/** List an installer’s solar leads */
export interface FetchAllLeadInstallerQuery {
  /** The installer’s id or number */
  installer_id: string | number
  /** Pages are counted from 1, which is read when absent */
  page?: string | number | undefined
}

/** List the installer’s panels */
export interface FetchAllPanelQuery {
  /** The installer’s id or number */
  installer_id: string | number
}

/** List a company’s solar projects */
export interface FetchAllProjectQuery {
  /** The company’s number */
  org_id: string | number
  /** Pages are counted from 1, which is read when absent */
  page?: string | number | undefined
}

/** List a company’s home-improvement projects */
export interface FetchAllProjectHiQuery {
  /** The company’s number */
  org_id: string | number
  /** Pages are counted from 1, which is read when absent */
  page: string | number
}

/** List an installer’s solar projects */
export interface FetchAllProjectInstallerQuery {
  /** The installer’s id or number */
  installer_id?: string | number | undefined
  /** Pages are counted from 1, which is read when absent */
  page?: string | number | undefined
}

/** List an installer’s home-improvement projects */
export interface FetchAllProjectInstallerHiQuery {
  /** The installer’s id or number */
  installer_id: string | number
  /** Pages are counted from 1, which is read when absent */
  page: string | number
}

/** Read a solar lead */
export interface FetchLeadQuery {
  /** The record’s id or reference */
  id: string | number
}

/** Read a home-improvement lead */
export interface FetchLeadHiQuery {
  /** The record’s id or reference */
  id: string | number
}

/** Read a solar project */
export interface FetchProjectQuery {
  /** The record’s id or reference */
  id: string | number
}

/** Read a home-improvement project */
export interface FetchProjectHiQuery {
  /** The record’s id or reference */
  id: string | number
}

/** Move a solar project to another stage */
export interface UpdateStageQuery {
  /** As the ladder shows it; case does not matter */
  project_stage_name: string | number
  /** The project’s id or reference, or its lead’s */
  id: string | number
}

/** Move a home-improvement project to another stage */
export interface UpdateStageHiQuery {
  /** As the ladder shows it; case does not matter */
  project_stage_name: string | number
  /** The project’s id or reference, or its lead’s */
  id: string | number
}


/** A record. */
export type Project = {
  /** The record */
  data: {
    /** The homeowner’s first name */
    customerFirstName: string
    /** The homeowner’s last name */
    customerLastName: string
    /** The homeowner’s phone, as it was given */
    customerPhoneNumber: string
    /** The homeowner’s email address */
    customerEmail: string
    /** The whole address in one line */
    customerAddress: string
    /** Street and number */
    customerStreet: string
    /** City */
    customerCity: string
    /** State, in two letters where it is one of the United States */
    customerState: string
    /** Postal code */
    customerZip: string
    /** The first name of who signs with them */
    secondaryCustomerFirstName: string
    /** The last name of who signs with them */
    secondaryCustomerLastName: string
    /** The phone of who signs with them */
    secondaryCustomerPhoneNumber: string
    /** The email address of who signs with them */
    secondaryCustomerEmail: string
    /** The name of the stage */
    projectStatus: string
    /** MM/DD/YYYY */
    contractSignedDate: string
    /** When it was sold, MM/DD/YYYY */
    submittedDate: string
    /** The installation’s id; empty where there is none */
    projectSiteId: string
    /** The newest contract; empty where there is none */
    contractURL: string
    /** The proposal; empty where there is none */
    proposalURL: string
    /** The project’s page; empty where there is none */
    projectURL: string
    /** Kilowatts of all panels together, as decimal text */
    systemSize: string
    /** What it is expected to make in a year, in kWh, as decimal text */
    estProduction: string
    /** How many panels it has */
    numberOfPanel: string
    /** The panels’ model */
    panelModel: string
    /** How many inverters it has */
    numberOfInverter: string
    /** The inverters’ name */
    inverterName: string
    /** How many batteries it has */
    numberOfBattery: string
    /** The batteries’ name */
    batteryName: string
    /** Such as 12,345.67 */
    contractPrice: string
    /** Who lends */
    financeCompany: string
    /** How much, in dollars */
    financeAmount: string
    /** Percent */
    financeAPR: string
    /** Months */
    financeTerm: string
    /** `cash`, `loan`, `lease` or `ppa` */
    financeType: string
    /** Price per watt of the system alone */
    basePPW: string
    /** Price per watt with everything */
    finalPPW: string
    /** The sum of the adders */
    addersCost: string
    /** The names of the adders */
    adders: string[]
    /** Who sells */
    salesRepName: string
    /** The rep’s email address */
    salesRepEmail: string
    /** The rep’s phone */
    salesRepPhone: string
    /** Who set the appointment */
    setterName: string
    /** The setter’s email address */
    setterEmail: string
    /** The setter’s phone */
    setterPhone: string
    /** Who surveys the site */
    siteSurveyorName: string
    /** Who works on it from outside */
    subContractorName: string
    /** The project’s files, by folder */
    allFilesURL: {
      /** A page that lists the folder’s files */
      surveyFiles: string
      /** A page that lists the folder’s files */
      personalFiles: string
      /** A page that lists the folder’s files */
      utilityBills: string
      /** A page that lists the folder’s files */
      insuranceFiles: string
      /** A page that lists the folder’s files */
      driverLicense: string
      /** A page that lists the folder’s files */
      installationPhotos: string
      /** A page that lists the folder’s files */
      plansets: string
      /** A page that lists the folder’s files */
      materials: string
      /** A page that lists the folder’s files */
      otherDocuments: string
      /** A page that lists the folder’s files */
      interconnection: string
      /** A page that lists the folder’s files */
      permits: string
      /** A page that lists the folder’s files */
      internalDocuments: string
    }
  }
  /** The reference where there is one, else the id */
  id: string
}

/** A record. */
export type HiProject = {
  /** The record */
  data: {
    /** The homeowner’s first name */
    customerFirstName: string
    /** The homeowner’s last name */
    customerLastName: string
    /** The homeowner’s phone, as it was given */
    customerPhoneNumber: string
    /** The homeowner’s email address */
    customerEmail: string
    /** The whole address in one line */
    customerAddress: string
    /** Street and number */
    customerStreet: string
    /** City */
    customerCity: string
    /** State, in two letters where it is one of the United States */
    customerState: string
    /** Postal code */
    customerZip: string
    /** The first name of who signs with them */
    secondaryCustomerFirstName: string
    /** The last name of who signs with them */
    secondaryCustomerLastName: string
    /** The phone of who signs with them */
    secondaryCustomerPhoneNumber: string
    /** The email address of who signs with them */
    secondaryCustomerEmail: string
    /** What is known about the customer */
    customerNotes: string
    /** The name of the stage */
    projectStatus: string
    /** MM/DD/YY */
    contractSignedDate: string
    /** When it was sold, MM/DD/YY */
    submittedDate: string
    /** The contracts’ addresses */
    contractURL: string[]
    /** The proposal; empty where there is none */
    proposalURL: string
    /** The project’s page; empty where there is none */
    projectURL: string
    /** Who lends */
    financeCompany: string
    /** How much, in dollars */
    financeAmount: string
    /** Percent */
    financeAPR: string
    /** Months */
    financeTerm: string
    /** `cash`, `loan`, `lease` or `ppa` */
    financeType: string
    /** Percent */
    financeDealerFee: string
    /** What is paid in a month, in dollars */
    monthlyPayment: string
    /** What was sold */
    Products: ({
      /** What was sold */
      product_name: string
      /** Dollars, as decimal text */
      product_cost: string
    })[]
    /** The contract’s price less the sum of the products */
    adjustments: string
    /** Such as 12,345.67 */
    contractPrice: string
    /** Who sells */
    salesRepName: string
    /** The rep’s email address */
    salesRepEmail: string
    /** The rep’s phone */
    salesRepPhone: string
    /** Who set the appointment */
    setterName: string
    /** The setter’s email address */
    setterEmail: string
    /** The setter’s phone */
    setterPhone: string
    /** The project’s files, by folder */
    allFilesURL: {
      /** The addresses of the folder’s files */
      surveyFiles: string[]
      /** The addresses of the folder’s files */
      personalFiles: string[]
      /** The addresses of the folder’s files */
      utilityBills: string[]
      /** The addresses of the folder’s files */
      insuranceFiles: string[]
      /** The addresses of the folder’s files */
      driverLicense: string[]
      /** The addresses of the folder’s files */
      installationPhotos: string[]
      /** The addresses of the folder’s files */
      plansets: string[]
      /** The addresses of the folder’s files */
      materials: string[]
      /** The addresses of the folder’s files */
      otherDocuments: string[]
      /** The addresses of the folder’s files */
      interconnection: string[]
      /** The addresses of the folder’s files */
      permits: string[]
      /** The addresses of the folder’s files */
      internalDocuments: string[]
    }
  }
  /** The reference where there is one, else the id */
  id: string
}

/** A solar lead. */
export type Lead = {
  /** The reference where there is one, else the id */
  id: string
  /** The homeowner’s first name */
  customerFirstName: string
  /** The homeowner’s last name */
  customerLastName: string
  /** The homeowner’s phone, as it was given */
  customerPhoneNumber: string
  /** The homeowner’s email address */
  customerEmail: string
  /** The whole address in one line */
  customerAddress: string
  /** Street and number */
  customerStreet: string
  /** City */
  customerCity: string
  /** State, in two letters where it is one of the United States */
  customerState: string
  /** Postal code */
  customerZip: string
  /** The first name of who signs with them */
  secondaryCustomerFirstName: string
  /** The last name of who signs with them */
  secondaryCustomerLastName: string
  /** The phone of who signs with them */
  secondaryCustomerPhoneNumber: string
  /** The email address of who signs with them */
  secondaryCustomerEmail: string
  /** What is known about the customer */
  customerNotes: string
  /** How far the lead is */
  leadStatus: string
  /** The name of the project’s stage */
  projectStatus: string
  /** Who delivers their power */
  utilityCompany: string
  /** What they pay for power in a month, as decimal text */
  monthlyBill: string
  /** Who sells */
  salesRepName: string
  /** The rep’s email address */
  salesRepEmail: string
  /** The rep’s phone */
  salesRepPhone: string
  /** Who set the appointment */
  setterName: string
  /** The setter’s email address */
  setterEmail: string
  /** The setter’s phone */
  setterPhone: string
  /** Who surveys the site */
  siteSurveyorName: string
  /** Who works on it from outside */
  subContractorName: string
  /** The proposal; empty where there is none */
  proposalURL: string
  /** The project’s page; empty where there is none */
  projectURL: string
}

/** A home-improvement lead. */
export type HiLead = {
  /** The reference where there is one, else the id */
  id: string
  /** The homeowner’s first name */
  customerFirstName: string
  /** The homeowner’s last name */
  customerLastName: string
  /** The homeowner’s phone, as it was given */
  customerPhoneNumber: string
  /** The homeowner’s email address */
  customerEmail: string
  /** The whole address in one line */
  customerAddress: string
  /** Street and number */
  customerStreet: string
  /** City */
  customerCity: string
  /** State, in two letters where it is one of the United States */
  customerState: string
  /** Postal code */
  customerZip: string
  /** The first name of who signs with them */
  secondaryCustomerFirstName: string
  /** The last name of who signs with them */
  secondaryCustomerLastName: string
  /** The phone of who signs with them */
  secondaryCustomerPhoneNumber: string
  /** The email address of who signs with them */
  secondaryCustomerEmail: string
  /** What is known about the customer */
  customerNotes: string
  /** The name of the stage */
  projectStatus: string
  /** MM/DD/YY */
  contractSignedDate: string
  /** When it was sold, MM/DD/YY */
  submittedDate: string
  /** The contracts’ addresses */
  contractURL: string[]
  /** The proposal; empty where there is none */
  proposalURL: string
  /** The project’s page; empty where there is none */
  projectURL: string
  /** Who lends */
  financeCompany: string
  /** How much, in dollars */
  financeAmount: string
  /** Percent */
  financeAPR: string
  /** Months */
  financeTerm: string
  /** `cash`, `loan`, `lease` or `ppa` */
  financeType: string
  /** Percent */
  financeDealerFee: string
  /** What is paid in a month, in dollars */
  monthlyPayment: string
  /** What was sold */
  Products: ({
    /** What was sold */
    product_name: string
    /** Dollars, as decimal text */
    product_cost: string
  })[]
  /** The contract’s price less the sum of the products */
  adjustments: string
  /** Such as 12,345.67 */
  contractPrice: string
  /** Who sells */
  salesRepName: string
  /** The rep’s email address */
  salesRepEmail: string
  /** The rep’s phone */
  salesRepPhone: string
  /** Who set the appointment */
  setterName: string
  /** The setter’s email address */
  setterEmail: string
  /** The setter’s phone */
  setterPhone: string
}

/** A page of a list. */
export type ProjectList = {
  /** True where the call was done */
  success: boolean
  /** What came of it, in words */
  message: string
  /** The records of this page */
  data: ({
    /** The reference where there is one, else the id */
    id: string
    /** The homeowner’s first name */
    customerFirstName: string
    /** The homeowner’s last name */
    customerLastName: string
    /** The homeowner’s phone, as it was given */
    customerPhoneNumber: string
    /** The homeowner’s email address */
    customerEmail: string
    /** The whole address in one line */
    customerAddress: string
    /** Street and number */
    customerStreet: string
    /** City */
    customerCity: string
    /** State, in two letters where it is one of the United States */
    customerState: string
    /** Postal code */
    customerZip: string
    /** The first name of who signs with them */
    secondaryCustomerFirstName: string
    /** The last name of who signs with them */
    secondaryCustomerLastName: string
    /** The phone of who signs with them */
    secondaryCustomerPhoneNumber: string
    /** The email address of who signs with them */
    secondaryCustomerEmail: string
    /** The name of the stage */
    projectStatus: string
    /** MM/DD/YYYY */
    contractSignedDate: string
    /** When it was sold, MM/DD/YYYY */
    submittedDate: string
    /** The installation’s id; empty where there is none */
    projectSiteId: string
    /** The newest contract; empty where there is none */
    contractURL: string
    /** The proposal; empty where there is none */
    proposalURL: string
    /** The project’s page; empty where there is none */
    projectURL: string
    /** Kilowatts of all panels together, as decimal text */
    systemSize: string
    /** What it is expected to make in a year, in kWh, as decimal text */
    estProduction: string
    /** How many panels it has */
    numberOfPanel: string
    /** The panels’ model */
    panelModel: string
    /** How many inverters it has */
    numberOfInverter: string
    /** The inverters’ name */
    inverterName: string
    /** How many batteries it has */
    numberOfBattery: string
    /** The batteries’ name */
    batteryName: string
    /** Such as 12,345.67 */
    contractPrice: string
    /** Who lends */
    financeCompany: string
    /** How much, in dollars */
    financeAmount: string
    /** Percent */
    financeAPR: string
    /** Months */
    financeTerm: string
    /** `cash`, `loan`, `lease` or `ppa` */
    financeType: string
    /** Price per watt of the system alone */
    basePPW: string
    /** Price per watt with everything */
    finalPPW: string
    /** The sum of the adders */
    addersCost: string
    /** The names of the adders */
    adders: string[]
    /** Who sells */
    salesRepName: string
    /** The rep’s email address */
    salesRepEmail: string
    /** The rep’s phone */
    salesRepPhone: string
    /** Who set the appointment */
    setterName: string
    /** The setter’s email address */
    setterEmail: string
    /** The setter’s phone */
    setterPhone: string
    /** Who surveys the site */
    siteSurveyorName: string
    /** Who works on it from outside */
    subContractorName: string
    /** The project’s files, by folder */
    allFilesURL: {
      /** A page that lists the folder’s files */
      surveyFiles: string
      /** A page that lists the folder’s files */
      personalFiles: string
      /** A page that lists the folder’s files */
      utilityBills: string
      /** A page that lists the folder’s files */
      insuranceFiles: string
      /** A page that lists the folder’s files */
      driverLicense: string
      /** A page that lists the folder’s files */
      installationPhotos: string
      /** A page that lists the folder’s files */
      plansets: string
      /** A page that lists the folder’s files */
      materials: string
      /** A page that lists the folder’s files */
      otherDocuments: string
      /** A page that lists the folder’s files */
      interconnection: string
      /** A page that lists the folder’s files */
      permits: string
      /** A page that lists the folder’s files */
      internalDocuments: string
    }
  })[]
  /** The number of this page, counted from 1 */
  page: number
  /** How many records a page has */
  per_page: number
  /** Records on this page */
  count: number
  /** Records on the pages after this one */
  remaining: number
  /** Records on all pages */
  total: number
}

/** A page of a list. */
export type HiProjectList = {
  /** True where the call was done */
  success: boolean
  /** What came of it, in words */
  message: string
  /** The records of this page */
  data: ({
    /** The reference where there is one, else the id */
    id: string
    /** The homeowner’s first name */
    customerFirstName: string
    /** The homeowner’s last name */
    customerLastName: string
    /** The homeowner’s phone, as it was given */
    customerPhoneNumber: string
    /** The homeowner’s email address */
    customerEmail: string
    /** The whole address in one line */
    customerAddress: string
    /** Street and number */
    customerStreet: string
    /** City */
    customerCity: string
    /** State, in two letters where it is one of the United States */
    customerState: string
    /** Postal code */
    customerZip: string
    /** The first name of who signs with them */
    secondaryCustomerFirstName: string
    /** The last name of who signs with them */
    secondaryCustomerLastName: string
    /** The phone of who signs with them */
    secondaryCustomerPhoneNumber: string
    /** The email address of who signs with them */
    secondaryCustomerEmail: string
    /** What is known about the customer */
    customerNotes: string
    /** The name of the stage */
    projectStatus: string
    /** MM/DD/YY */
    contractSignedDate: string
    /** When it was sold, MM/DD/YY */
    submittedDate: string
    /** The contracts’ addresses */
    contractURL: string[]
    /** The proposal; empty where there is none */
    proposalURL: string
    /** The project’s page; empty where there is none */
    projectURL: string
    /** Who lends */
    financeCompany: string
    /** How much, in dollars */
    financeAmount: string
    /** Percent */
    financeAPR: string
    /** Months */
    financeTerm: string
    /** `cash`, `loan`, `lease` or `ppa` */
    financeType: string
    /** Percent */
    financeDealerFee: string
    /** What is paid in a month, in dollars */
    monthlyPayment: string
    /** What was sold */
    Products: ({
      /** What was sold */
      product_name: string
      /** Dollars, as decimal text */
      product_cost: string
    })[]
    /** The contract’s price less the sum of the products */
    adjustments: string
    /** Such as 12,345.67 */
    contractPrice: string
    /** Who sells */
    salesRepName: string
    /** The rep’s email address */
    salesRepEmail: string
    /** The rep’s phone */
    salesRepPhone: string
    /** Who set the appointment */
    setterName: string
    /** The setter’s email address */
    setterEmail: string
    /** The setter’s phone */
    setterPhone: string
    /** The project’s files, by folder */
    allFilesURL: {
      /** The addresses of the folder’s files */
      surveyFiles: string[]
      /** The addresses of the folder’s files */
      personalFiles: string[]
      /** The addresses of the folder’s files */
      utilityBills: string[]
      /** The addresses of the folder’s files */
      insuranceFiles: string[]
      /** The addresses of the folder’s files */
      driverLicense: string[]
      /** The addresses of the folder’s files */
      installationPhotos: string[]
      /** The addresses of the folder’s files */
      plansets: string[]
      /** The addresses of the folder’s files */
      materials: string[]
      /** The addresses of the folder’s files */
      otherDocuments: string[]
      /** The addresses of the folder’s files */
      interconnection: string[]
      /** The addresses of the folder’s files */
      permits: string[]
      /** The addresses of the folder’s files */
      internalDocuments: string[]
    }
  })[]
  /** The number of this page, counted from 1 */
  page: number
  /** How many records a page has */
  per_page: number
  /** Records on this page */
  count: number
  /** Records on the pages after this one */
  remaining: number
  /** Records on all pages */
  total: number
}

/** A page of a list. */
export type LeadList = {
  /** True where the call was done */
  success: boolean
  /** What came of it, in words */
  message: string
  /** The records of this page */
  data: ({
    /** The reference where there is one, else the id */
    id: string
    /** The homeowner’s first name */
    customerFirstName: string
    /** The homeowner’s last name */
    customerLastName: string
    /** The homeowner’s phone, as it was given */
    customerPhoneNumber: string
    /** The homeowner’s email address */
    customerEmail: string
    /** The whole address in one line */
    customerAddress: string
    /** Street and number */
    customerStreet: string
    /** City */
    customerCity: string
    /** State, in two letters where it is one of the United States */
    customerState: string
    /** Postal code */
    customerZip: string
    /** The first name of who signs with them */
    secondaryCustomerFirstName: string
    /** The last name of who signs with them */
    secondaryCustomerLastName: string
    /** The phone of who signs with them */
    secondaryCustomerPhoneNumber: string
    /** The email address of who signs with them */
    secondaryCustomerEmail: string
    /** What is known about the customer */
    customerNotes: string
    /** How far the lead is */
    leadStatus: string
    /** The name of the project’s stage */
    projectStatus: string
    /** Who delivers their power */
    utilityCompany: string
    /** What they pay for power in a month, as decimal text */
    monthlyBill: string
    /** Who sells */
    salesRepName: string
    /** The rep’s email address */
    salesRepEmail: string
    /** The rep’s phone */
    salesRepPhone: string
    /** Who set the appointment */
    setterName: string
    /** The setter’s email address */
    setterEmail: string
    /** The setter’s phone */
    setterPhone: string
    /** Who surveys the site */
    siteSurveyorName: string
    /** Who works on it from outside */
    subContractorName: string
    /** The proposal; empty where there is none */
    proposalURL: string
    /** The project’s page; empty where there is none */
    projectURL: string
  })[]
  /** The number of this page, counted from 1 */
  page: number
  /** How many records a page has */
  per_page: number
  /** Records on this page */
  count: number
  /** Records on the pages after this one */
  remaining: number
  /** Records on all pages */
  total: number
}

/** A page of a list. */
export type HiLeadList = {
  /** True where the call was done */
  success: boolean
  /** What came of it, in words */
  message: string
  /** The records of this page */
  data: ({
    /** The reference where there is one, else the id */
    id: string
    /** The homeowner’s first name */
    customerFirstName: string
    /** The homeowner’s last name */
    customerLastName: string
    /** The homeowner’s phone, as it was given */
    customerPhoneNumber: string
    /** The homeowner’s email address */
    customerEmail: string
    /** The whole address in one line */
    customerAddress: string
    /** Street and number */
    customerStreet: string
    /** City */
    customerCity: string
    /** State, in two letters where it is one of the United States */
    customerState: string
    /** Postal code */
    customerZip: string
    /** The first name of who signs with them */
    secondaryCustomerFirstName: string
    /** The last name of who signs with them */
    secondaryCustomerLastName: string
    /** The phone of who signs with them */
    secondaryCustomerPhoneNumber: string
    /** The email address of who signs with them */
    secondaryCustomerEmail: string
    /** What is known about the customer */
    customerNotes: string
    /** The name of the stage */
    projectStatus: string
    /** MM/DD/YY */
    contractSignedDate: string
    /** When it was sold, MM/DD/YY */
    submittedDate: string
    /** The contracts’ addresses */
    contractURL: string[]
    /** The proposal; empty where there is none */
    proposalURL: string
    /** The project’s page; empty where there is none */
    projectURL: string
    /** Who lends */
    financeCompany: string
    /** How much, in dollars */
    financeAmount: string
    /** Percent */
    financeAPR: string
    /** Months */
    financeTerm: string
    /** `cash`, `loan`, `lease` or `ppa` */
    financeType: string
    /** Percent */
    financeDealerFee: string
    /** What is paid in a month, in dollars */
    monthlyPayment: string
    /** What was sold */
    Products: ({
      /** What was sold */
      product_name: string
      /** Dollars, as decimal text */
      product_cost: string
    })[]
    /** The contract’s price less the sum of the products */
    adjustments: string
    /** Such as 12,345.67 */
    contractPrice: string
    /** Who sells */
    salesRepName: string
    /** The rep’s email address */
    salesRepEmail: string
    /** The rep’s phone */
    salesRepPhone: string
    /** Who set the appointment */
    setterName: string
    /** The setter’s email address */
    setterEmail: string
    /** The setter’s phone */
    setterPhone: string
  })[]
  /** The number of this page, counted from 1 */
  page: number
  /** How many records a page has */
  per_page: number
  /** Records on this page */
  count: number
  /** Records on the pages after this one */
  remaining: number
  /** Records on all pages */
  total: number
}

/** What came of the call. */
export type ProjectCreated = {
  /** True where the call was done */
  success: boolean
  /** What came of it, in words */
  message: string
  /** Which record it was */
  data: {
    /** The project’s reference where it has one, else its id */
    project_id: string
    /** The lead’s reference where it has one, else its id */
    lead_id: string
  }
}

/** What came of the call. */
export type StageUpdated = {
  /** True where the call was done */
  success: boolean
  /** What came of it, in words */
  message: string
  /** Which record it was */
  data: {
    /** The project’s reference where it has one, else its id */
    project_id: string
    /** The name of the stage that it entered */
    new_status: string
  }
}

/** What came of the call. */
export type FileUploaded = {
  /** True where the call was done */
  success: boolean
  /** What came of it, in words */
  message: string
}

/** What came of the call. */
export type ActivityCreated = {
  /** True where the call was done */
  success: boolean
  /** What came of it, in words */
  message: string
  /** Which record it was */
  data: {
    /** The project’s reference where it has one, else its id */
    project_id: string
    /** The installer’s id */
    installer_id: string
  }
}

/** The lead that was made. */
export type LeadCreated = {
  /** 200 */
  status: number
  /** The lead’s reference */
  leaduid: string
}

/** A lead as it now reads. */
export type LeadRecord = {
  /** The reference where there is one, else the id */
  id: string
  /** Whether it is a home-improvement lead */
  home_improvement: boolean
  /** The homeowner’s first name */
  primary_first_name: string
  /** The homeowner’s last name */
  primary_last_name: string
  /** The homeowner’s email address */
  primary_email: string
  /** The digits as a number */
  primary_phone: number | null
  /** The first name of who signs with them */
  secondary_first_name: string
  /** The last name of who signs with them */
  secondary_last_name: string
  /** The email address of who signs with them */
  secondary_email: string
  /** The digits as a number */
  secondary_phone: number | null
}

/** What came of the call. */
export type PanelList = {
  /** True where the call was done */
  success: boolean
  /** What came of it, in words */
  message: string
  /** All that is sold now */
  data: ({
    /** Its id in the catalogue */
    id: string
    /** What it is */
    kind: string
    /** Who makes it */
    manufacturer: string
    /** What its maker calls it */
    model: string
    /** `true` where it is what is usually sold */
    default: string
    /** What it makes in full sun, in watts */
    watts: string
    /** Percent */
    efficiencyPercent: string
    /** How long it is guaranteed */
    warrantyYears: string
  })[]
}

/** What came of the call. */
export type InverterList = {
  /** True where the call was done */
  success: boolean
  /** What came of it, in words */
  message: string
  /** All that is sold now */
  data: ({
    /** Its id in the catalogue */
    id: string
    /** What it is */
    kind: string
    /** Who makes it */
    manufacturer: string
    /** What its maker calls it */
    model: string
    /** `true` where it is what is usually sold */
    default: string
    /** What it gives at most, in watts */
    ratedOutputWatts: string
    /** Percent */
    efficiencyPercent: string
    /** `true` where each panel has its own */
    microinverter: string
    /** How long it is guaranteed */
    warrantyYears: string
  })[]
}

/** What came of the call. */
export type AdderList = {
  /** True where the call was done */
  success: boolean
  /** What came of it, in words */
  message: string
  /** All that is sold now */
  data: ({
    /** Its id in the catalogue */
    id: string
    /** What it is called */
    name: string
    /** What it is */
    description: string
    /** Where it is sold */
    productLine: string
    /** What kind of product it is; empty for plain adders */
    productKind: string
    /** What its price is for */
    unit: string
    /** Dollars, as decimal text */
    unitPrice: string
    /** `true` where its price depends on how many are sold */
    tiered: string
    /** `true` where the rep pays for it */
    repSponsored: string
    /** `true` where customers see it on their proposal */
    showOnProposal: string
    /** Who makes it */
    brand: string
    /** What its maker calls it */
    model: string
    /** How long it is guaranteed */
    warrantyYears: string
  })[]
}

/** What went wrong. */
export type ErrorResponse = {
  /** The call was not done */
  success: false
  /** What to change */
  message: string
  /** What kind of error it is */
  code: 'unauthorized' | 'forbidden' | 'not_found' | 'invalid' | 'rate_limited' | 'unavailable' | 'internal'
  /** The fields that are at fault; absent where none is */
  fields?: ({
    /** Where it stands in the body or query: `address.line1`, `files[0].url` */
    path: string
    /** What is wrong with it */
    message: string
  })[] | undefined
}

export type CreateProjectRequest = {
  /** Where the house stands, in one text; kept whole where it cannot be read as a US address */
  address: string
  /** Homeowner’s first name */
  first_name: string
  /** Homeowner’s last name */
  last_name: string
  /** Homeowner’s email */
  email: string
  /** Homeowner’s phone, kept as sent */
  phone_number: string
  /** The number of the company that sold it */
  org_id: string | number
  /** Email, name or member id */
  sales_rep: string
  /** Email, name or member id */
  setter: string
  /** Kilowatts */
  system_size: number
  /** Kilowatt-hours a year */
  annual_production: number
  /** Kilowatt-hours that the house uses in a year */
  consumption: number
  /** The contract’s price */
  system_cost: number
  /** Price per watt with everything */
  final_ppw: number
  /** Price per watt of the system alone */
  base_ppw: number
  /** What adders add to the price per watt */
  adder_ppw: number
  /** `cash`, `loan`, `lease` or `ppa`; guessed from the other fields when absent */
  financing_type?: string | undefined
  /** Years, as text */
  term_years?: string | number | undefined
  /** A stage of the solar ladder; the first when absent */
  project_stage?: string | undefined
  /** A panel of the installer’s catalogue */
  panel_profile_id?: string | undefined
  /** As text */
  panel_count?: string | number | undefined
  /** An inverter of the installer’s catalogue */
  inverter_profile_id?: string | undefined
  /** As text */
  inverter_count?: string | number | undefined
  /** Dollars a month (lease) or a kilowatt-hour (PPA), as text */
  lease_ppa_rate?: string | number | undefined
  /** The monthly payment, as text */
  pre_itc_payment?: string | number | undefined
  /** Percent a year, as text */
  escalator_rate?: string | number | undefined
  /** Percent */
  apr?: number | undefined
  /** Each file is copied into the folder of the site survey */
  site_survey_photos?: string[] | undefined
  /** Solar adders of the catalogue by id or name, or objects of `id` (or `name`) and `quantity` */
  adders?: (string | {
    /** The adder’s id */
    id?: string | undefined
    /** Or its name */
    name?: string | undefined
    /** How many of its units; as the system needs when absent */
    quantity?: number | undefined
  })[] | undefined
}

export type ProjectUploadFileRequest = {
  /** The addresses to copy from */
  fileurl: string[]
  /** The project’s id or reference, or its lead’s */
  project_id: string
  /** Where the files belong */
  folder_id: 'contract' | 'utility_bill' | 'drivers_license' | 'materials' | 'survey_photos' | 'engineering_plansets' | 'permits' | 'interconnection' | 'insurance' | 'installation_photos' | 'internal_documents'
}

export type ProjectUploadFileHiRequest = {
  /** The addresses to copy from */
  fileurl: string[]
  /** The project’s id or reference, or its lead’s */
  project_id: string
  /** Where the files belong */
  folder_id: 'contract' | 'utility_bill' | 'drivers_license' | 'materials' | 'survey_photos' | 'engineering_plansets' | 'permits' | 'interconnection' | 'insurance' | 'installation_photos' | 'internal_documents'
}

export type CreateActivityRequest = {
  /** The project’s id or reference, or its lead’s */
  project_id: string
  /** The installer’s id or number */
  installer_id: string | number
  /** The note */
  notes: string
}

export type CreateActivityHiRequest = {
  /** The project’s id or reference, or its lead’s */
  project_id: string
  /** The installer’s id or number */
  installer_id: string | number
  /** The note */
  notes: string
}

export type CreateLeadRequest = {
  /** Homeowner’s first name */
  firstName: string
  /** Homeowner’s last name */
  lastName: string
  /** Homeowner’s email */
  email: string
  /** Homeowner’s phone, kept as sent */
  phoneNumber: string
  /** Where the house stands, in one text; kept whole where it cannot be read as a US address */
  address: string
  /** An active member of the company; any other leaves the sales rep empty */
  salesRepEmail: string
}

export type UpdateLeadRequest = {
  /** The lead’s reference or id */
  id: string
  /** Whether it is a home-improvement lead */
  home_improvement: boolean
  /** First name */
  primary_first_name?: string | undefined
  /** Last name */
  primary_last_name?: string | undefined
  /** Empty text clears it */
  primary_email?: string | undefined
  /** The digits as a number; null clears it. Sent back as it was read, it changes nothing */
  primary_phone?: number | null | undefined
  /** Empty text clears it */
  secondary_first_name?: string | undefined
  /** Empty text clears it */
  secondary_last_name?: string | undefined
  /** Empty text clears it */
  secondary_email?: string | undefined
  /** The digits as a number; null clears it. Sent back as it was read, it changes nothing */
  secondary_phone?: number | null | undefined
}

