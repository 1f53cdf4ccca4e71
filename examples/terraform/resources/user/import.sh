# USER_ID
terraform import deploymgmt_user.sam 5d2e1f0a9b8c7d6e5f4a3b2c
