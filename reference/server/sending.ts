import type { Services } from './services.js'

/** Pauses or resumes sending, which raises the event in each project of the workspace. */
export function setSendingStatus(
  services: Pick<Services, 'policy' | 'directory' | 'queues' | 'recorder' | 'store'>,
  options: { workspaceId: string; status: 'paused' | 'active'; reason: string | undefined },
): void {
  const { policy, directory, queues, recorder, store } = services
  const { workspaceId, status, reason } = options
  const before = directory.workspace(workspaceId)?.sending ?? 'active'
  if (before === status && policy.repeatedSendingStatus === 'silent') return
  const at = queues.now(workspaceId)
  store.transaction(() => {
    directory.setSending(workspaceId, status)
    const paused = {
      reason: reason ?? 'bounce_rate',
      paused_at: new Date(at).toISOString(),
      stats: { sent: 0, bounced: 0, complained: 0 },
    }
    for (const orgId of directory.orgsOf(workspaceId)) {
      const data = { workspace_id: workspaceId, status, ...(status === 'paused' && paused) }
      recorder.raise({ orgId, type: status === 'paused' ? 'sending.paused' : 'sending.resumed', data, at })
    }
  })
}
