import type { OperatorLogEntry, OperatorUser } from '@foyer/protocol/operators'
import { type RegistrationSettings, UpdateRegistrationBody } from '@foyer/protocol/registration'
import { UpdateLoginRulesBody } from '@foyer/protocol/second-factors'
import { Check } from 'typebox/value'
import { readSecondFactorRule } from '#src/kernel/secrets/second-factor-rule.ts'
import { updateLoginRules } from '#src/operating/administration/login-rules/actions.ts'
import {
  approveRegistration,
  createOperatorInvite,
  refuseRegistration,
  updateRegistration,
} from '#src/operating/administration/registrations/actions.ts'
import {
  deleteUser,
  lockUser,
  removeSecondFactor,
  unlockUser,
} from '#src/operating/administration/users/actions.ts'
import { findUsersOf } from '#src/operating/administration/users/queries.ts'
import { accessByCommandLine } from '#src/operating/operators/access.ts'
import { grantOperator, revokeOperator } from '#src/operating/operators/actions.ts'
import { forgetClaimLink } from '#src/operating/operators/claim-link.ts'
import { readOperatorLog } from '#src/operating/operators/log.ts'
import { listOperators } from '#src/operating/operators/queries.ts'
import { listRegistrations } from '#src/people/registration/queries.ts'
import type { Command } from './command.ts'
import type { Context } from './context.ts'
import { spaceCommands } from './space-commands.ts'
import { registrationNamed, userNamed } from './targets.ts'

/** Access without a reason. Commands take the reason from the words after the target, not from a header. */
const access = accessByCommandLine(null)

const operators: Record<string, Command> = {
  list: {
    usage: 'list',
    does: 'lists the operators',
    run: async ({ database }) =>
      (await listOperators(database)).map(({ user, created_at }) => `${user.username}, since ${created_at}`),
  },
  grant: {
    usage: 'grant <user>',
    does: 'makes a user an operator',
    run: async (context, [name]) => {
      const { user } = await grantOperator(context, access, (await userNamed(context, name)).user.id)
      await forgetClaimLink(context.dataDir)
      return [`${user.username} is an operator`]
    },
  },
  revoke: {
    usage: 'revoke <user>',
    does: 'ends the rights of an operator, but not of the last one',
    run: async (context, [name]) => {
      const { user } = await userNamed(context, name)
      await revokeOperator(context, access, user.id)
      return [`${user.username} is no operator any more`]
    },
  },
  log: {
    usage: 'log',
    does: 'shows the last hundred entries of the operators’ log',
    run: async ({ database }) => {
      const { entries, users } = await readOperatorLog(database, {})
      const nameOf = ({ actor_id: id, details }: OperatorLogEntry) =>
        id === null
          ? String(details.provider ?? 'command line')
          : (users.find((user) => user.id === id)?.username ?? id)
      return entries.map((entry) => {
        const { created_at, action, target_name, target_id, reason } = entry
        return [created_at, nameOf(entry), action, target_name ?? target_id ?? '', reason ?? '']
          .join('  ')
          .trim()
      })
    },
  },
}

const users: Record<string, Command> = {
  find: {
    usage: 'find [text]',
    does: 'finds users by the beginning of their name, or by email address or id',
    run: async ({ database }, [query = '']) => (await findUsersOf(database, { query })).map(lineOfUser),
  },
  lock: {
    usage: 'lock <user> [reason]',
    does: 'locks an account: its sessions end, and it cannot log in',
    run: async (context, [name, ...reason]) => {
      const { user } = await userNamed(context, name)
      return [lineOfUser(await lockUser(context, access, user.id, { reason: reason.join(' ') }))]
    },
  },
  unlock: {
    usage: 'unlock <user>',
    does: 'lets a locked account log in again',
    run: async (context, [name]) => {
      const { user } = await userNamed(context, name)
      return [lineOfUser(await unlockUser(context, access, user.id))]
    },
  },
  'remove-second-factor': {
    usage: 'remove-second-factor <user>',
    does: 'turns off two-step login and removes passkeys, for somebody who has lost their phone and recovery codes',
    run: async (context, [name]) => {
      const { user } = await userNamed(context, name)
      return [lineOfUser(await removeSecondFactor(context, access, user.id))]
    },
  },
  'delete-user': {
    usage: 'delete-user <user>',
    does: 'deletes an account, as its owner could',
    run: async (context, [name]) => {
      const { user } = await userNamed(context, name)
      await deleteUser(context, access, user.id)
      return [`${user.username} is deleted`]
    },
  },
}

const logins: Record<string, Command> = {
  'second-factor': {
    usage: 'second-factor [nobody|operators|everybody]',
    does: 'shows or changes who needs two-step login',
    run: async (context, [rule]) => {
      if (rule === undefined) return [`second factor: ${await readSecondFactorRule(context.database)}`]
      const given: unknown = { second_factor_for: rule }
      if (!Check(UpdateLoginRulesBody, given)) throw new Error(`this is not possible: ${rule}`)
      const { second_factor_for } = await updateLoginRules(context, access, given)
      return [`second factor: ${second_factor_for}`]
    },
  },
}

const registration: Record<string, Command> = {
  registration: {
    usage: 'registration [open|invite|approval|closed]',
    does: 'shows or changes who may create an account',
    run: async (context, [mode]) =>
      linesOfRules(
        mode === undefined ? await context.registration.current() : await change(context, { mode }),
      ),
  },
  domains: {
    usage: 'domains [<domain> …|all]',
    does: 'shows the rules, or accepts addresses of these mail domains only',
    run: async (context, domains) =>
      linesOfRules(
        domains.length === 0
          ? await context.registration.current()
          : await change(context, { domains: isNothing(domains) ? [] : domains }),
      ),
  },
  question: {
    usage: 'question [text|none]',
    does: 'shows the rules, or sets or removes the question for applicants',
    run: async (context, words) => {
      if (words.length === 0) return linesOfRules(await context.registration.current())
      const question = words.join(' ')
      if (!isNothing(words)) return linesOfRules(await change(context, { question }))
      return linesOfRules(await updateRegistration(context, access, { question: null }))
    },
  },
  puzzle: {
    usage: 'puzzle [off|attack|always]',
    does: 'shows the rules, or sets when an account needs a solved puzzle',
    run: async (context, [puzzle]) =>
      linesOfRules(
        puzzle === undefined ? await context.registration.current() : await change(context, { puzzle }),
      ),
  },
  applicants: {
    usage: 'applicants',
    does: 'lists the oldest hundred applications for an account',
    run: async ({ database }) =>
      (await listRegistrations(database, {})).map(({ id, username, email_domain, answer }) =>
        `${id}  ${username}  ${email_domain}  ${answer ?? ''}`.trim(),
      ),
  },
  approve: {
    usage: 'approve <applicant>',
    does: 'makes an application an account',
    run: async (context, [name]) => {
      const { id, username } = await registrationNamed(context, name)
      await approveRegistration(context, access, id)
      return [`${username} has an account`]
    },
  },
  refuse: {
    usage: 'refuse <applicant> [message]',
    does: 'deletes an application; the message is mailed',
    run: async (context, [name, ...words]) => {
      const { id, username } = await registrationNamed(context, name)
      await refuseRegistration(context, access, id, { message: words.join(' ') })
      return [`${username} is refused`]
    },
  },
  invite: {
    usage: 'invite [note]',
    does: 'makes an invite for one account, valid for a week',
    run: async (context, words) => [
      (await createOperatorInvite(context, access, { note: words.join(' ') })).code,
    ],
  },
}

export const commands: Readonly<Record<string, Command>> = {
  ...operators,
  ...users,
  ...spaceCommands,
  ...logins,
  ...registration,
}

/** Returns true for a word that removes a rule: `all` or `none`. Without words, a rule is only shown. */
function isNothing([word, ...more]: readonly string[]): boolean {
  return more.length === 0 && (word === 'all' || word === 'none')
}

function change(context: Context, given: Record<string, unknown>): Promise<RegistrationSettings> {
  if (!Check(UpdateRegistrationBody, given)) throw new Error(`this is not possible: ${Object.values(given)}`)
  return updateRegistration(context, access, given)
}

function linesOfRules({ mode, question, domains, puzzle }: RegistrationSettings): string[] {
  return [
    `registration: ${mode}`,
    `domains: ${domains.length === 0 ? 'all' : domains.join(', ')}`,
    `question: ${question ?? 'none'}`,
    `puzzle: ${puzzle}`,
  ]
}

function lineOfUser({ user, is_operator, locked_at, lock_reason }: OperatorUser): string {
  const marks = [
    ...(user.is_bot ? ['bot'] : []),
    ...(is_operator ? ['operator'] : []),
    ...(locked_at === null ? [] : [`locked${lock_reason === null ? '' : `: ${lock_reason}`}`]),
  ]
  return [user.id, user.username, ...marks].join('  ')
}
