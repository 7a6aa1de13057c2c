import { cut } from '../cards.ts'
import type { Payload } from '../payload.ts'
import { type GithubCard, GREEN, GREY, MAX_BODY, RED, type Reader, where, YELLOW } from './parts.ts'

/** Security alerts and advisories. Neither payload nor card contains a leaked secret. */
export const alertReaders: Readonly<Record<string, Reader>> = {
  dependabot_alert: (payload) =>
    readAlert(payload, 'Dependabot alert', {
      summary: payload.text('alert.security_advisory.summary'),
      severity: payload.text('alert.security_advisory.severity'),
      subject: payload.text('alert.dependency.package.name'),
    }),
  code_scanning_alert: (payload) =>
    readAlert(payload, 'Code scanning alert', {
      summary: payload.text('alert.rule.description') || payload.text('alert.rule.id'),
      severity: payload.text('alert.rule.security_severity_level') || payload.text('alert.rule.severity'),
      subject: payload.text('alert.tool.name'),
    }),
  secret_scanning_alert: (payload) =>
    readAlert(payload, 'Secret scanning alert', {
      summary:
        payload.text('alert.secret_type_display_name') || payload.text('alert.secret_type') || 'a secret',
      severity: 'critical',
      subject: payload.text('alert.resolution').replaceAll('_', ' '),
    }),
  security_advisory: readAdvisory,
}

/** Actions on alerts, with the verbs shown. Other actions are not worth a message. */
const VERBS: Readonly<Record<string, string>> = {
  created: 'opened',
  appeared_in_branch: 'opened',
  publicly_leaked: 'publicly leaked',
  reintroduced: 'opened again',
  reopened: 'opened again',
  auto_reopened: 'opened again',
  reopened_by_user: 'opened again',
  fixed: 'fixed',
  resolved: 'resolved',
  dismissed: 'dismissed',
  auto_dismissed: 'dismissed',
  closed_by_user: 'dismissed',
}
const CLOSING = ['fixed', 'resolved', 'dismissed']
const SEVERITY_COLORS: Readonly<Record<string, number>> = {
  critical: RED,
  high: RED,
  error: RED,
  moderate: YELLOW,
  medium: YELLOW,
  warning: YELLOW,
}

interface Alert {
  summary: string
  severity: string
  subject: string
}

function readAlert(
  payload: Payload,
  kind: string,
  { summary, severity, subject }: Alert,
): GithubCard | undefined {
  const action = payload.text('action')
  const verb = Object.hasOwn(VERBS, action) ? VERBS[action] : undefined
  if (verb === undefined) return undefined
  const isClosed = CLOSING.includes(verb)
  return {
    title: `${where(payload)}${kind} ${verb}: #${payload.text('alert.number')} ${summary}`,
    url: payload.text('alert.html_url'),
    description: [subject, isClosed ? '' : severity].filter((part) => part !== '').join(' · '),
    color: isClosed ? GREEN : colorOf(severity),
  }
}

function readAdvisory(payload: Payload): GithubCard | undefined {
  const action = payload.text('action')
  if (action !== 'published' && action !== 'withdrawn') return undefined
  const advisory = payload.at('security_advisory')
  const id = advisory.text('ghsa_id')
  const severity = advisory.text('severity')
  return {
    title: `${where(payload)}Security advisory ${action}: ${advisory.text('summary')}`,
    url: `https://github.com/advisories/${encodeURIComponent(id)}`,
    description: [
      [advisory.text('cve_id') || id, severity].filter((part) => part !== '').join(' · '),
      cut(advisory.text('description'), MAX_BODY),
    ].join('\n'),
    color: action === 'withdrawn' ? GREY : colorOf(severity),
  }
}

function colorOf(severity: string): number {
  return (Object.hasOwn(SEVERITY_COLORS, severity) ? SEVERITY_COLORS[severity] : undefined) ?? GREY
}
