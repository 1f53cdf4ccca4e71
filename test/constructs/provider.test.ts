import { App, TerraformStack, Testing } from 'cdktf'
import { DeploymgmtProvider } from '@deploymgmt/constructs'
import { expect, it } from 'vitest'

it('the names of projects are kept as they are written', () => {
  const projects = { 'search-index': '5c8100bcf2a30b12ff88258f', dataLake: '5c8100bcf2a30b12ff882590' }
  const stack = new TerraformStack(new App(), 'acme')
  new DeploymgmtProvider(stack, 'deploymgmt', { baseUrl: 'https://example.com', projects })
  const json = JSON.parse(Testing.synth(stack))
  expect(json.provider.deploymgmt).toEqual([{ base_url: 'https://example.com', projects }])
  const hcl = Testing.synthHcl(stack)
  for (const name of Object.keys(projects)) expect(hcl).toMatch(new RegExp(`"?${name}"? += "`))
})

it('a provider without projects has none', () => {
  const stack = new TerraformStack(new App(), 'acme')
  new DeploymgmtProvider(stack, 'deploymgmt', { baseUrl: 'https://example.com' })
  const json = JSON.parse(Testing.synth(stack))
  expect(json.provider.deploymgmt).toEqual([{ base_url: 'https://example.com' }])
})
