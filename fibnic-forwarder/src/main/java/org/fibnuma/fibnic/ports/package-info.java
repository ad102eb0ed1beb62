/**
 * The ports of the running router as its workers use them: which there are, the queues of each worker, and the ways to
 * the kernel.
 */
package org.fibnuma.fibnic.ports;
