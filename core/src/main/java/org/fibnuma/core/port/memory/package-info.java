/**
 * {@code mem:} ports: a link between two ends in one process, without system calls. Frames are handed over, not
 * copied, where both ends keep them in one region: for every frame taken the receiver gives an empty chunk back, as a
 * network card does. Between two regions frames are copied. Close both ends before either region.
 */
package org.fibnuma.core.port.memory;
