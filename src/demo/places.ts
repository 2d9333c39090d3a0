export interface Place {
  city: string
  state: string
  postalCodes: readonly string[]
  utility: string
}

const place = (city: string, state: string, utility: string, ...postalCodes: string[]): Place => ({
  city,
  state,
  postalCodes,
  utility,
})

export const california: readonly Place[] = [
  place('San Diego', 'CA', 'Harbor Gas & Power', '92103', '92116', '92128'),
  place('Chula Vista', 'CA', 'Harbor Gas & Power', '91910', '91913'),
  place('Escondido', 'CA', 'Harbor Gas & Power', '92025', '92027'),
  place('Oceanside', 'CA', 'Harbor Gas & Power', '92054', '92057'),
  place('Temecula', 'CA', 'Valley Edison', '92591', '92592'),
  place('Murrieta', 'CA', 'Valley Edison', '92562', '92563'),
  place('Riverside', 'CA', 'Riverbend Public Utilities', '92503', '92506'),
  place('Menifee', 'CA', 'Valley Edison', '92584', '92586'),
]

export const colorado: readonly Place[] = [
  place('Denver', 'CO', 'Mesa Electric', '80207', '80211', '80219'),
  place('Aurora', 'CO', 'Mesa Electric', '80012', '80013'),
  place('Lakewood', 'CO', 'Mesa Electric', '80226', '80228'),
  place('Fort Collins', 'CO', 'Foothills Municipal Power', '80524', '80526'),
  place('Loveland', 'CO', 'Foothills Municipal Power', '80537', '80538'),
  place('Castle Rock', 'CO', 'Plum Creek Rural Electric', '80104', '80109'),
  place('Parker', 'CO', 'Plum Creek Rural Electric', '80134', '80138'),
]

export const streets = [
  'Alder Way',
  'Bayview Dr',
  'Canyon Rim Rd',
  'Cedar Hollow Ln',
  'Citrus Grove Ave',
  'Copper Hill Ct',
  'Eagle Nest Dr',
  'Fieldstone St',
  'Goldfinch Ave',
  'Hawthorne St',
  'Juniper Ridge Rd',
  'Larkspur Ln',
  'Meadowlark Dr',
  'Mesa Verde Ave',
  'Old Mill Rd',
  'Orchard Park Pl',
  'Quail Run',
  'Ridgeline Dr',
  'Sagebrush Ct',
  'Silver Oak Ave',
  'Stagecoach Rd',
  'Sunrise Ter',
  'Trailhead Ct',
  'Willow Bend Dr',
] as const
