/** The ports of the running router as its workers use them: which there are, and the queues of each worker. */
package org.fibnuma.fibnic.ports;
