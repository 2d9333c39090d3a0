import type { Role } from '../domain/kernel/tenant/member.ts'
import type { DemoPlan } from './companies.ts'
import { createRandom, type Random } from './random.ts'

const firstNames = (
  'Ada Adrian Aisha Alejandro Amara Andre Anika Arturo Beatriz Bennett Bianca Caleb Camila Carmen Cedric ' +
  'Chen Chloe Clara Cole Dalia Daniel Darius Delia Diego Elena Elias Emeka Esther Fatima Felix Fiona Gabriel ' +
  'Grace Hana Harold Hector Imani Ingrid Isaac Ivan Jada Jasmine Joel Jonah Julia Kai Karina Keiko Kenji Lars ' +
  'Leila Leon Lucia Malik Marcus Maren Marisol Mateo Mei Miguel Mira Naomi Nikhil Noor Oscar Paloma Priya ' +
  'Quentin Rafael Rosa Ruben Samir Saoirse Selma Simone Sofia Tariq Teresa Theo Tomas Uma Valerie Victor ' +
  'Wanda Wes Ximena Yara Yusuf Zora'
).split(' ')

const lastNames = (
  'Abbott Acosta Alvarez Amaya Andersen Barrett Bauer Becerra Bishop Boyd Brandt Calderon Carver Castellano ' +
  'Chandra Chavez Coleman Cortez Dalton Delgado Desai Donovan Duarte Ellison Escobar Farrow Fischer Fuentes ' +
  'Galloway Gibson Granger Gupta Haddad Hale Hammond Hernandez Holloway Ibarra Iverson Jensen Kapoor Keller ' +
  'Kim Kowalski Lam Larkin Lindqvist Lozano Marsh Medina Mercer Molina Moreno Nakamura Navarro Nguyen Novak ' +
  'Okafor Olsen Ortega Osei Pacheco Parrish Patel Pham Pruitt Quintero Ramos Reyes Rivas Romero Rowe Salazar ' +
  'Santos Sawyer Shah Silva Sorensen Stanton Suarez Tanaka Thorpe Tran Underhill Valdez Vargas Vega Walsh ' +
  'Whitaker Winters Yamada Zamora Ziegler'
).split(' ')

export interface Person {
  firstName: string
  lastName: string
}

export function drawPerson(random: Random): Person {
  return { firstName: random.pick(firstNames), lastName: random.pick(lastNames) }
}

export function mailOf({ firstName, lastName }: Person, domain: string): string {
  return `${firstName}.${lastName}@${domain}`.toLowerCase()
}

/** Among the numbers that are kept free for stories. */
export function drawPhone(random: Random, areaCode: string): string {
  return `+1 ${areaCode} 555 01${String(random.whole(0, 99)).padStart(2, '0')}`
}

export interface Staff {
  name: string
  email: string
  phone: string
  role: Role
}

/** The members of a company; an installer also has those who measure and build. */
export function staffOf(plan: DemoPlan): Staff[] {
  const random = createRandom(`${plan.name}/staff`)
  const roles: Role[] = ['owner', 'admin', 'manager']
  if (plan.installer === null) roles.push('manager', 'surveyor', 'surveyor', 'subcontractor', 'subcontractor')
  roles.push(...Array.from({ length: plan.reps }, () => 'rep' as const), 'setter', 'setter')
  const emails = new Set<string>()
  return roles.map((role) => {
    let person = drawPerson(random)
    while (emails.has(mailOf(person, plan.domain))) person = drawPerson(random)
    const email = mailOf(person, plan.domain)
    emails.add(email)
    return {
      name: `${person.firstName} ${person.lastName}`,
      email,
      phone: drawPhone(random, plan.areaCode),
      role,
    }
  })
}
