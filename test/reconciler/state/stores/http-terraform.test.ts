import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { LockedError, StateAddressError } from '../../../../reconciler/errors/index.ts'
import { initState, openSession, readSession, unlockState } from '../../../../reconciler/state/index.ts'
import { AT_ONCE } from '../../../support/command.ts'
import { noTerraform, runTerraform, type Ran } from '../../../terraform/support/terraform.ts'
import { temporaryFolder } from '../support/folder.ts'
import { expected } from '../support/samples.ts'
import { CREDENTIALS, type Manner, type StateServer, stateServer } from './support/state-server.ts'

/** A configuration that needs no external provider, with its state on the server. */
const workspaceAt = async ({ address, lockAddress }: StateServer) => {
  const cwd = await temporaryFolder()
  const [lock, unlock] = lockAddress === address ? ['LOCK', 'UNLOCK'] : ['POST', 'DELETE']
  await writeFile(
    join(cwd, 'main.tf'),
    `terraform {
  backend "http" {
    address        = "${address}"
    lock_address   = "${lockAddress}"
    lock_method    = "${lock}"
    unlock_address = "${lockAddress}"
    unlock_method  = "${unlock}"
    retry_max      = 0
  }
}

variable "value" {
  default = 1
}

resource "terraform_data" "one" {
  input = var.value
}
`,
  )
  const env = {
    TF_HTTP_USERNAME: CREDENTIALS.DEPLOYMGMT_STATE_USERNAME,
    TF_HTTP_PASSWORD: CREDENTIALS.DEPLOYMGMT_STATE_PASSWORD,
  }
  return (...words: string[]): Promise<Ran> => runTerraform(words, { cwd, env })
}

const optionsFor = ({ address }: StateServer) => ({
  statePath: address,
  folder: '/nowhere',
  expect: expected,
  command: 'apply',
})

const system = { env: CREDENTIALS, ...AT_ONCE }

describe.skipIf(noTerraform).each<Manner>(['plain', 'gitlab', 'gitea'])(
  'the real Terraform, at a server as %s',
  (manner) => {
    it('keeps its state there, and what it asks is what is asked here', async () => {
      const server = await stateServer(manner, { isOpen: false })
      const terraform = await workspaceAt(server)
      expect(await terraform('init')).toMatchObject({ code: 0 })
      expect((await terraform('apply', '-auto-approve')).said).toContain('1 added, 0 changed, 0 destroyed')
      expect((await terraform('apply', '-auto-approve', '-var', 'value=2')).said).toContain('1 changed')
      expect((await terraform('plan', '-var', 'value=2')).said).toContain('No changes.')
      expect(JSON.parse(server.document ?? '')).toMatchObject({ version: 4, resources: [{ name: 'one' }] })
      const theirs = shapesIn(server)
      await expect(initState(optionsFor(server), system)).rejects.toThrow(StateAddressError)
      server.document = undefined
      server.log.length = 0
      const other = await stateServer(manner, { isOpen: false })
      await initState(optionsFor(other), system)
      expect(shapesIn(other)).toStrictEqual(theirs)
    })

    it('waits for a lock of deploymgmt, and names it', async () => {
      const server = await stateServer(manner, { isOpen: false })
      const terraform = await workspaceAt(server)
      expect(await terraform('init')).toMatchObject({ code: 0 })
      const session = await openSession(optionsFor(server), system)
      const id = server.lock?.['ID'] as string
      const ran = await terraform('apply', '-auto-approve')
      expect(ran.code).toBe(1)
      expect(ran.said).toContain('Error acquiring the state lock')
      expect(ran.said).toContain(id)
      await session.close()
    })

    it('is waited for, and its lock is removed by the id that is named', async () => {
      const server = await stateServer(manner, { isOpen: false })
      const terraform = await workspaceAt(server)
      expect(await terraform('init')).toMatchObject({ code: 0 })
      await initState(optionsFor(server), system)
      // The command is lost before it releases its lock.
      server.fate = ({ method }) => (method === 'UNLOCK' || method === 'DELETE' ? 'fail' : 'answer')
      await terraform('apply', '-auto-approve')
      server.fate = () => 'answer'
      const id = server.lock?.['ID'] as string
      await expect(openSession(optionsFor(server), system)).rejects.toMatchObject({
        code: LockedError.code,
        hint: expect.stringContaining(`deploymgmt state unlock ${id}`),
      })
      await unlockState(optionsFor(server), { id }, system)
      await (await openSession(optionsFor(server), system)).close()
    })

    it('refuses a state of deploymgmt, and leaves it as it is', async () => {
      const server = await stateServer(manner, { isOpen: false })
      await initState(optionsFor(server), system)
      const kept = server.document
      const terraform = await workspaceAt(server)
      await terraform('init')
      const ran = await terraform('apply', '-auto-approve')
      expect(ran.code).toBe(1)
      expect(ran.said).toContain('a resource with mode "deploymgmt"')
      expect([server.document, server.lock]).toStrictEqual([kept, undefined])
      expect((await readSession(optionsFor(server), system)).exists).toBe(true)
    })

    it('removes the lock of deploymgmt with force-unlock, and its owner writes nothing more', async () => {
      const server = await stateServer(manner, { isOpen: false })
      const terraform = await workspaceAt(server)
      expect(await terraform('init')).toMatchObject({ code: 0 })
      const session = await openSession(optionsFor(server), system)
      const forced = await terraform('force-unlock', '-force', server.lock?.['ID'] as string)
      // It sends no id, and Gitea requires one: there the lock is removed in another way.
      expect(forced.code).toBe(manner === 'gitea' ? 1 : 0)
      expect(server.lock === undefined).toBe(manner !== 'gitea')
      server.lock = undefined
      const next = await openSession(optionsFor(server), system)
      await expect(session.confirm()).rejects.toThrow('the lock was removed')
      await next.close()
    })
  },
)

/** For each kind of request: method, path, the names of relevant headers, and the fields of its lock. */
const shapesIn = ({ log }: StateServer): string[] => {
  const shapes = log.map(({ method, path, query, headers, body }) => {
    const isLock = path.endsWith('/lock') || method.includes('LOCK')
    const told = ['authorization', 'content-md5', 'content-type'].filter(
      (name) => headers[name] !== undefined,
    )
    const fields = isLock ? Object.keys(JSON.parse(body)).toSorted() : []
    return [method, path, ...query.keys(), ...told, ...fields].join(' ')
  })
  return [...new Set(shapes)].toSorted()
}
