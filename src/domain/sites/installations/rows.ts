import type { Installation } from './installation.ts'
import type { Panel } from './panel.ts'

/** How an installation is written, by column. */
export function installationRow(installation: Installation) {
  return {
    installer_id: installation.installerId,
    id: installation.id,
    company_id: installation.companyId,
    project_id: installation.projectId,
    name: installation.name,
    address: installation.address,
    region: installation.region,
    timezone: installation.timezone,
    capacity_kw: installation.capacityKw,
    panel_count: installation.panelCount,
    panels_kw: installation.panelsKw,
    version: installation.version,
    created_at: installation.createdAt,
  }
}

/** How a panel is written, by column. */
export function panelRow(panel: Panel) {
  return {
    installer_id: panel.installerId,
    id: panel.id,
    company_id: panel.companyId,
    installation_id: panel.installationId,
    name: panel.name,
    capacity_kw: panel.capacityKw,
    status: panel.status,
    metadata: panel.metadata,
    version: panel.version,
    created_at: panel.createdAt,
  }
}
