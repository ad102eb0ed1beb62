/** The ports of a running router as its workers use them, the queues of each worker, and the paths to the kernel. */
package org.fibnuma.fibnic.ports;
