/**
 * The C library: {@link org.fibnuma.binding.libc.LibC} makes every system call,
 * {@link org.fibnuma.binding.libc.StructMemory} is the memory of structures that are passed to the kernel, and
 * {@link org.fibnuma.binding.libc.SystemCallException} reports a system call that failed. Thread pinning, huge pages
 * and network namespaces are built on them.
 */
@org.fibnuma.core.Internal
package org.fibnuma.binding.libc;
