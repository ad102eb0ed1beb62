/** Detection of pause storms: a peer that pauses us forever blocks a lossless queue and the queues behind it. */
@org.fibnuma.core.Internal
package org.fibnuma.pfc.watchdog;
