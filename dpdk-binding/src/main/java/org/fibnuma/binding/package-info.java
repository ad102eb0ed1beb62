/** Native memory layouts and system calls, through jnr-ffi; used through the service interfaces of the core module. */
@org.fibnuma.core.Internal
package org.fibnuma.binding;
