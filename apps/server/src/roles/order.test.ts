import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import fc from 'fast-check'
import { createPerson, type Person } from '#test/scenes/people.ts'
import { makeSpace } from '#test/scenes/spaces.ts'
import { startTestServer, type TestServer } from '#test/server.ts'

const RUNS = 5
const STEPS = 40

let server: TestServer
let owner: Person
let members: Person[]

before(async () => {
  server = await startTestServer()
  owner = await createPerson(server, 'owner')
  members = [await createPerson(server, 'one'), await createPerson(server, 'two')]
})
after(() => server.close())

/** A naive model of the server's numbers: the roles as a list, and their members. */
interface Model {
  spaceId: string
  /** Role ids, lowest first, beginning with @everyone. */
  roles: string[]
  held: readonly Holder[]
}

interface Holder {
  member: Person
  ids: Set<string>
}

interface Step {
  kind: 'create' | keyof typeof changes
  role: number
  position: number
  member: number
}

const changes = {
  async move({ spaceId, roles }: Model, roleId: string, { position }: Step) {
    await owner.client.roles.update(spaceId, roleId, { position })
    roles.splice(roles.indexOf(roleId), 1)
    roles.splice(position, 0, roleId)
  },
  async delete({ spaceId, roles, held }: Model, roleId: string) {
    await owner.client.roles.delete(spaceId, roleId)
    roles.splice(roles.indexOf(roleId), 1)
    for (const { ids } of held) ids.delete(roleId)
  },
  async assign({ spaceId, held }: Model, roleId: string, step: Step) {
    const { member, ids } = holderOf(held, step)
    await owner.client.roles.assign(spaceId, member.id, roleId)
    ids.add(roleId)
  },
  async remove({ spaceId, held }: Model, roleId: string, step: Step) {
    const { member, ids } = holderOf(held, step)
    await owner.client.roles.remove(spaceId, member.id, roleId)
    ids.delete(roleId)
  },
}

function holderOf(held: Model['held'], step: Step): Holder {
  const holder = held[step.member]
  assert.ok(holder)
  return holder
}

async function take(model: Model, step: Step): Promise<void> {
  const others = model.roles.slice(1)
  const roleId = others[step.role % Math.max(1, others.length)]
  if (step.kind !== 'create' && roleId !== undefined) return changes[step.kind](model, roleId, step)
  const { id } = await owner.client.roles.create(model.spaceId, { name: 'role' })
  model.roles.splice(1, 0, id)
}

async function compare({ spaceId, roles, held }: Model): Promise<void> {
  const listed = await owner.client.roles.list(spaceId)
  assert.deepEqual(
    listed.map(({ id, position }) => [id, position]),
    roles.map((id, position) => [id, position]),
  )
  for (const { member, ids } of held) {
    const { roles: own, position } = await owner.client.members.get(spaceId, member.id)
    assert.deepEqual(own, [...ids].toSorted())
    assert.equal(position, Math.max(0, ...[...ids].map((id) => roles.indexOf(id))))
  }
}

/** Without bias towards small numbers, which would make most runs trivial. */
const steps = fc.array(
  fc.noBias(
    fc.record<Step>({
      kind: fc.constantFrom(
        'create',
        'create',
        'move',
        'move',
        'move',
        'delete',
        'assign',
        'assign',
        'remove',
      ),
      role: fc.nat(20),
      position: fc.integer({ min: 1, max: 7 }),
      member: fc.nat(1),
    }),
  ),
  { minLength: STEPS, maxLength: STEPS },
)

test('ROLE-1, ROLE-14: positions are those of a list after any creations, moves, deletions and assignments', async () => {
  const property = fc.asyncProperty(steps, async (steps) => {
    const { id } = await makeSpace(owner, members)
    const held = members.map((member) => ({ member, ids: new Set<string>() }))
    const model = { spaceId: id, roles: [id], held }
    for (const step of steps) {
      await take(model, step)
      await compare(model)
    }
  })
  // Shrinking a counterexample would take minutes.
  await fc.assert(property, { numRuns: RUNS, endOnFailure: true })
})
