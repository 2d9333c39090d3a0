import { zip } from './sample-files.ts'

const sheetNamespace = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main'
const relationNamespace = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'

/** A workbook of one sheet, whose rows are given as the XML of their cells. */
export function workbook(
  rows: string,
  { shared = [] as string[], declaredSize = 0, sheetName = 'Leads' } = {},
): Buffer {
  const sheet = `<worksheet xmlns="${sheetNamespace}"><sheetData>${rows}</sheetData></worksheet>`
  return zip([
    {
      name: '[Content_Types].xml',
      data: '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Override PartName="/xl/workbook.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.sheet.main+xml"/></Types>',
    },
    {
      name: 'xl/workbook.xml',
      data: `<workbook xmlns="${sheetNamespace}" xmlns:r="${relationNamespace}"><sheets><sheet name="${sheetName}" sheetId="1" r:id="rId7"/></sheets></workbook>`,
    },
    {
      name: 'xl/_rels/workbook.xml.rels',
      data: '<Relationships><Relationship Id="rId7" Target="worksheets/first.xml"/></Relationships>',
    },
    {
      name: 'xl/styles.xml',
      data: `<styleSheet xmlns="${sheetNamespace}"><numFmts><numFmt numFmtId="164" formatCode="yyyy\\-mm\\-dd"/></numFmts><cellXfs><xf numFmtId="0"/><xf numFmtId="164"/></cellXfs></styleSheet>`,
    },
    {
      name: 'xl/sharedStrings.xml',
      data: `<sst xmlns="${sheetNamespace}">${shared.map((text) => `<si><t>${text}</t></si>`).join('')}</sst>`,
    },
    { name: 'xl/worksheets/first.xml', data: sheet, ...(declaredSize ? { declaredSize } : {}) },
  ])
}
