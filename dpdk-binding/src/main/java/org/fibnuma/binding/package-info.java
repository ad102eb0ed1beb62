/**
 * Native memory layouts and system calls, through jnr-ffi. The other modules use them only through the service
 * interfaces of the core module.
 */
package org.fibnuma.binding;
