// Workflows that judge a service in parts, on machines that know nothing of each other, and make one report of them.
import { pinnedActions, withComments } from './pinned-actions.js'
import { stringify } from 'yaml'

export interface ShardedJob {
  /** The command that judges, without reporters. */
  readonly command: string
  /** The command of the kit, `npx` and all. */
  readonly program: string
  /** The keys it needs. */
  readonly variables: readonly string[]
  readonly shards: number
  readonly baseUrl: string
  readonly controlUrl: string | undefined
}

const merge = '--reporter junit=conformance.xml --reporter html=conformance.html'
const yaml = (value: unknown) => stringify(value, { lineWidth: 0, aliasDuplicateObjects: false })

/** One job for each part, which hands its report to a last one; that one has the verdict. */
export function shardedGithubWorkflow({ command, program, variables, shards }: ShardedJob): string {
  const setUp = [{ uses: pinnedActions.checkout }, { uses: pinnedActions.setupNode, with: { 'node-version': 22 } }]
  const part = {
    'runs-on': 'ubuntu-latest',
    'timeout-minutes': 30,
    strategy: { 'fail-fast': false, matrix: { shard: Array.from({ length: shards }, (_, index) => index + 1) } },
    steps: [
      ...setUp,
      {
        name: 'Judge a part of the service',
        // The last job reports the results of the parts.
        run: `${command} --reporter json=shard-${'${SHARD}'}.json || test -f shard-${'${SHARD}'}.json`,
        env: {
          SHARD: '${{ matrix.shard }}',
          CONFORMANCE_SHARD: `\${{ matrix.shard }}/${shards}`,
          ...Object.fromEntries(variables.map((name) => [name, `\${{ secrets.${name} }}`])),
        },
      },
      {
        uses: pinnedActions.uploadArtifact,
        with: { name: 'conformance-${{ matrix.shard }}', path: 'shard-${{ matrix.shard }}.json' },
      },
    ],
  }
  const whole = {
    needs: 'part',
    if: '${{ !cancelled() }}',
    'runs-on': 'ubuntu-latest',
    steps: [
      ...setUp,
      { uses: pinnedActions.downloadArtifact, with: { pattern: 'conformance-*', 'merge-multiple': true } },
      {
        name: 'Merge the parts',
        run: `${program} report shard-*.json --reporter github --reporter markdown=conformance.md ${merge}`,
      },
      {
        name: 'Show the report',
        if: 'always()',
        run: 'if [ -f conformance.md ]; then cat conformance.md >> "$GITHUB_STEP_SUMMARY"; fi',
      },
      {
        if: 'always()',
        uses: pinnedActions.uploadArtifact,
        with: { name: 'conformance', path: 'conformance.html\nconformance.xml\n' },
      },
    ],
  }
  return withComments(
    yaml({
      name: 'conformance',
      on: ['push', 'pull_request'],
      permissions: { contents: 'read' },
      jobs: { part, conformance: whole },
    }),
  )
}

/** The same by `parallel`, in two stages. */
export function shardedGitlabJob({ command, program, variables, shards }: ShardedJob): string {
  const jobs = {
    stages: ['judge', 'report'],
    'conformance part': {
      stage: 'judge',
      image: 'node:22',
      parallel: shards,
      script: [
        `${command} --shard auto --reporter json=shard-$CI_NODE_INDEX.json || test -f shard-$CI_NODE_INDEX.json`,
      ],
      artifacts: { when: 'always', paths: ['shard-*.json'] },
    },
    conformance: {
      stage: 'report',
      image: 'node:22',
      script: [`${program} report shard-*.json ${merge}`],
      artifacts: { when: 'always', paths: ['conformance.html'], reports: { junit: 'conformance.xml' } },
    },
  }
  return `# Include it from .gitlab-ci.yml. The variables it needs (${variables.join(', ')}) are set in the project, masked.\n${yaml(jobs)}`
}

/** The same as an Indexed Job of Kubernetes, and a Job that waits for its reports on a volume they share. */
export function shardedKubernetesJob({ command, program, shards, baseUrl, controlUrl }: ShardedJob): string {
  const reports = '/reports'
  const container = { image: 'node:22', volumeMounts: [{ name: 'reports', mountPath: reports }] }
  const pod = (own: object) => ({
    spec: {
      restartPolicy: 'Never',
      containers: [{ name: 'conformance', ...container, ...own }],
      volumes: [{ name: 'reports', persistentVolumeClaim: { claimName: 'conformance-reports' } }],
    },
  })
  const sh = (script: string) => ({ command: ['sh', '-c', script] })
  const report = `${reports}/shard-$JOB_COMPLETION_INDEX.json`
  const secretOf = (name: string) => ({ name, valueFrom: { secretKeyRef: { name: 'conformance', key: name } } })
  const secrets = ['CONFORMANCE_API_KEY', ...(controlUrl === undefined ? [] : ['CONFORMANCE_CONTROL_KEY'])]
  const part = {
    apiVersion: 'batch/v1',
    kind: 'Job',
    metadata: { name: 'conformance-part' },
    spec: {
      completionMode: 'Indexed',
      completions: shards,
      parallelism: shards,
      backoffLimit: 0,
      template: pod({
        ...sh(`${command} --shard auto --reporter json=${report}.new; mv ${report}.new ${report}`),
        env: [
          { name: 'CONFORMANCE_SHARDS', value: String(shards) },
          { name: 'CONFORMANCE_BASE_URL', value: baseUrl },
          ...(controlUrl === undefined ? [] : [{ name: 'CONFORMANCE_CONTROL_URL', value: controlUrl }]),
          ...secrets.map(secretOf),
        ],
      }),
    },
  }
  const whole = {
    apiVersion: 'batch/v1',
    kind: 'Job',
    metadata: { name: 'conformance' },
    spec: {
      backoffLimit: 0,
      activeDeadlineSeconds: 3600,
      template: pod(
        sh(
          `until [ "$(ls ${reports} | grep -c 'shard-[0-9]*.json$')" = ${shards} ]; do sleep 5; done; ${program} report ${reports}/shard-*.json --reporter pretty --reporter html=${reports}/conformance.html`,
        ),
      ),
    },
  }
  const volume = {
    apiVersion: 'v1',
    kind: 'PersistentVolumeClaim',
    metadata: { name: 'conformance-reports' },
    spec: { accessModes: ['ReadWriteMany'], resources: { requests: { storage: '1Gi' } } },
  }
  const head = `# The keys stand in a secret: kubectl create secret generic conformance ${secrets.map((name) => `--from-literal=${name}=...`).join(' ')}
# A configuration file is not in the pods: further settings are variables CONFORMANCE_<OPTION>. The parts share a volume that many pods may write. The verdict: kubectl wait --for=condition=complete job/conformance; kubectl logs job/conformance
# Before another run: kubectl delete -f of this file.
`
  return head + [volume, part, whole].map(yaml).join('---\n')
}
