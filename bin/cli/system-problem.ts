/** Describes a missing resource of the machine; undefined for an error about something else. */
export function systemProblem(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined
  const { code, syscall } = error as NodeJS.ErrnoException
  if (syscall === 'uv_cwd') return 'the working folder is gone: change to one that exists'
  // The system reports ENOSPC for these too, however much space there is.
  if (syscall === 'watch' && (code === 'ENOSPC' || code === 'EMFILE'))
    return 'more files are to be watched than this system allows: name a smaller folder, or raise fs.inotify.max_user_watches'
  return code === undefined ? undefined : problems[code]
}

const tooMany = 'too many files and connections are open: raise the limit of descriptors (ulimit -n)'

const problems: Readonly<Record<string, string>> = {
  EMFILE: tooMany,
  ENFILE: tooMany,
  ENOSPC: 'no space is left on the disk',
  EDQUOT: 'the quota of the disk is used up',
  ENOMEM: 'the machine has no memory left',
}
