import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { chooseSlots } from './slots.ts'

suite('SFU-5: a listener', () => {
  test('has a slot for each of the others, as long as there are enough', () => {
    const people = ['a', 'b', 'c'].map((name) => silent(name, 0))
    assert.equal(namesIn(chooseSlots(free(4), people)), 'a b c -')
  })

  test('keeps everyone’s slot when others join, speak and leave', () => {
    const [a, b, c, d] = [silent('a', 0), silent('b', 0), silent('c', 0), speaking('d', 5)]
    const before = chooseSlots(free(4), [a, b, c])
    assert.equal(namesIn(chooseSlots(before, [a, c, d])), 'a d c -')
  })

  test('hears a new speaker in the slot of the user who has been silent the longest', () => {
    const [a, b, c] = [silent('a', 30), silent('b', 10), silent('c', 20)]
    const before = chooseSlots(free(3), [a, b, c])
    assert.equal(namesIn(chooseSlots(before, [a, b, c, speaking('d', 40)])), 'a d c')
  })

  test('keeps hearing everyone who speaks, while a new speaker waits', () => {
    const speakers = [speaking('a', 10), speaking('b', 30)]
    const before = chooseSlots(free(2), speakers)
    const crowd = [...speakers, speaking('c', 40), silent('d', 0)]
    assert.equal(namesIn(chooseSlots(before, crowd)), 'a b')
  })

  test('hears the first waiting speaker once another falls silent', () => {
    const [a, b, c, d] = [speaking('a', 1), speaking('b', 2), speaking('c', 50), speaking('d', 40)]
    const before = chooseSlots(free(2), [a, b])
    assert.equal(namesIn(chooseSlots(before, [a, b, c, d])), 'a b')
    b.isSpeaking = false
    b.changedAt = 60
    assert.equal(namesIn(chooseSlots(before, [a, b, c, d])), 'a d')
  })

  test('keeps the slot of a silent user while nobody else needs it', () => {
    const [a, b] = [silent('a', 100), silent('b', 90)]
    const before = chooseSlots(free(1), [a])
    assert.equal(namesIn(chooseSlots(before, [a, b])), 'a')
  })

  test('hears nobody without slots', () => {
    assert.deepEqual(chooseSlots([], [speaking('a', 1)]), [])
  })
})

interface Person {
  name: string
  isSpeaking: boolean
  changedAt: number
}

function silent(name: string, changedAt: number): Person {
  return { name, isSpeaking: false, changedAt }
}

function speaking(name: string, changedAt: number): Person {
  return { name, isSpeaking: true, changedAt }
}

function free(slots: number): undefined[] {
  return Array.from({ length: slots }, () => undefined)
}

function namesIn(slots: readonly (Person | undefined)[]): string {
  return slots.map((person) => person?.name ?? '-').join(' ')
}
