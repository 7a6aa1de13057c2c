import type {
  ListMembersQuery,
  Member,
  MemberWithUser,
  Timeout,
  TimeoutBody,
  UpdateMemberBody,
} from '@foyer/protocol/members'
import type { MemberVoice, UpdateMemberVoiceBody } from '@foyer/protocol/voice'
import { type CallOptions, path, type Rest } from '../rest.ts'

export class Members {
  readonly #rest: Rest

  constructor(rest: Rest) {
    this.#rest = rest
  }

  /**
   * Lists members by position, highest first, then by id. For the next page, pass the position and id of the last member as
   * `after_pos` and `after_id`, or only one of them.
   */
  list(spaceId: string, query: ListMembersQuery = {}, options?: CallOptions): Promise<MemberWithUser[]> {
    return this.#rest.request({
      ...options,
      method: 'GET',
      path: path`/api/spaces/${spaceId}/members`,
      query,
    })
  }

  get(spaceId: string, memberId: string, options?: CallOptions): Promise<MemberWithUser> {
    return this.#rest.request({
      ...options,
      method: 'GET',
      path: path`/api/spaces/${spaceId}/members/${memberId}`,
    })
  }

  /** Leaves the space; its owner cannot. */
  leave(spaceId: string, options?: CallOptions): Promise<void> {
    return this.#rest.request({
      ...options,
      method: 'DELETE',
      path: path`/api/spaces/${spaceId}/members/@me`,
    })
  }

  /** Changes the caller's own nickname; null clears it. */
  updateMe(spaceId: string, body: UpdateMemberBody, options?: CallOptions): Promise<Member> {
    return this.#rest.request({
      ...options,
      method: 'PATCH',
      path: path`/api/spaces/${spaceId}/members/@me`,
      body,
    })
  }

  /** Changes a member's nickname; null clears it. */
  update(spaceId: string, memberId: string, body: UpdateMemberBody, options?: CallOptions): Promise<Member> {
    return this.#rest.request({
      ...options,
      method: 'PATCH',
      path: path`/api/spaces/${spaceId}/members/${memberId}`,
      body,
    })
  }

  /** Moves or disconnects a member below the caller (needs MoveMembers), or mutes or deafens them (administrators). */
  updateVoice(
    spaceId: string,
    memberId: string,
    body: UpdateMemberVoiceBody,
    options?: CallOptions,
  ): Promise<MemberVoice> {
    return this.#rest.request({
      ...options,
      method: 'PATCH',
      path: path`/api/spaces/${spaceId}/members/${memberId}/voice`,
      body,
    })
  }

  /** Returns the end, reason and moderator of a member's timeout. Needs TimeoutMembers, except for the caller's own timeout. */
  getTimeout(spaceId: string, memberId: string, options?: CallOptions): Promise<Timeout> {
    return this.#rest.request({
      ...options,
      method: 'GET',
      path: path`/api/spaces/${spaceId}/members/${memberId}/timeout`,
    })
  }

  /**
   * Times out a member below the caller, who can then only read and listen until the given time. Needs TimeoutMembers.
   */
  timeOut(spaceId: string, memberId: string, body: TimeoutBody, options?: CallOptions): Promise<Timeout> {
    return this.#rest.request({
      ...options,
      method: 'PUT',
      path: path`/api/spaces/${spaceId}/members/${memberId}/timeout`,
      body,
    })
  }

  /** Ends a timeout of a member below the caller. Needs TimeoutMembers. */
  liftTimeout(spaceId: string, memberId: string, options?: CallOptions): Promise<void> {
    return this.#rest.request({
      ...options,
      method: 'DELETE',
      path: path`/api/spaces/${spaceId}/members/${memberId}/timeout`,
    })
  }

  /** Kicks a member below the caller. Needs KickMembers. */
  kick(spaceId: string, memberId: string, options?: CallOptions): Promise<void> {
    return this.#rest.request({
      ...options,
      method: 'DELETE',
      path: path`/api/spaces/${spaceId}/members/${memberId}`,
    })
  }

  /** Adds a bot to the space. Has no effect if it is already a member. */
  addBot(spaceId: string, botUserId: string, options?: CallOptions): Promise<Member> {
    return this.#rest.request({
      ...options,
      method: 'PUT',
      path: path`/api/spaces/${spaceId}/bots/${botUserId}`,
    })
  }

  removeBot(spaceId: string, botUserId: string, options?: CallOptions): Promise<void> {
    return this.#rest.request({
      ...options,
      method: 'DELETE',
      path: path`/api/spaces/${spaceId}/bots/${botUserId}`,
    })
  }
}
