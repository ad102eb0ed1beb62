/**
 * {@code mem:} ports: a link between two ends in one process, without system calls. Frames are handed over, not
 * copied; for every frame taken the receiver gives an empty chunk back, as a network card does.
 */
package org.fibnuma.core.port.memory;
