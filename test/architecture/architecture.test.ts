import assert from 'node:assert/strict'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { budgetRules } from './budgets.ts'
import { catalogueRules } from './catalogues.ts'
import { disposalRules } from './disposal.ts'
import { doorRules } from './doors.ts'
import { expressionRules } from './expressions.ts'
import { folderMapRules } from './folder-map.ts'
import { importGraphRules } from './import-graph.ts'
import { languageRules } from './language.ts'
import { moduleRules } from './modules.ts'
import { packageReachRules } from './package-reach.ts'
import { budgetPlants } from './planted/budgets.ts'
import { disposalPlants } from './planted/disposal.ts'
import { doorPlants } from './planted/doors.ts'
import { expressionPlants } from './planted/expressions.ts'
import { folderMapPlants } from './planted/folder-map.ts'
import { importGraphPlants } from './planted/import-graph.ts'
import { languagePlants } from './planted/language.ts'
import { modulePlants } from './planted/modules.ts'
import { packageReachPlants } from './planted/package-reach.ts'
import { serverRankPlants } from './planted/server-ranks.ts'
import { stylePlants } from './planted/styles.ts'
import { textPlants } from './planted/texts.ts'
import { webRankPlants } from './planted/web-ranks.ts'
import { wordingPlants } from './planted/wording.ts'
import { readRepository } from './repository-files.ts'
import { type Plant, type Rule, treeOf } from './rule.ts'
import { serverRankRules } from './server-ranks.ts'
import type { Violation } from './source.ts'
import { styleRules } from './styles.ts'
import { textRules } from './texts.ts'
import { webRankRules } from './web-ranks.ts'
import { wordingRules } from './wording.ts'

const RULES: readonly Rule[] = [
  ...budgetRules,
  ...importGraphRules,
  ...packageReachRules,
  ...serverRankRules,
  ...webRankRules,
  ...doorRules,
  ...languageRules,
  ...disposalRules,
  ...moduleRules,
  ...styleRules,
  ...textRules,
  ...catalogueRules,
  ...wordingRules,
  ...folderMapRules,
  ...expressionRules,
]

const PLANTS: readonly Plant[] = [
  ...budgetPlants,
  ...importGraphPlants,
  ...packageReachPlants,
  ...serverRankPlants,
  ...webRankPlants,
  ...doorPlants,
  ...languagePlants,
  ...disposalPlants,
  ...modulePlants,
  ...stylePlants,
  ...textPlants,
  ...wordingPlants,
  ...folderMapPlants,
  ...expressionPlants,
]

describe('the repository', () => {
  const tree = treeOf(readRepository(join(import.meta.dirname, '../..')))

  test('has files to check', () => {
    assert.ok(tree.sources.length > 0 && tree.imports.length > 0 && tree.workspaces.length > 0)
  })

  for (const rule of RULES) {
    test(rule.name, () => {
      const violations = rule.check(tree)
      assert.equal(violations.length, 0, `\n${violations.map(describeViolation).join('\n')}`)
    })
  }
})

describe('a rule finds that', () => {
  test('each rule has a planted violation', () => {
    const proved = new Set(PLANTS.map(({ rule }) => rule.name))
    assert.deepEqual([...proved].sort(), RULES.map(({ name }) => name).sort())
  })

  for (const { rule, because, breaks, at, keeps } of PLANTS) {
    test(because, () => {
      assert.deepEqual(rule.check(treeOf(breaks)).map(placeOf), at)
      assert.deepEqual(rule.check(treeOf(keeps)).map(describeViolation), [])
    })
  }
})

function describeViolation(violation: Violation): string {
  return `${placeOf(violation)} ${violation.message}`
}

function placeOf({ path, line }: Violation): string {
  return `${path}:${line}`
}
