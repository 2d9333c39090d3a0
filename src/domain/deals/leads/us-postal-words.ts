/**
 * The words of American addresses, lower case and without full stops, after USPS Publication 28 and what
 * people write. They serve `one-line-address.ts`; what they are not is a list of places.
 */
const words = (text: string): string[] => text.trim().split(/\s+/)

const statesByCode = {
  AL: 'Alabama',
  AK: 'Alaska',
  AZ: 'Arizona',
  AR: 'Arkansas',
  CA: 'California',
  CO: 'Colorado',
  CT: 'Connecticut',
  DE: 'Delaware',
  DC: 'District of Columbia',
  FL: 'Florida',
  GA: 'Georgia',
  HI: 'Hawaii',
  ID: 'Idaho',
  IL: 'Illinois',
  IN: 'Indiana',
  IA: 'Iowa',
  KS: 'Kansas',
  KY: 'Kentucky',
  LA: 'Louisiana',
  ME: 'Maine',
  MD: 'Maryland',
  MA: 'Massachusetts',
  MI: 'Michigan',
  MN: 'Minnesota',
  MS: 'Mississippi',
  MO: 'Missouri',
  MT: 'Montana',
  NE: 'Nebraska',
  NV: 'Nevada',
  NH: 'New Hampshire',
  NJ: 'New Jersey',
  NM: 'New Mexico',
  NY: 'New York',
  NC: 'North Carolina',
  ND: 'North Dakota',
  OH: 'Ohio',
  OK: 'Oklahoma',
  OR: 'Oregon',
  PA: 'Pennsylvania',
  RI: 'Rhode Island',
  SC: 'South Carolina',
  SD: 'South Dakota',
  TN: 'Tennessee',
  TX: 'Texas',
  UT: 'Utah',
  VT: 'Vermont',
  VA: 'Virginia',
  WA: 'Washington',
  WV: 'West Virginia',
  WI: 'Wisconsin',
  WY: 'Wyoming',
  PR: 'Puerto Rico',
  VI: 'Virgin Islands',
  GU: 'Guam',
  AS: 'American Samoa',
  MP: 'Northern Mariana Islands',
  AA: 'Armed Forces Americas',
  AE: 'Armed Forces Europe',
  AP: 'Armed Forces Pacific',
}

/** Code and name, lower case, to the code. */
export const stateCodes: ReadonlyMap<string, string> = new Map([
  ...Object.entries(statesByCode).flatMap(([code, name]): [string, string][] => [
    [code.toLowerCase(), code],
    [name.toLowerCase(), code],
  ]),
  ["hawai'i", 'HI'],
  ['us virgin islands', 'VI'],
])

/** The country's names, written without spaces. */
export const countryNames: ReadonlySet<string> = new Set(words('us usa unitedstates unitedstatesofamerica'))

/** Words that end a street's name, and hardly ever stand inside a city's. */
export const suffixes: ReadonlySet<string> = new Set(
  words(`
    st str street ave av aven avenue blvd boul boulevard dr drv drive rd road ln lane ct court wy way
    pl place ter terr terrace cir circ circle pkwy pky parkway hwy hiway highway loop trl trail tr
    sq square plz plaza aly alley expy expressway fwy freeway tpke turnpike pike byp bypass
    xing crossing cswy causeway`),
)

/** Words that end a street's name as often as they stand before a suffix ("Mill Creek Rd") or in a city. */
export const looseSuffixes: ReadonlySet<string> = new Set(
  words(`
    run path walk row pass trce trace cv cove pt pointe cres crescent rdg ridge crk creek holw hollow
    bnd bend vw view lndg landing knl knoll knls knolls mdw mdws meadow meadows blf bluff cyn canyon
    psge passage crst crest mews oval spur trak track gtwy gateway promenade wharf`),
)

/** Streets that are whole without a suffix. */
export const bareStreets: ReadonlySet<string> = new Set(words('broadway bowery embarcadero esplanade'))

/** Roads whose name goes on with a number or a letter: "Highway 50", "County Road 12", "Avenue B". */
export const numberedRoads: ReadonlySet<string> = new Set(
  words('hwy highway rte route rt road rd ave avenue interstate fm rm cr sr us loop'),
)

/** Second words of cities before which a suffix is none: "St Louis", "Cape May Court House". */
export const cityWordsAfter: ReadonlyMap<string, ReadonlySet<string>> = new Map([
  [
    'st',
    new Set(
      words(`
        albans ann anne anthony augustine bernard bernice charles clair clairsville cloud croix edward elmo
        francis francisville gabriel george hedwig helena helens henry ignace ignatius jacob james joe john
        johns johnsbury joseph landry lawrence leo leonard libory louis lucie marks martin martinville
        mary marys matthews meinrad michael michaels nazianz olaf onge paris paul pauls pete peter
        peters petersburg regis robert rose simons stephen stephens thomas vincent xavier`),
    ),
  ],
  ['court', new Set(['house'])],
  ['circle', new Set(['pines'])],
])

/** Directions that close a street's name. The long four begin cities ("North Hollywood") and are left to them. */
export const closingDirections: ReadonlySet<string> = new Set(
  words('n s e w ne nw se sw northeast northwest southeast southwest'),
)

export const directions: ReadonlySet<string> = new Set([
  ...closingDirections,
  ...words('north south east west'),
])

/** House numbers in words: "One Infinite Loop". */
export const spelledNumbers: ReadonlySet<string> = new Set(
  words('one two three four five six seven eight nine ten eleven twelve fifteen twenty fifty hundred'),
)

/** Words that name a unit together with its number or letter. */
export const unitWords: ReadonlySet<string> = new Set(
  words(`
    apt apts apartment apmt bay blk block bldg building cabin condo dept department fl flr floor hngr hangar
    lot lots lvl level no ofc office ph penthouse pier pmb rm room slip sp spc space ste suite suites stop
    studio th townhouse trlr trailer twr tower unit units villa wing mailstop`),
)

/** Words that are a unit by themselves. */
export const unnumberedUnits: ReadonlySet<string> = new Set(
  words('ph penthouse bsmt basement lbby lobby rear'),
)

/** Units by themselves that also name streets and cities ("Front Royal", "Upper Darby"). */
export const doubtfulUnits: ReadonlySet<string> = new Set(
  words('frnt front uppr upper lowr lower side ofc office studio trlr trailer'),
)

export const spelledFloors: ReadonlySet<string> = new Set(
  words('ground top first second third fourth fifth sixth seventh eighth ninth tenth'),
)
