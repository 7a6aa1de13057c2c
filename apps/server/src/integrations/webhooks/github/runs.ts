import type { Payload } from '../payload.ts'
import { type GithubCard, GREEN, GREY, RED, type Reader, shortHash, where } from './parts.ts'

/** Finished workflows and checks, and deployments. */
export const runReaders: Readonly<Record<string, Reader>> = {
  workflow_run: (payload) => readRun(payload, 'workflow_run', 'Workflow'),
  check_run: (payload) => readRun(payload, 'check_run', 'Check'),
  check_suite: readSuite,
  deployment: readDeployment,
  deployment_status: readDeploymentStatus,
}

const COLORS: Readonly<Record<string, number>> = {
  success: GREEN,
  failure: RED,
  error: RED,
  timed_out: RED,
  startup_failure: RED,
}

function readRun(payload: Payload, key: string, kind: string): GithubCard | undefined {
  if (payload.text('action') !== 'completed') return undefined
  const run = payload.at(key)
  const conclusion = run.text('conclusion')
  const branch = run.text('head_branch') || run.text('check_suite.head_branch')
  return {
    title: `${where(payload)}${kind} ${conclusion.replaceAll('_', ' ')}: ${run.text('name')}`,
    url: run.text('html_url'),
    description: commitLine(branch, run.text('head_sha')),
    color: colorOf(conclusion),
  }
}

/** Reads a completed check suite. It has no name and no page of its own, so the app and the commit are shown. */
function readSuite(payload: Payload): GithubCard | undefined {
  if (payload.text('action') !== 'completed') return undefined
  const suite = payload.at('check_suite')
  const conclusion = suite.text('conclusion')
  const sha = suite.text('head_sha')
  return {
    title: `${where(payload)}Check suite ${conclusion.replaceAll('_', ' ')}: ${suite.text('app.name')}`,
    url: `${payload.text('repository.html_url')}/commit/${shortHash(sha)}`,
    description: commitLine(suite.text('head_branch'), sha),
    color: colorOf(conclusion),
  }
}

function readDeployment(payload: Payload): GithubCard | undefined {
  if (payload.text('action') !== 'created') return undefined
  const deployment = payload.at('deployment')
  const what = deployment.text('description')
  return {
    title: `${where(payload)}Deployment to ${deployment.text('environment')} created`,
    url: payload.text('repository.html_url'),
    description: [commitLine(deployment.text('ref'), deployment.text('sha')), what].join('\n').trim(),
    color: GREY,
  }
}

/** Reads only the end of a deployment: queued, pending and running are not worth a message. */
function readDeploymentStatus(payload: Payload): GithubCard | undefined {
  const status = payload.at('deployment_status')
  const state = status.text('state')
  const verbs: Readonly<Record<string, string>> = { success: 'succeeded', failure: 'failed', error: 'failed' }
  const verb = Object.hasOwn(verbs, state) ? verbs[state] : undefined
  if (verb === undefined) return undefined
  const deployment = payload.at('deployment')
  const environment = status.text('environment') || deployment.text('environment')
  const what = status.text('description')
  return {
    title: `${where(payload)}Deployment to ${environment} ${verb}`,
    url:
      status.text('environment_url') ||
      status.text('log_url') ||
      status.text('target_url') ||
      payload.text('repository.html_url'),
    description: [commitLine(deployment.text('ref'), deployment.text('sha')), what].join('\n').trim(),
    color: colorOf(state),
  }
}

function commitLine(branch: string, sha: string): string {
  return branch === '' ? '' : `\`${branch.replaceAll('`', '')}\` ${shortHash(sha)}`
}

function colorOf(conclusion: string): number {
  return (Object.hasOwn(COLORS, conclusion) ? COLORS[conclusion] : undefined) ?? GREY
}
