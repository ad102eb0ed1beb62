/** The ports of a running router as its workers use them, the queues of each worker, and the paths to the kernel. */
@org.fibnuma.core.Internal
package org.fibnuma.fibnic.ports;
