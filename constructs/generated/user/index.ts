// docs/resources/user.md
// generated from terraform resource schema

import { Construct } from 'constructs';
import * as cdktf from 'cdktf';

// Configuration

export interface UserConfig extends cdktf.TerraformMetaArguments {
  /**
  * Actions that are refused unless they are listed here: `owner-removal`, `overwrite`.
  *
  * See docs/resources/user.md
  */
  readonly allow?: string[];
  /**
  * E-mail address.
  *
  * See docs/resources/user.md
  */
  readonly emailAddress?: string;
  /**
  * First name.
  *
  * See docs/resources/user.md
  */
  readonly firstName?: string;
  /**
  * Last name.
  *
  * See docs/resources/user.md
  */
  readonly lastName?: string;
  /**
  * Mobile number.
  *
  * See docs/resources/user.md
  */
  readonly mobileNumber?: string;
  /**
  * What a destroy does. `forget`: It is removed from the state. Nothing is sent, and the service keeps it as it is. `revoke`: All roles are removed. If the answer shows that some are left, the user stays in the state until they are gone. Defaults to `forget`. It is read from the state, so apply a change of it before the destroy.
  *
  * See docs/resources/user.md
  */
  readonly onRemove?: string;
  /**
  * Initial password. It is read when the creation is sent, and stored nowhere; this API has no call to change it later.
  *
  * See docs/resources/user.md
  */
  readonly password?: string;
  /**
  * All roles of the user.
  *
  * See docs/resources/user.md
  */
  readonly roles: UserRoles[] | cdktf.IResolvable;
  /**
  * Confirms that `roles` lists every role that the user has anywhere. Required to adopt a user.
  *
  * See docs/resources/user.md
  */
  readonly rolesComplete?: boolean | cdktf.IResolvable;
  /**
  * An existing user to adopt. Without it, the user is created.
  *
  * See docs/resources/user.md
  */
  readonly userId?: string;
  /**
  * Name to sign in with.
  *
  * See docs/resources/user.md
  */
  readonly username?: string;
}
export interface UserRoles {
  /**
  * Organization of an organization role.
  *
  * See docs/resources/user.md
  */
  readonly orgId?: string;
  /**
  * Project of a project role.
  *
  * See docs/resources/user.md
  */
  readonly projectId?: string;
  /**
  * Name of the role.
  *
  * See docs/resources/user.md
  */
  readonly roleName: string;
}

export function userRolesToTerraform(struct?: UserRoles | cdktf.IResolvable): any {
  if (!cdktf.canInspect(struct) || cdktf.Tokenization.isResolvable(struct)) { return struct; }
  if (cdktf.isComplexElement(struct)) {
    throw new Error("A complex element was used as configuration, this is not supported: https://cdk.tf/complex-object-as-configuration");
  }
  return {
    org_id: cdktf.stringToTerraform(struct!.orgId),
    project_id: cdktf.stringToTerraform(struct!.projectId),
    role_name: cdktf.stringToTerraform(struct!.roleName),
  }
}


export function userRolesToHclTerraform(struct?: UserRoles | cdktf.IResolvable): any {
  if (!cdktf.canInspect(struct) || cdktf.Tokenization.isResolvable(struct)) { return struct; }
  if (cdktf.isComplexElement(struct)) {
    throw new Error("A complex element was used as configuration, this is not supported: https://cdk.tf/complex-object-as-configuration");
  }
  const attrs = {
    org_id: {
      value: cdktf.stringToHclTerraform(struct!.orgId),
      isBlock: false,
      type: "simple",
      storageClassType: "string",
    },
    project_id: {
      value: cdktf.stringToHclTerraform(struct!.projectId),
      isBlock: false,
      type: "simple",
      storageClassType: "string",
    },
    role_name: {
      value: cdktf.stringToHclTerraform(struct!.roleName),
      isBlock: false,
      type: "simple",
      storageClassType: "string",
    },
  };

  // remove undefined attributes
  return Object.fromEntries(Object.entries(attrs).filter(([_, value]) => value !== undefined && value.value !== undefined));
}

export class UserRolesOutputReference extends cdktf.ComplexObject {
  private isEmptyObject = false;
  private resolvableValue?: cdktf.IResolvable;

  /**
  * @param terraformResource The parent resource
  * @param terraformAttribute The attribute on the parent resource this class is referencing
  * @param complexObjectIndex the index of this item in the list
  * @param complexObjectIsFromSet whether the list is wrapping a set (will add tolist() to be able to access an item via an index)
  */
  public constructor(terraformResource: cdktf.IInterpolatingParent, terraformAttribute: string, complexObjectIndex: number, complexObjectIsFromSet: boolean) {
    super(terraformResource, terraformAttribute, complexObjectIsFromSet, complexObjectIndex);
  }

  public get internalValue(): UserRoles | cdktf.IResolvable | undefined {
    if (this.resolvableValue) {
      return this.resolvableValue;
    }
    let hasAnyValues = this.isEmptyObject;
    const internalValueResult: any = {};
    if (this._orgId !== undefined) {
      hasAnyValues = true;
      internalValueResult.orgId = this._orgId;
    }
    if (this._projectId !== undefined) {
      hasAnyValues = true;
      internalValueResult.projectId = this._projectId;
    }
    if (this._roleName !== undefined) {
      hasAnyValues = true;
      internalValueResult.roleName = this._roleName;
    }
    return hasAnyValues ? internalValueResult : undefined;
  }

  public set internalValue(value: UserRoles | cdktf.IResolvable | undefined) {
    if (value === undefined) {
      this.isEmptyObject = false;
      this.resolvableValue = undefined;
      this._orgId = undefined;
      this._projectId = undefined;
      this._roleName = undefined;
    }
    else if (cdktf.Tokenization.isResolvable(value)) {
      this.isEmptyObject = false;
      this.resolvableValue = value;
    }
    else {
      this.isEmptyObject = Object.keys(value).length === 0;
      this.resolvableValue = undefined;
      this._orgId = value.orgId;
      this._projectId = value.projectId;
      this._roleName = value.roleName;
    }
  }

  // org_id - computed: false, optional: true, required: false
  private _orgId?: string; 
  public get orgId() {
    return this.getStringAttribute('org_id');
  }
  public set orgId(value: string) {
    this._orgId = value;
  }
  public resetOrgId() {
    this._orgId = undefined;
  }
  // Temporarily expose input value. Use with caution.
  public get orgIdInput() {
    return this._orgId;
  }

  // project_id - computed: false, optional: true, required: false
  private _projectId?: string; 
  public get projectId() {
    return this.getStringAttribute('project_id');
  }
  public set projectId(value: string) {
    this._projectId = value;
  }
  public resetProjectId() {
    this._projectId = undefined;
  }
  // Temporarily expose input value. Use with caution.
  public get projectIdInput() {
    return this._projectId;
  }

  // role_name - computed: false, optional: false, required: true
  private _roleName?: string; 
  public get roleName() {
    return this.getStringAttribute('role_name');
  }
  public set roleName(value: string) {
    this._roleName = value;
  }
  // Temporarily expose input value. Use with caution.
  public get roleNameInput() {
    return this._roleName;
  }
}

export class UserRolesList extends cdktf.ComplexList {
  public internalValue? : UserRoles[] | cdktf.IResolvable

  /**
  * @param terraformResource The parent resource
  * @param terraformAttribute The attribute on the parent resource this class is referencing
  * @param wrapsSet whether the list is wrapping a set (will add tolist() to be able to access an item via an index)
  */
  constructor(protected terraformResource: cdktf.IInterpolatingParent, protected terraformAttribute: string, protected wrapsSet: boolean) {
    super(terraformResource, terraformAttribute, wrapsSet)
  }

  /**
  * @param index the index of the item to return
  */
  public get(index: number): UserRolesOutputReference {
    return new UserRolesOutputReference(this.terraformResource, this.terraformAttribute, index, this.wrapsSet);
  }
}

/**
* Represents a deploymgmt_user (docs/resources/user.md)
*/
export class User extends cdktf.TerraformResource {

  // =================
  // STATIC PROPERTIES
  // =================
  public static readonly tfResourceType = "deploymgmt_user";

  // ==============
  // STATIC Methods
  // ==============
  /**
  * Generates CDKTF code for importing a User resource upon running "cdktf plan <stack-name>"
  * @param scope The scope in which to define this construct
  * @param importToId The construct id used in the generated config for the User to import
  * @param importFromId The id of the existing User that should be imported. Refer to the import section (docs/resources/user.md) in the documentation of this resource for the id to use
  * @param provider? Optional instance of the provider where the User to import is found
  */
  public static generateConfigForImport(scope: Construct, importToId: string, importFromId: string, provider?: cdktf.TerraformProvider) {
        return new cdktf.ImportableResource(scope, importToId, { terraformResourceType: "deploymgmt_user", importId: importFromId, provider });
      }

  // ===========
  // INITIALIZER
  // ===========

  /**
  * Create a new deploymgmt_user (docs/resources/user.md) Resource
  *
  * @param scope The scope in which to define this construct
  * @param id The scoped construct ID. Must be unique amongst siblings in the same scope
  * @param options UserConfig
  */
  public constructor(scope: Construct, id: string, config: UserConfig) {
    super(scope, id, {
      terraformResourceType: 'deploymgmt_user',
      terraformGeneratorMetadata: {
        providerName: 'deploymgmt',
        providerVersion: '0.1.0',
        providerVersionConstraint: '0.1.0'
      },
      provider: config.provider,
      dependsOn: config.dependsOn,
      count: config.count,
      lifecycle: config.lifecycle,
      provisioners: config.provisioners,
      connection: config.connection,
      forEach: config.forEach
    });
    this._allow = config.allow;
    this._emailAddress = config.emailAddress;
    this._firstName = config.firstName;
    this._lastName = config.lastName;
    this._mobileNumber = config.mobileNumber;
    this._onRemove = config.onRemove;
    this._password = config.password;
    this._roles.internalValue = config.roles;
    this._rolesComplete = config.rolesComplete;
    this._userId = config.userId;
    this._username = config.username;
  }

  // ==========
  // ATTRIBUTES
  // ==========

  // allow - computed: false, optional: true, required: false
  private _allow?: string[]; 
  public get allow() {
    return cdktf.Fn.tolist(this.getListAttribute('allow'));
  }
  public set allow(value: string[]) {
    this._allow = value;
  }
  public resetAllow() {
    this._allow = undefined;
  }
  // Temporarily expose input value. Use with caution.
  public get allowInput() {
    return this._allow;
  }

  // email_address - computed: true, optional: true, required: false
  private _emailAddress?: string; 
  public get emailAddress() {
    return this.getStringAttribute('email_address');
  }
  public set emailAddress(value: string) {
    this._emailAddress = value;
  }
  public resetEmailAddress() {
    this._emailAddress = undefined;
  }
  // Temporarily expose input value. Use with caution.
  public get emailAddressInput() {
    return this._emailAddress;
  }

  // evidence - computed: true, optional: false, required: false
  public get evidence() {
    return this.getStringAttribute('evidence');
  }

  // first_name - computed: true, optional: true, required: false
  private _firstName?: string; 
  public get firstName() {
    return this.getStringAttribute('first_name');
  }
  public set firstName(value: string) {
    this._firstName = value;
  }
  public resetFirstName() {
    this._firstName = undefined;
  }
  // Temporarily expose input value. Use with caution.
  public get firstNameInput() {
    return this._firstName;
  }

  // id - computed: true, optional: false, required: false
  public get id() {
    return this.getStringAttribute('id');
  }

  // last_name - computed: true, optional: true, required: false
  private _lastName?: string; 
  public get lastName() {
    return this.getStringAttribute('last_name');
  }
  public set lastName(value: string) {
    this._lastName = value;
  }
  public resetLastName() {
    this._lastName = undefined;
  }
  // Temporarily expose input value. Use with caution.
  public get lastNameInput() {
    return this._lastName;
  }

  // mobile_number - computed: true, optional: true, required: false
  private _mobileNumber?: string; 
  public get mobileNumber() {
    return this.getStringAttribute('mobile_number');
  }
  public set mobileNumber(value: string) {
    this._mobileNumber = value;
  }
  public resetMobileNumber() {
    this._mobileNumber = undefined;
  }
  // Temporarily expose input value. Use with caution.
  public get mobileNumberInput() {
    return this._mobileNumber;
  }

  // on_remove - computed: true, optional: true, required: false
  private _onRemove?: string; 
  public get onRemove() {
    return this.getStringAttribute('on_remove');
  }
  public set onRemove(value: string) {
    this._onRemove = value;
  }
  public resetOnRemove() {
    this._onRemove = undefined;
  }
  // Temporarily expose input value. Use with caution.
  public get onRemoveInput() {
    return this._onRemove;
  }

  // password - computed: false, optional: true, required: false
  private _password?: string; 
  public get password() {
    return this.getStringAttribute('password');
  }
  public set password(value: string) {
    this._password = value;
  }
  public resetPassword() {
    this._password = undefined;
  }
  // Temporarily expose input value. Use with caution.
  public get passwordInput() {
    return this._password;
  }

  // roles - computed: false, optional: false, required: true
  private _roles = new UserRolesList(this, "roles", true);
  public get roles() {
    return this._roles;
  }
  public putRoles(value: UserRoles[] | cdktf.IResolvable) {
    this._roles.internalValue = value;
  }
  // Temporarily expose input value. Use with caution.
  public get rolesInput() {
    return this._roles.internalValue;
  }

  // roles_complete - computed: true, optional: true, required: false
  private _rolesComplete?: boolean | cdktf.IResolvable; 
  public get rolesComplete() {
    return this.getBooleanAttribute('roles_complete');
  }
  public set rolesComplete(value: boolean | cdktf.IResolvable) {
    this._rolesComplete = value;
  }
  public resetRolesComplete() {
    this._rolesComplete = undefined;
  }
  // Temporarily expose input value. Use with caution.
  public get rolesCompleteInput() {
    return this._rolesComplete;
  }

  // user_id - computed: true, optional: true, required: false
  private _userId?: string; 
  public get userId() {
    return this.getStringAttribute('user_id');
  }
  public set userId(value: string) {
    this._userId = value;
  }
  public resetUserId() {
    this._userId = undefined;
  }
  // Temporarily expose input value. Use with caution.
  public get userIdInput() {
    return this._userId;
  }

  // username - computed: true, optional: true, required: false
  private _username?: string; 
  public get username() {
    return this.getStringAttribute('username');
  }
  public set username(value: string) {
    this._username = value;
  }
  public resetUsername() {
    this._username = undefined;
  }
  // Temporarily expose input value. Use with caution.
  public get usernameInput() {
    return this._username;
  }

  // =========
  // SYNTHESIS
  // =========

  protected synthesizeAttributes(): { [name: string]: any } {
    return {
      allow: cdktf.listMapper(cdktf.stringToTerraform, false)(this._allow),
      email_address: cdktf.stringToTerraform(this._emailAddress),
      first_name: cdktf.stringToTerraform(this._firstName),
      last_name: cdktf.stringToTerraform(this._lastName),
      mobile_number: cdktf.stringToTerraform(this._mobileNumber),
      on_remove: cdktf.stringToTerraform(this._onRemove),
      password: cdktf.stringToTerraform(this._password),
      roles: cdktf.listMapper(userRolesToTerraform, false)(this._roles.internalValue),
      roles_complete: cdktf.booleanToTerraform(this._rolesComplete),
      user_id: cdktf.stringToTerraform(this._userId),
      username: cdktf.stringToTerraform(this._username),
    };
  }

  protected synthesizeHclAttributes(): { [name: string]: any } {
    const attrs = {
      allow: {
        value: cdktf.listMapperHcl(cdktf.stringToHclTerraform, false)(this._allow),
        isBlock: false,
        type: "set",
        storageClassType: "stringList",
      },
      email_address: {
        value: cdktf.stringToHclTerraform(this._emailAddress),
        isBlock: false,
        type: "simple",
        storageClassType: "string",
      },
      first_name: {
        value: cdktf.stringToHclTerraform(this._firstName),
        isBlock: false,
        type: "simple",
        storageClassType: "string",
      },
      last_name: {
        value: cdktf.stringToHclTerraform(this._lastName),
        isBlock: false,
        type: "simple",
        storageClassType: "string",
      },
      mobile_number: {
        value: cdktf.stringToHclTerraform(this._mobileNumber),
        isBlock: false,
        type: "simple",
        storageClassType: "string",
      },
      on_remove: {
        value: cdktf.stringToHclTerraform(this._onRemove),
        isBlock: false,
        type: "simple",
        storageClassType: "string",
      },
      password: {
        value: cdktf.stringToHclTerraform(this._password),
        isBlock: false,
        type: "simple",
        storageClassType: "string",
      },
      roles: {
        value: cdktf.listMapperHcl(userRolesToHclTerraform, false)(this._roles.internalValue),
        isBlock: true,
        type: "set",
        storageClassType: "UserRolesList",
      },
      roles_complete: {
        value: cdktf.booleanToHclTerraform(this._rolesComplete),
        isBlock: false,
        type: "simple",
        storageClassType: "boolean",
      },
      user_id: {
        value: cdktf.stringToHclTerraform(this._userId),
        isBlock: false,
        type: "simple",
        storageClassType: "string",
      },
      username: {
        value: cdktf.stringToHclTerraform(this._username),
        isBlock: false,
        type: "simple",
        storageClassType: "string",
      },
    };

    // remove undefined attributes
    return Object.fromEntries(Object.entries(attrs).filter(([_, value]) => value !== undefined && value.value !== undefined ))
  }
}
