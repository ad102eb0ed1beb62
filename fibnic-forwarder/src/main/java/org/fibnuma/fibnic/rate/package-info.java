/** Rate limits of a worker's own messages and of what it passes to the kernel; each is used by one thread. */
@org.fibnuma.core.Internal
package org.fibnuma.fibnic.rate;
