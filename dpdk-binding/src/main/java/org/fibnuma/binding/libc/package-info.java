/**
 * The C library and the kernel behind it: {@link org.fibnuma.binding.libc.LibC} is the one interface through which
 * system calls are made, {@link org.fibnuma.binding.libc.StructMemory} the memory that structures are passed in, and
 * {@link org.fibnuma.binding.libc.SystemCallException} what becomes of a refusal. Pinning of threads, large pages
 * and network namespaces are built on them.
 */
package org.fibnuma.binding.libc;
