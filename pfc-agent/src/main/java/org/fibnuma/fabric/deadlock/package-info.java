/** A simulation of lossless buffers that shows a deadlock. */
@org.fibnuma.core.Internal
package org.fibnuma.fabric.deadlock;
