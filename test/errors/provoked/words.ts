import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect } from 'vitest'
import { PROJECT } from '../../support/installation.ts'
import { intoFullDevice } from '../support/processes.ts'
import { APPLY, type Scene, type Table } from '../support/provocation.ts'

const rehearsal = async ({ folder }: Scene, fixture: string): Promise<void> => {
  await mkdir(join(folder, '.deploymgmt'))
  await writeFile(join(folder, '.deploymgmt', 'fixture.yaml'), fixture)
}

/** Command lines, and the output of commands. */
export const words: Table = {
  UsageError: [
    {
      when: 'a word is missing that says what a decision is about',
      meet: ({ run }) => run('state', 'resolve', '--again'),
      where: /give the ADDRESS that this is about/,
    },
    {
      when: 'there is no such option',
      meet: ({ run }) => run('plan', '--nope'),
      where: /--nope/,
    },
    {
      when: 'there is no such command',
      meet: ({ run }) => run('plna'),
      where: /plna/,
    },
  ],
  ArgumentError: [
    {
      when: 'an argument of a data source has a value it cannot take',
      meet: ({ run }) => run('get', 'agents', '--project-id', PROJECT, '--type', 'MONITORNIG'),
      where: /--type "MONITORNIG" is not an agent type/,
    },
    {
      when: 'several arguments are wrong or missing',
      meet: ({ run }) => run('get', 'agents', '--project-id', '../..'),
      where: /^ {2}--type is required/m,
    },
  ],
  AddressError: [
    {
      when: 'nothing is recorded at the address',
      meet: ({ run }) => run('state', 'show', 'users.dana'),
      where: /users\.dana/,
    },
    {
      when: 'a target names nothing',
      meet: ({ run }) => run('plan', '--target', 'users.nobody'),
      where: /users\.nobody/,
    },
  ],
  NotSupportedError: [
    {
      when: 'there is no template of the name',
      meet: ({ run }) => run('init', '--template', 'cobol', '-f', 'new.yaml'),
      where: /"cobol"/,
    },
  ],
  OutputError: [
    {
      when: 'the folder of the file is not there',
      meet: ({ run }) => run('plan', '--output', 'nowhere/plan.txt'),
      where: /^ {2}\/.*nowhere\/plan\.txt$/m,
    },
    {
      when: 'a file of the starter is there already, and is not overwritten',
      meet: async ({ folder, run }) => {
        await writeFile(join(folder, 'main.ts'), 'mine')
        const ran = await run('init', '--template', 'typescript')
        expect(await readdir(folder)).not.toContain('package.json')
        expect(await readFile(join(folder, 'main.ts'), 'utf8')).toBe('mine')
        return ran
      },
      where: /^ {2}\/.*\/main\.ts$/m,
    },
    {
      when: 'a folder cannot take the starter',
      meet: async ({ folder, runIn }) => {
        await writeFile(join(folder, 'file'), '')
        return runIn({ cwd: join(folder, 'file', 'within') }, 'init', '--template', 'typescript')
      },
      where: /^ {2}\/.*\/file\/within$/m,
    },
    {
      when: 'stdout goes to a disk that is full',
      meet: (scene) => intoFullDevice(scene, ['plan']),
      where: /^ {2}stdout$/m,
    },
    {
      when: 'stdout has become full while an apply was under way',
      meet: (scene) => intoFullDevice(scene, [...APPLY, '--format', 'json']),
      where: /^ {2}stdout$/m,
    },
  ],
  ServeError: [
    {
      when: 'the fixture of a rehearsal is not YAML',
      meet: async (scene) => {
        await rehearsal(scene, 'organizations: [{ apiKeys: [{ privateKey: rehearsal-canary: x }] }]')
        return scene.run('plan', '--local')
      },
      where: /^ {2}\/.*fixture\.yaml:1:59$/m,
    },
    {
      when: 'the fixture of a rehearsal is a folder',
      meet: async ({ folder, run }) => {
        await mkdir(join(folder, '.deploymgmt', 'fixture.yaml'), { recursive: true })
        return run('plan', '--local')
      },
      where: /^ {2}\/.*fixture\.yaml$/m,
    },
    {
      when: 'a file stands where a rehearsal has its folder',
      meet: async ({ folder, run }) => {
        await writeFile(join(folder, '.deploymgmt'), '')
        return run('plan', '--local')
      },
      where: /^ {2}\/.*\.deploymgmt$/m,
    },
  ],
}
