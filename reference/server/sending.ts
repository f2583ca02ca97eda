import type { Services } from './services.js'

/** Pauses or resumes sending, which raises the event in each project of the workspace. */
export function setSendingStatus(
  services: Pick<Services, 'policy' | 'directory' | 'engine' | 'recorder'>,
  options: { workspaceId: string; status: 'paused' | 'active'; reason: string | undefined },
): void {
  const { policy, directory, engine, recorder } = services
  const { workspaceId, status, reason } = options
  const before = directory.workspace(workspaceId)?.sending ?? 'active'
  if (before === status && policy.repeatedSendingStatus === 'silent') return
  const at = engine.now(workspaceId)
  recorder.record((raise) => {
    directory.setSending(workspaceId, policy.sendingStatusAfter(status, before))
    const paused = {
      reason: reason ?? 'bounce_rate',
      paused_at: new Date(at).toISOString(),
      stats: { sent: 0, bounced: 0, complained: 0 },
    }
    for (const orgId of policy.workspaceEventOrgs(directory.orgsOf(workspaceId))) {
      const data = { workspace_id: workspaceId, status, ...(status === 'paused' && paused) }
      raise({ orgId, type: status === 'paused' ? 'sending.paused' : 'sending.resumed', data, at })
    }
  })
}
