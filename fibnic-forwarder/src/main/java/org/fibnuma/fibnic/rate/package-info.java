/** Rate limits of a worker's own messages and of what it passes to the kernel; each is used by one thread. */
package org.fibnuma.fibnic.rate;
