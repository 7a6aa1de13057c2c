import { type Entry, editedContent } from '../world/ledger.ts'
import { FORBIDDEN } from '../world/restrictions.ts'
import type { Channel } from '../world/tenant.ts'
import { type ActorParts, FORBIDDEN_SHARE, randomText } from './actor-parts.ts'

export interface SenderParts extends ActorParts {
  /** Channels that the user may be in, now or later. */
  channels: readonly Channel[]
}

const EMOJIS = ['👍', '🎉', '👀']

/** A user who acts one step at a time, and waits for a clear answer. */
export class Sender {
  readonly #parts: SenderParts

  constructor(parts: SenderParts) {
    this.#parts = parts
  }

  /** Usually sends a message. */
  async act(): Promise<void> {
    const { dice } = this.#parts
    const roll = dice.next()
    if (roll < 0.04) return this.#edit()
    if (roll < 0.06) return this.#delete()
    if (roll < 0.1) return this.#react()
    if (roll < 0.11) return this.#trespass()
    return this.#send(roll < 0.13 ? 2 : 1)
  }

  /** @param times parallel requests with one nonce, which must create one message */
  async #send(times: number): Promise<void> {
    const channel = this.#pickChannel('yes')
    if (channel === undefined) return
    const { recent, dice } = this.#parts
    const isForbidden = dice.chance(FORBIDDEN_SHARE)
    const entry = this.#begin(channel, isForbidden ? `${FORBIDDEN} ` : '')
    await Promise.all(Array.from({ length: times }, () => this.#create(channel, entry)))
    if (entry.outcome === 'acknowledged') recent.add(channel, entry)
    if (entry.outcome === 'acknowledged') this.#checkRestrictions(entry, entry.begunAt, isForbidden)
    if (entry.outcome === 'refused' && this.#mayWrite(entry, entry.begunAt, isForbidden))
      this.#complain('refused', 'a user could not send despite access', entry)
  }

  /** Reports an acknowledged request that was already forbidden before it began. */
  #checkRestrictions(entry: Entry, begunAt: number, isForbidden: boolean): void {
    const breach = this.#parts.rights.breachOf(entry.roomId, begunAt, isForbidden)
    if (breach !== undefined) this.#complain('leaked', breach, entry)
  }

  /** Returns true if every process certainly granted access and applied no restriction. */
  #mayWrite(entry: Entry, begunAt: number, isForbidden: boolean): boolean {
    return this.#isWhereItWas(entry) && this.#parts.rights.mayWrite(entry.roomId, begunAt, isForbidden)
  }

  /** False if the message may have been moved, or its thread closed or deleted: requests about the message may then fail. */
  #isWhereItWas(entry: Entry): boolean {
    const { ledger } = this.#parts
    const isOpen = ledger.threads.get(entry.channelId)?.wasClosed !== true
    return isOpen && !ledger.mayHaveMoved(entry) && !ledger.isDoomed(entry)
  }

  /** Sends to a channel the user cannot see. */
  async #trespass(): Promise<void> {
    const channel = this.#pickChannel('no')
    if (channel === undefined) return
    const entry = this.#begin(channel)
    await this.#create(channel, entry)
    const mightNot = this.#parts.rights.isShutOut(channel.id, entry.begunAt)
    if (entry.outcome === 'acknowledged' && mightNot)
      this.#complain('leaked', 'a user could send without access', entry)
  }

  /** @param prefix the beginning of the text */
  #begin(channel: Channel, prefix = ''): Entry {
    const { ledger, person, dice } = this.#parts
    const text = prefix + randomText(dice)
    return ledger.begin(channel.id, person.id, text)
  }

  async #create(channel: Channel, entry: Entry): Promise<void> {
    const { person, asker, ledger } = this.#parts
    const body = { content: entry.content, nonce: `chaos ${entry.number}` }
    const answer = await asker.ask(() => person.client.messages.create(channel.address, body))
    if (answer.kind !== 'done') {
      if (entry.outcome === 'open') entry.outcome = answer.kind
      if (answer.kind === 'unclear') this.#complain('stuck', 'a request to send was never answered', entry)
      return
    }
    const { id, seq, content, author } = answer.result
    ledger.acknowledge(entry, { id, seq, content, channelId: channel.id, authorId: author.id })
  }

  async #edit(): Promise<void> {
    const { recent, person, asker } = this.#parts
    const found = recent.pickOf(person.id, this.#parts.dice)
    if (found?.entry.id === undefined) return
    const { entry, channel } = found
    const id = entry.id ?? ''
    const edit = entry.edits.push(performance.now()) - 1
    const content = editedContent(entry, edit)
    const answer = await asker.ask(() => person.client.messages.update(channel.address, id, { content }))
    if (answer.tries > 1) entry.hasDoubtfulEdit = true
    const begunAt = entry.edits[edit] ?? 0
    if (answer.kind === 'done') {
      entry.ackedEdit = edit
      this.#checkRestrictions(entry, begunAt, false)
    } else if (this.#mayWrite(entry, begunAt, false))
      this.#complain('refused', 'a user could not edit their own message', entry)
  }

  async #delete(): Promise<void> {
    const { recent, person, asker } = this.#parts
    const found = recent.takeOf(person.id, this.#parts.dice)
    if (found?.entry.id === undefined) return
    const { entry, channel } = found
    const id = entry.id ?? ''
    const begunAt = performance.now()
    entry.deletion = 'asked'
    const answer = await asker.ask(() => person.client.messages.delete(channel.address, id))
    // Checks the code, because a user without access to a group also gets a 404.
    const isGone = answer.kind === 'refused' && answer.error.code === 'unknown_message' && answer.tries > 1
    if (answer.kind === 'done' || (isGone && this.#isWhereItWas(entry))) entry.deletion = 'acknowledged'
    else this.#checkRefusal(entry, begunAt)
  }

  async #react(): Promise<void> {
    const channel = this.#pickChannel('yes')
    const { recent, person, asker, dice } = this.#parts
    const entry = channel && recent.pickIn(channel, dice)
    if (channel === undefined || entry?.id === undefined) return
    const message = { channel: channel.address, id: entry.id }
    const emoji = dice.pick(EMOJIS) ?? ''
    const key = `${emoji} ${person.id}`
    const isOn = entry.reactions.get(key)?.isOn !== true
    const wasSure = entry.reactions.get(key)?.isSure !== false
    entry.reactions.set(key, { isOn, isSure: false })
    const { reactions } = person.client
    const answer = await asker.ask(() =>
      isOn ? reactions.add(message, emoji) : reactions.remove(message, emoji),
    )
    const isSure = answer.kind === 'done' && answer.tries === 1 && wasSure
    entry.reactions.set(key, { isOn, isSure })
  }

  /** Users may delete their messages while they can see the channel, so a refusal is wrong. */
  #checkRefusal(entry: Entry, begunAt: number): void {
    if (this.#isWhereItWas(entry) && this.#parts.rights.maySee(entry.roomId, begunAt))
      this.#complain('refused', 'a user could not delete their own message', entry)
  }

  #pickChannel(sight: 'yes' | 'no'): Channel | undefined {
    const { channels, sights, person, dice } = this.#parts
    return dice.pickByWeight(channels.filter(({ id }) => sights.now(person.id, id) === sight))
  }

  #complain(violation: 'refused' | 'leaked' | 'stuck', what: string, entry: Entry): void {
    const { person, sights, findings } = this.#parts
    const sight = sights.history(person.id, entry.roomId).slice(-6)
    findings.add(violation, what, { userId: person.id, entry, sight })
  }
}
