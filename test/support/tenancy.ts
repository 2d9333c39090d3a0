import { parse } from 'libpg-query'

// biome-ignore lint/suspicious/noExplicitAny: the parser's tree has a shape for every kind of node there is
type Tree = any

/** What is in one `from`: a table of tenants, or rows that were made by another query, some of whose columns are the tenant. */
interface Relation {
  name: string
  isTenant: boolean
  isTied: boolean
  tenantColumns: Set<string>
}

interface Level {
  relations: Relation[]
  outer: Level | null
  ctes: Map<string, Set<string>>
}

/** A condition, and which relations it holds for: that of an outer join says nothing about the side that is kept. */
interface Condition {
  expression: Tree
  only: ReadonlySet<Relation> | null
}

/** Of the rows that a query answers: by place, and what a `*` brings, whose places are not known. */
interface Answer {
  columns: { name: string | undefined; isTenant: boolean }[]
  starred: Set<string>
}

const tenantColumn = 'installer_id'
const nothing: Answer = { columns: [], starred: new Set() }

/**
 * Where a statement reads or writes a table of tenants without being held to the one whose id is its first parameter.
 * Held is what stands in an equality with that parameter, or with what is held already, that no `or` and no outer join
 * can pass by.
 */
export async function tenancyHoles(
  text: string,
  tables: ReadonlySet<string>,
  hasTenant = true,
): Promise<string[]> {
  const { stmts = [] } = (await parse(text)) as Tree
  const holes: string[] = []
  for (const { stmt } of stmts) answerOf(stmt, null, new Map())
  return [...new Set(holes)]

  /** Looks at a query, and answers which of the columns of its rows are the tenant. */
  function answerOf(node: Tree, outer: Level | null, known: Level['ctes']): Answer {
    const [[kind, query]] = Object.entries<Tree>(node) as [[string, Tree]]
    if (kind === 'SelectStmt') return ofSelect(query, outer, known)
    if (kind === 'InsertStmt') return ofInsert(query, outer, known)
    if (kind === 'UpdateStmt' || kind === 'DeleteStmt') return ofChange(query, outer, known)
    holes.push(`${kind} is not understood`)
    return nothing
  }

  function ofSelect(query: Tree, outer: Level | null, known: Level['ctes']): Answer {
    const ctes = withQueries(query, outer, known)
    if (query.op && query.op !== 'SETOP_NONE') {
      const first = ofSelect(query.larg, outer, ctes)
      const second = ofSelect(query.rarg, outer, ctes)
      return {
        columns: first.columns.map(({ name, isTenant }, i) => ({
          name,
          isTenant: isTenant && second.columns[i]?.isTenant === true,
        })),
        starred: first.starred.intersection(second.starred),
      }
    }
    if (query.valuesLists) {
      const level: Level = { relations: [], outer, ctes }
      const [first, ...others]: Tree[][] = query.valuesLists.map(({ List }: Tree) => List.items)
      within(query.valuesLists, level)
      return {
        columns: first!.map((value, i) => ({
          name: undefined,
          isTenant: [value, ...others.map((row) => row[i])].every((one) => isTenantValue(one, level)),
        })),
        starred: new Set(),
      }
    }
    const level = enter(query.fromClause ?? [], query.whereClause, outer, ctes)
    const { fromClause: _from, whereClause: _where, withClause: _with, ...rest } = query
    within(rest, level)
    return answered(query.targetList ?? [], level)
  }

  function ofInsert(query: Tree, outer: Level | null, known: Level['ctes']): Answer {
    const ctes = withQueries(query, outer, known)
    const level: Level = { relations: [], outer, ctes }
    const table: string = query.relation.relname
    const target: Relation = {
      name: query.relation.alias?.aliasname ?? table,
      isTenant: tables.has(table),
      isTied: true,
      tenantColumns: new Set(),
    }
    const given = query.selectStmt ? answerOf(query.selectStmt, outer, ctes) : nothing
    if (target.isTenant) {
      const at = (query.cols ?? []).findIndex(({ ResTarget }: Tree) => ResTarget.name === tenantColumn)
      if (!given.columns[at]?.isTenant) holes.push(`${table} gets rows that are not the tenant's`)
    }
    const conflict = query.onConflictClause
    if (conflict) {
      const keys = (conflict.infer?.indexElems ?? []).map(({ IndexElem }: Tree) => IndexElem.name)
      const isUpdate = conflict.action === 'ONCONFLICT_UPDATE'
      if (target.isTenant && isUpdate && !keys.includes(tenantColumn))
        holes.push(`${table} may be changed by a key without the tenant`)
      level.relations.push(target, { ...target, name: 'excluded', isTenant: true })
      for (const { ResTarget } of conflict.targetList ?? [])
        if (ResTarget.name === tenantColumn) holes.push(`${table} is given to another tenant`)
      within([conflict.targetList, conflict.whereClause], level)
    }
    const own: Level = { relations: [target], outer, ctes }
    within(query.returningClause, own)
    return answered(query.returningClause?.exprs ?? [], own)
  }

  function ofChange(query: Tree, outer: Level | null, known: Level['ctes']): Answer {
    const ctes = withQueries(query, outer, known)
    const from = [{ RangeVar: query.relation }, ...(query.fromClause ?? []), ...(query.usingClause ?? [])]
    const level = enter(from, query.whereClause, outer, ctes)
    for (const { ResTarget } of query.targetList ?? [])
      if (ResTarget.name === tenantColumn && !isTenantValue(ResTarget.val, level))
        holes.push(`${query.relation.relname} is given to another tenant`)
    within([query.targetList, query.returningClause], level)
    return answered(query.returningClause?.exprs ?? [], level)
  }

  function withQueries({ withClause }: Tree, outer: Level | null, known: Level['ctes']): Level['ctes'] {
    if (!withClause) return known
    const ctes = new Map(known)
    for (const { CommonTableExpr: cte } of withClause.ctes) {
      const names = (cte.aliascolnames ?? []).map(({ String: { sval } }: Tree) => sval as string)
      // A recursive one reads what it has made, which is the tenant's where that of its first step is.
      const first = withClause.recursive ? cte.ctequery.SelectStmt?.larg : undefined
      if (first)
        ctes.set(
          cte.ctename,
          tenantColumns(
            quietly(() => ofSelect(first, outer, ctes)),
            names,
          ),
        )
      ctes.set(cte.ctename, tenantColumns(answerOf(cte.ctequery, outer, ctes), names))
    }
    return ctes
  }

  /** A level with what its `from` holds, and what its conditions tie; complains of what is left. */
  function enter(from: Tree[], where: Tree, outer: Level | null, ctes: Level['ctes']): Level {
    const level: Level = { relations: [], outer, ctes }
    const conditions: Condition[] = where ? [{ expression: where, only: null }] : []
    const derived: (() => void)[] = []
    for (const item of from) read(item)
    const settle = () => {
      let before: number
      do {
        before = level.relations.filter(({ isTied }) => isTied).length
        for (const { expression, only } of conditions)
          for (const relation of tiedBy(expression, level))
            if (!only || only.has(relation)) relation.isTied = true
      } while (level.relations.filter(({ isTied }) => isTied).length > before)
    }
    settle()
    // What is lateral sees what its neighbours are tied to, and they may be tied to what it answers.
    quietly(() => {
      for (const look of derived) look()
      settle()
    })
    for (const look of derived) look()
    settle()
    for (const { isTenant, isTied, name } of level.relations)
      if (isTenant && !isTied) holes.push(`${name} is not held to the tenant`)
    for (const { expression } of conditions) within(expression, level)
    return level

    /** Answers what it brought into the level. */
    function read(item: Tree): Set<Relation> {
      if (item.RangeVar) {
        const { relname, schemaname, alias } = item.RangeVar
        const made = schemaname ? undefined : ctes.get(relname)
        return add({
          name: alias?.aliasname ?? relname,
          isTenant: !made && tables.has(relname),
          isTied: false,
          tenantColumns: made ?? new Set(),
        })
      }
      if (item.JoinExpr) {
        const { larg, rarg, quals, jointype, usingClause = [] } = item.JoinExpr
        const [left, right] = [read(larg), read(rarg)]
        const sides: Record<string, Set<Relation> | null> = {
          JOIN_INNER: null,
          JOIN_LEFT: right,
          JOIN_RIGHT: left,
        }
        const only = sides[jointype] === undefined ? new Set<Relation>() : sides[jointype]
        if (quals) conditions.push({ expression: quals, only })
        if (usingClause.some(({ String: { sval } }: Tree) => sval === tenantColumn))
          for (const one of left)
            for (const other of right) conditions.push({ expression: equality(one.name, other.name), only })
        return new Set([...left, ...right])
      }
      const relation: Relation = { name: '', isTenant: false, isTied: false, tenantColumns: new Set() }
      if (item.RangeSubselect) {
        const { alias, subquery, lateral } = item.RangeSubselect
        relation.name = alias?.aliasname ?? ''
        const names = (alias?.colnames ?? []).map(({ String: { sval } }: Tree) => sval as string)
        const seen: Level | null = lateral ? level : outer
        derived.push(() => {
          relation.tenantColumns = tenantColumns(answerOf(subquery, seen, ctes), names)
        })
      } else {
        const [[, other]] = Object.entries<Tree>(item) as [[string, Tree]]
        relation.name = other.alias?.aliasname ?? ''
        derived.push(() => within(other, level))
      }
      return add(relation)
    }

    function add(relation: Relation): Set<Relation> {
      level.relations.push(relation)
      return new Set([relation])
    }
  }

  /** Looks at the queries inside of an expression. */
  function within(node: Tree, level: Level): void {
    if (node === null || typeof node !== 'object') return
    if (node.SubLink) {
      within(node.SubLink.testexpr, level)
      answerOf(node.SubLink.subselect, level, level.ctes)
      return
    }
    for (const one of Array.isArray(node) ? node : Object.values(node)) within(one, level)
  }

  function tiedBy(expression: Tree, level: Level): Set<Relation> {
    const { BoolExpr: bool, A_Expr: operation, SubLink: sub } = expression
    if (bool?.boolop === 'AND_EXPR') return new Set(bool.args.flatMap((one: Tree) => [...tiedBy(one, level)]))
    if (bool?.boolop === 'OR_EXPR') {
      const [first, ...others] = bool.args.map((one: Tree) => tiedBy(one, level)) as Set<Relation>[]
      return others.reduce((all, one) => all.intersection(one), first!)
    }
    if (sub?.subLinkType === 'ANY_SUBLINK' && !sub.operName) {
      const { columns } = quietly(() => answerOf(sub.subselect, level, level.ctes))
      const sides: Tree[] = sub.testexpr.RowExpr?.args ?? [sub.testexpr]
      return new Set(sides.flatMap((side, i) => (columns[i]?.isTenant ? relationsOf(side, level) : [])))
    }
    if (operation?.kind !== 'AEXPR_OP' || operation.name[0].String.sval !== '=') return new Set()
    const sides = ({ lexpr, rexpr }: Tree): [Tree, Tree][] =>
      lexpr.RowExpr && rexpr.RowExpr
        ? lexpr.RowExpr.args.map((one: Tree, i: number) => [one, rexpr.RowExpr.args[i]])
        : [[lexpr, rexpr]]
    return new Set(
      sides(operation).flatMap(([left, right]) => [
        ...(isTenantValue(left, level) ? relationsOf(right, level) : []),
        ...(isTenantValue(right, level) ? relationsOf(left, level) : []),
      ]),
    )
  }

  /** The relation of this level whose tenant an expression is. */
  function relationsOf(expression: Tree, { relations }: Level): Relation[] {
    const [column, table] = columnOf(expression)
    if (column !== tenantColumn) return []
    const named = relations.filter((one) => one.isTenant && (table === undefined || one.name === table))
    return named.length === 1 ? named : []
  }

  function isTenantValue(expression: Tree, level: Level | null): boolean {
    if (!expression) return false
    if (expression.TypeCast) return isTenantValue(expression.TypeCast.arg, level)
    // In another order of letters, what is equal stays so.
    if (expression.CollateClause) return isTenantValue(expression.CollateClause.arg, level)
    if (expression.ParamRef) return hasTenant && expression.ParamRef.number === 1
    const [column, table] = columnOf(expression)
    if (column === undefined) return false
    for (let at = level; at; at = at.outer) {
      const named = at.relations.filter((one) =>
        table === undefined
          ? one.tenantColumns.has(column) || (one.isTenant && column === tenantColumn)
          : one.name === table,
      )
      if (named.length === 0) continue
      return named.some(
        (one) => one.tenantColumns.has(column) || (one.isTenant && one.isTied && column === tenantColumn),
      )
    }
    return false
  }

  function answered(targets: Tree[], level: Level): Answer {
    const answer: Answer = { columns: [], starred: new Set() }
    for (const { ResTarget: target } of targets) {
      const [name, table] = columnOf(target.val)
      if (target.val?.ColumnRef?.fields.at(-1).A_Star) {
        for (const one of level.relations)
          if (table === undefined || one.name === table) {
            if (one.isTenant && one.isTied) answer.starred.add(tenantColumn)
            for (const column of one.tenantColumns) answer.starred.add(column)
          }
      } else if (answer.starred.size === 0)
        answer.columns.push({ name: target.name ?? name, isTenant: isTenantValue(target.val, level) })
      // Behind a star the place is not known, the name is.
      else if (isTenantValue(target.val, level)) answer.starred.add(target.name ?? name)
    }
    return answer
  }

  function quietly<T>(work: () => T): T {
    const before = holes.length
    const result = work()
    holes.length = before
    return result
  }
}

const equality = (one: string, other: string): Tree => {
  const column = (table: string) => ({
    ColumnRef: { fields: [{ String: { sval: table } }, { String: { sval: tenantColumn } }] },
  })
  return {
    A_Expr: { kind: 'AEXPR_OP', name: [{ String: { sval: '=' } }], lexpr: column(one), rexpr: column(other) },
  }
}

/** The column that an expression is, and its table where that is said. */
function columnOf(expression: Tree): [column: string | undefined, table: string | undefined] {
  const fields: Tree[] = expression?.ColumnRef?.fields ?? []
  const names = fields.map((field) => field.String?.sval as string | undefined)
  return [names.at(-1), names.at(-2)]
}

/** By name, or by the names that they are given where they are used. */
function tenantColumns({ columns, starred }: Answer, names: readonly string[]): Set<string> {
  const own = columns.flatMap(({ name, isTenant }, i) => (isTenant ? [names[i] ?? name ?? ''] : []))
  return new Set([...own, ...(names.length > 0 ? [] : starred)])
}
