# PROJECT_ID/TYPE
terraform import deploymgmt_integration.paging 5c8100bcf2a30b12ff88258f/PAGING
