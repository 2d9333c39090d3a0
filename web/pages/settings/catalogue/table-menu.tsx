import { Link } from '@tanstack/react-router'
import { Download, Table2, Upload } from 'lucide-react'
import { catalogue as texts } from '../../../texts/en/catalogue.ts'
import { Button } from '../../../ui/button.tsx'
import { Menu, MenuItem } from '../../../ui/menu.tsx'
import type { SectionName } from './use-catalogue.ts'

/** The catalogue as a table: in and out. */
export function TableMenu({ section }: { section: SectionName }) {
  const trigger = (
    <Button>
      <Table2 className="size-4" aria-hidden />
      {texts.importExport}
    </Button>
  )
  return (
    <Menu trigger={trigger}>
      <MenuItem asChild>
        <Link to="/settings/catalogue/import" search={{ section }}>
          <Upload className="size-4" aria-hidden />
          {texts.importTable}
        </Link>
      </MenuItem>
      <MenuItem asChild>
        <a href="/console/api/adders.csv" download>
          <Download className="size-4" aria-hidden />
          {texts.exportAdders}
        </a>
      </MenuItem>
      <MenuItem asChild>
        <a href="/console/api/equipment.csv" download>
          <Download className="size-4" aria-hidden />
          {texts.exportEquipment}
        </a>
      </MenuItem>
    </Menu>
  )
}
