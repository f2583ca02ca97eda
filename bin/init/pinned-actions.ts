/** Actions by commit: a tag can be moved to other code. The comment names the release of the commit. */
export const pinnedActions = {
  checkout: 'actions/checkout@11d5960a326750d5838078e36cf38b85af677262 # v4.4.0',
  setupNode: 'actions/setup-node@49933ea5288caeca8642d1e84afbd3f7d6820020 # v4.4.0',
  uploadArtifact: 'actions/upload-artifact@ea165f8d65b6e75b540449e92b4886f43607fa02 # v4.6.2',
  downloadArtifact: 'actions/download-artifact@d3f86a106a0bac45b974a628896c90dbdf5c8093 # v4.3.0',
} as const

/** Moves the comments in quoted actions of a YAML workflow out of the quotes. */
export function withComments(workflow: string): string {
  return workflow.replace(/(uses: )"([^"#]+) (# v[\d.]+)"/g, '$1$2 $3')
}
