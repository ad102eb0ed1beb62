/**
 * Everything that touches native memory layouts or system calls, through jnr-ffi. The rest of Fibnuma sees it only
 * through the service interfaces of the core module.
 */
package org.fibnuma.binding;
