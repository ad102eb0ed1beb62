/**
 * {@code mem:} ports: a link between two ports in one process, without system calls. If both ends use one region,
 * frames are passed without a copy, and the receiver returns an empty chunk for every frame; between two regions frames
 * are copied. Close both ends before either region.
 */
@org.fibnuma.core.Internal
package org.fibnuma.core.port.memory;
